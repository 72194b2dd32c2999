// Tests of zones that deny by NSEC3 with opt-out: registries, and a domain's own zone.

import type { ZoneRecord } from "domain-signin-demo/zones/zone-records";
import { recordType } from "domain-signin-verify/dns/records";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { LOOK_NOW } from "../../test/support/looks-for.ts";
import {
  aliasOf,
  type Lie,
  type LyingResolver,
  says,
  startLyingResolver,
  textOf,
} from "../../test/support/lying-resolvers.ts";
import { withoutTimeouts } from "../../test/support/moving-time.ts";
import { createNsec3Zones, type Nsec3Zones } from "../../test/support/nsec3-zones.ts";
import { clockFrom } from "../lib/clock.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import { createLooks } from "./looks.ts";
import { createResolver } from "./resolver.ts";
import { createValidator, type Validator } from "./validator.ts";
import { viewThrough } from "./view.ts";

const DOMAIN = "alice.test";
const LABEL = "_domain-signin";
const NAME = `${LABEL}.${DOMAIN}`;
const { DS, TXT } = recordType;
const now = Math.floor(Date.now() / 1000);
/** Of the zones' signatures. */
const period = { inception: now - 3600, expiration: now + 86_400 };

const resolvers: LyingResolver[] = [];
beforeEach(() => void resolvers.splice(0));
withoutTimeouts();

function disabled(name: string): ZoneRecord {
  return { name, type: "TXT", value: "v=dsi1 sp=none", ttl: 60 };
}

/** `alice.test` is signed, unless said otherwise; `carol.test` is not. */
async function start({ isOptOut = true, isSigned = true, records = [] as ZoneRecord[] } = {}) {
  const zones = createNsec3Zones({
    zones: [
      { name: "", signed: true, isOptOut: false },
      { name: "test", signed: true, isOptOut },
      { name: DOMAIN, signed: isSigned, isOptOut },
      { name: "carol.test", signed: false, isOptOut: false },
    ],
    ...{ records: () => records, without: null, now: () => now },
  });
  for (let count = 0; count < 3; count++) resolvers.push(await startLyingResolver(zones));
  for (const { close } of resolvers) onTestFinished(close);
  const { spRecords } = createLooks(
    {
      issuer: "https://auth.example.com",
      dnsServers: resolvers.map(({ text }) => text),
      minAssurance: "corroborated",
      trustAnchors: zones.trustAnchors.map(parseTrustAnchor),
    },
    { clock: clockFrom(() => now * 1000), reach: () => null },
  );
  return { zones, spRecords };
}

/** Of the first resolver. */
function validatorOf({ trustAnchors }: Nsec3Zones): Validator {
  const [first] = resolvers;
  if (!first) throw new Error("no resolver");
  const { query } = createResolver({ servers: [first.server] });
  return createValidator({
    ...{ query, clock: clockFrom(() => now * 1000) },
    trustAnchors: trustAnchors.map(parseTrustAnchor),
  });
}

test.each([true, false])(
  "%s: opt-out: a typo is not registered, and not bogus",
  async (isOptOut) => {
    const { spRecords } = await start({ isOptOut, isSigned: false });
    const outcomeOf = async (domain: string) => (await spRecords.look(domain, LOOK_NOW)).outcome;
    expect(await outcomeOf("typo.test")).toBe("unregistered");
    expect(await outcomeOf("shop.typo.test")).toBe("unregistered");
    expect(await outcomeOf(DOMAIN)).toBe("absent");
  },
);

test("a record that is absent in the domain's own opt-out zone is proven to be absent", async () => {
  const { spRecords, zones } = await start();
  // To the validator it is insecure (RFC 5155 §9.2).
  expect(await viewThrough(validatorOf(zones), NAME, LABEL)).toMatchObject({
    ...{ security: "insecure", insecureZone: NAME, optOut: period },
    found: { values: [], aliasTarget: null, ttl: 60 },
  });
  const { inception } = period;
  const expected = { outcome: "absent", assurance: "secure", proof: null, inception };
  expect(await spRecords.look(DOMAIN, LOOK_NOW)).toMatchObject(expected);
  const challenge = await spRecords.lookForChallenge(DOMAIN, "c".repeat(22), SERVICE);
  expect(challenge.outcome).toBe("not_seen");
});

