// What the verified NSEC or NSEC3 records of one zone prove about names that are not there
// (RFC 4035 §5.4, RFC 5155 §8).

import { compareNames } from "../dns/canonical.ts";
import { decodeNsec, decodeNsec3, type Nsec3 } from "../dns/dnssec-records.ts";
import { encodeName, isAtOrBelow, labelsOf } from "../dns/name.ts";
import { joinOctets } from "../dns/octets.ts";
import { recordType } from "../dns/records.ts";
import type { Rrset } from "./rrsets.ts";
import { plain, subtle } from "./signature.ts";

/** What a zone proves about its names. */
export interface DenialRecords {
  /** The types at a name; none at a name that only has names below it. Null: nothing is proven. */
  typesAt(name: string): Promise<readonly number[] | null>;
  /** The nearest name above `name` that exists. Null: nothing is proven. */
  encloserOf(name: string): Promise<string | null>;
  /**
   * Whether it is proven that nothing has the name or is below it. "opt_out": nothing but insecure
   * delegations (RFC 5155 §6).
   */
  denies(name: string): Promise<"yes" | "opt_out" | null>;
}

/** The zone decides what each hash costs (RFC 9276 §3.2). */
const MAX_ITERATIONS = 150;
/** Each name above the name is hashed too. */
const MAX_LABELS_BELOW_APEX = 16;
const SHA_1 = 1;
const OPT_OUT = 1;

/** What a zone proves about a name that was asked for. */
export interface Denial {
  delegation(name: string): ReturnType<typeof delegationDenial>;
  absence(name: string, type: number): ReturnType<typeof absenceOf>;
  closerName(name: string, labels: number): ReturnType<typeof deniesCloserName>;
}

/** `sets` are the verified NSEC and NSEC3 sets of the zone at `apex`. Throws DnsMessageError. */
export function denialOf(apex: string, sets: readonly Rrset[]): Denial {
  const records = denialRecords(apex, sets);
  return {
    delegation: (name) => delegationDenial(name, records),
    absence: (name, type) => absenceOf(name, type, records),
    closerName: (name, labels) => deniesCloserName(name, labels, records),
  };
}

/** The same records, one question at a time. */
export function denialRecords(apex: string, sets: readonly Rrset[]): DenialRecords {
  return sets.some(({ type }) => type === recordType.NSEC)
    ? nsecRecords(sets)
    : nsec3Records(apex, sets);
}

/**
 * Whether a zone below this one may begin at `name`: "insecure" (one without DS records, or possibly
 * one by opt-out), "no_cut" (none), "no_name" (none, and nothing has the name or is below it), or null
 * (nothing is proven).
 */
export async function delegationDenial(
  name: string,
  records: DenialRecords,
): Promise<"insecure" | "no_cut" | "no_name" | null> {
  const types = await records.typesAt(name);
  if (types !== null) {
    // The zone's own list would contain SOA: it says nothing about the zone above.
    if (types.includes(recordType.DS) || types.includes(recordType.SOA)) return null;
    return types.includes(recordType.NS) ? "insecure" : "no_cut";
  }
  const denied = await denialOfNextCloser(name, records);
  if (denied === null) return null;
  return denied.by === "opt_out" ? "insecure" : "no_name";
}

/**
 * Whether it is proven that there are no records of `type` at `name`, directly or from a wildcard.
 * `optOut` is where an insecure zone may begin, in which there could be such records.
 */
export async function absenceOf(
  name: string,
  type: number,
  records: DenialRecords,
): Promise<"absent" | { readonly optOut: string } | null> {
  // At a zone cut, the zone above knows about DS and nothing else (RFC 6840 §4.1).
  const isOfOtherZone =
    type === recordType.DS
      ? (types: readonly number[]) => types.includes(recordType.SOA)
      : isDelegation;
  const isWithout = (types: readonly number[]) =>
    !types.includes(type) && !types.includes(recordType.CNAME) && !isOfOtherZone(types);
  const types = await records.typesAt(name);
  if (types !== null) return isWithout(types) ? "absent" : null;
  const denied = await denialOfNextCloser(name, records);
  if (denied === null) return null;
  const wildcard = denied.encloser === "" ? "*" : `*.${denied.encloser}`;
  const wildcardTypes = await records.typesAt(wildcard);
  const isWildcardOut =
    wildcardTypes === null ? (await records.denies(wildcard)) !== null : isWithout(wildcardTypes);
  if (!isWildcardOut) return null;
  return denied.by === "opt_out" ? { optOut: denied.nextCloser } : "absent";
}

/** Whether no name exists between `name` and the wildcard that has `labels` labels without its `*`. */
export async function deniesCloserName(
  name: string,
  labels: number,
  records: DenialRecords,
): Promise<"yes" | "opt_out" | null> {
  return records.denies(lastLabels(name, labels + 1));
}

/** The nearest name above that exists, and the proof that the next one towards `name` does not. */
async function denialOfNextCloser(
  name: string,
  records: DenialRecords,
): Promise<{ encloser: string; nextCloser: string; by: "yes" | "opt_out" } | null> {
  const encloser = await records.encloserOf(name);
  if (encloser === null) return null;
  const nextCloser = lastLabels(name, labelsOf(encloser).length + 1);
  const by = await records.denies(nextCloser);
  return by && { encloser, nextCloser, by };
}

