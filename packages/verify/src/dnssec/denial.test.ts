// Tests of what NSEC and NSEC3 records prove about delegations, with the example zone of RFC 5155 A.

import { describe, expect, it } from "vitest";
import {
  type DenialTypeName,
  hashNear,
  type Nsec3Fields,
  nsec3Hash,
  nsec3Rdata,
  nsecRdata,
} from "../../test/support/denials.ts";
import { recordType } from "../dns/records.ts";
import { delegationDenial, denialRecords } from "./denial.ts";
import type { Rrset } from "./rrsets.ts";

type Types = readonly DenialTypeName[];
type Denial = Awaited<ReturnType<typeof delegationDenial>>;

/** What the sets of the zone at `apex` prove. */
async function denialOf(name: string, apex: string, sets: readonly Rrset[]): Promise<Denial> {
  return delegationDenial(name, denialRecords(apex, sets));
}

const delegation: Types = ["NS", "RRSIG", "NSEC"];
const secureDelegation: Types = ["NS", "DS", "RRSIG", "NSEC"];
const apex: Types = ["NS", "SOA", "RRSIG", "NSEC", "DNSKEY"];
const text: Types = ["TXT", "RRSIG", "NSEC"];
const dname: Types = ["DNAME", "RRSIG", "NSEC"];

function nsec(name: string, next: string, types: Types): Rrset {
  return { name, type: recordType.NSEC, ttl: 60, rdatas: [nsecRdata(next, types)], signatures: [] };
}

describe("an NSEC record of test", () => {
  it.each<[Denial, string, Rrset]>([
    ["insecure", "of a delegation without keys", nsec("a.test", "b.test", delegation)],
    [null, "of one with keys", nsec("a.test", "b.test", secureDelegation)],
    [null, "of the zone itself, about itself", nsec("a.test", "x.a.test", apex)],
    [null, "of keys without a delegation", nsec("a.test", "b.test", ["DS", "RRSIG", "NSEC"])],
    ["no_cut", "of a name with text", nsec("a.test", "b.test", text)],
    ["no_cut", "of a name with nothing but this", nsec("a.test", "a.test", [])],
    ["no_cut", "of an alias", nsec("a.test", "b.test", ["CNAME", "RRSIG", "NSEC"])],
    ["no_name", "before it and after it", nsec("0.test", "b.test", text)],
    ["no_cut", "before it, with the next name below it", nsec("0.test", "x.a.test", text)],
    ["no_name", "deep below a name before it", nsec("z.0.test", "b.test", text)],
    ["no_name", "of the apex, with the next name behind it", nsec("test", "b.test", apex)],
    ["no_name", "of the only name", nsec("test", "test", apex)],
    ["no_name", "the last one, which leads back to the apex", nsec("0.test", "test", text)],
    ["no_name", "of a delegation before it", nsec("0.test", "b.test", delegation)],
    [null, "that ends where it begins", nsec("0.test", "a.test", text)],
    [null, "of what lies below it", nsec("x.a.test", "b.test", text)],
    [null, "the last one, of a name behind it", nsec("b.test", "test", text)],
    [null, "of a name behind it", nsec("b.test", "c.test", delegation)],
    [null, "of a name that ends alike", nsec("aa.test", "ab.test", delegation)],
    [null, "of two rdatas", { ...nsec("a.test", "b.test", []), rdatas: twice("a.test") }],
    [null, "of another type", { ...nsec("a.test", "b.test", delegation), type: recordType.TXT }],
  ])("proves %s for a.test: %s", async (expected, _, set) => {
    expect(await denialOf("a.test", "test", [set])).toBe(expected);
  });

  function twice(name: string): Uint8Array[] {
    return [nsecRdata(name, delegation), nsecRdata(name, text)];
  }

  it.each<[Denial, string, Rrset]>([
    [null, "the delegation above it (RFC 6840 §4.1)", nsec("a.test", "b.test", delegation)],
    [null, "the signed delegation above it", nsec("a.test", "b.test", secureDelegation)],
    [null, "the DNAME above it (RFC 6840 §4.1)", nsec("a.test", "b.test", dname)],
    [null, "the DNAME at the apex", nsec("test", "b.test", [...apex, "DNAME"])],
    ["no_name", "text above it", nsec("a.test", "b.test", text)],
    ["no_name", "a DNAME elsewhere", nsec("0.test", "b.test", dname)],
  ])("proves %s for x.a.test: %s", async (expected, _, set) => {
    expect(await denialOf("x.a.test", "test", [set])).toBe(expected);
  });

  it("is found among others that say nothing about the name", async () => {
    const others = [nsec("b.test", "c.test", delegation), nsec("test", "0.test", apex)];
    expect(await denialOf("a.test", "test", others)).toBe(null);
    const all = [...others, nsec("a.test", "b.test", delegation)];
    expect(await denialOf("a.test", "test", all)).toBe("insecure");
    expect(await denialOf("a.test", "test", [])).toBe(null);
  });

  it("is compared by label from the right, as octets (RFC 4034 §6.1)", async () => {
    const names = ["\\001.z.test", "*.z.test", "\\200.z.test"];
    const set = nsec("z.test", "a-later-one.zz.test", text);
    for (const name of names) expect(await denialOf(name, "test", [set])).toBe("no_name");
    const within = nsec("*.z.test", "c.z.test", text);
    expect(await denialOf("\\001.z.test", "test", [within])).toBe(null);
    expect(await denialOf("\\200.z.test", "test", [within])).toBe(null);
    expect(await denialOf("b.z.test", "test", [within])).toBe("no_name");
  });
});

