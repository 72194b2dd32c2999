// Tests of the share of page requests: how much they get together, and who goes first.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createFairShare, OverloadedError, type Requester, WAITING } from "./fair-share.ts";

const PAGE_MS = 10;
const cost = { countPage: () => {}, pageMs: () => PAGE_MS };

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

const stranger = (key: string | null): Requester => ({ key, isReturning: false });
const returning = (key: string): Requester => ({ key, isReturning: true });

/** A share of a half whose savings are used up. */
function start() {
  const fair = createFairShare({ share: 0.5, cost, now: () => Date.now() });
  const served: string[] = [];
  const refused: string[] = [];
  const isFirst: boolean[] = [];
  const ask = (from: Requester, name = from.key ?? "") =>
    fair
      .run(from, () => served.push(name))
      .catch((error) => {
        if (!(error instanceof OverloadedError)) throw error;
        refused.push(name);
        isFirst.push(error.isFirst);
      });
  return { fair, served, refused, isFirst, ask };
}

async function exhausted() {
  const started = start();
  for (let count = 0; count < 10; count++) await started.ask(stranger(null), "savings");
  started.served.length = 0;
  return started;
}

describe("all page requests together", () => {
  it("start at once while there are few", async () => {
    const { ask, served } = start();
    await ask(stranger("a"));
    await ask(returning("b"));
    expect(served).toEqual(["a", "b"]);
  });

  it("get half of a processor, however many there are", async () => {
    const { ask, served } = await exhausted();
    for (let key = 0; key < 200; key++) void ask(stranger(String(key)));
    await vi.advanceTimersByTimeAsync(2000);
    // 2000 ms * 0.5 / 10 ms
    expect(served.length).toBeGreaterThan(95);
    expect(served.length).toBeLessThanOrEqual(101);
  });

  it("may use for a moment what they have not used before, and no more", async () => {
    const { ask, served } = await exhausted();
    await vi.advanceTimersByTimeAsync(60_000);
    for (let key = 0; key < 200; key++) void ask(stranger(String(key)));
    await vi.advanceTimersByTimeAsync(0);
    expect(served).toHaveLength(10);
  });
});

describe("of those that wait", () => {
  it("returning browsers go first", async () => {
    const { ask, served } = await exhausted();
    for (const key of ["a", "b", "c"]) void ask(stranger(key));
    for (const key of ["x", "y"]) void ask(returning(key));
    await vi.advanceTimersByTimeAsync(1000);
    expect(served).toEqual(["x", "y", "a", "b", "c"]);
  });

  it("one of each address goes in turn, so one request overtakes many of another address", async () => {
    const { ask, served } = await exhausted();
    for (let count = 0; count < 4; count++) void ask(stranger("flood"));
    void ask(stranger("person"));
    await vi.advanceTimersByTimeAsync(1000);
    expect(served).toEqual(["flood", "person", "flood", "flood", "flood"]);
  });

  it("an address with more than its places is refused, and nobody else", async () => {
    const { ask, served, refused } = await exhausted();
    for (let count = 0; count < WAITING.each + 3; count++) void ask(stranger("flood"));
    void ask(stranger("person"));
    await vi.advanceTimersByTimeAsync(0);
    expect(refused).toEqual(["flood", "flood", "flood"]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(served.filter((name) => name === "person")).toHaveLength(1);
  });

  it("strangers never take the places of returning browsers", async () => {
    const { ask, served, refused } = await exhausted();
    for (let key = 0; key < WAITING.lane + 5; key++) void ask(stranger(String(key)));
    void ask(returning("known"));
    await vi.advanceTimersByTimeAsync(25);
    expect(refused).toHaveLength(5);
    expect(served[0]).toBe("known");
  });

  it("nobody waits longer than five seconds, and then is refused", async () => {
    const { ask, served, refused, isFirst } = await exhausted();
    for (let key = 0; key < 250; key++) void ask(stranger(String(key)));
    // Returning browsers use up the whole share.
    const flood = setInterval(() => void ask(returning("flood")), 15);
    await vi.advanceTimersByTimeAsync(WAITING.ms);
    clearInterval(flood);
    const strangers = served.filter((name) => name !== "flood");
    expect(strangers.length).toBeLessThan(20);
    expect(refused.filter((name) => name !== "flood").length + strangers.length).toBe(250);
    // One line of the log for all of them.
    expect(isFirst.filter((one) => one)).toHaveLength(1);
  });
});

it("a task that fails gives its place back, and its error to its caller", async () => {
  const { fair, ask, served } = start();
  for (let count = 0; count < 1100; count++) {
    const failed = fair.run(stranger("a"), () => Promise.reject(new Error("broken")));
    await expect(failed).rejects.toThrow("broken");
    vi.setSystemTime(Date.now() + 20);
  }
  await ask(stranger("b"));
  expect(served).toEqual(["b"]);
});
