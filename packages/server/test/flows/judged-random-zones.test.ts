// Our verdict on random signed zones, good and misbehaving, compared with those of unbound and delv.

import { type NameServer, startNameServer } from "domain-signin-demo/zones/name-server";
import { createSignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import type { Misbehaviour } from "domain-signin-demo/zones/zone-misbehaviour";
import type { ZoneRecord } from "domain-signin-demo/zones/zone-records";
import { recordType } from "domain-signin-verify/dns/records";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SEED, tries } from "../../../verify/test/support/random-seed.ts";
import { createResolver } from "../../src/dns/resolver.ts";
import { createValidator } from "../../src/dns/validator.ts";
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

const states = fc.record({
  zones: fc.uniqueArray(zone, { selector: ({ name }) => name, maxLength: cuts.length }),
  given: fc.array(given, { maxLength: 20 }),
  wrong: fc.option(misbehaviour, { freq: 2 }),
  asked: fc.uniqueArray(fc.constantFrom(...names), { minLength: 6, maxLength: 6 }),
});
type State = typeof states extends fc.Arbitrary<infer T> ? T : never;

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
let dns: NameServer;
let current: ReturnType<typeof createSignedZones>;

function isSameVerdict(ours: string, { verdict }: Judgement): boolean {
  const [word = ""] = ours.split(/[ ,]/);
  return word === "secure" || word === "insecure"
    ? word === verdict
    : verdict === "bogus" || verdict === "failed";
}

validatorTests("unbound, delv and we", () => {
  beforeAll(async () => {
    dns = await startNameServer({ answer: (query) => current.answer(query) });
  });
  afterAll(() => dns.close());

  const sampled = fc.sample(states, { numRuns: STATES, seed: SEED });
  test.each(sampled.map((state, index) => [index, state] as const))(
    "agree on random state %i",
    async (_, state) => {
      const records = recordsOf(state);
      const above = ["", "test"].map((name) => ({ name, algorithm: 13, signed: true }) as const);
      const zones = [...above, ...(state.zones as (typeof above)[number][])];
      current = createSignedZones({ zones, records: () => records, now });
      current.misbehave(state.wrong as Misbehaviour | null);
      const { trustAnchors } = current;
      const unbound = await startUnbound({ port: dns.port, trustAnchors });
      const { query } = createResolver({ servers: [`127.0.0.1:${dns.port}`] });
      const anchors = trustAnchors.map(parseTrustAnchor);
      const validator = createValidator({ query, now, trustAnchors: anchors });
      const delv = await startDelv({ port: dns.port, trustAnchors });
      try {
        for (const name of state.asked) {
          const ours = verdictOf(await validator.validate(name, TXT));
          const theirs = await unbound.judge({ name, type: TXT });
          let why = `${name}: we ${ours}, unbound ${theirs.verdict} (${theirs.reason})`;
          let isSame = isSameVerdict(ours, theirs);
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
    },
  );
});
