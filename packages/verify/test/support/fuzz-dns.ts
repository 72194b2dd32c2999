// Fuzz targets: the parsers of DNS octets and names, with their inputs.

import { canonicalOrder, canonicalRdata, compareNames } from "../../src/dns/canonical.ts";
import * as dnssec from "../../src/dns/dnssec-records.ts";
import { decodeMessage, encodeMessage, encodeQuery } from "../../src/dns/message.ts";
import { canonicalName, encodeName, readName, readUncompressedName } from "../../src/dns/name.ts";
import { DnsMessageError } from "../../src/dns/octets.ts";
import { decodeHostName, decodeTxt, encodeSoa, readRdata } from "../../src/dns/records.ts";
import { readRrsets } from "../../src/dnssec/rrsets.ts";
import { parseTrustAnchor } from "../../src/dnssec/trust-anchors.ts";
import { VerificationError } from "../../src/errors.ts";
import { type Random, someOctets, someText } from "./fuzz-random.ts";
import { type FuzzTarget, fuzzTarget } from "./fuzz-run.ts";
import { join, type Octets, octets, record, txt, type, wireName } from "./signer.ts";

const names = ["", "test", "alice.test", "_domain-signin.alice.test", "*.Xn--80ak6aa92e.test"];
const wireNames = [
  ...names.map(wireName),
  join(wireName("alice.test"), octets(1, 0x61, 0xc0, 6, 0xc0, 12)),
  join(...Array.from({ length: 127 }, () => octets(1, 0x41)), octets(0)),
];
const nameTokens = ["\\000", "\\255", "\\046", "\\256", "\\9", "xn--", "*", "a".repeat(63)];

const soa = encodeSoa({
  ...{ mname: "ns.test", rname: "h.test", serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 },
});
const soaOctets = new Uint8Array(soa);
const nsecHead = join(wireName("b.test"), octets(0, 6, 0x40, 1, 0, 0, 0, 3));
const rdatas: Octets[] = [
  ...[...wireNames, txt("v=dsi1 sp=none"), join(txt("one"), txt(""), txt("x".repeat(255)))],
  soaOctets,
  join(octets(1, 1, 3, 13), new Uint8Array(64).fill(7)),
  join(octets(0xab, 0xcd, 13, 2), new Uint8Array(32).fill(7)),
  join(octets(0, 16, 13, 3, 0, 0, 1, 44, 0, 0, 0, 2, 0, 0, 0, 1, 0xab, 0xcd), wireName("A.test")),
  join(nsecHead, octets(1, 32), new Uint8Array(32).fill(0xff)),
  join(octets(1, 0, 0, 10, 2, 0xaa, 0xbb, 3, 1, 2, 3), octets(0, 1, 0x40)),
];

function messages(): Octets[] {
  const head = {
    ...{ id: 7, isResponse: true, opcode: 0, authoritative: true, truncated: false },
    ...{ recursionDesired: true, recursionAvailable: true, authenticData: false },
    ...{ checkingDisabled: false, rcode: 0, additionals: [] },
  };
  const name = "_domain-signin.alice.test";
  const answers = rdatas.map((rdata, index) => {
    const recordType = [2, 5, 6, 16, 28, 43, 46, 47, 48, 50][index % 10] ?? 1;
    return { name, type: recordType, class: 1, ttl: 60, rdata };
  });
  const text = answers.map((answer) => ({ ...answer, type: 16, rdata: txt("v=dsi1") }));
  const made = [
    encodeQuery({ id: 1, name, type: 16 }),
    encodeMessage({
      ...head,
      questions: [{ name, type: 16, class: 1 }],
      answers: text,
      authorities: [{ name: "test", type: 6, class: 1, ttl: 60, rdata: soa }],
      edns: {
        ...{ udpSize: 1232, version: 0, dnssecOk: true },
        options: [{ code: 15, data: octets(0, 6, 0x41) }],
      },
    }),
    encodeMessage({ ...head, questions: [], answers, authorities: [], edns: null }),
  ];
  return made.map((one) => new Uint8Array(one));
}

/** Up to 64 KiB of questions, each with a name of maximum length encoded in two octets. */
function pointerFlood(random: Random): Octets {
  const long = join(...Array.from({ length: 127 }, () => octets(1, 0x61)), octets(0));
  const most = Math.floor((0xffff - 12 - long.length - 4) / 6);
  const count = random.chance(2) ? random.nat(100) : most - random.nat(100);
  const start = 12 + 2 * random.nat(100);
  const again = octets(0xc0, random.chance(2) ? 12 : start, 0, 16, 0, 1);
  const head = octets(0, 1, 0, 0, (count + 1) >> 8, (count + 1) & 0xff, 0, 0, 0, 0, 0, 0);
  const first = join(long, octets(0, 16, 0, 1));
  return join(head, first, ...Array.from({ length: count }, () => again));
}

