// Our verdict on random signed zones, good and misbehaving, compared with those of unbound and delv.

import { startNameServer } from "domain-signin-demo/zones/name-server";
import { createSignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import type { Misbehaviour } from "domain-signin-demo/zones/zone-misbehaviour";
import type { ZoneRecord } from "domain-signin-demo/zones/zone-records";
import { isAtOrBelow } from "domain-signin-verify/dns/name";
import { recordType } from "domain-signin-verify/dns/records";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SEED, tries } from "../../../verify/test/support/random-seed.ts";
import { createResolver } from "../../src/dns/resolver.ts";
import { createValidator } from "../../src/dns/validator.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { serverAt } from "../support/dns-server.ts";
import { fixture } from "../support/fixture.ts";
import { createNsec3Zones, type Nsec3Zones } from "../support/nsec3-zones.ts";
import { verdictOf } from "../support/validator-world.ts";
import { type Judgement, startDelv, startUnbound, validatorTests } from "../support/validators.ts";

const { TXT, CNAME, DS, DNSKEY } = recordType;
const NSEC = 47;
const STATES = tries({ sample: 12, full: 300 });

const cuts = ["a.test", "b.test", "c.test", "x.a.test", "y.x.a.test", "d.e.test", "z.d.e.test"];
const owners = [...cuts, "test", "e.test", "n.a.test", "n.b.test", "m.n.a.test"];
const names = [
  ...owners.flatMap((owner) => [`_x.${owner}`, `_x.w.${owner}`]),
  ...["_x.nothing", "_x.nothing.test", "a.test", "e.test", "u._x.a.test", "_x._x.b.test"],
];

const zone = fc.record({
  name: fc.constantFrom(...cuts),
  algorithm: fc.constantFrom(13, 15),
  signed: fc.boolean(),
});

const owner = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...names) },
  fc.constantFrom(...owners.map((one) => `*.w.${one}`), ...owners.map((one) => `*.${one}`)),
);
const given = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ name: owner, type: fc.constant("TXT"), value: fc.constant("v") }),
  },
  fc.record({ name: owner, type: fc.constant("CNAME"), value: fc.constantFrom(...names) }),
);

const misbehaviour = fc.record(
  {
    how: fc.constantFrom("strip", "expired", "not_yet_valid", "swap_keys", "wildcard"),
    zone: fc.constantFrom("", "test", ...cuts),
    type: fc.constantFrom(TXT, CNAME, DS, DNSKEY, NSEC),
  },
  { requiredKeys: ["how"] },
);

const common = {
  given: fc.array(given, { maxLength: 20 }),
  asked: fc.uniqueArray(fc.constantFrom(...names), { minLength: 6, maxLength: 6 }),
};
const states = fc.record({
  ...common,
  zones: fc.uniqueArray(zone, { selector: ({ name }) => name, maxLength: cuts.length }),
  wrong: fc.option(misbehaviour, { freq: 2 }),
});
const nsec3States = fc.record({
  ...common,
  zones: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...cuts),
      signed: fc.boolean(),
      isOptOut: fc.boolean(),
    }),
    { selector: ({ name }) => name, maxLength: cuts.length },
  ),
  isOptOut: fc.boolean(),
  without: fc.option(fc.constantFrom("match", "next_closer", "wildcard"), { freq: 2 }),
});
type Sampled<A> = A extends fc.Arbitrary<infer T> ? T : never;
type State = Sampled<typeof states> | Sampled<typeof nsec3States>;

/** A name with an alias has no other records. */
function recordsOf({ given: all, zones }: State): ZoneRecord[] {
  const isApex = (name: string) => zones.some((one) => one.name === name);
  return all
    .filter(({ name, type }, index) => {
      const earlier = all.slice(0, index).filter((other) => other.name === name);
      return type === "CNAME"
        ? earlier.length === 0 && !isApex(name)
        : !earlier.some((other) => other.type === "CNAME");
    })
    .map((record) => ({ ...record, ttl: 60 }) as ZoneRecord);
}

