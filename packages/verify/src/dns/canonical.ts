// The canonical form and order of names and record sets, as they are signed (RFC 4034 §6).

import type { Rrsig } from "./dnssec-records.ts";
import { encodeName, labelsOf, readUncompressedName } from "./name.ts";
import { joinOctets, readOctets, readUint, uint } from "./octets.ts";
import { classIn } from "./records.ts";

/**
 * The names in the rdata of the types that RFC 4034 §6.2 lists, as corrected by RFC 6840 §5.1 (names
 * in NSEC keep their case): octets before them, character strings before them, number of names.
 */
const NAME_LAYOUTS = new Map<number, readonly [octets: number, strings: number, names: number]>([
  [2, [0, 0, 1]], // NS
  [3, [0, 0, 1]], // MD
  [4, [0, 0, 1]], // MF
  [5, [0, 0, 1]], // CNAME
  [6, [0, 0, 2]], // SOA
  [7, [0, 0, 1]], // MB
  [8, [0, 0, 1]], // MG
  [9, [0, 0, 1]], // MR
  [12, [0, 0, 1]], // PTR
  [14, [0, 0, 2]], // MINFO
  [15, [2, 0, 1]], // MX
  [17, [0, 0, 2]], // RP
  [18, [2, 0, 1]], // AFSDB
  [21, [2, 0, 1]], // RT
  [26, [2, 0, 2]], // PX
  [33, [6, 0, 1]], // SRV
  [35, [4, 3, 1]], // NAPTR
  [36, [2, 0, 1]], // KX
  [39, [0, 0, 1]], // DNAME
  [46, [18, 0, 1]], // RRSIG
]);

/** Rdata with its names in lower case. Throws DnsMessageError for compressed names. */
export function canonicalRdata(type: number, rdata: Uint8Array): Uint8Array {
  const layout = NAME_LAYOUTS.get(type);
  if (!layout) return rdata;
  const [octets, strings, names] = layout;
  const cursor = { octets: rdata, position: 0 };
  readOctets(cursor, octets);
  for (let index = 0; index < strings; index++) readOctets(cursor, readUint(cursor, 1));
  const parts = [rdata.subarray(0, cursor.position)];
  for (let index = 0; index < names; index++) {
    parts.push(encodeName(readUncompressedName(cursor)));
  }
  return joinOctets([...parts, rdata.subarray(cursor.position)]);
}

/** Canonical rdata of one set in canonical order, without duplicates (RFC 4034 §6.3). */
export function canonicalOrder(rdatas: readonly Uint8Array[]): Uint8Array[] {
  return rdatas
    .toSorted(compareOctets)
    .filter((rdata, index, sorted) => compareOctets(rdata, sorted[index - 1]) !== 0);
}

/** Compares names in zone order: label by label, from the right (RFC 4034 §6.1). */
export function compareNames(one: string, other: string): number {
  const [ones, others] = [labelsOf(one).reverse(), labelsOf(other).reverse()];
  for (const [index, label] of ones.entries()) {
    const otherLabel = others[index];
    if (otherLabel === undefined) return 1;
    const order = compareOctets(labelOctets(label), labelOctets(otherLabel));
    if (order !== 0) return order;
  }
  return ones.length - others.length;
}

/** The octets that a signature covers (RFC 4034 §3.1.8.1). `rdatas` must be in canonical order. */
export function signedOctets(
  set: { readonly name: string; readonly type: number; readonly rdatas: readonly Uint8Array[] },
  rrsig: Omit<Rrsig, "rdata">,
): Uint8Array {
  const owner = encodeName(signedOwner(set.name, rrsig.labels));
  const head = joinOctets([owner, uint(set.type, 2), uint(classIn, 2), uint(rrsig.originalTtl, 4)]);
  return joinOctets([
    uint(rrsig.typeCovered, 2),
    uint(rrsig.algorithm, 1),
    uint(rrsig.labels, 1),
    uint(rrsig.originalTtl, 4),
    uint(rrsig.expiration, 4),
    uint(rrsig.inception, 4),
    uint(rrsig.keyTag, 2),
    encodeName(rrsig.signer),
    ...set.rdatas.flatMap((rdata) => [head, uint(rdata.length, 2), rdata]),
  ]);
}

/** The signed name: the wildcard, if the answer was made from one (RFC 4035 §5.3.2). */
function signedOwner(name: string, labelCount: number): string {
  const labels = labelsOf(name);
  if (labelCount >= labels.length) return name;
  return ["*", ...labels.slice(labels.length - labelCount)].join(".");
}

/** Octet by octet; a prefix comes first, and undefined comes before everything. */
function compareOctets(one: Uint8Array, other: Uint8Array | undefined): number {
  if (!other) return 1;
  for (const [index, octet] of one.entries()) {
    const otherOctet = other[index];
    if (otherOctet === undefined) return 1;
    if (octet !== otherOctet) return octet - otherOctet;
  }
  return one.length - other.length;
}

function labelOctets(label: string): Uint8Array {
  return encodeName(label).subarray(1, -1);
}
