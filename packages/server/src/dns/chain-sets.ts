// Record sets out of DNS answers, each within the verifier's bounds before any costs more than reading.

import { canonicalOrder, canonicalRdata } from "domain-signin-verify/dns/canonical";
import { decodeRrsig } from "domain-signin-verify/dns/dnssec-records";
import type { DnsRecord } from "domain-signin-verify/dns/message";
import { encodeName, isAtOrBelow } from "domain-signin-verify/dns/name";
import { DnsMessageError, joinOctets, uint } from "domain-signin-verify/dns/octets";
import { classIn, decodeHostName, recordType } from "domain-signin-verify/dns/records";
// Those of the verifier, here for what was received: most of it would never get to the verifier.
import {
  maxAliases,
  maxChainOctets,
  maxKeysOfZone,
  maxRecords,
  maxSignatures,
} from "domain-signin-verify/dnssec/bounds";
import { decode, type Rrset, refusal } from "domain-signin-verify/dnssec/rrsets";
import { VerificationError } from "domain-signin-verify/errors";

/** `rrsigs` are the rdata of `signatures`, in the same order. */
export type ReceivedSet = Rrset & { readonly rrsigs: readonly Uint8Array[] };

/** The sets from a name to its end; with `isDname` the last one is a DNAME set, which nobody follows. */
export type Way = { readonly sets: readonly ReceivedSet[]; readonly isDname: boolean };

/** Of rdata of the keys, or of the delegation, of a zone: twelve keys of RSA with 4,096 bits fit. */
const maxZoneOctets = 8192;

/** Null if there is no such record. Throws VerificationError. */
export function readSet(
  records: readonly DnsRecord[],
  name: string,
  type: number,
): ReceivedSet | null {
  const here = records.filter((record) => record.class === classIn && record.name === name);
  const found = here.filter((record) => record.type === type);
  if (found.length === 0) return null;
  const rrsigs = here.filter((record) => covers(record, type));
  checkBounds({ name, type, ttl: 0, rdatas: found.map(({ rdata }) => rdata), signatures: [] });
  if (rrsigs.length > maxSignatures) {
    throw new VerificationError("too_many_signatures", `${name}. has too many signatures`);
  }
  return refuseMalformed(() => {
    const rdatas = canonicalOf(type, found);
    const signatures = canonicalOf(recordType.RRSIG, rrsigs);
    return {
      ...{ name, type, rdatas, rrsigs: signatures },
      ttl: Math.min(...[...found, ...rrsigs].map(({ ttl }) => ttl)),
      signatures: signatures.map(decodeRrsig),
    };
  });
}

/**
 * The sets on the way from `name` to its records of `type`. Throws VerificationError: `no_answer` if
 * the way has no such end.
 */
export function wayOf(records: readonly DnsRecord[], start: string, type: number): Way {
  const sets: ReceivedSet[] = [];
  let name = start;
  for (;;) {
    const end = readSet(records, name, type);
    if (end) return bounded({ sets: [...sets, end], isDname: false });
    const alias = readSet(records, name, recordType.CNAME);
    if (!alias) throw new VerificationError("no_answer", `no answer for ${name}. is there`);
    const dname = alias.signatures.length === 0 ? signedDnameAbove(records, name) : null;
    if (dname) return bounded({ sets: [...sets, dname], isDname: true });
    if (sets.some((set) => set.name === name)) {
      throw refusal("alias_loop", alias, "lead back to themselves");
    }
    if (sets.length === maxAliases) throw refusal("too_many_aliases", alias, "are too many");
    sets.push(alias);
    const [target, second] = decode(alias, decodeHostName);
    if (target === undefined || second !== undefined) {
      throw refusal("malformed_chain", alias, "are two aliases at one name");
    }
    name = target;
  }
}

/** A part of an AuthenticationChain: the set with one of its signatures. */
export function chainPart({ name, type, ttl, rdatas }: Rrset, rrsig: Uint8Array): Uint8Array {
  const records = [
    ...rdatas.map((rdata) => ({ type, rdata })),
    { type: recordType.RRSIG, rdata: rrsig },
  ];
  return joinOctets(
    records.flatMap(({ type: of, rdata }) => [
      encodeName(name),
      ...[uint(of, 2), uint(classIn, 2), uint(ttl, 4), uint(rdata.length, 2), rdata],
    ]),
  );
}

/** From such a DNAME a name server makes the alias, which for that has no signature of its own. */
function signedDnameAbove(records: readonly DnsRecord[], name: string): ReceivedSet | null {
  const dname = records.find(
    (record) =>
      record.type === recordType.DNAME && record.name !== name && isAtOrBelow(name, record.name),
  );
  const set = dname ? readSet(records, dname.name, recordType.DNAME) : null;
  return set && set.signatures.length > 0 ? set : null;
}

function covers({ type, rdata: [high = 0, low = 0] }: DnsRecord, covered: number): boolean {
  return type === recordType.RRSIG && high * 256 + low === covered;
}

function checkBounds(set: Rrset): void {
  const { type, rdatas } = set;
  if (rdatas.length > maxRecords) throw refusal("too_many_records", set, "are too many");
  const isOfZone = type === recordType.DNSKEY || type === recordType.DS;
  if (octetsOf(rdatas) > (isOfZone ? maxZoneOctets : maxChainOctets)) {
    throw refusal("chain_too_long", set, "are too long");
  }
  if (type === recordType.DNSKEY && rdatas.length > maxKeysOfZone) {
    throw refusal("too_many_keys", set, "are too many");
  }
}

function bounded(way: Way): Way {
  const records = way.sets.reduce((sum, { rdatas }) => sum + rdatas.length + 1, 0);
  if (records <= maxRecords) return way;
  throw new VerificationError("too_many_records", `the way has over ${maxRecords} records`);
}

function octetsOf(rdatas: readonly Uint8Array[]): number {
  return rdatas.reduce((sum, { length }) => sum + length, 0);
}

/** Copies: rdata is a view of the message that it came in, which would be kept as long. */
function canonicalOf(type: number, records: readonly DnsRecord[]): Uint8Array[] {
  return canonicalOrder(records.map(({ rdata }) => canonicalRdata(type, new Uint8Array(rdata))));
}

/** Throws VerificationError for what cannot be read. */
export function refuseMalformed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DnsMessageError)) throw error;
    throw new VerificationError("malformed_chain", error.message, { cause: error });
  }
}