const hashing = { salt: "aabbccdd", iterations: 12 };

/** Names, their hashes and types as RFC 5155 Appendix A prints them, in the order of the hashes. */
const published: readonly [name: string, hash: string, types: Types][] = [
  ["example", "0p9mhaveqvm6t7vbl5lop2u3t2rp3tom", ["MX", "NS", "SOA", "DNSKEY", "NSEC3PARAM"]],
  ["ns1.example", "2t7b4g4vsa5smi47k61mv5bv1a22bojr", ["A"]],
  ["x.y.w.example", "2vptu5timamqttgl4luu9kg21e0aor3s", ["MX"]],
  ["a.example", "35mthgpgcu1qg68fab165klnsnk3dpvl", ["NS", "DS"]],
  ["x.w.example", "b4um86eghhds6nea196smvmlo4ors995", ["MX"]],
  ["ai.example", "gjeqe526plbf1g8mklp59enfd789njgi", ["A", "AAAA"]],
  ["y.w.example", "ji6neoaepv8b5o6k4ev33abha8ht9fgc", []],
  ["w.example", "k8udemvp1j2f7eg6jebps17vp3n8i58h", []],
  ["2t7b4g4vsa5smi47k61mv5bv1a22bojr.example", "kohar7mbb8dc2ce8a9qvl8hon4k53uhi", ["A"]],
  ["ns2.example", "q04jkcevqvmu85r014c7dkba38o0ji5r", ["A"]],
  ["*.w.example", "r53bq7cc2uvmubfu5ocmm6pers9tk9en", ["MX"]],
  ["xx.example", "t644ebqk9bibcna874givr6joj62mlhv", ["A", "AAAA"]],
];

const chain = published.map(([name, hash, types], index) => {
  const [, next = ""] = published[(index + 1) % published.length] ?? [];
  return { name, set: nsec3(hash, { next, types, flags: 1 }) };
});
const ofExample = (...names: readonly string[]) =>
  chain.filter(({ name }) => names.includes(name)).map(({ set }) => set);

function nsec3(hash: string, fields: Nsec3Fields, zone = "example"): Rrset {
  const name = zone === "" ? hash : `${hash}.${zone}`;
  const rdatas = [nsec3Rdata({ ...hashing, ...fields })];
  return { name, type: recordType.NSEC3, ttl: 60, rdatas, signatures: [] };
}

