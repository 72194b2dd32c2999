// Tests of when a domain that was signed may be believed without, on a real store, with resolvers that lie.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createSignedZones, type SignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from "vitest";
import {
  cut,
  goneUnsigned,
  type Lie,
  type LyingResolver,
  startLyingResolver,
  withoutDs,
} from "../../test/support/lying-resolvers.ts";
import { passingTime } from "../../test/support/moving-time.ts";
import { clockFrom } from "../lib/clock.ts";
import type { SqlEngine } from "../store/engine.ts";
import { migrate } from "../store/migrations.ts";
import { openSqlite } from "../store/sqlite.ts";
import { createStore, type Store } from "../store/store.ts";
import type { Reach } from "./name-servers.ts";
import { createResolver } from "./resolver.ts";
import { createSignedBefore, type SignedBefore } from "./signed-before.ts";

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
let zones: SignedZones;
let resolvers: LyingResolver[];
/** The one server of `test`, as the zone names it. */
let above: LyingResolver;
let engine: SqlEngine;
let store: Store;
let signedBefore: SignedBefore;

beforeAll(async () => {
  zones = createSignedZones({ zones: tree, records: () => [], now: () => now });
  resolvers = await Promise.all([1, 2, 3].map(() => startLyingResolver(zones)));
  above = await startLyingResolver(zones);
});
beforeEach(async () => {
  now = start;
  for (const one of [...resolvers, above]) {
    one.lie();
    one.silence(false);
    one.asked.length = 0;
  }
  engine = openSqlite(":memory:");
  await migrate(engine);
  store = createStore(engine);
  signedBefore = onNode();
});
afterEach(() => engine.close());
afterAll(() => {
  for (const one of [...resolvers, above]) one.close();
});

/** What one node has; all share the store. */
function onNode(reach: Reach = () => above.server): SignedBefore {
  return createSignedBefore({
    ...{ store, clock: clockFrom(() => now * 1000), reach },
    resolvers: resolvers.map(({ text }) => createResolver({ servers: [text] })),
  });
}

function everybody(...lies: readonly Lie[]): void {
  for (const one of [...resolvers, above]) one.lie(...lies);
}

function mayBeUnsigned(node = signedBefore, of = domain): Promise<boolean> {
  return node.mayBeUnsigned(of);
}

/** Seen signed at the start, and then unsigned by everybody for a day and a half. */
async function almostReleased(): Promise<void> {
  await signedBefore.note(domain);
  everybody(goneUnsigned(zones, domain));
  now += 2 * hour;
  expect(await mayBeUnsigned()).toBe(false);
  expect((await store.findSecureDomain(domain))?.unsignedAt).toBe(now);
  now += day;
}

describe("a domain that was never seen signed", () => {
  it("may be unsigned, and nobody is asked", async () => {
    expect(await mayBeUnsigned()).toBe(true);
    expect(resolvers.flatMap(({ asked }) => asked)).toEqual([]);
  });
});

describe("a domain that was seen signed", () => {
  it("may be unsigned when everybody says so twice, a day apart, and is forgotten with that", async () => {
    await almostReleased();
    expect(await mayBeUnsigned()).toBe(true);
    expect(await store.findSecureDomain(domain)).toBeNull();
    everybody();
    expect(await mayBeUnsigned()).toBe(true);
  });

  it("may not be a second sooner", async () => {
    await almostReleased();
    now -= 1;
    expect(await mayBeUnsigned()).toBe(false);
    now += 1;
    expect(await mayBeUnsigned()).toBe(true);
  });

  it("may not be however often everybody says so within the day", async () => {
    await signedBefore.note(domain);
    everybody(goneUnsigned(zones, domain));
    for (let times = 0; times < 5; times++) {
      now += 2 * hour;
      expect(await mayBeUnsigned()).toBe(false);
    }
  });

  it("may be after 30 days in any case, not before", async () => {
    await signedBefore.note(domain);
    now += 30 * day - 1;
    expect(await mayBeUnsigned()).toBe(false);
    now += 1;
    expect(await mayBeUnsigned()).toBe(true);
  });

  it("begins its day anew when a chain is seen in between", async () => {
    await almostReleased();
    await signedBefore.note(domain);
    expect(await mayBeUnsigned()).toBe(false);
    now += 2 * hour;
    expect(await mayBeUnsigned()).toBe(false);
    now += day - 1;
    expect(await mayBeUnsigned()).toBe(false);
    now += 1;
    expect(await mayBeUnsigned()).toBe(true);
  });

  it("begins it anew though another node noted a chain a moment before, and notes no more", async () => {
    const other = onNode();
    await other.note(domain);
    everybody(goneUnsigned(zones, domain));
    now += 1800;
    expect(await mayBeUnsigned()).toBe(false);
    now += 600;
    await other.note(domain);
    now += day;
    expect(await mayBeUnsigned()).toBe(false);
  });
});

