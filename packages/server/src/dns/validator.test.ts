// Tests of the validator with the demo's signed zones over real sockets, well-behaved and not.

import type { Misbehaviour } from "domain-signin-demo/zones/zone-misbehaviour";
import { recordType } from "domain-signin-verify/dns/records";
import { verifiedRrset, verifyChain } from "domain-signin-verify/dnssec/chain";
import { writeRrsets } from "domain-signin-verify/dnssec/rrsets";
import { beforeEach, describe, expect, it } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { startValidatorWorld, txtAt, verdictOf } from "../../test/support/validator-world.ts";
import type { Validator } from "./validator.ts";

const { TXT, DS, DNSKEY, CNAME, NSEC } = recordType;
const owners = ["alice.test", "bob.test", "shop.market.test", "carol.test", "test"];

const world = fixture(() =>
  startValidatorWorld([
    ...owners.map((owner) => ({ ...txtAt(`_x.${owner}`), value: owner })),
    txtAt("_x.big"),
    txtAt("below._x.parts.alice.test"),
    txtAt("*.wild.bob.test"),
    alias("*.wild-alias.alice.test", "_x.bob.test"),
    alias("*.to-wild.alice.test", "_x.wild.bob.test"),
    alias("_x.www.alice.test", "_x.bob.test"),
    alias("_x.far.bob.test", "_x.www.alice.test"),
    alias("_x.to-carol.alice.test", "_x.carol.test"),
    alias("www.test", "nothing.test"),
    txtAt("_x.www.test"),
    ...["one", "two", "three", "four", "five"].map((label, index, all) =>
      alias(`*.${label}.test`, all[index + 1] ? `x.${all[index + 1]}.test` : "x.bob.test"),
    ),
    alias("_x.from.carol.test", "_x.alice.test"),
    alias("_x.to-nothing.alice.test", "nothing.bob.test"),
    alias("_x.to-parts.bob.test", "_x.parts.alice.test"),
    alias("_x.to-alicf.alice.test", "_x.alicf.test"),
    alias("_x.to-market.alice.test", "_x.market.test"),
    alias("_x.loop.alice.test", "_x.pool.bob.test"),
    alias("_x.pool.bob.test", "_x.loop.alice.test"),
    ...Array.from({ length: 9 }, (_, index) =>
      alias(`_x.long${index}.bob.test`, `_x.long${index + 1}.bob.test`),
    ),
    txtAt("_x.long9.bob.test"),
  ]),
);
let validator: Validator;
beforeEach(() => {
  world.reset();
  validator = world.newValidator();
});

function alias(name: string, value: string) {
  return { name, type: "CNAME", value } as const;
}

const validate = async (name: string) => verdictOf(await validator.validate(name, TXT));
const isInsecure = async (name: string) => verdictOf(await validator.isInsecure(name));

describe("records in signed zones", () => {
  it.each(["alice.test", "bob.test", "shop.market.test", "test"])(
    "are secure, and so is the chain that the proof makes: %s",
    async (owner) => {
      const name = `_x.${owner}`;
      const validated = await validator.validate(name, TXT);
      if (validated.security !== "secure") throw new Error(verdictOf(validated));
      const { answer, validatedAt } = validated;
      const [value = new Uint8Array()] = answer?.rdatas ?? [];
      expect(Buffer.from(value.subarray(1)).toString()).toBe(owner);
      const chain = writeRrsets([...validated.sets, ...validated.zoneSets]);
      const { trustAnchors } = world;
      const request = { name, type: TXT, now: validatedAt, trustAnchors };
      if (!answer) throw new Error("there is no answer");
      const expected = verifiedRrset(validated, answer, validatedAt);
      expect(await verifyChain(chain, request)).toEqual(expected);
    },
  );

  it("are secure through aliases across zones, with each zone once in the proof", async () => {
    const validated = await validator.validate("_x.far.bob.test", TXT);
    const proof = { name: "_x.bob.test", aliases: ["_x.far.bob.test", "_x.www.alice.test"] };
    expect(validated).toMatchObject({ security: "secure", ...proof });
    if (validated.security !== "secure") throw new Error(verdictOf(validated));
    const zones = validated.zoneSets.filter(({ type }) => type === DNSKEY);
    expect(zones.map(({ name }) => name).sort()).toEqual(["", "alice.test", "bob.test", "test"]);
  });

  it.each([
    ["insecure carol.test", "_x.carol.test"],
    ["insecure carol.test", "_x.to-carol.alice.test"],
    ["insecure carol.test", "_x.from.carol.test"],
    ["bogus alias_loop", "_x.loop.alice.test"],
    ["bogus too_many_aliases", "_x.long0.bob.test"],
    ["secure", "_x.long1.bob.test"],
    ["secure, from a wildcard", "any.wild.bob.test"],
    ["secure, from a wildcard", "a.b.wild.bob.test"],
    ["secure, from a wildcard", "any.wild-alias.alice.test"],
    ["secure, from a wildcard", "any.to-wild.alice.test"],
  ])("are %s: %s", async (expected, name) => {
    expect(await validate(name)).toBe(expected);
  });
});