describe("the zone of RFC 5155 Appendix A", () => {
  it.each(published)("hashes %s to %s", async (name, hash) => {
    expect(nsec3Hash(name, hashing)).toBe(hash);
    const zone = name === "example" ? "" : "example";
    const set = nsec3(hash, { next: hash, types: ["NS"] }, zone);
    expect(await denialOf(name, zone, [set])).toBe("insecure");
    const near = nsec3(hashNear(hash, 1), { next: hash, types: ["NS"] }, zone);
    expect(await denialOf(name, zone, [near])).not.toBe("insecure");
  });

  it.each<[Denial, string, string[]]>([
    // The opt-out of RFC 5155 B.3: H(c.example) is 4g6p9u5gvfshp30pqecj98b3maqbn1ck.
    ["insecure", "c.example", ["example", "a.example"]],
    ["insecure", "c.example", published.map(([name]) => name)],
    [null, "c.example", ["a.example"]],
    [null, "c.example", ["example"]],
    [null, "c.example", ["example", "x.w.example"]],
    [null, "a.example", ["a.example"]],
    [null, "a.example", published.map(([name]) => name)],
    [null, "mc.a.example", published.map(([name]) => name)],
    ["no_cut", "ns1.example", ["ns1.example"]],
    ["no_cut", "y.w.example", ["y.w.example"]],
    // The closest encloser of B.1, whose next closer name lies in an opt-out span.
    ["insecure", "a.c.x.w.example", ["x.w.example", "example"]],
    [null, "a.c.x.w.example", ["x.w.example", "ns1.example"]],
  ])("proves %s for %s with the records of %j", async (expected, name, of) => {
    expect(await denialOf(name, "example", ofExample(...of))).toBe(expected);
  });

  it("never proves that a.example is insecure, whichever four of its records are shown", async () => {
    const choices: Rrset[][] = [[]];
    for (const { set } of chain) choices.push(...choices.map((sets) => [...sets, set]));
    const shown = choices.filter((sets) => sets.length <= 4);
    expect(shown).toHaveLength(794);
    for (const name of ["a.example", "mc.a.example"]) {
      const said = await Promise.all(shown.map((sets) => denialOf(name, "example", sets)));
      expect(new Set(said)).toEqual(new Set([null]));
    }
  });
});

