// Tests of what NSEC and NSEC3 records prove about records that are absent (RFC 4035 §5.4, RFC 5155 §8).

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
import { absenceOf, denialRecords, deniesCloserName } from "./denial.ts";
import type { Rrset } from "./rrsets.ts";

const { TXT, DS, NSEC, NSEC3 } = recordType;

type Types = readonly DenialTypeName[];
type Absence = Awaited<ReturnType<typeof absenceOf>>;

const common = { ttl: 60, signatures: [] };
const apex: Types = ["NS", "SOA", "DNSKEY"];

function nsec(name: string, next: string, types: Types): Rrset {
  return { ...common, name, type: NSEC, rdatas: [nsecRdata(next, types)] };
}

const hashing = { salt: "aabbccdd", iterations: 2 };
const hash = (name: string) => nsec3Hash(name, hashing);

function nsec3(first: string, fields: Nsec3Fields): Rrset {
  const rdatas = [nsec3Rdata({ ...hashing, ...fields })];
  return { ...common, name: `${first}.test`, type: NSEC3, rdatas };
}

/** What the sets of `test` prove about TXT records. */
function absent(name: string, sets: readonly Rrset[], type: number = TXT): Promise<Absence> {
  return absenceOf(name, type, denialRecords("test", sets));
}

describe("the absence of a type by an NSEC record", () => {
  const beside = [nsec("test", "a.test", apex), nsec("b.test", "c.test", ["TXT"])];

  it.each<[Absence, string, Rrset]>([
    ["absent", "that lists other types", nsec("a.test", "b.test", ["A", "MX"])],
    ["absent", "that lists none", nsec("a.test", "b.test", [])],
    ["absent", "of the apex of its own zone", nsec("a.test", "b.test", apex)],
    ["absent", "of a DNAME, which redirects only names below", nsec("a.test", "b.test", ["DNAME"])],
    ["absent", "that leads to a name below: only names below it", nsec("0.test", "x.a.test", [])],
    [null, "that lists it", nsec("a.test", "b.test", ["TXT"])],
    [null, "that lists an alias (RFC 6840 §4.3)", nsec("a.test", "b.test", ["CNAME"])],
    [null, "of a delegation, from the zone above", nsec("a.test", "b.test", ["NS"])],
    [null, "of a secure delegation, from the zone above", nsec("a.test", "b.test", ["NS", "DS"])],
    [null, "of a name that only ends alike", nsec("aa.test", "b.test", [])],
    [null, "of a name above", nsec("test", "0.test", apex)],
    [null, "of a name below", nsec("x.a.test", "b.test", [])],
  ])("is %j: %s", async (expected, _, set) => {
    expect(await absent("a.test", [set])).toEqual(expected);
    expect(await absent("a.test", [...beside, set])).toEqual(expected);
  });

  it("of DS is proven by the zone above, and not by the zone itself", async () => {
    expect(await absent("a.test", [nsec("a.test", "b.test", ["NS"])], DS)).toBe("absent");
    expect(await absent("a.test", [nsec("a.test", "b.test", ["NS", "DS"])], DS)).toBe(null);
    expect(await absent("a.test", [nsec("a.test", "b.test", apex)], DS)).toBe(null);
  });
});

