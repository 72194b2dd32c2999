// Tests of chains from the demo's signed zones, well-behaved and not.

import type { Misbehaviour } from "domain-signin-demo/zones/zone-misbehaviour";
import { recordType } from "domain-signin-verify/dns/records";
import { verifyChain } from "domain-signin-verify/dnssec/chain";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startChainWorld, told } from "../../test/support/chain-world.ts";
import type { Chains } from "./chain.ts";

const { TXT, DS, DNSKEY, CNAME } = recordType;
const owners = ["alice.test", "bob.test", "shop.market.test", "carol.test", "test"];

let world: Awaited<ReturnType<typeof startChainWorld>>;
let chains: Chains;

beforeAll(async () => {
  world = await startChainWorld([
    ...owners.map((owner) => ({ ...txtAt(`_x.${owner}`), value: owner })),
    txtAt("_x.big"),
    alias("_x.www.alice.test", "_x.bob.test"),
    alias("_x.far.bob.test", "_x.www.alice.test"),
    alias("_x.to-carol.alice.test", "_x.carol.test"),
    alias("_x.from.carol.test", "_x.alice.test"),
    alias("_x.to-nothing.alice.test", "nothing.bob.test"),
    alias("_x.loop.alice.test", "_x.pool.bob.test"),
    alias("_x.pool.bob.test", "_x.loop.alice.test"),
    ...Array.from({ length: 9 }, (_, index) =>
      alias(`_x.long${index}.bob.test`, `_x.long${index + 1}.bob.test`),
    ),
    txtAt("_x.long9.bob.test"),
  ]);
});
beforeEach(() => {
  world.zones.misbehave(null);
  chains = world.newChains();
});
afterAll(() => world.dns.close());

function txtAt(name: string) {
  return { name, type: "TXT", value: "v=dsi1" } as const;
}

function alias(name: string, value: string) {
  return { name, type: "CNAME", value } as const;
}

async function prove(name: string) {
  return chains.prove(name, TXT, await world.answersFor(name));
}

describe("a name in signed zones", () => {
  it.each(["alice.test", "bob.test", "shop.market.test", "test"])(
    "is secure: %s",
    async (owner) => {
      const outcome = await prove(`_x.${owner}`);
      if (outcome.outcome !== "secure") throw new Error(told(outcome));
      const [value = new Uint8Array()] = outcome.verified.values;
      expect(Buffer.from(value.subarray(1)).toString()).toBe(owner);
      const request = { name: `_x.${owner}`, type: TXT, now: world.now() };
      const { trustAnchors } = world;
      expect(await verifyChain(outcome.chain, { ...request, trustAnchors })).toEqual(
        outcome.verified,
      );
    },
  );

  it("is secure through aliases across zones, each zone once in the chain", async () => {
    const outcome = await prove("_x.far.bob.test");
    expect(outcome).toMatchObject({
      outcome: "secure",
      verified: { name: "_x.bob.test", aliases: ["_x.far.bob.test", "_x.www.alice.test"] },
    });
  });

  it("is asked for in any case of letters, and with a final dot", async () => {
    const answers = await world.answersFor("_x.alice.test");
    expect(told(await chains.prove("_X.Alice.TEST.", TXT, answers))).toBe("secure");
    await expect(chains.prove("a..b", TXT, answers)).rejects.toThrow("empty");
  });

  it.each([
    ["unsigned null", "_x.carol.test"],
    ["unsigned null", "_x.to-carol.alice.test"],
    ["unsigned null", "_x.from.carol.test"],
    ["bogus no_answer", "nothing.alice.test"],
    ["bogus no_answer", "_x.to-nothing.alice.test"],
    ["bogus alias_loop", "_x.loop.alice.test"],
    ["bogus too_many_aliases", "_x.long0.bob.test"],
    ["secure", "_x.long1.bob.test"],
  ])("is %s: %s", async (expected, name) => {
    expect(told(await prove(name))).toBe(expected);
  });
});

describe("zones that misbehave", () => {
  it.each<[string, Misbehaviour, string]>([
    ["unsigned null", { how: "strip" }, "_x.alice.test"],
    ["unsigned null", { how: "strip", zone: "alice.test", type: TXT }, "_x.alice.test"],
    ["unsigned null", { how: "strip", zone: "bob.test" }, "_x.www.alice.test"],
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
    ["bogus bad_signature", { how: "forge", value: "v=dsi1; acct=mallory" }, "_x.alice.test"],
    ["bogus bad_signature", { how: "forge", value: "v=dsi1" }, "_x.www.alice.test"],
    ["unsigned null", { how: "forge", value: "v=dsi1" }, "_x.carol.test"],
    ["bogus too_many_records", { how: "oversized" }, "_x.alice.test"],
    ["unavailable servfail", { how: "servfail", type: DS }, "_x.alice.test"],
    ["unavailable servfail", { how: "servfail", type: DNSKEY }, "_x.alice.test"],
    ["secure", { how: "slow", delayMs: 50 }, "_x.alice.test"],
    ["secure", { how: "strip", zone: "bob.test" }, "_x.alice.test"],
  ])("are told: %s with %j at %s", async (expected, misbehaviour, name) => {
    world.zones.misbehave(misbehaviour);
    const outcome = await prove(name);
    expect(told(outcome)).toBe(expected);
    if (outcome.outcome === "bogus") expect(outcome.reason).toMatch(/^[a-z_]+: [ -~]{1,190}$/);
  });

  it("are told for an answer that was remembered from before, too", async () => {
    expect(told(await prove("_x.alice.test"))).toBe("secure");
    world.zones.misbehave({ how: "forge", value: "v=dsi1" });
    expect(told(await prove("_x.alice.test"))).toBe("bogus bad_signature");
    world.zones.misbehave(null);
    expect(told(await prove("_x.alice.test"))).toBe("secure");
  });

  it("are forgotten once they are well again", async () => {
    for (const how of ["strip", "expired", "swap_keys", "servfail"] as const) {
      world.zones.misbehave({ how, zone: "test" });
      expect(told(await prove("_x.alice.test"))).toMatch(/^(bogus|unavailable) /);
      world.zones.misbehave(null);
      expect(told(await prove("_x.alice.test"))).toBe("secure");
      chains = world.newChains();
    }
  });
});

describe("a delegation", () => {
  it.each([
    ["signed", "", null],
    ["signed", "test", null],
    ["signed", "shop.market.test", null],
    ["signed", "ALICE.test.", null],
    ["unsigned", "carol.test", null],
    ["bogus foreign_signer", "nothing.alice.test", null],
    ["unsigned", "nothing.carol.test", null],
    ["bogus not_signed", "alice.test", { how: "strip", type: DS }],
    ["bogus not_signed", "alice.test", { how: "strip", zone: "test" }],
    ["bogus expired", "alice.test", { how: "expired", type: DS }],
    ["bogus key_not_delegated", "alice.test", { how: "swap_keys", zone: "test" }],
    ["signed", "alice.test", { how: "swap_keys", zone: "alice.test" }],
    ["unavailable servfail", "alice.test", { how: "servfail", type: DS }],
    ["unavailable servfail", "carol.test", { how: "servfail", type: DS }],
    ["unavailable servfail", "alice.test", { how: "servfail", zone: "test", type: DNSKEY }],
  ] as const)("is %s: %j with %j", async (expected, apex, misbehaviour) => {
    world.zones.misbehave(misbehaviour);
    expect(told(await chains.delegation(apex))).toBe(expected);
  });
});
