// Whether a signed zone denies that it names keys for a zone below it (RFC 4035 §5.2, RFC 5155 §8.9).

import { createHash } from "node:crypto";
import { compareNames } from "domain-signin-verify/dns/canonical";
import { decodeNsec, decodeNsec3, type Nsec3 } from "domain-signin-verify/dns/dnssec-records";
import type { DnsRecord } from "domain-signin-verify/dns/message";
import { encodeName, isAtOrBelow, labelsOf } from "domain-signin-verify/dns/name";
import { recordType } from "domain-signin-verify/dns/records";
import { signerOf } from "domain-signin-verify/dnssec/rrsig";
import { type ReceivedSet, readSet } from "./chain-sets.ts";

/** An NSEC or NSEC3 set of the zone above, whose signature was verified. */
export type DenialSet = {
  readonly name: string;
  readonly type: number;
  readonly rdatas: readonly Uint8Array[];
};

/**
 * "unsigned": the name is delegated without keys, or may be (opt-out). "no_cut": it is no zone of its
 * own, but lies in the zone above. Null: neither is proven.
 */
export type Denial = "unsigned" | "no_cut" | null;

/** What every hash costs is decided by the zone: more is not worth its time (RFC 9276 §3.2). */
const maxIterations = 150;
/** Nor is a name that lies deeper below the zone: each label above it is hashed as often. */
const maxLabelsBelow = 16;
/** A proof by NSEC3 takes three at most (RFC 5155 §7.2). */
const maxSets = 4;
const sha1 = 1;
const optOut = 1;

/**
 * The NSEC and NSEC3 sets among the records that a zone above `zone` has signed, the nearest one if
 * they are of several: no proof is made of parts of two. Whether they are signed well is to be seen.
 * Throws VerificationError.
 */
export function denialSets(records: readonly DnsRecord[], zone: string): ReceivedSet[] {
  const kinds = records.filter(({ type }) => type === recordType.NSEC || type === recordType.NSEC3);
  const keys = new Map(kinds.map(({ name, type }) => [`${type} ${name}`, { name, type }]));
  const sets = [...keys.values()]
    .slice(0, maxSets)
    .flatMap(({ name, type }) => readSet(records, name, type) ?? [])
    .filter((set) => set.signatures.length > 0)
    .filter((set) => isBelow(zone, signerOf(set, [])));
  const signers = sets.map((set) => signerOf(set, []));
  // Each is the end of the same name.
  const nearest = Math.max(...signers.map(({ length }) => length));
  return sets.filter((_, index) => signers[index]?.length === nearest);
}

function isBelow(zone: string, above: string): boolean {
  return zone !== above && isAtOrBelow(zone, above);
}

/** `zone` lies below `parent`; all names are canonical. Throws DnsMessageError for malformed rdata. */
export function denialOf(zone: string, parent: string, sets: readonly DenialSet[]): Denial {
  return denialByNsec(zone, sets) ?? denialByNsec3(zone, parent, sets);
}

function denialByNsec(zone: string, sets: readonly DenialSet[]): Denial {
  for (const { name, type, rdatas } of sets) {
    const [rdata] = rdatas;
    if (type !== recordType.NSEC || !rdata || rdatas.length !== 1) continue;
    const { nextName, types } = decodeNsec(rdata);
    if (name === zone) return denialByTypes(types);
    // What lies below a delegation is not this zone's to deny.
    const isElsewhere = isAtOrBelow(zone, name) && leadsElsewhere(types);
    if (!isElsewhere && isBetween(zone, name, nextName, compareNames)) return "no_cut";
  }
  return null;
}

/** Of the name itself, as the zone above sees it: the zone's own list would have an SOA. */
function denialByTypes(types: readonly number[]): Denial {
  if (types.includes(recordType.DS) || types.includes(recordType.SOA)) return null;
  return types.includes(recordType.NS) ? "unsigned" : "no_cut";
}

function leadsElsewhere(types: readonly number[]): boolean {
  const isDelegation = types.includes(recordType.NS) && !types.includes(recordType.SOA);
  return isDelegation || types.includes(recordType.DNAME);
}

type HashedSet = Nsec3 & { readonly hash: string; readonly next: string };

function denialByNsec3(zone: string, parent: string, sets: readonly DenialSet[]): Denial {
  const hashed = sets.flatMap((set) => hashedSet(set, parent));
  const [first] = hashed;
  if (!first) return null;
  const { iterations, salt } = first;
  const isOneChain = hashed.every(
    (other) => other.iterations === iterations && Buffer.compare(other.salt, salt) === 0,
  );
  const labels = labelsOf(zone);
  const most = labels.length - labelsOf(parent).length;
  if (!isOneChain || iterations > maxIterations || most > maxLabelsBelow) return null;
  const matching = (name: string) => {
    const hash = hashOf(name, first);
    return hashed.find((set) => set.hash === hash);
  };

  const itself = matching(zone);
  if (itself) return denialByTypes(itself.types);
  // Else the nearest name above it that exists, and that the next one towards it does not.
  for (let above = 1; above <= most; above++) {
    const encloser = matching(labels.slice(above).join("."));
    if (!encloser) continue;
    if (leadsElsewhere(encloser.types)) return null;
    const next = hashOf(labels.slice(above - 1).join("."), first);
    const covering = hashed.find((set) => isBetween(next, set.hash, set.next, compareTexts));
    if (!covering) return null;
    return (covering.flags & optOut) !== 0 ? "unsigned" : "no_cut";
  }
  return null;
}

/** The owner's first label is the hash, and it lies right below the zone. */
function hashedSet({ name, type, rdatas }: DenialSet, parent: string): HashedSet[] {
  const [rdata] = rdatas;
  if (type !== recordType.NSEC3 || !rdata || rdatas.length !== 1) return [];
  const nsec3 = decodeNsec3(rdata);
  const [hash = ""] = labelsOf(name);
  const isBelow = name === (parent === "" ? hash : `${hash}.${parent}`);
  const isKnown = nsec3.hashAlgorithm === sha1 && (nsec3.flags & ~optOut) === 0;
  return isBelow && isKnown ? [{ ...nsec3, hash, next: base32hex(nsec3.nextHash) }] : [];
}

/** RFC 5155 §5. */
function hashOf(name: string, { iterations, salt }: Pick<Nsec3, "iterations" | "salt">): string {
  const once = (octets: Uint8Array) => createHash("sha1").update(octets).update(salt).digest();
  let hash = once(encodeName(name));
  for (let more = 0; more < iterations; more++) hash = once(hash);
  return base32hex(hash);
}

/** RFC 4648 §7, in lower case and without padding. */
function base32hex(octets: Uint8Array): string {
  const bits = [...octets].map((octet) => octet.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => Number.parseInt(group.padEnd(5, "0"), 2).toString(32)).join("");
}

/** The last one of a circle is followed by the first. */
function isBetween<T>(sought: T, from: T, to: T, compare: (one: T, other: T) => number): boolean {
  const isAfter = compare(sought, from) > 0;
  const isBefore = compare(sought, to) < 0;
  return compare(from, to) < 0 ? isAfter && isBefore : isAfter || isBefore;
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