describe("the absence of a name by NSEC records", () => {
  const noWildcard = nsec("test", "0.test", apex);
  const covering = nsec("0.test", "b.test", ["A"]);

  it.each<[Absence, string, readonly Rrset[]]>([
    ["absent", "the name and the wildcard are denied", [noWildcard, covering]],
    ["absent", "one record denies both", [nsec("test", "b.test", apex)]],
    ["absent", "the only name of the zone denies both", [nsec("test", "test", apex)]],
    [
      "absent",
      "the wildcard exists, but has no such type",
      [nsec("*.test", "0.test", ["A"]), covering],
    ],
    [
      "absent",
      "only names are below the wildcard",
      [nsec("test", "x.*.test", apex), nsec("x.*.test", "b.test", ["A"])],
    ],
    [
      "absent",
      "NSEC3 records beside them, which do not count",
      [noWildcard, covering, nsec3("0".repeat(32), { next: "1".repeat(32), types: [] })],
    ],
    ["absent", "a delegation is before it", [noWildcard, nsec("0.test", "b.test", ["NS"])]],
    [null, "nothing is said about the wildcard", [covering]],
    [null, "nothing is said about the name", [noWildcard]],
    [null, "the wildcard has the type", [nsec("*.test", "0.test", ["TXT"]), covering]],
    [null, "the wildcard is an alias", [nsec("*.test", "0.test", ["CNAME"]), covering]],
    [null, "the wildcard is a delegation", [nsec("*.test", "0.test", ["NS"]), covering]],
    [null, "the record ends at the name", [noWildcard, nsec("0.test", "a.test", ["A"])]],
    [null, "the record denies a name that ends alike", [noWildcard, nsec("aa.test", "b.test", [])]],
    [null, "there is no record", []],
  ])("is %j: %s", async (expected, _, sets) => {
    expect(await absent("a.test", sets)).toEqual(expected);
    expect(await absent("a.test", sets.toReversed())).toEqual(expected);
  });

  it.each<[Absence, string, readonly Rrset[]]>([
    ["absent", "the name above is denied with its wildcard", [noWildcard, covering]],
    [
      "absent",
      "the name above exists, and one record denies the name and the wildcard",
      [nsec("a.test", "b.test", ["A"])],
    ],
    [
      "absent",
      "the name above has only names below it",
      [nsec("0.test", "b.a.test", ["A"]), nsec("b.a.test", "y.a.test", ["A"])],
    ],
    [
      "absent",
      "the name above has only names below it, which are after this one",
      [nsec("0.test", "y.a.test", ["A"])],
    ],
    [
      null,
      "the wildcard is denied at the wrong level",
      [noWildcard, nsec("b.a.test", "y.a.test", ["A"])],
    ],
    [null, "the wildcard of the name above has the type", [nsec("*.a.test", "b.test", ["TXT"])]],
    [null, "a delegation is above it (RFC 6840 §4.1)", [nsec("a.test", "b.test", ["NS"])]],
    [null, "a secure delegation is above it", [nsec("a.test", "b.test", ["NS", "DS"])]],
    [null, "a DNAME is above it (RFC 6840 §4.1)", [nsec("a.test", "b.test", ["DNAME"])]],
    [null, "a DNAME is at the apex", [nsec("test", "b.test", [...apex, "DNAME"])]],
    [
      null,
      "the wildcard is denied by a delegation above it",
      [nsec("b.a.test", "y.a.test", ["A"]), nsec("a.test", "b.a.test", ["NS"])],
    ],
  ])("two labels below is %s: %s", async (expected, _, sets) => {
    expect(await absent("x.a.test", sets)).toEqual(expected);
  });
});

it("of a top-level domain is proven by the root", async () => {
  const ofRoot = (sets: readonly Rrset[]) => absenceOf("x.b", TXT, denialRecords("", sets));
  const [first, covering] = [nsec("", "a", apex), nsec("a", "c", ["NS"])];
  expect(await ofRoot([first, covering])).toBe("absent");
  expect(await ofRoot([covering])).toBe(null);
  expect(await ofRoot([nsec("*", "a", ["TXT"]), covering])).toBe(null);
});

/** The record at the hash of the name itself. */
const at = (name: string, types: Types, flags = 0) =>
  nsec3(hash(name), { next: hashNear(hash(name), 1), types, flags });
/** One that denies nothing but the hash of the name. */
const around = (name: string, flags = 0) =>
  nsec3(hashNear(hash(name), -1), { next: hashNear(hash(name), 1), types: ["A"], flags });

describe("the absence of a type by an NSEC3 record", () => {
  it.each<[Absence, string, Rrset]>([
    ["absent", "that lists other types", at("a.test", ["A"])],
    ["absent", "that lists none: only names below it", at("a.test", [])],
    ["absent", "of the apex of its own zone", at("a.test", apex)],
    [null, "that lists it", at("a.test", ["TXT"])],
    [null, "that lists an alias", at("a.test", ["CNAME"])],
    [null, "of a delegation, from the zone above", at("a.test", ["NS"])],
    [null, "of another name", at("b.test", [])],
    [null, "with an unknown flag", at("a.test", [], 2)],
  ])("is %j: %s", async (expected, _, set) => {
    expect(await absent("a.test", [set])).toEqual(expected);
  });
});

