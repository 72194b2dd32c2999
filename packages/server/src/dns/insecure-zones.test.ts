// Tests that a zone counts as unsigned only if that is proven, with the demo's zones over real sockets.

import type { Misbehaviour } from "domain-signin-demo/zones/zone-misbehaviour";
import type { DnsRecord } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Query, startChainWorld, told } from "../../test/support/chain-world.ts";
import { nsecRdata } from "../../test/support/denials.ts";
import { createChains } from "./chain.ts";
import type { DnsAnswer } from "./resolver.ts";

const { TXT, DS, DNSKEY, SOA, A, RRSIG, NSEC } = recordType;

let world: Awaited<ReturnType<typeof startChainWorld>>;

beforeAll(async () => {
  const txtAt = (name: string) => ({ name, type: "TXT", value: "v=dsi1" }) as const;
  world = await startChainWorld(
    ["alice.test", "carol.test", "shop.market.test", "aaa.test"].map((name) => txtAt(`_x.${name}`)),
  );
});
beforeEach(() => {
  world.zones.misbehave(null);
  world.asked.length = 0;
});
afterAll(() => world.dns.close());

type Reply = Extract<DnsAnswer, { outcome: "answer" | "nxdomain" }>;
type Lie = (truth: Reply) => DnsAnswer | Promise<DnsAnswer>;

async function replyTo(name: string, type: number): Promise<Reply> {
  const answer = await world.query(name, type);
  if (!("records" in answer)) throw new Error(`no reply for ${name}`);
  return answer;
}

/** The truth, but for the questions "type name" about which it lies. */
function lying(lies: Readonly<Record<string, Lie>>): Query {
  return async (name, type) => {
    const lie = lies[`${type} ${name}`];
    return lie ? lie(await replyTo(name, type)) : world.query(name, type);
  };
}

async function delegation(zone: string, query?: Query) {
  return told(await world.newChains(query).delegation(zone));
}

const absence = (...authorities: readonly DnsRecord[]): Reply => {
  return { outcome: "answer", records: [], authorities };
};
const only = (records: readonly DnsRecord[], ...types: readonly number[]) =>
  records.filter(({ type }) => types.includes(type));
const named = (records: readonly DnsRecord[], name: string) =>
  records.map((record) => ({ ...record, name }));
const denialFrom = async (name: string) => only((await replyTo(name, DS)).authorities, NSEC, RRSIG);
const soaOf = (name: string): DnsRecord => {
  return { name, type: SOA, class: 1, ttl: 60, rdata: new Uint8Array(22) };
};

describe("a zone without a DS", () => {
  it("is unsigned by the word of the zone above, which is proven up to the root", async () => {
    expect(await delegation("carol.test")).toBe("unsigned");
    const asked = [`${DNSKEY} `, `${DNSKEY} test`, `${DS} carol.test`, `${DS} test`];
    expect(world.asked.toSorted()).toEqual(asked.toSorted());
  });

  it("is unsigned below an unsigned one, however deep, and also without an SOA record", async () => {
    expect(await delegation("x.carol.test")).toBe("unsigned");
    expect(await delegation("x.y.z.carol.test")).toBe("unsigned");
    expect(
      await delegation("x.carol.test", lying({ [`${DS} x.carol.test`]: () => absence() })),
    ).toBe("unsigned");
    const ofItself = () => absence(soaOf("x.carol.test"), soaOf("y.x.carol.test"));
    expect(await delegation("x.carol.test", lying({ [`${DS} x.carol.test`]: ofItself }))).toBe(
      "unsigned",
    );
  });

  it.each(["nothing.alice.test", "_x.alice.test", "market.test", "nothing.test", "nothing"])(
    "is bogus where it is no zone: %s",
    async (name) => {
      expect(await delegation(name)).toBe("bogus foreign_signer");
    },
  );

  it.each<[string, Misbehaviour]>([
    ["bogus incomplete_chain", { how: "strip", zone: "test", type: NSEC }],
    ["bogus expired", { how: "expired", zone: "test", type: NSEC }],
    ["bogus not_yet_valid", { how: "not_yet_valid", zone: "test", type: NSEC }],
    ["bogus no_such_key", { how: "swap_keys", zone: "test", type: NSEC }],
    ["bogus key_not_delegated", { how: "swap_keys", zone: "test" }],
    ["bogus not_signed", { how: "strip", zone: "", type: DS }],
    ["bogus not_signed", { how: "strip", zone: "", type: DNSKEY }],
    ["unavailable servfail", { how: "servfail", zone: "test", type: DNSKEY }],
    ["unsigned", { how: "strip", zone: "test", type: SOA }],
    ["unsigned", { how: "expired", zone: "alice.test" }],
  ])("is %s with %j above it", async (expected, misbehaviour) => {
    world.zones.misbehave(misbehaviour);
    expect(await delegation("carol.test")).toBe(expected);
    expect(await delegation("x.carol.test")).toBe(expected);
  });

  it("is remembered as what it was proven to be, and as nothing else", async () => {
    let isWell = false;
    const stripped: Lie = (truth) => (isWell ? truth : absence());
    const chains = world.newChains(
      lying({ [`${DS} alice.test`]: stripped, [`${DS} carol.test`]: stripped }),
    );
    expect(told(await chains.delegation("alice.test"))).toBe("bogus incomplete_chain");
    expect(told(await chains.delegation("carol.test"))).toBe("bogus incomplete_chain");
    isWell = true;
    expect(told(await chains.delegation("alice.test"))).toBe("signed");
    expect(told(await chains.delegation("carol.test"))).toBe("unsigned");
  });

  it("is unsigned by keys that were rolled while they were remembered", async () => {
    const chains = world.newChains();
    expect(told(await chains.delegation("alice.test"))).toBe("signed");
    world.zones.rollKeys("test");
    expect(told(await chains.delegation("carol.test"))).toBe("unsigned");
  });

  it("costs a look no more than its 32 questions", async () => {
    const deep = `${"x.".repeat(60)}carol.test`;
    const query: Query = async (name, type) => {
      const isBelow = type === DS && name.endsWith("x.carol.test");
      return isBelow ? absence() : world.query(name, type);
    };
    expect(await delegation(deep, query)).toBe("bogus too_many_queries");
    expect(await delegation(deep)).toBe("unsigned");
  });
});

