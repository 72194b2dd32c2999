// Tests that a zone is insecure only if that is proven, with the demo's zones over real sockets.

import type { Misbehaviour } from "domain-signin-demo/zones/zone-misbehaviour";
import type { DnsRecord } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { beforeEach, describe, expect, it } from "vitest";
import { nsecRdata } from "../../../verify/test/support/denials.ts";
import { serverAt } from "../../test/support/dns-server.ts";
import { fixture } from "../../test/support/fixture.ts";
import { serveOddZones } from "../../test/support/judged-odd-zones.ts";
import { withoutTimeouts } from "../../test/support/moving-time.ts";
import {
  type Query,
  startValidatorWorld,
  txtAt,
  verdictOf,
} from "../../test/support/validator-world.ts";
import { clockFrom } from "../lib/clock.ts";
import { createResolver, type DnsAnswer } from "./resolver.ts";
import { createValidator } from "./validator.ts";

const { TXT, DS, DNSKEY, SOA, A, RRSIG, NSEC } = recordType;

const owners = ["alice.test", "carol.test", "shop.market.test", "aaa.test"];
const world = fixture(() => startValidatorWorld(owners.map((name) => txtAt(`_x.${name}`))));
beforeEach(() => world.reset());
withoutTimeouts();

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

async function isInsecure(zone: string, query?: Query) {
  return verdictOf(await world.newValidator(query).isInsecure(zone));
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
  it("is insecure if the zone above says so, which is verified up to the root", async () => {
    expect(await isInsecure("carol.test")).toBe("insecure");
    const asked = [`${DNSKEY} `, `${DNSKEY} test`, `${DS} carol.test`, `${DS} test`];
    expect(world.asked.toSorted()).toEqual(asked.toSorted());
  });

  it("is insecure below an insecure one, however deep, and nothing is asked there", async () => {
    for (const name of ["x.carol.test", "x.y.z.carol.test"]) {
      world.asked.length = 0;
      expect(await isInsecure(name)).toBe("insecure");
      expect(world.asked).not.toContain(`${DS} ${name}`);
      expect(world.asked).toHaveLength(4);
    }
  });

  it("is insecure below an insecure one whose servers know nothing about DS", async () => {
    const servfail: Lie = () => ({ outcome: "failed", reason: "servfail" });
    const names = ["_x.carol.test", "x.carol.test", "_x.x.carol.test"];
    const query = lying(Object.fromEntries(names.map((name) => [`${DS} ${name}`, servfail])));
    for (const name of names) expect(await isInsecure(name, query)).toBe("insecure");
    const validated = await world.newValidator(query).validate("_x.carol.test", TXT);
    expect(verdictOf(validated)).toBe("insecure carol.test");
  });

  it.each(["nothing.alice.test", "_x.alice.test", "market.test", "nothing.test", "nothing"])(
    "is secure if it is no zone, but a name in a secure one: %s",
    async (name) => {
      expect(await isInsecure(name)).toBe("secure");
      world.asked.length = 0;
      // Nothing can be below a name that does not exist.
      const isName = !name.includes("nothing");
      expect(await isInsecure(`x.y.${name}`)).toBe("secure");
      expect(world.asked.includes(`${DS} y.${name}`)).toBe(isName);
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
    ["indeterminate servfail", { how: "servfail", zone: "test", type: DNSKEY }],
    ["insecure", { how: "strip", zone: "test", type: SOA }],
    ["insecure", { how: "expired", zone: "alice.test" }],
  ])("is %s with %j above it, and so are the records in it", async (expected, misbehaviour) => {
    world.zones.misbehave(misbehaviour);
    expect(await isInsecure("carol.test")).toBe(expected);
    expect(await isInsecure("x.carol.test")).toBe(expected);
    const validated = await world.newValidator().validate("_x.carol.test", TXT);
    // A record that is not signed is bogus for that reason.
    expect(validated.security).toBe(expected.split(" ")[0]);
  });

  it("is remembered as what it was proven to be, and as nothing else", async () => {
    let isWell = false;
    const stripped: Lie = (truth) => (isWell ? truth : absence());
    const validator = world.newValidator(
      lying({ [`${DS} alice.test`]: stripped, [`${DS} carol.test`]: stripped }),
    );
    for (const name of ["alice.test", "carol.test"]) {
      expect(verdictOf(await validator.isInsecure(name))).toBe("bogus incomplete_chain");
    }
    isWell = true;
    world.clock.ahead += 3;
    expect(verdictOf(await validator.isInsecure("alice.test"))).toBe("secure");
    expect(verdictOf(await validator.isInsecure("carol.test"))).toBe("insecure");
  });

  it("is found however deep a name lies in it, and so is a secure zone", async () => {
    const deep = `${"x.".repeat(60)}carol.test`;
    const hidden = lying({ [`${DS} x.carol.test`]: () => absence() });
    expect(await isInsecure(deep, hidden)).toBe("insecure");
    expect(await isInsecure(deep)).toBe("insecure");
    expect(await isInsecure(`${"x.".repeat(60)}alice.test`)).toBe("secure");
  });
});