describe("an absence", () => {
  it.each([
    ["secure, absent", "nothing.alice.test", "no such name"],
    ["secure, absent", "a.b.c.nothing.alice.test", "no name above it either"],
    ["secure, absent", "alice.test", "another type at the apex"],
    ["secure, absent", "_x.parts.alice.test", "only names below it"],
    ["secure, absent", "wild.bob.test", "only a wildcard below it"],
    ["secure, absent", "market.test", "only a zone below it"],
    ["secure, absent", "nothing.test", "no such name in the zone above"],
    ["secure, absent", "nothing", "no such name in the root"],
    ["secure, absent", "_x.to-nothing.alice.test", "an alias to nothing"],
    ["secure, absent", "_x.to-parts.bob.test", "an alias to a name with names below it"],
    ["secure, absent", "_x.to-alicf.alice.test", "denied by the NSEC of the alias's own zone"],
    ["secure, absent", "_x.to-market.alice.test", "an alias to nothing in the zone above"],
    ["secure, absent", "www.test", "an alias to nothing in the same zone"],
    ["secure, absent", "x.www.test", "a name below an alias"],
    ["secure, absent", "x.one.test", "five aliases from wildcards to nothing"],
    ["insecure carol.test", "nothing.carol.test", "in an insecure zone"],
    ["insecure carol.test", "carol.test", "at the apex of one"],
  ])("is %s: %s, %s", async (expected, name) => {
    expect(await validate(name)).toBe(expected);
  });

  it.each<[string, Misbehaviour, string]>([
    ["bogus no_answer", { how: "strip", type: NSEC }, "nothing.alice.test"],
    ["bogus no_answer", { how: "strip", type: NSEC }, "_x.to-nothing.alice.test"],
    ["bogus no_answer", { how: "strip", zone: "test", type: NSEC }, "nothing.test"],
    ["bogus expired", { how: "expired", type: NSEC }, "nothing.alice.test"],
    ["bogus not_yet_valid", { how: "not_yet_valid", type: NSEC }, "nothing.alice.test"],
    ["bogus no_such_key", { how: "swap_keys", type: NSEC }, "nothing.alice.test"],
    ["bogus expired", { how: "expired", type: CNAME }, "_x.to-nothing.alice.test"],
    ["bogus wildcard", { how: "strip", type: NSEC }, "any.wild.bob.test"],
    ["bogus expired", { how: "expired", type: NSEC }, "any.wild.bob.test"],
    ["indeterminate servfail", { how: "servfail", type: TXT }, "nothing.alice.test"],
    ["indeterminate servfail", { how: "servfail", type: DNSKEY }, "nothing.alice.test"],
  ])("is %s with %j: %s", async (expected, misbehaviour, name) => {
    world.zones.misbehave(misbehaviour);
    expect(await validate(name)).toBe(expected);
  });
});