describe("without any trust anchor", () => {
  it("all is unsigned, and nothing is asked", async () => {
    const { query, now } = world;
    const answers = await world.answersFor("_x.alice.test");
    world.asked.length = 0;
    const chains = createChains({ query, now, trustAnchors: [] });
    expect(told(await chains.prove("_x.alice.test", TXT, answers))).toBe("unsigned ");
    for (const zone of ["", "test", "alice.test"]) {
      expect(told(await chains.delegation(zone))).toBe("unsigned");
    }
    expect(world.asked).toEqual([]);
  });
});

describe("the DS of a signed zone, left out", () => {
  const ds = `${DS} alice.test`;

  it.each<[string, string, Lie]>([
    ["incomplete_chain", "with everything else", () => absence()],
    [
      "incomplete_chain",
      "with the SOA of test",
      async () => absence(...only((await replyTo("carol.test", DS)).authorities, SOA)),
    ],
    ["incomplete_chain", "with the SOA of the root", () => absence(soaOf(""))],
    ["incomplete_chain", "with the SOA of itself", () => absence(soaOf("alice.test"))],
    ["incomplete_chain", "with the SOA of an unsigned zone", () => absence(soaOf("carol.test"))],
    [
      "incomplete_chain",
      "with the denial of an unsigned sibling",
      async () => absence(...(await denialFrom("carol.test"))),
    ],
    [
      "bad_signature",
      "with that under its name",
      async () => absence(...named(await denialFrom("carol.test"), "alice.test")),
    ],
    [
      "incomplete_chain",
      "with the denial of another name",
      async () => absence(...(await denialFrom("nothing.test"))),
    ],
    [
      "incomplete_chain",
      "with a denial by the root",
      async () => absence(...(await denialFrom("nothing"))),
    ],
    [
      "incomplete_chain",
      "with the NSEC of its own name, which tells of it",
      async () => absence(...(await ownNsec())),
    ],
    ["bad_signature", "with that, changed", async () => absence(...(await changedNsec()))],
    [
      "incomplete_chain",
      "with that, changed and unsigned",
      async () => absence(...only(await changedNsec(), NSEC)),
    ],
    [
      "incomplete_chain",
      "with what it says of itself",
      async () =>
        absence(...only((await replyTo("nothing.alice.test", A)).authorities, NSEC, RRSIG)),
    ],
    [
      "incomplete_chain",
      "with the denial of its own type",
      async () => absence(...only((await replyTo("alice.test", A)).authorities, NSEC, RRSIG)),
    ],
  ])("is bogus %s: %s", async (code, _, lie) => {
    expect(await delegation("alice.test", lying({ [ds]: lie }))).toBe(`bogus ${code}`);
  });

  /** It proves that nothing comes next after the name. */
  async function ownNsec(): Promise<readonly DnsRecord[]> {
    const denial = await denialFrom("alicf.test");
    return denial.filter(({ name }) => name === "alice.test");
  }

  async function changedNsec(): Promise<DnsRecord[]> {
    const rdata = nsecRdata("bob.test", ["NS", "RRSIG", "NSEC"]);
    return (await ownNsec()).map((record) =>
      record.type === NSEC ? { ...record, rdata } : record,
    );
  }

  it("is told by the zone above, so that the tests above speak of something", async () => {
    const [own] = only(await ownNsec(), NSEC);
    const rdata = nsecRdata("bob.test", ["NS", "DS", "RRSIG", "NSEC"]);
    expect(own?.rdata).toEqual(rdata);
  });
});
