// Tests of what signed zones answer, in well-behaved messages: sets, signatures, proofs, aliases.

import { createHash } from "node:crypto";
import {
  type DnsMessage,
  type DnsRecord,
  decodeMessage,
  encodeMessage,
  encodeQuery,
  rcode,
} from "domain-signin-verify/dns/message";
import { encodeName } from "domain-signin-verify/dns/name";
import { decodeHostName, decodeTxt } from "domain-signin-verify/dns/records";
import { beforeEach, describe, expect, it } from "vitest";
import { isSigned, rdatasOf } from "../../test/support/signatures.ts";
import { createSignedZones, type SignedZones } from "./signed-zone-answer.ts";
import type { ZoneRecord } from "./zone-records.ts";

const A = 1;
const NS = 2;
const CNAME = 5;
const SOA = 6;
const TXT = 16;
const DS = 43;
const RRSIG = 46;
const NSEC = 47;
const DNSKEY = 48;
const ANY = 255;

const tree = [
  { name: ".", algorithm: 13, signed: true },
  { name: "test", algorithm: 15, signed: true },
  { name: "Alice.test.", algorithm: 13, signed: true },
  { name: "shop.market.test", algorithm: 15, signed: true },
  { name: "carol.test", algorithm: 13, signed: false },
] as const;
const start = 1_800_000_000;

let records: ZoneRecord[];
let seconds: number;
let zones: SignedZones;

beforeEach(() => {
  seconds = start;
  records = [
    txt("_x.alice.test", "two", 60),
    txt("_x.alice.test", "one", 30),
    txt("_x.shop.market.test", "shop"),
    txt("_x.carol.test", "carol"),
    cname("to-shop.alice.test", "_x.shop.market.test"),
    cname("to-nothing.alice.test", "nothing.test"),
    cname("loop.alice.test", "loop.alice.test"),
    txt("*.wild.alice.test", "wild"),
  ];
  zones = createSignedZones({ zones: tree, records: () => records, now: () => seconds });
});

describe("a signature", () => {
  it.each([
    ["_x.alice.test", TXT, "alice.test"],
    ["_x.shop.market.test", TXT, "shop.market.test"],
    ["to-nothing.alice.test", CNAME, "alice.test"],
    ["alice.test", SOA, "alice.test"],
    ["alice.test", NS, "alice.test"],
    ["alice.test", DNSKEY, "alice.test"],
    ["alice.test", DS, "test"],
    ["shop.market.test", DS, "test"],
    ["alice.test", NSEC, "alice.test"],
    ["any.wild.alice.test", TXT, "alice.test"],
    ["", DNSKEY, ""],
    ["", SOA, ""],
  ])("at %j of type %i is by a key of zone %j", (name, type, zone) => {
    const { answers } = ask(name, type);
    expect(isSigned(answers, type, keysOf(zone), seconds)).toBe(true);
    expect(isSigned(answers, type, keysOf(zone === "test" ? "" : "test"), seconds)).toBe(false);
  });

  it("stays the same until a record changes, and counts for two weeks from an hour ago", () => {
    const before = signatureOf("_x.alice.test");
    seconds += 1500;
    expect(signatureOf("_x.alice.test")).toEqual(before);
    expect([before.readUInt32BE(12), before.readUInt32BE(8)]).toEqual([
      start - 3600,
      start + 14 * 86_400,
    ]);
    records.push(txt("_x.alice.test", "three"));
    const { answers } = ask("_x.alice.test", TXT);
    expect(isSigned(answers, TXT, keysOf("alice.test"), seconds)).toBe(true);
    expect(signatureOf("_x.alice.test")).not.toEqual(before);
  });

  it("is made anew before it ends, and when the clock was put back", () => {
    for (const step of [40 * 86_400, -50 * 86_400]) {
      const before = signatureOf("_x.alice.test");
      seconds += step;
      expect(signatureOf("_x.alice.test")).not.toEqual(before);
      expect(signatureOf("_x.alice.test").readUInt32BE(12)).toBe(seconds - 3600);
    }
  });
});

