// Tests of the limits for questions that strangers cause: to name servers that they choose, and about those to our resolvers.

import { beforeEach, expect, it } from "vitest";
import { clockFrom } from "../lib/clock.ts";
import { createQueryLimits } from "./query-limits.ts";

const wide = { perMinute: 1000, inFlight: 1000 };
let time = 0;
const clock = clockFrom(() => time);

beforeEach(() => {
  time = 0;
});

it.each([
  ["network", "198.51.100.1", "198.51.100.254", "198.51.101.1"],
  ["network", "2001:db8:1::1", "2001:db8:1:ffff::2", "2001:db8:2::1"],
])("a %s of %s also contains %s, and not %s", async (_, first, same, other) => {
  const limits = createQueryLimits(clock, {
    ...{ domain: wide, total: wide },
    network: { perMinute: 1, inFlight: 1 },
  });
  const ask = (address: string) => limits.run({ address, domain: "a.test" }, async () => "sent");
  expect(await ask(first)).toBe("sent");
  expect(await ask(same)).toBeNull();
  expect(await ask(other)).toBe("sent");
  time += 60_000;
  expect(await ask(same)).toBe("sent");
});

it.each(["network", "domain", "total"] as const)(
  "in flight, each %s has a limit of its own",
  async (which) => {
    const limits = createQueryLimits(clock, {
      ...{ network: wide, domain: wide, total: wide },
      [which]: { perMinute: 1000, inFlight: 2 },
    });
    const ends: (() => void)[] = [];
    const ask = (address: string, domain: string) =>
      limits.run(
        { address, domain },
        () => new Promise<string>((resolve) => ends.push(() => resolve("sent"))),
      );
    const begun = [ask("8.8.8.1", "a.test"), ask("8.8.8.2", "a.test")];
    void ask("8.8.8.3", "a.test");
    // The callback of a question that is sent is called at once.
    expect(ends).toHaveLength(2);
    const elsewhere = { network: ask("9.9.9.9", "a.test"), domain: ask("8.8.8.8", "b.test") };
    const others = which === "total" ? [] : [elsewhere[which]];
    for (const end of ends) end();
    expect(await Promise.all([...begun, ...others])).toEqual(
      [...begun, ...others].map(() => "sent"),
    );
    // What failed is over, too.
    await expect(
      limits.run({ address: "8.8.8.1", domain: "a.test" }, () => Promise.reject(new Error("x"))),
    ).rejects.toThrow("x");
    const again = [ask("8.8.8.1", "a.test"), ask("8.8.8.2", "a.test")];
    for (const end of ends) end();
    expect(await Promise.all(again)).toEqual(["sent", "sent"]);
  },
);

it("per minute, each domain and all together have a limit", async () => {
  const limits = createQueryLimits(clock, {
    network: wide,
    domain: { perMinute: 2, inFlight: 9 },
    total: { perMinute: 3, inFlight: 9 },
  });
  const ask = (domain: string) => limits.run({ address: "8.8.8.8", domain }, async () => "sent");
  expect([await ask("a.test"), await ask("a.test"), await ask("a.test")]).toEqual([
    "sent",
    "sent",
    null,
  ]);
  expect([await ask("b.test"), await ask("c.test")]).toEqual(["sent", null]);
});