describe("the absence of a name by NSEC3 records", () => {
  const top = at("test", apex);
  const noName = around("a.test");
  const noWildcard = around("*.test");

  it.each<[Absence, string, readonly Rrset[]]>([
    ["absent", "closest encloser, next closer and wildcard", [top, noName, noWildcard]],
    ["absent", "the wildcard exists without the type", [top, noName, at("*.test", ["A"])]],
    [
      "absent",
      "one record is the encloser and denies both",
      [nsec3(hash("test"), { next: hash("test"), types: apex })],
    ],
    [
      { optOut: "a.test" },
      "the next closer name is in an opt-out span",
      [top, around("a.test", 1), noWildcard],
    ],
    ["absent", "only the wildcard is in an opt-out span", [top, noName, around("*.test", 1)]],
    [null, "without the encloser", [noName, noWildcard]],
    [null, "without the next closer name", [top, noWildcard]],
    [null, "without the wildcard", [top, noName]],
    [null, "the wildcard has the type", [top, noName, at("*.test", ["TXT"])]],
    [null, "the wildcard is an alias", [top, noName, at("*.test", ["CNAME"])]],
    [null, "the wildcard is a delegation", [top, noName, at("*.test", ["NS"])]],
    [null, "the encloser has a DNAME", [at("test", ["SOA", "DNAME"]), noName, noWildcard]],
    [null, "the encloser is a delegation", [at("test", ["NS"]), noName, noWildcard]],
    [
      null,
      "the salts differ",
      [top, noName, nsec3("0".repeat(32), { next: "1".repeat(32), types: [], salt: "" })],
    ],
  ])("is %j: %s", async (expected, _, sets) => {
    expect(await absent("a.test", sets)).toEqual(expected);
    expect(await absent("a.test", sets.toReversed())).toEqual(expected);
    // The next closer name is the same for all names below it.
    expect(await absent("y.x.a.test", sets)).toEqual(expected);
  });

  it("below a name that exists needs the proofs of that level", async () => {
    const encloser = at("b.test", ["A"]);
    const [noNext, noStar] = [around("a.b.test"), around("*.b.test")];
    expect(await absent("a.b.test", [encloser, noNext, noStar])).toBe("absent");
    expect(await absent("a.b.test", [encloser, noNext, noWildcard])).toBe(null);
    expect(await absent("a.b.test", [top, noNext, noStar])).toBe(null);
    expect(await absent("a.b.test", [at("b.test", ["NS", "DS"]), noNext, noStar])).toBe(null);
  });
});

describe("the proof that an answer may come from a wildcard", () => {
  const denies = (labels: number, ...sets: readonly Rrset[]) =>
    deniesCloserName("x.a.test", labels, denialRecords("test", sets));

  it("denies the next closer name, whatever wildcard is denied", async () => {
    expect(await denies(1, nsec("0.test", "b.test", []))).toBe("yes");
    expect(await denies(2, nsec("a.test", "b.test", []))).toBe("yes");
    expect(await denies(1, around("a.test"))).toBe("yes");
    expect(await denies(2, around("x.a.test"))).toBe("yes");
    expect(await denies(1, around("a.test", 1))).toBe("opt_out");
  });

  it("is missing if a closer name may exist", async () => {
    expect(await denies(1, nsec("a.test", "b.test", []))).toBe(null);
    expect(await denies(1, nsec("0.test", "y.a.test", []))).toBe(null);
    expect(await denies(1, nsec("0.test", "a.test", []))).toBe(null);
    expect(await denies(2, nsec("a.test", "b.test", ["NS"]))).toBe(null);
    expect(await denies(2, nsec("a.test", "b.test", ["DNAME"]))).toBe(null);
    expect(await denies(1, around("x.a.test"))).toBe(null);
    expect(await denies(2, around("a.test"))).toBe(null);
    expect(await denies(1)).toBe(null);
  });
});