describe("the chain", () => {
  it("leads from the trust anchor through every cut", () => {
    expect(zones.trustAnchors).toHaveLength(1);
    const [, tag, digest] =
      /^\. 3600 IN DS (\d+) 13 2 ([0-9A-F]{64})$/.exec(zones.trustAnchors[0] ?? "") ?? [];
    const anchor = Buffer.concat([
      uint16(Number(tag)),
      Uint8Array.of(13, 2),
      Buffer.from(digest ?? "", "hex"),
    ]);
    expect(dsOfKeys("")).toContainEqual(anchor);
    for (const zone of ["test", "alice.test", "shop.market.test"]) {
      const [ds] = rdatasOf(ask(zone, DS).answers, DS);
      expect(dsOfKeys(zone)).toContainEqual(ds);
    }
  });

  it("ends with a proof where a zone is unsigned", () => {
    const message = ask("carol.test", DS);
    expect(message).toMatchObject({ rcode: rcode.noError, answers: [] });
    expect(namesOf(message.authorities, NSEC)).toEqual(["carol.test"]);
    expect(isSigned(message.authorities, NSEC, keysOf("test"), seconds)).toBe(true);
    // NS, RRSIG and NSEC, but no DS.
    const [nsec] = rdatasOf(message.authorities, NSEC);
    expect(nsec?.subarray(-8)).toEqual(Buffer.from([0, 6, 0x20, 0, 0, 0, 0, 3]));
    const answer = ask("_x.carol.test", TXT);
    expect(answer.answers).toMatchObject([{ type: TXT }]);
    expect(ask("carol.test", DNSKEY).answers).toEqual([]);
    expect(ask("nothing.carol.test", TXT).authorities).toMatchObject([{ type: SOA }]);
  });

  it("can be given new keys, but not where nobody would hear of them", () => {
    const before = rdatasOf(ask("alice.test", DNSKEY).answers, DNSKEY);
    zones.rollKeys("alice.test");
    const [ds] = rdatasOf(ask("alice.test", DS).answers, DS);
    expect(dsOfKeys("alice.test")).toContainEqual(ds);
    expect(rdatasOf(ask("alice.test", DNSKEY).answers, DNSKEY)).not.toEqual(before);
    for (const zone of ["", "carol.test", "nothing.test"]) {
      expect(() => zones.rollKeys(zone)).toThrow("cannot roll");
    }
  });
});

describe("an answer", () => {
  it("has the records of a set in canonical order, with one TTL and one signature", () => {
    const message = ask("_x.alice.test", TXT);
    expect(message).toMatchObject({ authoritative: true, recursionAvailable: true });
    expect(message.answers.map(({ type, ttl }) => [type, ttl])).toEqual([
      [TXT, 30],
      [TXT, 30],
      [RRSIG, 30],
    ]);
    expect(valuesOf(message)).toEqual(["one", "two"]);
  });

  it.each([
    ["nothing.alice.test", ["loop.alice.test", "alice.test"]],
    ["b.nothing.alice.test", ["loop.alice.test", "alice.test"]],
    ["nothing", [""]],
  ])("about an absent name proves that neither it nor a wildcard is there: %s", (name, owners) => {
    const message = ask(name, TXT);
    expect(message).toMatchObject({ rcode: rcode.nxDomain, answers: [] });
    expect(namesOf(message.authorities, NSEC)).toEqual(owners);
  });

  it.each([
    ["_x.alice.test", A, "_x.alice.test"],
    ["market.test", TXT, "carol.test"],
    ["test", TXT, "test"],
  ])("about a name without the type proves that: %s, type %i", (name, type, owner) => {
    const message = ask(name, type);
    expect(message).toMatchObject({ rcode: rcode.noError, answers: [] });
    expect(namesOf(message.authorities, NSEC)).toEqual([owner]);
    expect(namesOf(message.authorities, SOA)).toHaveLength(1);
  });

  it("from a wildcard has fewer labels, and the proof that nothing is closer", () => {
    const message = ask("any.wild.alice.test", TXT);
    expect(namesOf(message.answers, TXT)).toEqual(["any.wild.alice.test"]);
    expect(rdatasOf(message.answers, RRSIG)[0]?.[3]).toBe(3);
    expect(namesOf(message.authorities, NSEC)).toEqual(["*.wild.alice.test"]);
    expect(ask("any.wild.alice.test", A)).toMatchObject({ rcode: rcode.noError, answers: [] });
    expect(ask("wild.alice.test", TXT)).toMatchObject({ rcode: rcode.noError, answers: [] });
  });

  it("follows aliases across zones for who wants recursion", () => {
    const message = ask("to-shop.alice.test", TXT);
    expect(message.answers.map(({ type }) => type)).toEqual([CNAME, RRSIG, TXT, RRSIG]);
    expect(isSigned(message.answers, CNAME, keysOf("alice.test"), seconds)).toBe(true);
    expect(isSigned(message.answers, TXT, keysOf("shop.market.test"), seconds)).toBe(true);
    const direct = ask("to-shop.alice.test", TXT, { recursionDesired: false });
    expect(direct.answers.map(({ type }) => type)).toEqual([CNAME, RRSIG]);
    expect(ask("to-nothing.alice.test", TXT)).toMatchObject({ rcode: rcode.nxDomain });
  });

  it("ends where an alias loops, where it is one too many, and where it leads elsewhere", () => {
    expect(namesOf(ask("loop.alice.test", TXT).answers, CNAME)).toHaveLength(1);
    records = Array.from({ length: 20 }, (_, at) => cname(`${at}.a.test`, `${at + 1}.a.test`));
    expect(namesOf(ask("0.a.test", TXT).answers, CNAME)).toHaveLength(9);
    const alone = createSignedZones({
      zones: [{ name: "alice.test", algorithm: 13, signed: true }],
      records: () => [cname("away.alice.test", "host.example")],
      now: () => seconds,
    });
    const answer = alone.answer(queryOf("away.alice.test", TXT));
    expect(answer).toMatchObject({ rcode: rcode.noError, answers: [{ type: CNAME }, {}] });
    expect(decodeHostName(answer.answers[0]?.rdata ?? new Uint8Array())).toBe("host.example");
    expect(alone.answer(queryOf("bob.test", TXT))).toMatchObject({ rcode: rcode.refused });
    expect(alone.trustAnchors[0]).toMatch(/^alice\.test\. /);
  });

  it("has nothing beside an alias, even at the name of the server", () => {
    records = [cname("ns.alice.test", "host.example")];
    expect(ask("ns.alice.test", ANY).answers.map(({ type }) => type)).toEqual([
      ...[CNAME, RRSIG, NSEC, RRSIG],
    ]);
  });

  it("has signatures only for who asks for them (RFC 4035 §3.1)", () => {
    for (const name of ["_x.alice.test", "nothing.alice.test"]) {
      const message = ask(name, TXT, { edns: null });
      const types = [...message.answers, ...message.authorities].map(({ type }) => type);
      expect(types.filter((type) => type !== TXT && type !== SOA)).toEqual([]);
      expect(types).not.toHaveLength(0);
    }
    const alone = ask("_x.alice.test", RRSIG, { edns: null });
    expect(alone.answers.map(({ type }) => type)).toEqual([RRSIG, RRSIG]);
    expect(namesOf(ask("alice.test", ANY).answers, RRSIG)).toHaveLength(4);
  });

  it("has a serial that grows with each edit", () => {
    const serial = () => rdatasOf(ask("alice.test", SOA).answers, SOA)[0]?.readUInt32BE(38) ?? 0;
    const before = serial();
    expect(serial()).toBe(before);
    records.pop();
    expect(serial()).toBe(before + 1);
  });

  it.each([
    [{ opcode: 2 }, rcode.notImp],
    [{ questions: [] }, rcode.formErr],
    [{ questions: [{ name: "test", type: TXT, class: 3 }] }, rcode.refused],
  ])("to %j is an error", (changes, code) => {
    expect(ask("test", TXT, changes)).toMatchObject({ rcode: code, answers: [], authorities: [] });
  });
});

