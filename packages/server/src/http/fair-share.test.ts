// Tests of the share of page requests: how much they get together, and who goes first.

import { describe, expect, it, vi } from "vitest";
import { fakeTimers } from "../../test/support/fake-timers.ts";
import { createFairShare, OverloadedError, type Requester, WAITING } from "./fair-share.ts";

const PAGE_MS = 10;
const cost = { countPage: () => {}, countOther: () => {}, pageMs: () => PAGE_MS };

fakeTimers({ now: 0 });

const stranger = (key: string): Requester => ({ key, isReturning: false });
const returning = (key: string): Requester => ({ key, isReturning: true });

/** Numbers from 0 to 1, the same in each run (MINSTD). */
function pseudoRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A share of a half whose savings are used up. */
function start() {
  const random = pseudoRandom();
  const fair = createFairShare({ share: 0.5, cost, now: () => Date.now(), random });
  const served: string[] = [];
  const refused: string[] = [];
  const isFirst: boolean[] = [];
  const ask = (from: Requester, name = from.key) =>
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
  for (let count = 0; count < 10; count++) await started.ask(stranger("savings"));
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

  it.each([
    [17, false],
    [40, false],
    [40, true],
  ])(
    "%i keys that flood a lane keep no quiet person out (returning: %s)",
    async (keys, isReturning) => {
      const { ask, served, refused } = await exhausted();
      const flood = setInterval(() => {
        for (let key = 0; key < keys; key++) void ask({ key: `flood ${key}`, isReturning });
      }, 10);
      for (let person = 0; person < 30; person++) {
        await vi.advanceTimersByTimeAsync(100);
        void ask({ key: `quiet ${person}`, isReturning });
      }
      await vi.advanceTimersByTimeAsync(2000);
      clearInterval(flood);
      const quiet = (names: readonly string[]) => names.filter((name) => name.startsWith("quiet"));
      expect(quiet(refused)).toEqual([]);
      expect(quiet(served)).toHaveLength(30);
    },
  );

  it("the longest line loses its newest request when the lane is full", async () => {
    const { ask, served, refused } = await exhausted();
    const lines = WAITING.lane / WAITING.each;
    for (let place = 0; place < WAITING.each; place++) {
      for (let key = 0; key < lines; key++) {
        if (key > 0 || place > 0) void ask(stranger(`flood ${key}`), `${key}: ${place}`);
      }
    }
    void ask(stranger("filler"));
    void ask(stranger("person"));
    // A line that is as long as the longest one can make no room for itself.
    void ask(stranger("flood 1"), "one more");
    await vi.advanceTimersByTimeAsync(0);
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatch(/^([1-9]|1[0-5]): 15$/);
    expect(refused[1]).toBe("one more");
    await vi.advanceTimersByTimeAsync(1000);
    expect(served).toContain("person");
  });

  it("of equally long lines, any may lose its request, not always the oldest or the newest", async () => {
    const { ask, refused } = await exhausted();
    for (let key = 0; key < 2 * WAITING.lane; key++) void ask(stranger(String(key)), String(key));
    await vi.advanceTimersByTimeAsync(0);
    expect(refused).toHaveLength(WAITING.lane);
    const early = refused.filter((key) => Number(key) < WAITING.lane).length;
    // Each of the first 256 survives 256 draws of one in 256 with a probability of 0.37.
    expect(early).toBeGreaterThan(130);
    expect(early).toBeLessThan(190);
    expect(refused).not.toContain(String(2 * WAITING.lane - 1));
  });

  it("nobody waits longer than ten seconds, and then is refused", async () => {
    const { ask, served, refused, isFirst } = await exhausted();
    for (let key = 0; key < 250; key++) void ask(stranger(String(key)));
    // Returning browsers use up the whole share.
    const flood = setInterval(() => void ask(returning("flood")), 15);
    await vi.advanceTimersByTimeAsync(WAITING.ms);
    clearInterval(flood);
    const strangers = served.filter((name) => name !== "flood");
    expect(strangers.length).toBeLessThan(20);
    expect(WAITING.ms).toBe(10_000);
    expect(refused.filter((name) => name !== "flood").length + strangers.length).toBe(250);
    // One line of the log for all of them.
    expect(isFirst.filter((one) => one)).toHaveLength(1);
  });

  it("time in which the process did not run does not end a wait", async () => {
    const { ask, served, refused } = await exhausted();
    const flood = setInterval(() => void ask(returning("flood")), 10);
    await vi.advanceTimersByTimeAsync(100);
    void ask(stranger("person"));
    await vi.advanceTimersByTimeAsync(100);
    // As after a SIGSTOP and a SIGCONT: each timer fires once, late.
    Reflect.get(setTimeout, "clock").jump(2 * WAITING.ms);
    await vi.advanceTimersByTimeAsync(WAITING.ms / 2);
    expect(refused).not.toContain("person");
    clearInterval(flood);
    await vi.advanceTimersByTimeAsync(1000);
    expect(served).toContain("person");
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
