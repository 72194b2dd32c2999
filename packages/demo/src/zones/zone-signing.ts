// DNSSEC record sets: canonical order, signatures and the NSEC chain (RFC 4034 §3, §4, §6).

import { encodeName, labelsOf } from "domain-signin-verify/dns/name";
import { joinOctets, uint } from "domain-signin-verify/dns/octets";
import { classIn } from "domain-signin-verify/dns/records";
import { dnssecType, type ZoneKey } from "./zone-keys.ts";

/** All records of one name and type. `rdatas` are in canonical order, the TTL is in seconds. */
export type RRset = {
  readonly name: string;
  readonly type: number;
  readonly ttl: number;
  readonly rdatas: readonly Uint8Array[];
};

/** In seconds since 1970. */
export type Validity = { readonly inception: number; readonly expiration: number };

/** Names in our rdata are in lower case, so the canonical order is the order of octets. */
export function rrset(
  name: string,
  type: number,
  ttl: number,
  rdatas: readonly Uint8Array[],
): RRset {
  return { name, type, ttl, rdatas: [...rdatas].sort(Buffer.compare) };
}

/** The canonical order of names: label by label from the root, as octets (RFC 4034 §6.1). */
export function compareNames(one: string, other: string): number {
  const ones = labelsOf(one).reverse();
  const others = labelsOf(other).reverse();
  for (const [at, label] of ones.entries()) {
    const against = others[at];
    if (against === undefined) return 1;
    const order = Buffer.compare(labelOctets(label), labelOctets(against));
    if (order !== 0) return order;
  }
  return ones.length - others.length;
}

/** The rdata of an RRSIG record for the set, made with `key` of `zone`. */
export function signSet(
  set: RRset,
  zone: string,
  key: ZoneKey,
  { inception, expiration }: Validity,
): Uint8Array {
  const labels = labelsOf(set.name);
  const unsigned = joinOctets([
    uint(set.type, 2),
    uint(key.algorithm, 1),
    // The asterisk of a wildcard does not count (RFC 4034 §3.1.3).
    uint(labels[0] === "*" ? labels.length - 1 : labels.length, 1),
    uint(set.ttl, 4),
    uint(expiration, 4),
    uint(inception, 4),
    uint(key.tag, 2),
    encodeName(zone),
  ]);
  const head = [encodeName(set.name), uint(set.type, 2), uint(classIn, 2), uint(set.ttl, 4)];
  const records = set.rdatas.flatMap((rdata) => [...head, uint(rdata.length, 2), rdata]);
  return joinOctets([unsigned, key.sign(joinOctets([unsigned, ...records]))]);
}

/** The chain of a zone over all of its `sets`, in canonical order of its names. */
export function nsecChain(zone: string, sets: readonly RRset[], ttl: number): RRset[] {
  const names = [...new Set(sets.map(({ name }) => name))].sort(compareNames);
  return names.map((name, at) => {
    const types = sets.filter((set) => set.name === name).map(({ type }) => type);
    const bitmap = typeBitmap([...types, dnssecType.RRSIG, dnssecType.NSEC]);
    // The last one leads back to the apex.
    const rdata = joinOctets([encodeName(names[at + 1] ?? zone), bitmap]);
    return rrset(name, dnssecType.NSEC, ttl, [rdata]);
  });
}

/** The NSEC set at `name`, or the one that proves that the name does not exist (RFC 4034 §4). */
export function nsecAtOrBefore(chain: readonly RRset[], name: string): RRset[] {
  return chain.filter((set) => compareNames(set.name, name) <= 0).slice(-1);
}

/** All types in use are below 256, so one window is enough (RFC 4034 §4.1.2). */
function typeBitmap(types: readonly number[]): Uint8Array {
  const bits = new Uint8Array((Math.max(...types) >> 3) + 1);
  for (const type of types) bits[type >> 3] = (bits[type >> 3] ?? 0) | (0x80 >> (type & 7));
  return joinOctets([uint(0, 1), uint(bits.length, 1), bits]);
}

function labelOctets(label: string): Uint8Array {
  return encodeName(label).subarray(1, -1);
}
