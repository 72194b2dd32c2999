// The demo's signed zones before two judges, delv and unbound: well-behaved they are believed, else not.

import { DEMO_ZONES } from "domain-signin-demo/zones/demo-zones";
import { type NameServer, startNameServer } from "domain-signin-demo/zones/name-server";
import { createSignedZones, type SignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import type { Misbehaviour } from "domain-signin-demo/zones/zone-misbehaviour";
import type { ZoneRecord } from "domain-signin-demo/zones/zone-records";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  startDelv,
  startUnbound,
  type Validator,
  type Verdict,
  validatorTests,
} from "../support/validators.ts";

const types = { A: 1, NS: 2, CNAME: 5, SOA: 6, TXT: 16, DS: 43, NSEC: 47, DNSKEY: 48 } as const;
type TypeName = keyof typeof types;

/** `shop.market.test` is two labels below the zone that delegates to it. */
const initialRecords: readonly ZoneRecord[] = [
  txt("_domain-signin.alice.test", "v=dsi1 sp=https://auth.example.com acct=alice"),
  txt("_domain-signin.alice.test", "a second one"),
  txt("_domain-signin.bob.test", "v=dsi1 sp=https://auth.example.com acct=bob"),
  txt("_domain-signin.carol.test", "v=dsi1 sp=https://auth.example.com acct=carol"),
  txt("_domain-signin.shop.market.test", "v=dsi1 sp=https://auth.example.com acct=shop"),
  txt("alice.test", "at the apex"),
  txt("big.bob.test", "x".repeat(9000)),
  txt("a.b.c.alice.test", "deep"),
  txt("*.wild.bob.test", "from a wildcard"),
  cname("_domain-signin.www.alice.test", "_domain-signin.bob.test"),
  cname("_domain-signin.far.bob.test", "_domain-signin.www.alice.test"),
  cname("_domain-signin.to-carol.alice.test", "_domain-signin.carol.test"),
  cname("_domain-signin.from.carol.test", "_domain-signin.alice.test"),
  cname("_domain-signin.to-nothing.alice.test", "nothing.bob.test"),
];

let records: readonly ZoneRecord[];
let zones: SignedZones;
let dns: NameServer;
let delv: Validator;
let unbound: Validator;

const now = () => Math.floor(Date.now() / 1000);
const judged = () => ({ port: dns.port, trustAnchors: zones.trustAnchors });

