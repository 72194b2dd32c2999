// Tests of whether a domain is registered: two resolvers must deny it, and none may show it.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clockFrom } from "../lib/clock.ts";
import { createRegistration } from "./registered-domain.ts";
import type { DnsAnswer } from "./resolver.ts";

const empty = { records: [], authorities: [] } as const;
const ANSWERS = {
  denies: { outcome: "nxdomain", ...empty },
  shows: { outcome: "answer", ...empty },
  fails: { outcome: "failed", reason: "servfail" },
} satisfies Record<string, DnsAnswer>;
type Said = keyof typeof ANSWERS;

let now = 0;
let asked: string[] = [];
beforeEach(() => {
  now = 0;
  asked = [];
});

afterEach(() => vi.useRealTimers());

function registration(said: Said[]) {
  const resolvers = said.map((_, index) => ({
    query: async (name: string, type: number) => {
      asked.push(`${type} ${name}`);
      return ANSWERS[said[index] ?? "fails"];
    },
  }));
  return createRegistration({ resolvers, clock: clockFrom(() => now) });
}

describe("a domain", () => {
  test.each<[boolean, Said[]]>([
    [true, ["denies", "denies", "denies"]],
    [true, ["denies", "denies", "fails"]],
    [false, ["denies", "fails", "fails"]],
    [false, ["denies", "denies", "shows"]],
    [false, ["fails", "fails", "fails"]],
    [true, ["denies"]],
    [false, ["shows"]],
  ])("is unregistered: %s, if resolvers say %j", async (expected, said) => {
    expect(await registration(said)("alice.co.uk")).toBe(expected);
  });

  test("is asked about where it is registered, never below", async () => {
    await registration(["denies"])("www.blog.alice.co.uk");
    expect(asked).toEqual(["2 alice.co.uk"]);
  });

  test("that exists is not asked about again for five minutes, and one that does not always is", async () => {
    const said: Said[] = ["shows"];
    const isUnregistered = registration(said);
    await isUnregistered("alice.test");
    said[0] = "denies";
    now = 299_000;
    expect(await isUnregistered("alice.test")).toBe(false);
    now = 300_000;
    expect([await isUnregistered("alice.test"), await isUnregistered("alice.test")]).toEqual([
      true,
      true,
    ]);
    expect(asked).toHaveLength(3);
  });

  test("that one resolver shows needs no word of the others", async () => {
    const shows = { query: async () => ANSWERS.shows };
    const silent = { query: () => new Promise<never>(() => {}) };
    vi.useFakeTimers();
    const clock = clockFrom(() => now);
    const isUnregistered = createRegistration({ resolvers: [silent, shows, silent], clock });
    expect(await isUnregistered("alice.test")).toBe(false);
  });
});