test("one below the domain's zone is, if its domain has a name there: others may be delegated", async () => {
  const { spRecords } = await start({ records: [disabled("shop.alice.test")] });
  const look = (domain: string) => spRecords.look(domain, LOOK_NOW);
  expect(await look("shop.alice.test")).toMatchObject({ outcome: "absent", assurance: "secure" });
  const unproven = { outcome: "absent", assurance: "corroborated" };
  expect(await look("other.alice.test")).toMatchObject(unproven);
  // The zone above says the same of a domain that is not signed, and of one that does not exist.
  expect(await look("carol.test")).toMatchObject(unproven);
});

test("one resolver that shows how the zone above denies an unsigned domain does not outvote two", async () => {
  const { spRecords, zones } = await start({ records: [disabled(`${LABEL}.carol.test`)] });
  const expected = { outcome: "disabled", assurance: "corroborated" };
  expect(await spRecords.look("carol.test", LOOK_NOW)).toMatchObject(expected);
  resolvers[0]?.lie((query, answer) => {
    if (query.questions[0]?.name !== `${LABEL}.carol.test`) return answer;
    const denialsOf = (name: string, type: number) =>
      zones.answer({ ...query, questions: [{ name, type, class: 1 }] }).authorities;
    const [cut, wildcard] = [denialsOf("carol.test", DS), denialsOf("typo.test", TXT)];
    return { ...answer, answers: [], authorities: [...cut, ...wildcard] };
  });
  const outvoted = await spRecords.look("carol.test", LOOK_NOW);
  expect(outvoted).toMatchObject({ ...expected, resolvers: 2 });
  expect(await viewThrough(validatorOf(zones), `${LABEL}.carol.test`, LABEL)).toMatchObject({
    ...{ security: "insecure", insecureZone: "carol.test", found: { values: [] } },
    optOut: period,
  });
});

test("an alias of the zone to a name that it denies is secure too", async () => {
  const target = `${LABEL}.people.alice.test`;
  const alias = { name: NAME, type: "CNAME", value: target, ttl: 60 } as const;
  const { spRecords } = await start({ records: [alias] });
  const expected = { outcome: "absent", assurance: "secure", proof: null };
  expect(await spRecords.look(DOMAIN, LOOK_NOW)).toMatchObject(expected);
});

test.each<[string, Lie]>([
  ["values", says(NAME, textOf(NAME, "v=dsi1 sp=none"))],
  ["an alias that leads away", says(NAME, aliasOf(NAME, "www.carol.test"))],
  ["an alias to a record", says(NAME, aliasOf(NAME, `${LABEL}.carol.test`))],
])("%s without signatures where the zone opts out are bogus", async (_, lie) => {
  const { spRecords } = await start({ records: [disabled(`${LABEL}.carol.test`)] });
  for (const one of resolvers) one.lie(lie);
  const expected = { outcome: "bogus", cause: "unsigned_subzone" };
  expect(await spRecords.look(DOMAIN, LOOK_NOW)).toMatchObject(expected);
});

test.each<[string, ZoneRecord]>([
  ["absent", { name: "*.alice.test", type: "TXT", value: "v=spf1 -all", ttl: 60 }],
  ["invalid", disabled("*.alice.test")],
  ["alias_invalid", { name: "*.alice.test", type: "CNAME", value: "www.carol.test", ttl: 60 }],
])(
  "what a wildcard makes where the zone opts out is no record of ours: %s",
  async (outcome, made) => {
    const { spRecords } = await start({ records: [made] });
    const { inception } = period;
    const expected = { outcome, assurance: "secure", proof: null, inception };
    expect(await spRecords.look(DOMAIN, LOOK_NOW)).toMatchObject(expected);
  },
);