describe("NSEC3 records", () => {
  const hash = (name: string) => nsec3Hash(name, hashing);
  /** Whose span holds nothing but the hash of the name. */
  const around = (name: string, fields: Partial<Nsec3Fields> = {}, zone = "example") =>
    nsec3(
      hashNear(hash(name), -1),
      { next: hashNear(hash(name), 1), types: ["A"], flags: 1, ...fields },
      zone,
    );
  const at = (name: string, fields: Partial<Nsec3Fields> = {}, zone = "example") =>
    nsec3(hash(name), { next: hashNear(hash(name), 1), types: ["NS"], ...fields }, zone);
  const top = at("example", { types: ["NS", "SOA"] });

  it.each<[Denial, string, Rrset[]]>([
    ["insecure", "a span that opts out", [top, around("c.example")]],
    ["no_name", "a span that does not", [top, around("c.example", { flags: 0 })]],
    [null, "a span that has an unknown flag", [top, around("c.example", { flags: 3 })]],
    [null, "an apex that has one", [at("example", { flags: 2 }), around("c.example")]],
    [null, "a span by another hash", [top, around("c.example", { hashAlgorithm: 2 })]],
    [null, "a span of another name", [top, around("d.example")]],
    [
      null,
      "a span that ends there",
      [top, nsec3(hash("x"), { next: hash("c.example"), types: [] })],
    ],
    [
      "insecure",
      "a span over all but the apex",
      [at("example", { next: hash("example"), flags: 1, types: ["NS", "SOA"] })],
    ],
    [
      null,
      "an apex with a DNAME",
      [at("example", { types: ["SOA", "DNAME"] }), around("c.example")],
    ],
    [null, "an apex as seen from above", [at("example", { types: ["NS"] }), around("c.example")]],
    ["insecure", "its own, of a delegation", [at("c.example")]],
    ["insecure", "its own, also where it opts out", [at("c.example", { flags: 1 })]],
    [null, "its own, with keys", [at("c.example", { types: ["NS", "DS"] })]],
    [
      null,
      "its own, with keys, beside a span",
      [top, at("c.example", { types: ["NS", "DS"] }), around("c.example")],
    ],
    [null, "its own, of itself", [at("c.example", { types: ["NS", "SOA", "DNSKEY"] })]],
    ["no_cut", "its own, of text", [at("c.example", { types: ["TXT"] })]],
    ["no_cut", "its own, of nothing", [at("c.example", { types: [] })]],
    [null, "its own, with an unknown flag", [at("c.example", { flags: 2 })]],
    [null, "its own, by another hash", [at("c.example", { hashAlgorithm: 6 })]],
    [null, "its own, beside another salt", [at("c.example"), around("d.example", { salt: "" })]],
    [
      null,
      "its own, beside another count",
      [at("c.example"), around("d.example", { iterations: 1 })],
    ],
    [null, "its own, in another zone", [at("c.example", {}, "test")]],
    [null, "its own, deeper in the zone", [at("c.example", {}, "x.example")]],
    [null, "its own, above the zone", [at("c.example", {}, "")]],
    [
      null,
      "two rdatas",
      [{ ...at("c.example"), rdatas: [...at("c.example").rdatas, ...top.rdatas] }],
    ],
  ])("prove %s for c.example: %s", async (expected, _, sets) => {
    expect(await denialOf("c.example", "example", sets)).toBe(expected);
    expect(await denialOf("c.example", "example", sets.toReversed())).toBe(expected);
  });

  it.each<[Denial, string, Rrset[]]>([
    ["insecure", "below what opted out", [top, around("c.example")]],
    [null, "a span of the name, not of the next closer", [top, around("x.c.example")]],
    [null, "below a delegation", [at("c.example"), around("x.c.example")]],
    [null, "below a signed one", [at("c.example", { types: ["NS", "DS"] }), around("x.c.example")]],
    [null, "below a DNAME", [at("c.example", { types: ["DNAME"] }), around("x.c.example")]],
    ["insecure", "below text", [at("c.example", { types: ["TXT"] }), around("x.c.example")]],
    ["insecure", "below nothing", [at("c.example", { types: [] }), around("x.c.example")]],
    [
      null,
      "below a signed one, with a span that lies",
      [top, at("c.example", { types: ["NS", "DS"] }), around("c.example")],
    ],
  ])("prove %s for x.c.example: %s", async (expected, _, sets) => {
    expect(await denialOf("x.c.example", "example", sets)).toBe(expected);
  });

  it("are hashed at most 151 times, and only for names at most 16 labels below the apex", async () => {
    for (const [iterations, expected] of [
      [150, "insecure"],
      [151, null],
    ] as const) {
      const text = nsec3Hash("c.example", { salt: "", iterations });
      const set = nsec3(text, { next: text, types: ["NS"], salt: "", iterations });
      expect(await denialOf("c.example", "example", [set])).toBe(expected);
    }
    for (const [labels, expected] of [
      [16, "insecure"],
      [17, null],
    ] as const) {
      const name = `${"a.".repeat(labels)}example`;
      expect(await denialOf(name, "example", [at(name)])).toBe(expected);
    }
  });

  it("are read in the root too", async () => {
    const set = at("c", {}, "");
    expect(await denialOf("c", "", [set])).toBe("insecure");
    const root = at("", { types: ["NS", "SOA"] }, "");
    expect(await denialOf("c", "", [root, around("c", {}, "")])).toBe("insecure");
    expect(await denialOf("d.c", "", [root, around("d.c", {}, "")])).toBe(null);
  });

  it("that are truncated are refused", async () => {
    const cut = {
      ...at("c.example"),
      rdatas: at("c.example").rdatas.map((rdata) => rdata.slice(0, 20)),
    };
    await expect(denialOf("c.example", "example", [cut])).rejects.toThrow("too early");
  });
});