validatorTests("delv and unbound", () => {
  beforeAll(async () => {
    zones = createSignedZones({ zones: DEMO_ZONES, records: () => records, now });
    dns = await startNameServer(zones);
    delv = await startDelv(judged());
    unbound = await startUnbound(judged());
  });
  beforeEach(() => {
    records = initialRecords;
    zones.misbehave(null);
  });
  afterAll(async () => {
    await delv.close();
    await unbound.close();
    await dns.close();
  });

  test.each<[Verdict, string, TypeName, string]>([
    ["secure", "_domain-signin.alice.test", "TXT", "algorithm 13"],
    ["secure", "_domain-signin.bob.test", "TXT", "algorithm 15"],
    ["secure", "_domain-signin.shop.market.test", "TXT", "a zone two labels below its parent"],
    ["secure", "alice.test", "TXT", "the apex"],
    ["secure", "big.bob.test", "TXT", "over TCP"],
    ["secure", "_domain-signin.www.alice.test", "TXT", "an alias into another zone"],
    ["secure", "_domain-signin.far.bob.test", "TXT", "two aliases, there and back"],
    ["secure", "_domain-signin.www.alice.test", "CNAME", "the alias itself"],
    ["secure", "any.wild.bob.test", "TXT", "a wildcard, proven"],
    ["secure", "any.wild.bob.test", "A", "a wildcard without the type"],
    ["secure", "alice.test", "DNSKEY", "keys"],
    ["secure", "test", "DNSKEY", "keys of the parent"],
    ["secure", "", "DNSKEY", "keys of the root"],
    ["secure", "alice.test", "DS", "DS from above the cut"],
    ["secure", "shop.market.test", "DS", "DS from two labels above"],
    ["secure", "carol.test", "DS", "the proof that there is none"],
    ["secure", "", "DS", "the root has no DS"],
    ["secure", "shop.market.test", "SOA", "SOA"],
    ["secure", "bob.test", "NS", "NS from below the cut"],
    ["secure", "ns.bob.test", "A", "the address of the server"],
    ["secure", "alice.test", "NSEC", "NSEC itself"],
    ["secure", "nothing.alice.test", "TXT", "NXDOMAIN"],
    ["secure", "a.deep.nothing.bob.test", "TXT", "NXDOMAIN further below"],
    ["secure", "zz.alice.test", "TXT", "NXDOMAIN behind the last name"],
    ["secure", "nothing.test", "TXT", "NXDOMAIN in the parent"],
    ["secure", "nothing", "TXT", "NXDOMAIN in the root"],
    ["secure", "_domain-signin.to-nothing.alice.test", "TXT", "an alias to nothing"],
    ["secure", "_domain-signin.alice.test", "A", "NODATA"],
    ["secure", "b.c.alice.test", "TXT", "NODATA at a name with names below"],
    ["secure", "market.test", "TXT", "NODATA between parent and child"],
    ["insecure", "_domain-signin.carol.test", "TXT", "an unsigned zone"],
    ["insecure", "nothing.carol.test", "TXT", "NXDOMAIN of an unsigned zone"],
    ["insecure", "carol.test", "TXT", "NODATA of an unsigned zone"],
    ["insecure", "_domain-signin.to-carol.alice.test", "TXT", "an alias to an unsigned zone"],
    ["insecure", "_domain-signin.from.carol.test", "TXT", "an alias from an unsigned zone"],
  ])("call %s: %s %s, %s", async (verdict, name, type) => {
    await expectVerdict(verdict, name, type);
  });

  // `judged-zones.test.ts` asks them, and us, about every other misbehaviour.
  test.each<[Verdict, Misbehaviour, string]>([
    ["bogus", { how: "strip", zone: "alice.test" }, "_domain-signin.alice.test"],
    ["bogus", { how: "expired", type: types.NSEC }, "nothing.bob.test"],
    ["bogus", { how: "wildcard" }, "_domain-signin.alice.test"],
  ])("call %s: %j at %s", async (verdict, misbehaviour, name) => {
    zones.misbehave(misbehaviour);
    await expectVerdictAnew(verdict, name, "TXT");
  });

  test("an edited record and new keys are believed at once", async () => {
    records = [txt("_domain-signin.alice.test", "edited")];
    await expectVerdictAnew("secure", "_domain-signin.alice.test", "TXT");
    await expectVerdictAnew("secure", "_domain-signin.bob.test", "TXT");
    zones.rollKeys("alice.test");
    await expectVerdictAnew("secure", "_domain-signin.alice.test", "TXT");
  });
});

async function expectVerdict(
  verdict: Verdict,
  name: string,
  type: TypeName,
  by = unbound,
): Promise<void> {
  const question = { name, type: types[type] };
  expect({ delv: await delv.judge(question), unbound: await by.judge(question) }).toMatchObject({
    delv: { verdict },
    unbound: { verdict },
  });
}

/** By judges who remember no earlier question, since the zones have changed. */
async function expectVerdictAnew(...[verdict, name, type]: [Verdict, string, TypeName]) {
  const fresh = await startUnbound(judged());
  try {
    await expectVerdict(verdict, name, type, fresh);
  } finally {
    await fresh.close();
  }
}

function txt(name: string, value: string): ZoneRecord {
  return { name, type: "TXT", value, ttl: 60 };
}

function cname(name: string, value: string): ZoneRecord {
  return { name, type: "CNAME", value, ttl: 60 };
}