describe("a zone with a DS record in an unsigned parent", () => {
  it("is insecure, though the record is right and its records are signed (RFC 4035 §5.2)", async () => {
    const odd = await serveOddZones();
    try {
      const { query } = createResolver({ servers: [serverAt(`127.0.0.1:${odd.dns.port}`)] });
      const trustAnchors = odd.trustAnchors.map(parseTrustAnchor);
      const validator = createValidator({
        query,
        clock: clockFrom(() => world.now() * 1000),
        trustAnchors,
      });
      for (const zone of ["ds-in.unsigned.test", "wrong-ds-in.unsigned.test"]) {
        const ds = await query(zone, DS);
        const types = "records" in ds && only(ds.records, DS, RRSIG).map(({ type }) => type);
        expect(types).toEqual([DS]);
        const validated = await validator.validate(`_domain-signin.${zone}`, TXT);
        expect(verdictOf(validated)).toMatch(/^insecure .*unsigned\.test$/);
        expect(verdictOf(await validator.isInsecure(zone))).toBe("insecure");
      }
    } finally {
      await odd.dns.close();
    }
  });
});

describe("without any trust anchor", () => {
  it("everything is insecure, and only the record itself is asked for", async () => {
    const { query, now } = world;
    const validator = createValidator({
      query,
      clock: clockFrom(() => now() * 1000),
      trustAnchors: [],
    });
    for (const zone of ["", "test", "alice.test"]) {
      expect(await validator.isInsecure(zone)).toBe(true);
    }
    expect(world.asked).toEqual([]);
    for (const name of ["_x.alice.test", "_x.carol.test", "nothing.alice.test"]) {
      world.asked.length = 0;
      expect(verdictOf(await validator.validate(name, TXT))).toBe("insecure ");
      expect(world.asked).toEqual([`${TXT} ${name}`]);
    }
  });
});

describe("the DS of a signed zone, left out", () => {
  const ds = `${DS} alice.test`;

  const incomplete = "incomplete_chain";
  const authoritiesFor = async (...question: Parameters<typeof replyTo>) =>
    (await replyTo(...question)).authorities;
  const denialOfA = async (name: string) => only(await authoritiesFor(name, A), NSEC, RRSIG);

  it.each<[string, string, () => DnsRecord[] | Promise<readonly DnsRecord[]>]>([
    [incomplete, "with everything else", () => []],
    [
      incomplete,
      "with the SOA of test",
      async () => only(await authoritiesFor("carol.test", DS), SOA),
    ],
    [incomplete, "with the SOA of the root", () => [soaOf("")]],
    [incomplete, "with the SOA of itself", () => [soaOf("alice.test")]],
    [incomplete, "with the SOA of an insecure zone", () => [soaOf("carol.test")]],
    [incomplete, "with the denial of an insecure sibling", () => denialFrom("carol.test")],
    [
      "bad_signature",
      "with that under its name",
      async () => named(await denialFrom("carol.test"), "alice.test"),
    ],
    [incomplete, "with the denial of another name", () => denialFrom("nothing.test")],
    [incomplete, "with a denial by the root", () => denialFrom("nothing")],
    [incomplete, "with the NSEC record of its own name, which lists the DS", () => ownNsec()],
    ["bad_signature", "with that, changed", () => changedNsec()],
    [incomplete, "with that, changed and not signed", async () => only(await changedNsec(), NSEC)],
    [incomplete, "with what it says about itself", () => denialOfA("nothing.alice.test")],
    [incomplete, "with the denial of its own type", () => denialOfA("alice.test")],
  ])("is bogus %s: %s", async (code, _, authorities) => {
    const lie = async () => absence(...(await authorities()));
    expect(await isInsecure("alice.test", lying({ [ds]: lie }))).toBe(`bogus ${code}`);
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

  it("is listed in the zone above, so the tests above try to hide something", async () => {
    const [own] = only(await ownNsec(), NSEC);
    const rdata = nsecRdata("bob.test", ["NS", "DS", "RRSIG", "NSEC"]);
    expect(own?.rdata).toEqual(rdata);
  });
});