describe("one who says otherwise, or nothing, is enough to keep it", () => {
  const others = [0, 1, 2].map((index) => [`resolver ${index + 1}`, index] as const);

  it.each(others)("%s with a DS record", async (_, index) => {
    await almostReleased();
    resolvers[index]?.lie();
    expect(await mayBeUnsigned()).toBe(false);
    resolvers[index]?.lie(goneUnsigned(zones, domain));
    expect(await mayBeUnsigned()).toBe(true);
  });

  it("the server of the zone above with a DS record", async () => {
    await almostReleased();
    above.lie();
    expect(await mayBeUnsigned()).toBe(false);
  });

  it.each<[string, Lie]>([
    ["that does not have the zone", (_, answer) => ({ ...answer, authoritative: false })],
    ["that refuses", (_, answer) => ({ ...answer, rcode: 5, answers: [] })],
    ["that fails", (_, answer) => ({ ...answer, rcode: 2, answers: [] })],
  ])("a server of the zone above %s", async (_, lie) => {
    await almostReleased();
    above.lie(goneUnsigned(zones, domain), lie);
    expect(await mayBeUnsigned()).toBe(false);
  });

  test("a server of the zone above that is not there, is silent for a second, or may not be asked", async () => {
    await almostReleased();
    above.silence(true);
    expect(await mayBeUnsigned()).toBe(false);
    above.silence(false);
    const silent = createSocket("udp4").bind(0, "127.0.0.1");
    await once(silent, "listening");
    const { address, port } = silent.address();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const begun = performance.now();
      const patient = onNode(() => ({ address, port, isV6: false }));
      expect(await passingTime(mayBeUnsigned(patient))).toBe(false);
      expect(performance.now() - begun).toBeGreaterThanOrEqual(1000);
      expect(performance.now() - begun).toBeLessThan(5000);
    } finally {
      vi.useRealTimers();
      silent.close();
    }
    expect(await mayBeUnsigned(onNode(() => null))).toBe(false);
    expect(await mayBeUnsigned()).toBe(true);
  });

  test("a resolver that is not there", async () => {
    await almostReleased();
    resolvers[2]?.silence(true);
    expect(await mayBeUnsigned()).toBe(false);
  });
});

describe("a resolver that lies about where zones begin", () => {
  const below = "shop.alice.test";

  it.each([0, 1, 2])("cannot release a domain inside a signed zone alone (%i)", async (index) => {
    await signedBefore.note(below);
    resolvers[index]?.lie(cut(below, below), withoutDs(below));
    for (const wait of [2 * hour, day, day]) {
      now += wait;
      expect(await mayBeUnsigned(signedBefore, below)).toBe(false);
    }
    expect((await store.findSecureDomain(below))?.unsignedAt).toBeNull();
  });

  it.each([
    ["the zone above", "test"],
    ["the root", ""],
    ["a sibling", "bob.test"],
    ["nothing", null],
  ])("has no use of naming %s", async (_, apex) => {
    await signedBefore.note(domain);
    for (const one of resolvers) one.lie(withoutDs(domain), cut(domain, apex));
    for (const wait of [2 * hour, day]) {
      now += wait;
      expect(await mayBeUnsigned()).toBe(false);
    }
  });
});

describe("noting a chain", () => {
  it("writes once an hour for each domain", async () => {
    const secureAt = async () => (await store.findSecureDomain(domain))?.secureAt;
    await signedBefore.note(domain);
    now += hour - 1;
    await signedBefore.note(domain);
    expect(await secureAt()).toBe(start);
    await signedBefore.note("bob.test");
    expect((await store.findSecureDomain("bob.test"))?.secureAt).toBe(now);
    now += 1;
    await signedBefore.note(domain);
    expect(await secureAt()).toBe(start + hour);
  });
});
