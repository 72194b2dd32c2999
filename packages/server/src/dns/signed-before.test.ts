// Tests of when a domain that was signed may be insecure, on a real store, with resolvers that lie.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createSignedZones, type SignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import { recordType } from "domain-signin-verify/dns/records";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { serverAt } from "../../test/support/dns-server.ts";
import {
  goneUnsigned,
  type Lie,
  type LyingResolver,
  startLyingResolver,
  withoutDs,
  withoutSignatures,
} from "../../test/support/lying-resolvers.ts";
import { passingTime, passRest, until } from "../../test/support/moving-time.ts";
import type { SqlEngine } from "../database/engine.ts";
import { migrate } from "../database/migrations.ts";
import { openSqlite } from "../database/sqlite.ts";
import { clockFrom } from "../lib/clock.ts";
import { createStore, type Store } from "../store/store.ts";
import { createResolver } from "./resolver.ts";
import { createSignedBefore, type SignedBefore } from "./signed-before.ts";
import { createValidator, type Validator } from "./validator.ts";

const start = 1_800_000_000;
const hour = 3600;
const day = 24 * hour;
const domain = "alice.test";

const tree = [
  { name: "", algorithm: 13, signed: true },
  { name: "test", algorithm: 13, signed: true },
  { name: "alice.test", algorithm: 13, signed: true },
] as const;

let now: number;
/** By how many seconds the clock is ahead of what is proven. */
let ahead: number;
let zones: SignedZones;
let resolvers: LyingResolver[];
let engine: SqlEngine;
let store: Store;
let signedBefore: SignedBefore;

beforeAll(async () => {
  zones = createSignedZones({ zones: tree, records: () => [], now: () => now });
  resolvers = await Promise.all([1, 2, 3].map(() => startLyingResolver(zones)));
});
beforeEach(async () => {
  [now, ahead] = [start, 0];
  for (const one of resolvers) {
    one.lie();
    one.silence(false);
    one.asked.length = 0;
  }
  engine = openSqlite(":memory:");
  await migrate(engine);
  store = createStore(engine);
  signedBefore = onNode();
  // Time stands still: on a busy machine, a proof may take longer than the service waits for it.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  return engine.close();
});
afterAll(() => {
  for (const one of resolvers) one.close();
});

/** What one node has; all share the store. */
function onNode(configured?: readonly Pick<LyingResolver, "text">[]): SignedBefore {
  const validators = validatorsOf(configured);
  const clock = { ...clockFrom(() => now * 1000), floor: () => now - ahead };
  return createSignedBefore({ store: store.secureDomains, clock, validators });
}

function validatorsOf(configured: readonly Pick<LyingResolver, "text">[] = resolvers): Validator[] {
  const trustAnchors = zones.trustAnchors.map(parseTrustAnchor);
  return configured.map(({ text }) => {
    const { query } = createResolver({ servers: [serverAt(text)] });
    return createValidator({ query, clock: clockFrom(() => now * 1000), trustAnchors });
  });
}

function everybody(...lies: readonly Lie[]): void {
  for (const one of resolvers) one.lie(...lies);
}

async function mayBeInsecure(node = signedBefore, of = domain): Promise<boolean> {
  return node.mayBeInsecure(await store.secureDomains.findSecureDomain(of));
}

/** Seen signed at the start, and proven insecure by all resolvers two hours later; then a day passes. */
async function almostReleased(): Promise<void> {
  await signedBefore.note(domain);
  everybody(goneUnsigned(zones, domain));
  now += 2 * hour;
  expect(await mayBeInsecure()).toBe(false);
  expect((await store.secureDomains.findSecureDomain(domain))?.unsignedAt).toBe(now);
  now += day;
}

describe("a domain that was never seen signed", () => {
  it("may be insecure, and no resolver is asked", async () => {
    expect(await mayBeInsecure()).toBe(true);
    expect(resolvers.flatMap(({ asked }) => asked)).toEqual([]);
  });
});

