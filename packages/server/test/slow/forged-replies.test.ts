// Ten thousand forged replies to the one resolver there is, by somebody who holds the whole wire.

import {
  type DnsMessage,
  type DnsRecord,
  decodeMessage,
  encodeQuery,
} from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LOOK_NOW } from "../support/looks-for.ts";
import "../../../verify/test/support/random-seed.ts";
import { createSignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import type { Misbehaviour } from "domain-signin-demo/zones/zone-misbehaviour";
import { createLooks } from "../../src/dns/looks.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import {
  aliasOf,
  cut,
  type Lie,
  madeUpSignature,
  says,
  startLyingResolver,
  textOf,
  withoutDs,
  withoutSignatures,
} from "../support/lying-resolvers.ts";

const FORGED_REPLIES = Number(process.env.FORGED_REPLIES ?? 10_000);
const ISSUER = "https://auth.example.com";
const DOMAINS = ["alice.test", "bob.test", "shop.market.test"] as const;
const TRUE = `v=dsi1 sp=${ISSUER} acct=${"t".repeat(22)}`;
const WANTED = `v=dsi1 sp=${ISSUER} acct=${"f".repeat(22)}`;
const tree = [
  { name: "", algorithm: 13, signed: true },
  { name: "test", algorithm: 15, signed: true },
  { name: "alice.test", algorithm: 13, signed: true },
  { name: "bob.test", algorithm: 15, signed: true },
  { name: "shop.market.test", algorithm: 13, signed: true },
  // Its owner is the forger: signed and unsigned zones of their own, which say what they like.
  { name: "forger.test", algorithm: 13, signed: true },
  { name: "bare.test", algorithm: 13, signed: false },
] as const;
const recordOf = (domain: string) => `_domain-signin.${domain}`;

const misbehaviours: readonly Misbehaviour[] = [
  ...(["strip", "expired", "not_yet_valid", "swap_keys", "wildcard"] as const).map((how) => ({
    how,
  })),
  { how: "forge", value: WANTED },
];

const clock = clockFrom(Date.now);
const withTtl = (records: readonly { name: string; value: string }[]) =>
  records.map((record) => ({ ...record, type: "TXT" as const, ttl: 60 }));
const theirs = ["forger.test", "bare.test"].map((zone) => ({
  name: recordOf(zone),
  value: WANTED,
}));
const published = DOMAINS.slice(0, 2).map((zone) => ({ name: recordOf(zone), value: TRUE }));
/** The same names under other keys, saying what the forger wants. */
const wanted = DOMAINS.map((zone) => ({ name: recordOf(zone), value: WANTED }));

/** What one reply becomes, besides what the zones themselves do wrong. */
function lieOf(kind: number, domain: string, twin: (query: DnsMessage) => DnsMessage): Lie {
  const name = recordOf(domain);
  const text = textOf(name, WANTED);
  const made = (record: DnsRecord, signer: string) => [
    record,
    madeUpSignature(record, signer, clock.seconds()),
  ];
  const parent = domain.slice(domain.indexOf(".") + 1);
  const ofType =
    (...types: number[]): Lie =>
    (query, answer) =>
      types.includes(query.questions[0]?.type ?? 0) ? twin(query) : answer;
  const lies: readonly Lie[] = [
    says(name, text),
    says(name, ...made(text, domain)),
    says(name, ...made(text, "forger.test")),
    says(name, ...made(text, "bare.test")),
    says(name, ...made(text, `x.${domain}`)),
    says(name, aliasOf(name, recordOf("forger.test"))),
    says(name, aliasOf(name, recordOf("bare.test"))),
    says(name, ...made(aliasOf(name, recordOf("bare.test")), domain)),
    says(name, ...made(aliasOf(name, recordOf("bare.test")), "bare.test")),
    withoutSignatures(),
    withoutSignatures(recordType.DS),
    withoutSignatures(recordType.DNSKEY),
    withoutDs(domain),
    withoutDs(parent),
    withoutDs("test"),
    cut(name, name),
    cut(name, parent),
    cut(name, ""),
    cut(name, "bare.test"),
    cut(name, null),
    ofType(recordType.TXT),
    ofType(recordType.TXT, recordType.DNSKEY),
    ofType(recordType.TXT, recordType.DS),
    ofType(recordType.TXT, recordType.DNSKEY, recordType.DS),
    ofType(recordType.DS),
    ofType(recordType.DNSKEY),
    ofType(recordType.SOA),
    // What a true denial says, of another name: that it is signed shows nothing about this one.
    (query, answer) =>
      query.questions[0]?.type === recordType.DS
        ? { ...answer, answers: [], authorities: denial }
        : answer,
  ];
  return lies[kind % lies.length] ?? says(name, text);
}
let denial: readonly DnsRecord[] = [];

test(`of ${FORGED_REPLIES} forged replies none makes a signed domain say what its zone does not`, async () => {
  const now = clock.seconds;
  const zones = createSignedZones({
    ...{ zones: tree, now },
    records: () => withTtl([...published, ...theirs]),
  });
  const twin = createSignedZones({ zones: tree, now, records: () => withTtl(wanted) });
  const resolver = await startLyingResolver(zones);
  const trustAnchors = zones.trustAnchors.map(parseTrustAnchor);
  const config = { issuer: ISSUER, dnsServers: [resolver.text], trustAnchors };
  const looks = () => createLooks({ ...config, minAssurance: "single" }, { clock }).spRecords;
  denial = zones.answer(question("bare.test", recordType.DS)).authorities;
  expect(denial.length).toBeGreaterThan(0);

  let forged = 0;
  const outcomes = new Map<string, number>();
  const plan = fc.record({
    domain: fc.constantFrom(...DOMAINS),
    kinds: fc.uniqueArray(fc.nat(27), { minLength: 1, maxLength: 4 }),
    misbehaviour: fc.option(fc.constantFrom(...misbehaviours)),
    isWarm: fc.boolean(),
  });
  try {
    while (forged < FORGED_REPLIES) {
      await fc.assert(
        fc.asyncProperty(plan, async ({ domain, kinds, misbehaviour, isWarm }) => {
          const spRecords = looks();
          if (isWarm) {
            resolver.lie();
            zones.misbehave(null);
            await spRecords.look(domain, LOOK_NOW);
          }
          zones.misbehave(misbehaviour);
          const lies = kinds.map((kind) => lieOf(kind, domain, twin.answer));
          resolver.lie(...lies, (query, answer) => {
            const truth = JSON.stringify(answer) === JSON.stringify(zones.answer(query));
            if (misbehaviour || !truth) forged++;
            return answer;
          });
          const look = await spRecords.look(domain, LOOK_NOW);
          const isForged = look.records.some(({ value }) => value === WANTED);
          expect(
            isForged && look.outcome === "own" ? { domain, kinds, misbehaviour, look } : null,
          ).toBe(null);
          outcomes.set(look.outcome, (outcomes.get(look.outcome) ?? 0) + 1);
        }),
        { numRuns: 200 },
      );
    }
  } finally {
    resolver.close();
  }
  console.log(
    `${forged} forged replies, outcomes: ${JSON.stringify(Object.fromEntries(outcomes))}`,
  );
  // It must not be that nothing is believed at all.
  expect(outcomes.get("bogus")).toBeGreaterThan(100);
});

function question(name: string, type: number): DnsMessage {
  return decodeMessage(encodeQuery({ id: 1, name, type }));
}