function lastLabels(name: string, count: number): string {
  return labelsOf(name).slice(-count).join(".");
}

function nsecRecords(sets: readonly Rrset[]): DenialRecords {
  const links = sets.flatMap(({ name, type, rdatas: [rdata, second] }) =>
    type === recordType.NSEC && rdata && !second ? [{ owner: name, ...decodeNsec(rdata) }] : [],
  );
  const covering = (name: string) =>
    links.find(
      ({ owner, nextName, types }) =>
        isBetween(name, owner, nextName, compareNames) &&
        // Names below a delegation belong to another zone.
        !(isAtOrBelow(name, owner) && leadsElsewhere(types)),
    );
  return {
    async typesAt(name) {
      const link = links.find(({ owner }) => owner === name);
      if (link) return link.types;
      const around = covering(name);
      return around && isAtOrBelow(around.nextName, name) ? [] : null;
    },
    async encloserOf(name) {
      const around = covering(name);
      if (!around) return null;
      const [one, other] = [around.owner, around.nextName].map((end) => commonEnd(name, end));
      return labelsOf(one ?? "").length > labelsOf(other ?? "").length
        ? (one ?? "")
        : (other ?? "");
    },
    async denies(name) {
      const around = covering(name);
      return around && !isAtOrBelow(around.nextName, name) ? "yes" : null;
    },
  };
}

function nsec3Records(apex: string, sets: readonly Rrset[]): DenialRecords {
  const links = sets.flatMap((set) => hashedLink(set, apex));
  const [first] = links;
  const isOneChain = links.every(
    ({ iterations, salt }) =>
      iterations === first?.iterations && String(salt) === String(first.salt),
  );
  const depth = labelsOf(apex).length;
  const hash = async (name: string) => {
    const isCostly = labelsOf(name).length - depth > MAX_LABELS_BELOW_APEX;
    if (!first || !isOneChain || first.iterations > MAX_ITERATIONS || isCostly) return null;
    return hashOf(name, first);
  };
  const matching = async (name: string) => {
    const hashed = await hash(name);
    return links.find((link) => link.hash === hashed);
  };
  return {
    async typesAt(name) {
      return (await matching(name))?.types ?? null;
    },
    async encloserOf(name) {
      const labels = labelsOf(name);
      for (let above = 1; above <= labels.length - depth; above++) {
        const encloser = labels.slice(above).join(".");
        const link = await matching(encloser);
        if (link) return leadsElsewhere(link.types) ? null : encloser;
      }
      return null;
    },
    async denies(name) {
      const hashed = await hash(name);
      if (hashed === null) return null;
      const link = links.find((one) => isBetween(hashed, one.hash, one.next, compareTexts));
      if (!link) return null;
      return (link.flags & OPT_OUT) !== 0 ? "opt_out" : "yes";
    },
  };
}

function isDelegation(types: readonly number[]): boolean {
  return types.includes(recordType.NS) && !types.includes(recordType.SOA);
}

function leadsElsewhere(types: readonly number[]): boolean {
  return isDelegation(types) || types.includes(recordType.DNAME);
}

/** The labels that both names end with. */
function commonEnd(one: string, other: string): string {
  const [ones, others] = [labelsOf(one), labelsOf(other)];
  let count = 0;
  while (count < ones.length && ones.at(-1 - count) === others.at(-1 - count)) count++;
  return ones.slice(ones.length - count).join(".");
}

/** The owner's first label is the hash; the rest is the apex of the zone. */
function hashedLink(
  { name, type, rdatas: [rdata, second] }: Rrset,
  apex: string,
): (Nsec3 & { readonly hash: string; readonly next: string })[] {
  if (type !== recordType.NSEC3 || !rdata || second) return [];
  const nsec3 = decodeNsec3(rdata);
  const [hash = ""] = labelsOf(name);
  const isOfZone = name === (apex === "" ? hash : `${hash}.${apex}`);
  const isKnown = nsec3.hashAlgorithm === SHA_1 && (nsec3.flags & ~OPT_OUT) === 0;
  return isOfZone && isKnown ? [{ ...nsec3, hash, next: base32hex(nsec3.nextHash) }] : [];
}

/** RFC 5155 §5. */
async function hashOf(name: string, { iterations, salt }: Nsec3): Promise<string> {
  let hash = encodeName(name);
  for (let round = 0; round <= iterations; round++) {
    const octets = plain(joinOctets([hash, salt]));
    hash = new Uint8Array(await subtle().digest("SHA-1", octets));
  }
  return base32hex(hash);
}

/** RFC 4648 §7, in lower case and without padding. */
function base32hex(octets: Uint8Array): string {
  const bits = Array.from(octets, (octet) => octet.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => Number.parseInt(group.padEnd(5, "0"), 2).toString(32)).join("");
}

/** The last link of the ring leads to the first. */
function isBetween<T>(sought: T, from: T, to: T, compare: (one: T, other: T) => number): boolean {
  const isAfter = compare(sought, from) > 0;
  const isBefore = compare(sought, to) < 0;
  return compare(from, to) < 0 ? isAfter && isBefore : isAfter || isBefore;
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