describe("a domain that was seen signed", () => {
  it("may be insecure if all resolvers prove it twice, a day apart, and is then forgotten", async () => {
    await almostReleased();
    expect(await mayBeInsecure()).toBe(true);
    expect(await store.secureDomains.findSecureDomain(domain)).toBeNull();
    everybody();
    expect(await mayBeInsecure()).toBe(true);
  });

  it("has a time for its second look once the first has confirmed it", async () => {
    await signedBefore.note(domain);
    expect(await signedBefore.secondLookAt(domain)).toBeNull();
    await almostReleased();
    expect(await signedBefore.secondLookAt(domain)).toBe(now);
    expect(await signedBefore.secondLookAt("bob.test")).toBeNull();
  });

  it("may not be a second sooner", async () => {
    await almostReleased();
    now -= 1;
    expect(await mayBeInsecure()).toBe(false);
    now += 1;
    expect(await mayBeInsecure()).toBe(true);
  });

  it("may not be, however often all resolvers prove it within the day", async () => {
    await signedBefore.note(domain);
    everybody(goneUnsigned(zones, domain));
    for (let times = 0; times < 5; times++) {
      now += 2 * hour;
      expect(await mayBeInsecure()).toBe(false);
    }
  });

  it("may be after 30 days in any case, not before", async () => {
    await signedBefore.note(domain);
    now += 30 * day - 1;
    expect(await mayBeInsecure()).toBe(false);
    now += 1;
    expect(await mayBeInsecure()).toBe(true);
  });

  it("may not be by a clock that only has jumped: neither after its day nor after its 30 days", async () => {
    await almostReleased();
    now += 7 * day;
    ahead = 7 * day + 1;
    expect(await mayBeInsecure()).toBe(false);
    everybody();
    now += 30 * day;
    ahead = now - start - 30 * day + 1;
    expect(await mayBeInsecure()).toBe(false);
    ahead--;
    expect(await mayBeInsecure()).toBe(true);
  });

  it("waits for another day if it is seen signed in between", async () => {
    await almostReleased();
    await signedBefore.note(domain);
    expect(await mayBeInsecure()).toBe(false);
    now += 2 * hour;
    expect(await mayBeInsecure()).toBe(false);
    now += day - 1;
    expect(await mayBeInsecure()).toBe(false);
    now += 1;
    expect(await mayBeInsecure()).toBe(true);
  });

  it("waits for another day though another node noted it a moment before, and notes no more", async () => {
    const other = onNode();
    await other.note(domain);
    everybody(goneUnsigned(zones, domain));
    now += 1800;
    expect(await mayBeInsecure()).toBe(false);
    now += 600;
    await other.note(domain);
    now += day;
    expect(await mayBeInsecure()).toBe(false);
  });
});

describe("the second look of the service itself", () => {
  it("releases a domain though nobody signs in, a day after the first and not sooner", async () => {
    await almostReleased();
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => pauses.push(milliseconds);
    now -= 1;
    await signedBefore.lookAgain(pause);
    expect([await store.secureDomains.findSecureDomain(domain), pauses]).toEqual([
      expect.anything(),
      [],
    ]);
    now += 1;
    await signedBefore.lookAgain(pause);
    expect([await store.secureDomains.findSecureDomain(domain), pauses]).toEqual([null, [100]]);
  });

  it("releases nothing if a resolver proves a DS record", async () => {
    await almostReleased();
    resolvers[0]?.lie();
    await signedBefore.lookAgain(async () => {});
    expect(await store.secureDomains.findSecureDomain(domain)).not.toBeNull();
  });

  /** `count` domains that no look can settle wait, and `domain` after them. Returns the queried domains. */
  async function manyWait(count: number): Promise<string[]> {
    const looked: string[] = [];
    const isInsecure = async (zone: string) => {
      looked.push(zone);
      return zone === domain || ({ security: "indeterminate", reason: "timeout" } as const);
    };
    const clock = clockFrom(() => now * 1000);
    signedBefore = createSignedBefore({
      store: store.secureDomains,
      clock,
      validators: [{ isInsecure }],
    });
    for (let index = 0; index <= count; index++) {
      const one = index < count ? `d${index}.test` : domain;
      await store.secureDomains.noteSecure(one, start);
      await store.secureDomains.noteUnsigned(one, index < count ? start + 1 : start + 2);
    }
    now += 2 * day;
    return looked;
  }

  it("reaches a domain behind hundreds that it cannot settle", async () => {
    const looked = await manyWait(450);
    await signedBefore.lookAgain(async () => {});
    expect([looked.length, await store.secureDomains.findSecureDomain(domain)]).toEqual([
      451,
      null,
    ]);
  });

  it("ends after 2000 domains; the next run goes on there, and the one after it from the start", async () => {
    const looked = await manyWait(2100);
    const runs: string[][] = [];
    for (let run = 0; run < 3; run++) {
      const pauses: number[] = [];
      await signedBefore.lookAgain(async (milliseconds) => pauses.push(milliseconds));
      runs.push(looked.splice(0));
      expect(pauses).toEqual(runs[run]?.map(() => 100));
    }
    expect(runs.map(({ length }) => length)).toEqual([2000, 101, 2000]);
    expect(new Set(runs.flat()).size).toBe(2101);
    expect(runs[2]).toEqual(runs[0]);
  });

  it("ends after half an hour however slow the looks are, and the next run goes on there", async () => {
    const looked = await manyWait(400);
    const slowly = async () => {
      now += 6;
    };
    await signedBefore.lookAgain(slowly);
    expect(looked.length).toBe(300);
    await signedBefore.lookAgain(slowly);
    expect([looked.length, new Set(looked).size]).toEqual([401, 401]);
  });

  it("goes on behind a domain at which it fails", async () => {
    const looked = await manyWait(1);
    const run = () => signedBefore.lookAgain(async () => {});
    const { findSecureDomain } = store.secureDomains;
    store.secureDomains.findSecureDomain = () => Promise.reject(new Error("no answer"));
    await expect(run()).rejects.toThrow("no answer");
    store.secureDomains.findSecureDomain = findSecureDomain;
    await run();
    expect(looked).toEqual([domain]);
  });
});