/** The caller provides valid chains, which need signatures. */
export function dnsTargets(chains: readonly Octets[]): FuzzTarget[] {
  const goodMessages = messages();
  const someRdata = (random: Random) => someOctets(random, rdatas);
  const somePlace = (good: readonly Octets[]) => (random: Random) => {
    const some = someOctets(random, good);
    return { octets: some, position: random.chance(4) ? random.nat(some.length + 2) : 0 };
  };
  const ofDns = { error: DnsMessageError };
  const ofRdata = { ...ofDns, make: someRdata };
  const ofName = { ...ofDns, make: (random: Random) => someText(random, names, nameTokens) };

  return [
    fuzzTarget({ title: "canonicalName", inputs: 80_000, ...ofName, read: canonicalName }),
    fuzzTarget({ title: "encodeName", inputs: 40_000, ...ofName, read: encodeName }),
    fuzzTarget({
      ...{ title: "compareNames", inputs: 20_000, ...ofDns },
      make: (random) => [ofName.make(random), ofName.make(random)] as const,
      read: ([one, other]) => compareNames(one, other),
    }),
    fuzzTarget({
      ...{ title: "readName", inputs: 80_000, ...ofDns, make: somePlace(wireNames) },
      read: readName,
    }),
    fuzzTarget({
      ...{ title: "readUncompressedName", inputs: 60_000, ...ofDns, make: somePlace(wireNames) },
      read: readUncompressedName,
    }),
    fuzzTarget({
      ...{ title: "decodeMessage", inputs: 100_000, ...ofDns, read: decodeMessage },
      make: (random) => someOctets(random, goodMessages),
    }),
    fuzzTarget({
      ...{ title: "decodeMessage of pointers", inputs: 50, ...ofDns, read: decodeMessage },
      make: pointerFlood,
    }),
    fuzzTarget({
      ...{ title: "readRdata", inputs: 80_000, ...ofDns },
      make: (random) => {
        const rdata = someRdata(random);
        const length = random.chance(8) ? random.nat(2 ** 16) : rdata.length;
        const octetsOfBoth = join(octets(length >> 8, length & 0xff), rdata);
        return { octets: octetsOfBoth, recordType: random.nat(64) };
      },
      read: ({ octets: some, recordType }) => readRdata({ octets: some, position: 0 }, recordType),
    }),
    fuzzTarget({ title: "decodeTxt", inputs: 40_000, ...ofRdata, read: decodeTxt }),
    fuzzTarget({ title: "decodeHostName", inputs: 40_000, ...ofRdata, read: decodeHostName }),
    fuzzTarget({ title: "decodeDnskey", inputs: 25_000, ...ofRdata, read: dnssec.decodeDnskey }),
    fuzzTarget({ title: "decodeDs", inputs: 25_000, ...ofRdata, read: dnssec.decodeDs }),
    fuzzTarget({ title: "decodeRrsig", inputs: 40_000, ...ofRdata, read: dnssec.decodeRrsig }),
    fuzzTarget({ title: "decodeNsec", inputs: 40_000, ...ofRdata, read: dnssec.decodeNsec }),
    fuzzTarget({ title: "decodeNsec3", inputs: 40_000, ...ofRdata, read: dnssec.decodeNsec3 }),
    fuzzTarget({
      ...{ title: "canonicalRdata", inputs: 60_000, ...ofDns },
      make: (random) => ({ rdata: someRdata(random), recordType: random.nat(64) }),
      read: ({ rdata, recordType }) => canonicalRdata(recordType, rdata),
    }),
    fuzzTarget({
      ...{ title: "canonicalOrder", inputs: 10_000 },
      make: (random) =>
        Array.from({ length: random.nat(20) }, () =>
          random.chance(2) ? random.pick(rdatas) : someRdata(random),
        ),
      // False if there was a duplicate.
      read: (list) => canonicalOrder(list).length === list.length,
    }),
    fuzzTarget({
      ...{ title: "readRrsets", inputs: 60_000, error: VerificationError, read: readRrsets },
      make: (random) => (random.chance(4) ? madeUpChain(random) : someOctets(random, chains)),
    }),
    fuzzTarget({
      ...{ title: "parseTrustAnchor", inputs: 50_000, error: VerificationError },
      make: (random) => someText(random, anchors, [" ", "IN", "DS", "E0", "20326", "  \t"]),
      read: parseTrustAnchor,
    }),
  ];
}

const digest = "E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D";
const anchors = [`. 3600 IN DS 20326 8 2 ${digest}`, `. DS 1 13 4 ${digest} ${digest.slice(32)}`];

/** Records that are well formed individually but inconsistent as a whole. */
export function madeUpChain(random: Random): Octets {
  const types = [...Object.values(type), 6, 47, 50];
  const count = 1 + random.nat(random.chance(20) ? 140 : 10);
  const parts = Array.from({ length: count }, () => {
    const rdata = someOctets(random, rdatas).slice(0, 400);
    return record(random.pick(names), random.pick(types), rdata, random.nat(2 ** 32));
  });
  return join(...parts);
}