const now = () => Math.floor(Date.now() / 1000);
const dns = fixture(() => startNameServer({ answer: (query) => current.answer(query) }));
let current: Pick<Nsec3Zones, "answer" | "trustAnchors">;

function isSameVerdict(ours: string, { verdict }: Judgement): boolean {
  const [word = ""] = ours.split(/[ ,]/);
  return word === "secure" || word === "insecure"
    ? word === verdict
    : verdict === "bogus" || verdict === "failed";
}

/**
 * RFC 5155 §8.5 wants an NSEC3 record that matches a name without the records that were asked for. A zone that opts
 * out need not have one for a name that only has insecure delegations below it (§7.1, erratum 3441): the judges call
 * such an answer insecure. To us it is bogus: it says nothing of a wildcard, and its response code is not signed.
 */
function isLeftOutByOptOut({ zones }: State, name: string): boolean {
  const isOver = zones.some(
    (zone) => zone.name !== name && !zone.signed && isAtOrBelow(zone.name, name),
  );
  const [nearest = null] = zones
    .filter((zone) => isAtOrBelow(name, zone.name))
    .sort((one, other) => other.name.length - one.name.length);
  return isOver && nearest !== null && "isOptOut" in nearest && nearest.isOptOut;
}

/** Asks all judges about the current zones, whose state is shown where they disagree. */
async function expectAgreement(state: State, records: readonly ZoneRecord[]): Promise<void> {
  const { trustAnchors } = current;
  const unbound = await startUnbound({ port: dns.port, trustAnchors });
  const delv = await startDelv({ port: dns.port, trustAnchors });
  const { query } = createResolver({ servers: [serverAt(`127.0.0.1:${dns.port}`)] });
  const anchors = trustAnchors.map(parseTrustAnchor);
  const validator = createValidator({
    query,
    clock: clockFrom(() => now() * 1000),
    trustAnchors: anchors,
  });
  try {
    for (const name of state.asked) {
      const ours = verdictOf(await validator.validate(name, TXT));
      const theirs = await unbound.judge({ name, type: TXT });
      let why = `${name}: we ${ours}, unbound ${theirs.verdict} (${theirs.reason})`;
      let isSame = isSameVerdict(ours, theirs);
      if (!isSame && ours.startsWith("bogus no_answer") && isLeftOutByOptOut(state, name)) {
        isSame = theirs.verdict === "insecure" && theirs.reason.startsWith("rcode 0");
      }
      if (!isSame) {
        // unbound is wrong about some aliases that lead from a wildcard to an insecure zone, and
        // believes a delegation that was made from a wildcard.
        const third = await delv.judge({ name, type: TXT });
        why += `, delv ${third.verdict} (${third.reason})`;
        isSame = isSameVerdict(ours, third);
      }
      expect(isSame, `${why} in ${JSON.stringify({ ...state, records })}`).toBe(true);
      // unbound says NXDOMAIN only if there is nothing.
      if (theirs.reason.startsWith("rcode 3") && ours.startsWith("secure")) {
        expect(ours, why).toBe("secure, absent");
      }
    }
  } finally {
    await unbound.close();
    await delv.close();
  }
}

const above = ["", "test"].map((name) => ({ name, algorithm: 13, signed: true }) as const);
const numbered = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc
    .sample(arbitrary, { numRuns: STATES, seed: SEED })
    .map((state, index) => [index, state] as const);

validatorTests("unbound, delv and we", () => {
  test.each(numbered(states))("agree on random zones with NSEC: %i", async (_, state) => {
    const records = recordsOf(state);
    const zones = [...above, ...(state.zones as (typeof above)[number][])];
    const signed = createSignedZones({ zones, records: () => records, now });
    signed.misbehave(state.wrong as Misbehaviour | null);
    current = signed;
    await expectAgreement(state, records);
  });

  test.each(numbered(nsec3States))("agree on random zones with NSEC3: %i", async (_, state) => {
    const records = recordsOf(state);
    const { isOptOut, without } = state;
    const zones = [...above.map((zone) => ({ ...zone, isOptOut })), ...state.zones];
    current = createNsec3Zones({ zones, records: () => records, without, now });
    await expectAgreement({ ...state, zones }, records);
  });
});
