// Tests of looks at a signed domain through three resolvers: how much they ask, and moves between signers.

import { DEMO_ZONES } from "domain-signin-demo/zones/demo-zones";
import { createSignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { LOOK_CACHED, LOOK_NOW } from "../../test/support/looks-for.ts";
import {
  type Lie,
  type LyingResolver,
  servfail,
  startLyingResolver,
} from "../../test/support/lying-resolvers.ts";
import { withoutTimeouts } from "../../test/support/moving-time.ts";
import { clockFrom } from "../lib/clock.ts";
import type { AcceptedRecord } from "../store/remembered.ts";
import { createLooks, NOTHING_REMEMBERED } from "./looks.ts";
import { failureOf } from "./sp-record.ts";

const ISSUER = "https://auth.example.net";
const DOMAIN = "alice.test";
const NOW = 1_800_000_000;
const DAY = 86_400;

let zone = { acct: "a", time: NOW };
const zones = createSignedZones({
  zones: DEMO_ZONES,
  records: () => {
    const value = `v=dsi1 sp=${ISSUER} acct=${zone.acct.repeat(22)}`;
    return [{ name: `_domain-signin.${DOMAIN}`, type: "TXT", value, ttl: 300 }];
  },
  now: () => zone.time,
});
let resolvers: readonly LyingResolver[];
beforeAll(async () => {
  resolvers = await Promise.all([1, 2, 3].map(() => startLyingResolver(zones)));
});
afterAll(() => {
  for (const one of resolvers) one.close();
});
withoutTimeouts();

let seconds = NOW;
beforeEach(() => {
  zone = { acct: "a", time: NOW };
  seconds = NOW;
  for (const one of resolvers) one.lie();
});

function looks(accepted: AcceptedRecord | null = null) {
  const config = { dnsServers: resolvers.map(({ text }) => text), issuer: ISSUER };
  const trustAnchors = zones.trustAnchors.map(parseTrustAnchor);
  const rememberedOf = async () => ({ ...NOTHING_REMEMBERED, accepted });
  const deps = { clock: clockFrom(() => seconds * 1000), reach: () => null, rememberedOf };
  return createLooks({ ...config, trustAnchors, minAssurance: "corroborated" }, deps).spRecords;
}

/** How many questions each resolver got since the last call. */
const asked = () => resolvers.map((one) => one.asked.splice(0).length);

describe("a signed domain whose keys are known", () => {
  it("costs one question to each of two sources if a look decides, and none if one is remembered", async () => {
    const records = looks();
    await records.lookToDecide(DOMAIN, LOOK_NOW);
    expect(asked().map((count) => count > 1)).toEqual([true, true, false]);
    // Keys and delegations are remembered for longer than their answers are shared.
    seconds += 10;
    expect((await records.lookToDecide(DOMAIN, LOOK_NOW)).outcome).toBe("own");
    expect(asked()).toEqual([1, 1, 0]);
    seconds += 299;
    expect((await records.look(DOMAIN, LOOK_CACHED)).outcome).toBe("own");
    expect(asked()).toEqual([0, 0, 0]);
    seconds += 1;
    await records.look(DOMAIN, LOOK_CACHED);
    expect(asked()).toEqual([1, 1, 0]);
  });

  it("costs the third a question if one of the two says something else", async () => {
    const records = looks();
    resolvers[1]?.lie(servfail(6));
    await records.lookToDecide(DOMAIN, LOOK_NOW);
    asked();
    seconds += 10;
    expect((await records.lookToDecide(DOMAIN, LOOK_NOW)).outcome).toBe("own");
    expect(asked()).toEqual([1, 1, 1]);
  });

  it("costs no more if many ask at once", async () => {
    const records = looks();
    await records.lookToDecide(DOMAIN, LOOK_NOW);
    asked();
    seconds += 10;
    await Promise.all(Array.from({ length: 50 }, () => records.lookToDecide(DOMAIN, LOOK_NOW)));
    expect(asked()).toEqual([1, 1, 0]);
  });
});

describe("another record whose signature is days older than the accepted one", () => {
  /** The zone with this account, signed at this time. */
  const has =
    (acct: string, time: number): Lie =>
    (query) => {
      zone = { acct, time };
      return zones.answer(query);
    };
  const moved = has("b", NOW - 3 * DAY);
  const before = has("a", NOW);
  const accepted = async (): Promise<AcceptedRecord> => {
    const { inception } = await looks().look(DOMAIN, LOOK_NOW);
    if (inception === null) throw new Error("the domain is not secure");
    return { key: JSON.stringify(["own", null, "a".repeat(22)]), inception };
  };

  test.each<[string, readonly [Lie, Lie, Lie], string]>([
    ["is accepted from all: the domain moved to another signer", [moved, moved, moved], "b"],
    ["is accepted from all that answer", [moved, servfail(), moved], "b"],
    ["is accepted though one says bogus", [servfail(6), moved, moved], "b"],
    ["is not accepted from two of three", [moved, moved, before], "contradictory"],
    ["is not accepted from any two of three", [before, moved, moved], "contradictory"],
    ["is not accepted from one", [moved, before, before], "a"],
    ["is not accepted from one alone", [moved, servfail(), servfail()], "unconfirmed"],
  ])("%s", async (_, lies, result) => {
    const records = looks(await accepted());
    for (const [index, lie] of lies.entries()) resolvers[index]?.lie(lie);
    const look = await records.lookToDecide(DOMAIN, LOOK_NOW);
    expect(failureOf(look) ?? ("acct" in look ? look.acct[0] : look.outcome)).toBe(result);
  });

  it("is accepted from two of three if nothing was accepted before", async () => {
    for (const [index, lie] of [moved, moved, before].entries()) resolvers[index]?.lie(lie);
    expect(await looks().look(DOMAIN, LOOK_NOW)).toMatchObject({ acct: "b".repeat(22) });
  });
});