function ask(name: string, type: number, changes: Partial<DnsMessage> = {}): DnsMessage {
  return decodeMessage(encodeMessage(zones.answer({ ...queryOf(name, type), ...changes })));
}

function queryOf(name: string, type: number): DnsMessage {
  return decodeMessage(encodeQuery({ id: 1, name, type }));
}

function keysOf(zone: string): Buffer[] {
  return rdatasOf(ask(zone, DNSKEY).answers, DNSKEY);
}

/** The DS rdata that would name each key of the zone (RFC 4034 §5.1.4, appendix B). */
function dsOfKeys(zone: string): Buffer[] {
  return keysOf(zone).map((dnskey) => {
    let sum = 0;
    for (let at = 0; at < dnskey.length; at += 2) sum += dnskey.readUInt16BE(at);
    const digest = createHash("sha256").update(encodeName(zone)).update(dnskey).digest();
    const tag = uint16((sum + Math.floor(sum / 0x10000)) % 0x10000);
    return Buffer.concat([tag, Uint8Array.of(dnskey.readUInt8(3), 2), digest]);
  });
}

function signatureOf(name: string): Buffer {
  return rdatasOf(ask(name, TXT).answers, RRSIG)[0] ?? Buffer.alloc(0);
}

function namesOf(section: readonly DnsRecord[], type: number): string[] {
  return section.filter((record) => record.type === type).map(({ name }) => name);
}

function valuesOf({ answers }: DnsMessage): string[] {
  return rdatasOf(answers, TXT).map((rdata) => Buffer.from(decodeTxt(rdata)).toString());
}

function uint16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

function txt(name: string, value: string, ttl = 60): ZoneRecord {
  return { name, type: "TXT", value, ttl };
}

function cname(name: string, value: string): ZoneRecord {
  return { name, type: "CNAME", value, ttl: 60 };
}