describe("zones that misbehave", () => {
  it.each<[string, Misbehaviour, string]>([
    ["bogus not_signed", { how: "strip" }, "_x.alice.test"],
    ["bogus not_signed", { how: "strip", zone: "alice.test", type: TXT }, "_x.alice.test"],
    ["bogus not_signed", { how: "strip", zone: "bob.test" }, "_x.www.alice.test"],
    ["bogus not_signed", { how: "strip", zone: "bob.test", type: DNSKEY }, "_x.bob.test"],
    ["bogus not_signed", { how: "strip", zone: "test", type: DS }, "_x.bob.test"],
    ["bogus expired", { how: "expired" }, "_x.bob.test"],
    ["bogus expired", { how: "expired", type: TXT }, "_x.shop.market.test"],
    ["bogus expired", { how: "expired", type: CNAME }, "_x.www.alice.test"],
    ["bogus expired", { how: "expired", type: CNAME }, "_x.to-carol.alice.test"],
    ["bogus expired", { how: "expired", type: DS }, "_x.alice.test"],
    ["bogus expired", { how: "expired", type: DNSKEY }, "_x.alice.test"],
    ["bogus not_yet_valid", { how: "not_yet_valid" }, "_x.alice.test"],
    ["bogus not_yet_valid", { how: "not_yet_valid", zone: "test" }, "_x.alice.test"],
    ["bogus untrusted_root", { how: "swap_keys", zone: "" }, "_x.alice.test"],
    ["bogus key_not_delegated", { how: "swap_keys", zone: "test" }, "_x.alice.test"],
    ["bogus key_not_delegated", { how: "swap_keys", zone: "bob.test" }, "_x.bob.test"],
    ["bogus no_such_key", { how: "swap_keys", type: TXT }, "_x.alice.test"],
    ["bogus wildcard", { how: "wildcard" }, "_x.alice.test"],
    ["bogus wildcard", { how: "wildcard", type: TXT }, "_x.bob.test"],
    ["bogus bad_signature", { how: "forge", value: "v=dsi1 acct=mallory" }, "_x.alice.test"],
    ["bogus bad_signature", { how: "forge", value: "v=dsi1" }, "_x.www.alice.test"],
    ["bogus not_signed", { how: "forge", value: "v=dsi1" }, "nothing.alice.test"],
    ["insecure carol.test", { how: "forge", value: "v=dsi1" }, "_x.carol.test"],
    ["bogus too_many_records", { how: "oversized" }, "_x.alice.test"],
    ["indeterminate servfail", { how: "servfail", type: DS }, "_x.alice.test"],
    ["indeterminate servfail", { how: "servfail", type: DNSKEY }, "_x.alice.test"],
    ["indeterminate servfail", { how: "servfail", type: TXT }, "_x.alice.test"],
    ["secure", { how: "slow", delayMs: 50 }, "_x.alice.test"],
    ["secure", { how: "strip", zone: "bob.test" }, "_x.alice.test"],
  ])("are %s with %j at %s", async (expected, misbehaviour, name) => {
    world.zones.misbehave(misbehaviour);
    const validated = await validator.validate(name, TXT);
    expect(verdictOf(validated)).toBe(expected);
    if (validated.security === "bogus") {
      expect(validated.reason).toMatch(/^[a-z_]+: [ -~]{1,190}$/);
    }
  });

  it("are bogus also if their keys were remembered from before", async () => {
    expect(await validate("_x.alice.test")).toBe("secure");
    world.zones.misbehave({ how: "forge", value: "v=dsi1" });
    expect(await validate("_x.alice.test")).toBe("bogus bad_signature");
    world.zones.misbehave(null);
    expect(await validate("_x.alice.test")).toBe("secure");
  });

  it("are secure again three seconds after they are well again", async () => {
    for (const how of ["strip", "expired", "swap_keys", "servfail"] as const) {
      world.zones.misbehave({ how, zone: "test" });
      expect(await validate("_x.alice.test")).toMatch(/^(bogus|indeterminate) /);
      world.zones.misbehave(null);
      world.clock.ahead += 3;
      expect(await validate("_x.alice.test")).toBe("secure");
      validator = world.newValidator();
    }
  });
});

describe("a name lies in a zone that", () => {
  it.each([
    ["secure", "", null],
    ["secure", "test", null],
    ["secure", "shop.market.test", null],
    ["insecure", "carol.test", null],
    ["secure", "nothing.alice.test", null],
    ["secure", "_x.alice.test", null],
    ["secure", "_x.www.alice.test", null],
    ["secure", "www.test", null],
    ["secure", "x.y.www.test", null],
    ["secure", "any.wild-alias.alice.test", null],
    ["insecure", "_x.from.carol.test", null],
    ["insecure", "nothing.carol.test", null],
    ["bogus not_signed", "alice.test", { how: "strip", type: DS }],
    ["bogus not_signed", "alice.test", { how: "strip", zone: "test" }],
    ["bogus expired", "alice.test", { how: "expired", type: DS }],
    ["bogus expired", "_x.www.alice.test", { how: "expired", type: CNAME }],
    ["bogus key_not_delegated", "alice.test", { how: "swap_keys", zone: "test" }],
    ["secure", "alice.test", { how: "swap_keys", zone: "alice.test" }],
    ["indeterminate servfail", "alice.test", { how: "servfail", type: DS }],
    ["indeterminate servfail", "carol.test", { how: "servfail", type: DS }],
    ["indeterminate servfail", "alice.test", { how: "servfail", zone: "test", type: DNSKEY }],
  ] as const)("is %s: %j with %j", async (expected, name, misbehaviour) => {
    world.zones.misbehave(misbehaviour);
    expect(await isInsecure(name)).toBe(expected);
  });
});
