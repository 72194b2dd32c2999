// Our own verdict on signed zones, good, odd and misbehaving, beside those of delv and unbound.

import { DEMO_ZONES } from "domain-signin-demo/zones/demo-zones";
import { startNameServer } from "domain-signin-demo/zones/name-server";
import { createSignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import type { Misbehaviour } from "domain-signin-demo/zones/zone-misbehaviour";
import type { ZoneRecord } from "domain-signin-demo/zones/zone-records";
import { beforeEach, expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { type OddZone, serveOddZones } from "../support/judged-odd-zones.ts";
import { type Judge, judgeBy, ourJudge, type Word, words } from "../support/judged-verdicts.ts";
import { startDelv, startUnbound, type Validator, validatorTests } from "../support/validators.ts";

const types = { CNAME: 5, TXT: 16, DS: 43, NSEC: 47, DNSKEY: 48 } as const;
const forged = "v=dsi1 sp=https://auth.example.com acct=mallory";

/** `shop.market.test` is two labels below the zone that delegates to it. */
const at = (name: string) => `_domain-signin.${name}`;
const txt = (name: string, value = `v=dsi1 x=${name}`): ZoneRecord => {
  return { name: at(name), type: "TXT", value, ttl: 60 };
};
const cname = (name: string, target: string): ZoneRecord => {
  return { name: at(name), type: "CNAME", value: at(target), ttl: 60 };
};

const records: readonly ZoneRecord[] = [
  ...["test", "alice.test", "bob.test", "carol.test", "shop.market.test"].map((name) => txt(name)),
  ...[txt("alice.test", "a second one"), txt("a.b.c.alice.test"), txt("sub.carol.test")],
  txt("big.bob.test", "x".repeat(9000)),
  { ...txt("-"), name: "below._domain-signin.parts.alice.test" },
  { ...txt("-"), name: "below._domain-signin.parts.carol.test" },
  { ...txt("-"), name: "*.wild.bob.test" },
  { ...txt("-"), name: "*.wild.carol.test" },
  { ...cname("-", "bob.test"), name: "*.wild-alias.alice.test" },
  cname("to-bob.alice.test", "bob.test"),
  cname("far.bob.test", "to-bob.alice.test"),
  cname("to-shop.alice.test", "shop.market.test"),
  cname("to-carol.alice.test", "carol.test"),
  cname("to-alice.carol.test", "alice.test"),
  cname("to-sub.carol.test", "sub.carol.test"),
  cname("to-nothing.alice.test", "nothing.bob.test"),
  cname("to-nothing.carol.test", "nothing.alice.test"),
  cname("to-parts.bob.test", "parts.alice.test"),
];

const now = () => Math.floor(Date.now() / 1000);
const zones = createSignedZones({ zones: DEMO_ZONES, records: () => records, now });
const dns = fixture(() => startNameServer(zones));
const odd = fixture(serveOddZones);

type Judges = Record<"we" | "delv" | "unbound", Judge> & { close(): Promise<void> };
type Judged = Parameters<typeof startDelv>[0];

async function startJudges(judged: Judged): Promise<Judges> {
  const delv = await startDelv(judged);
  const unbound: Validator = await startUnbound(judged);
  return {
    ...{ we: ourJudge(judged), delv: judgeBy(delv), unbound: judgeBy(unbound) },
    async close() {
      await delv.close();
      await unbound.close();
    },
  };
}

const judged = () => ({ port: dns.port, trustAnchors: zones.trustAnchors });

type Expected = { readonly [Who in "we" | "delv" | "unbound"]?: Word };

/** Asks only the judges of whom something is expected. */
async function expectWords(judges: Judges, name: string, expected: Expected): Promise<void> {
  const asked = (["we", "delv", "unbound"] as const).filter((who) => expected[who]);
  const { said, reasons } = await words(
    Object.fromEntries(asked.map((who) => [who, judges[who]])),
    name,
  );
  expect(said, reasons).toEqual(expected);
}

const all = (word: Word) => ({ we: word, delv: word, unbound: word });

validatorTests("delv, unbound and we", () => {
  const judges = fixture(() => startJudges(judged()));
  const oddJudges = fixture(() =>
    startJudges({ port: odd.dns.port, trustAnchors: odd.trustAnchors }),
  );
  beforeEach(() => zones.misbehave(null));

  test.each<[Word, string, string]>([
    ["secure", "alice.test", "two records, algorithm 13"],
    ["secure", "bob.test", "algorithm 15"],
    ["secure", "test", "the parent's own record"],
    ["secure", "shop.market.test", "a zone two labels below its parent"],
    ["secure", "a.b.c.alice.test", "deep in a zone"],
    ["secure", "big.bob.test", "over TCP"],
    ["secure", "to-bob.alice.test", "an alias into another zone"],
    ["secure", "far.bob.test", "two aliases, there and back"],
    ["secure", "any.wild.bob.test", "a wildcard"],
    ["secure", "any.wild-alias.alice.test", "a wildcard alias"],
    ["secure", "to-shop.alice.test", "an alias to a zone two labels below its parent"],
    ["insecure", "carol.test", "an unsigned zone"],
    ["insecure", "sub.carol.test", "deep in an unsigned zone"],
    ["insecure", "to-sub.carol.test", "an alias within an unsigned zone"],
    ["insecure", "to-carol.alice.test", "an alias to an unsigned zone"],
    ["insecure", "to-alice.carol.test", "an alias out of an unsigned zone"],
    ["insecure", "any.wild.carol.test", "a wildcard of an unsigned zone"],
    ["absent", "nothing.alice.test", "NXDOMAIN"],
    ["absent", "deep.nothing.shop.market.test", "NXDOMAIN further below"],
    ["absent", "nothing.test", "NXDOMAIN in the parent"],
    ["absent", "nothing", "NXDOMAIN in the root"],
    ["absent", "nothing.carol.test", "NXDOMAIN of an unsigned zone"],
    ["absent", "to-nothing.alice.test", "an alias to nothing"],
    ["absent", "to-nothing.carol.test", "an alias out of an unsigned zone to nothing"],
  ])("say %s: %s, %s", async (word, name) => {
    await expectWords(judges, at(name), all(word));
  });

  // unbound says of NODATA only whether it is proven: `validators.ts` shows no more of its answer.
  test.each<[Word, string, string]>([
    ["secure", "parts.alice.test", "NODATA"],
    ["secure", "to-parts.bob.test", "an alias to NODATA"],
    ["insecure", "parts.carol.test", "NODATA of an unsigned zone"],
  ])("say absent, by a denial that is %s: %s, %s", async (word, name) => {
    await expectWords(judges, at(name), { ...all("absent"), unbound: word });
  });

  test.each<[Word, OddZone, string]>([
    ["secure", "plain.test", "nothing odd"],
    ["secure", "sha384.test", "a digest of SHA-384"],
    ["secure", "both-digests.test", "SHA-1 beside SHA-256"],
    ["secure", "unknown-beside-known.test", "an algorithm that nobody knows beside another"],
    ["secure", "next-key-too.test", "a delegation to a key that is not there yet"],
    ["insecure", "unknown-algorithm.test", "only an algorithm that nobody knows"],
    ["insecure", "unknown-digest.test", "only a digest that nobody knows"],
    ["bogus", "no-keys.test", "a delegation without keys"],
    ["bogus", "wrong-digest.test", "a delegation with another digest"],
    ["bogus", "other-key.test", "a delegation to another key"],
    ["bogus", "no-zone-key.test", "signed by a key that is no zone key"],
    ["bogus", "wrong-protocol.test", "signed by a key of another protocol"],
    ["bogus", "revoked.test", "a revoked key"],
    ["insecure", "ds-in.unsigned.test", "a DS record in an unsigned parent"],
    ["insecure", "wrong-ds-in.unsigned.test", "a DS record for another key in an unsigned parent"],
    ["insecure", "unsigned-sub.test", "an unsigned zone for the record alone"],
  ])("say %s of odd zones: %s, %s", async (word, name) => {
    await expectWords(oddJudges, at(name), all(word));
  });

  test.each<[Word, Misbehaviour, string]>([
    ["bogus", { how: "strip" }, "alice.test"],
    ["bogus", { how: "strip", zone: "alice.test", type: types.TXT }, "alice.test"],
    ["bogus", { how: "strip", zone: "bob.test", type: types.DNSKEY }, "bob.test"],
    ["bogus", { how: "strip", zone: "test", type: types.DS }, "shop.market.test"],
    ["bogus", { how: "strip", zone: "bob.test" }, "to-bob.alice.test"],
    ["bogus", { how: "expired" }, "bob.test"],
    ["bogus", { how: "expired", type: types.TXT }, "shop.market.test"],
    ["bogus", { how: "expired", type: types.CNAME }, "to-bob.alice.test"],
    ["bogus", { how: "expired", type: types.DNSKEY, zone: "test" }, "alice.test"],
    ["bogus", { how: "expired", type: types.DS }, "bob.test"],
    ["bogus", { how: "not_yet_valid" }, "alice.test"],
    ["bogus", { how: "not_yet_valid", zone: "test" }, "alice.test"],
    ["bogus", { how: "swap_keys", zone: "" }, "alice.test"],
    ["bogus", { how: "swap_keys", zone: "test" }, "alice.test"],
    ["bogus", { how: "swap_keys", zone: "bob.test" }, "bob.test"],
    ["bogus", { how: "swap_keys", type: types.TXT }, "alice.test"],
    ["bogus", { how: "wildcard", type: types.TXT }, "bob.test"],
    ["bogus", { how: "forge", value: forged }, "alice.test"],
    ["bogus", { how: "forge", value: forged }, "to-bob.alice.test"],
    ["bogus", { how: "forge", value: forged }, "nothing.alice.test"],
    ["bogus", { how: "strip", zone: "test", type: types.NSEC }, "carol.test"],
    ["bogus", { how: "strip", type: types.NSEC }, "nothing.alice.test"],
    ["bogus", { how: "expired", type: types.NSEC }, "nothing.alice.test"],
    ["bogus", { how: "strip", type: types.NSEC }, "any.wild.bob.test"],
    ["bogus", { how: "expired", zone: "test", type: types.NSEC }, "carol.test"],
    ["failed", { how: "servfail" }, "alice.test"],
    ["insecure", { how: "forge", value: forged }, "carol.test"],
    ["secure", { how: "slow", delayMs: 100 }, "bob.test"],
    ["secure", { how: "strip", zone: "bob.test" }, "alice.test"],
  ])("say %s of misbehaviour: %j at %s", async (word, misbehaviour, name) => {
    await expectUnderMisbehaviour(misbehaviour, at(name), all(word));
  });

  // delv asks on and on in this case, for twelve seconds, and comes to no verdict.
  test.each(["to-bob.alice.test", "to-carol.alice.test"])(
    "say bogus, unbound and we: no signature on the alias %s",
    async (name) => {
      const misbehaviour = { how: "strip", type: types.CNAME } as const;
      await expectUnderMisbehaviour(misbehaviour, at(name), { we: "bogus", unbound: "bogus" });
    },
  );

  const believed = all("secure");
  test.each<[string, Misbehaviour | null, string, Expected]>([
    // A bound of ours on what one name may cost.
    ["60,000 octets", { how: "oversized" }, "alice.test", { ...believed, we: "bogus" }],
  ])("differ, for a reason: %s", async (_, misbehaviour, name, expected) => {
    await expectUnderMisbehaviour(misbehaviour, at(name), expected);
  });

  test("differ, for a reason: unbound calls an unknown algorithm by its name (EDE 1)", async () => {
    const name = at("unknown-signatures.test" satisfies OddZone);
    await expectWords(oddJudges, name, { ...all("bogus"), unbound: "failed" });
  });

  test.each<[string, OddZone]>([
    ["thirteen keys, a bound of ours", "many-keys.test"],
    ["a DNAME record, which no proof for apps may contain", "dname.test"],
  ])("differ, for a reason: %s", async (_, zone) => {
    await expectWords(oddJudges, at(zone), { ...believed, we: "bogus" });
  });

  test("differ, for a reason: SHA-1 alone proves nothing to us (RFC 8624 §3.3)", async () => {
    const name = at("sha1.test" satisfies OddZone);
    await expectWords(oddJudges, name, { ...all("secure"), we: "insecure" });
  });
});

/** With judges who remember nothing from before. */
async function expectUnderMisbehaviour(
  misbehaviour: Misbehaviour | null,
  name: string,
  expected: Expected,
): Promise<void> {
  zones.misbehave(misbehaviour);
  const fresh = await startJudges(judged());
  try {
    await expectWords(fresh, name, expected);
  } finally {
    await fresh.close();
  }
}