describe("one resolver that proves a DS record", () => {
  it.each([0, 1, 2])("is enough to keep the domain signed (%i)", async (index) => {
    await almostReleased();
    resolvers[index]?.lie();
    expect(await mayBeInsecure()).toBe(false);
    resolvers[index]?.lie(goneUnsigned(zones, domain));
    // What its validator remembers of the zone holds for an hour.
    now += hour;
    expect(await mayBeInsecure()).toBe(true);
  });

  it("is enough though it strips the signatures of everything else", async () => {
    await almostReleased();
    resolvers[0]?.lie(withoutSignatures(recordType.TXT));
    expect(await mayBeInsecure()).toBe(false);
  });
});

describe("the proof that there is no DS record", () => {
  it.each<[string, (resolver: LyingResolver | undefined) => void]>([
    ["is not there", (resolver) => resolver?.silence(true)],
    ["finds bogus signatures", (resolver) => resolver?.lie(withoutSignatures())],
    ["only says so", (resolver) => resolver?.lie(withoutDs(domain))],
  ])("is needed from two resolvers, though the third %s", async (_, misbehave) => {
    await almostReleased();
    misbehave(resolvers[0]);
    misbehave(resolvers[1]);
    expect(await mayBeInsecure()).toBe(false);
    everybody(goneUnsigned(zones, domain));
    for (const one of resolvers) one.silence(false);
    misbehave(resolvers[0]);
    // Answers about delegations are shared for 3 seconds.
    now += 4;
    expect(await mayBeInsecure()).toBe(true);
  });

  it("is not what all resolvers say without signatures", async () => {
    await signedBefore.note(domain);
    everybody(withoutDs(domain));
    for (const wait of [2 * hour, day, day]) {
      now += wait;
      expect(await mayBeInsecure()).toBe(false);
    }
    expect((await store.secureDomains.findSecureDomain(domain))?.unsignedAt).toBeNull();
  });

  it("is not that a domain is inside a signed zone", async () => {
    const below = "shop.alice.test";
    await signedBefore.note(below);
    resolvers[0]?.lie(withoutDs(below));
    for (const wait of [2 * hour, day, day]) {
      now += wait;
      expect(await mayBeInsecure(signedBefore, below)).toBe(false);
    }
    expect((await store.secureDomains.findSecureDomain(below))?.unsignedAt).toBeNull();
  });

  it("is needed from the only resolver, and from both of two", async () => {
    await almostReleased();
    resolvers[1]?.silence(true);
    expect(await mayBeInsecure(onNode(resolvers.slice(0, 2)))).toBe(false);
    expect(await mayBeInsecure(onNode(resolvers.slice(1, 2)))).toBe(false);
    expect(await mayBeInsecure(onNode(resolvers.slice(0, 1)))).toBe(true);
  });

  it("is waited for at most 0.8 seconds", async () => {
    await almostReleased();
    const silent = createSocket("udp4").bind(0, "127.0.0.1");
    await once(silent, "listening");
    let proofs = 0;
    const validators = validatorsOf([
      ...resolvers.slice(0, 2),
      { text: `127.0.0.1:${silent.address().port}` },
    ]).map(({ isInsecure }) => ({
      async isInsecure(zone: string) {
        const found = await isInsecure(zone);
        proofs++;
        return found;
      },
    }));
    const node = createSignedBefore({
      store: store.secureDomains,
      clock: clockFrom(() => now * 1000),
      validators,
    });
    try {
      const began = performance.now();
      const answer = mayBeInsecure(node);
      await until(() => proofs === 2);
      expect(await passingTime(answer)).toBe(true);
      expect(performance.now() - began).toBeGreaterThanOrEqual(800);
      expect(performance.now() - began).toBeLessThan(1500);
      await passRest();
    } finally {
      silent.close();
    }
  });
});

describe("noting a signed domain", () => {
  it("writes once an hour for each domain", async () => {
    const secureAt = async () => (await store.secureDomains.findSecureDomain(domain))?.secureAt;
    await signedBefore.note(domain);
    now += hour - 1;
    await signedBefore.note(domain);
    expect(await secureAt()).toBe(start);
    await signedBefore.note("bob.test");
    expect((await store.secureDomains.findSecureDomain("bob.test"))?.secureAt).toBe(now);
    now += 1;
    await signedBefore.note(domain);
    expect(await secureAt()).toBe(start + hour);
  });
});
