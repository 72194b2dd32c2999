// Turns of page requests: who waits for whom, who is refused, and what a person behind a flood gets.

import { describe, expect, it, vi } from "vitest";
import { httpRequest } from "../../test/support/http-request.ts";
import { systemClock } from "../lib/clock.ts";
import { createPageGate } from "./page-gate.ts";
import { limitPages, OverloadedError } from "./page-turns.ts";

const response = { status: 200, headers: {}, body: "" };
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A service in which one page begins at each call of `turn`. */
function pagesOf({ waiting = 64 } = {}) {
  let free = 0;
  const gate = createPageGate();
  const limit = limitPages({
    gate: {
      ...gate,
      waitMs: () => (free > 0 ? 0 : Number.POSITIVE_INFINITY),
      begin: () => void free--,
      end() {},
    },
    clock: systemClock,
    waiting,
    readReturning: ({ header }) => header("returning")?.split(" ") ?? null,
    readBrowser: ({ header }) => header("browser") ?? undefined,
  });
  const answered: string[] = [];
  const refused: string[] = [];
  const guarded = limit((http) => {
    answered.push(http.header("name") ?? "");
    return response;
  });
  const ask = async (clientAddress: string, name: string, headers: Record<string, string> = {}) => {
    const request = new Request("http://localhost/", { headers: { name, ...headers } });
    try {
      await guarded(httpRequest(request, { clientAddress }));
    } catch (error) {
      expect(error).toBeInstanceOf(OverloadedError);
      refused.push(name);
    }
  };
  /** Each request that ends lets another one begin. */
  const turns = async (count: number) => {
    for (let n = 0; n < count; n++) {
      free = 1;
      void ask("203.0.113.250", "turn");
      await settled();
    }
  };
  return { ask, answered, refused, turns };
}

const FLOODED = "192.0.2.1";

describe("behind a flood of one address, without the cookie of a page", () => {
  it("somebody of another network has the next turn but one", async () => {
    const { ask, answered, turns } = pagesOf();
    for (let n = 0; n < 20; n++) void ask(FLOODED, "flood");
    void ask("198.51.100.1", "newcomer");
    await turns(4);
    expect(answered).toContain("newcomer");
  });

  it("a browser at that address that has our first page has its turn too", async () => {
    const { ask, answered, turns } = pagesOf();
    for (let n = 0; n < 20; n++) void ask(FLOODED, "flood");
    void ask(FLOODED, "neighbour", { browser: "a cookie" });
    await turns(6);
    expect(answered).toContain("neighbour");
  });

  it("nobody but the flood is refused, however full the room", async () => {
    const { ask, refused } = pagesOf({ waiting: 64 });
    for (let n = 0; n < 100; n++) void ask(FLOODED, "flood");
    for (let n = 1; n <= 12; n++) void ask(`198.51.${n}.1`, "newcomer");
    await settled();
    expect(refused.length).toBeGreaterThan(60);
    expect(refused).not.toContain("newcomer");
  });
});

describe("in the lane of returning browsers", () => {
  const returning = (domain: string, account: string) => ({
    returning: `#${domain} #${domain}o #${domain}o${account}`,
  });

  it("a thousand accounts below one domain are one user", async () => {
    const { ask, answered, refused, turns } = pagesOf({ waiting: 64 });
    for (let n = 0; n < 60; n++) void ask(`192.0.2.${n}`, "flood", returning("flood", `${n}`));
    void ask("198.51.100.1", "alice", returning("alice", "a"));
    await turns(4);
    expect(answered).toContain("alice");
    expect(refused).not.toContain("alice");
  });

  it("what gives way there waits once more as a stranger", async () => {
    const { ask, answered, refused, turns } = pagesOf({ waiting: 8 });
    for (let n = 0; n < 6; n++) void ask(`192.0.${n}.1`, `flood ${n}`, returning("flood", `${n}`));
    await settled();
    expect(refused).toEqual([]);
    await turns(8);
    expect(answered.filter((name) => name.startsWith("flood")).length).toBeGreaterThan(4);
  });

  it("strangers get a turn however many return", async () => {
    const { ask, answered, turns } = pagesOf();
    for (let n = 0; n < 20; n++) void ask("192.0.2.1", "returning", returning(`d${n}`, "a"));
    void ask("198.51.100.1", "newcomer");
    await turns(6);
    expect(answered).toContain("newcomer");
  });
});

it("nobody is refused because the processor is busy: who waits is answered, however late", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  try {
    const { ask, answered, refused, turns } = pagesOf();
    void ask("198.51.100.1", "patient");
    vi.advanceTimersByTime(600_000);
    await settled();
    expect(refused).toEqual([]);
    await turns(2);
    expect(answered).toContain("patient");
  } finally {
    vi.useRealTimers();
  }
});
