// Parses a chain into record sets, each with its signatures.

import { canonicalOrder, canonicalRdata } from "../dns/canonical.ts";
import { decodeRrsig, type Rrsig } from "../dns/dnssec-records.ts";
import type { DnsRecord } from "../dns/message.ts";
import { encodeName, readUncompressedName } from "../dns/name.ts";
import {
  type Cursor,
  DnsMessageError,
  joinOctets,
  readOctets,
  readUint,
  uint,
} from "../dns/octets.ts";
import { classIn, decodeTxt, recordType } from "../dns/records.ts";
import { VerificationError, type VerificationErrorCode } from "../errors.ts";
import { maxChainOctets, maxKeysOfZone, maxRecords, maxSignatures } from "./bounds.ts";

/**
 * `rdatas` and `signatures` are in canonical form and order, without duplicates. `ttl` is the lowest
 * of all records and signatures; it is not signed.
 */
export interface Rrset {
  readonly name: string;
  readonly type: number;
  readonly ttl: number;
  readonly rdatas: readonly Uint8Array[];
  readonly signatures: readonly Rrsig[];
}

interface ChainRecord {
  readonly name: string;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/** Twelve RSA keys of 4,096 bits fit. */
const MAX_ZONE_OCTETS = 8192;

const TYPE_NAMES = new Map<number, string>(
  Object.entries(recordType).map(([name, number]) => [number, name]),
);

/**
 * Parses an AuthenticationChain (RFC 9102 §2): records in any order, without compressed names. Throws
 * VerificationError `malformed_chain`, `chain_too_long`, `too_many_records` or `unneeded_record` (a
 * signature without the records that it covers).
 */
export function readRrsets(chain: Uint8Array): Rrset[] {
  if (chain.length > maxChainOctets) {
    throw new VerificationError("chain_too_long", `the chain exceeds ${maxChainOctets} octets`);
  }
  // A copy, so that verified records do not change if the caller reuses its buffer.
  return refuseMalformed(() => groupRecords(readRecords(new Uint8Array(chain)), strayCover));
}

/** The inverse of `readRrsets`. */
export function writeRrsets(sets: readonly Rrset[]): Uint8Array {
  return joinOctets(
    sets.flatMap(({ name, type, ttl, rdatas, signatures }) => {
      const owner = encodeName(name);
      const head = (of: number) => [owner, uint(of, 2), uint(classIn, 2), uint(ttl, 4)];
      return [
        ...rdatas.map((rdata) => ({ of: type, rdata })),
        ...signatures.map(({ rdata }) => ({ of: recordType.RRSIG, rdata })),
      ].flatMap(({ of, rdata }) => [...head(of), uint(rdata.length, 2), rdata]);
    }),
  );
}

/** The record sets of a DNS message. Throws VerificationError `malformed_chain`. */
export function rrsetsOf(records: readonly DnsRecord[]): Rrset[] {
  const ours = records.filter((record) => record.class === classIn);
  return refuseMalformed(() =>
    groupRecords(
      // Copies: rdata is a view of the message, which it would keep in memory.
      ours.map(({ name, type, ttl, rdata }) => {
        return { name, type, ttl, rdata: canonicalRdata(type, new Uint8Array(rdata)) };
      }),
    ),
  );
}

function readRecords(octets: Uint8Array): ChainRecord[] {
  const cursor = { octets, position: 0 };
  const records: ChainRecord[] = [];
  while (cursor.position < octets.length) {
    if (records.length === maxRecords) {
      throw new VerificationError("too_many_records", `the chain exceeds ${maxRecords} records`);
    }
    records.push(readRecord(cursor));
  }
  return records;
}

function readRecord(cursor: Cursor): ChainRecord {
  const name = readUncompressedName(cursor);
  const type = readUint(cursor, 2);
  if (readUint(cursor, 2) !== classIn) throw new DnsMessageError("a record is not of class IN");
  const ttl = readUint(cursor, 4);
  const rdata = canonicalRdata(type, readOctets(cursor, readUint(cursor, 2)));
  if (type === recordType.TXT) decodeTxt(rdata);
  return { name, type, ttl, rdata };
}

function strayCover(key: string): never {
  throw new VerificationError("unneeded_record", `a signature covers missing ${key}`);
}

/** Throws VerificationError for sets that are too much for one chain, though each was verified. */
export function checkChainSize(sets: readonly Rrset[]): void {
  const count = (of: (set: Rrset) => number) => sets.reduce((sum, set) => sum + of(set), 0);
  if (count(({ signatures }) => signatures.length) > maxSignatures) {
    throw new VerificationError("too_many_signatures", "the chain has too many signatures");
  }
  if (count(({ rdatas, signatures }) => rdatas.length + signatures.length) > maxRecords) {
    throw new VerificationError("too_many_records", `the chain exceeds ${maxRecords} records`);
  }
  if (count(writtenSize) > maxChainOctets) {
    throw new VerificationError("chain_too_long", `the chain exceeds ${maxChainOctets} octets`);
  }
}

/** The octets that `writeRrsets` writes for a set. Type, class, TTL and length are 10. */
function writtenSize({ name, rdatas, signatures }: Rrset): number {
  const written = [...rdatas, ...signatures.map(({ rdata }) => rdata)];
  const head = encodeName(name).length + 10;
  return written.reduce((sum, { length }) => sum + head + length, 0);
}

/**
 * To be called before anything costs more than reading. Throws VerificationError `too_many_records`,
 * `too_many_keys`, `too_many_signatures` or `chain_too_long`.
 */
export function checkSize(set: Rrset): void {
  const { type, rdatas, signatures } = set;
  // A signature needs a place in the chain too.
  if (rdatas.length >= maxRecords) throw refusal("too_many_records", set, "are too many");
  if (type === recordType.DNSKEY && rdatas.length > maxKeysOfZone) {
    throw refusal("too_many_keys", set, "are too many");
  }
  if (signatures.length > maxSignatures) {
    throw refusal("too_many_signatures", set, "have too many signatures");
  }
  const isOfZone = type === recordType.DNSKEY || type === recordType.DS;
  const octets = rdatas.reduce((sum, { length }) => sum + length, 0);
  if (octets > (isOfZone ? MAX_ZONE_OCTETS : maxChainOctets)) {
    throw refusal("chain_too_long", set, "are too long");
  }
}

/** `onStray` is called for a signature that covers no received set. */
function groupRecords(
  records: readonly ChainRecord[],
  onStray: (key: string) => void = () => {},
): Rrset[] {
  const sets = new Map<string, ChainRecord[]>();
  const signatures = new Map<string, ChainRecord[]>();
  for (const record of records) {
    const { name, type, rdata } = record;
    const isSignature = type === recordType.RRSIG;
    const key = describe(name, isSignature ? decodeRrsig(rdata).typeCovered : type);
    const groups = isSignature ? signatures : sets;
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  for (const key of signatures.keys()) {
    if (!sets.has(key)) onStray(key);
  }
  return [...sets].map(([key, set]) => rrset(set, signatures.get(key) ?? []));
}

function rrset(set: readonly ChainRecord[], signatures: readonly ChainRecord[]): Rrset {
  const { name = "", type = 0 } = set[0] ?? {};
  return {
    name,
    type,
    ttl: Math.min(...[...set, ...signatures].map(({ ttl }) => ttl)),
    rdatas: canonicalOrder(set.map(({ rdata }) => rdata)),
    signatures: canonicalOrder(signatures.map(({ rdata }) => rdata)).map(decodeRrsig),
  };
}

/** The records of a set, decoded by `reader`. Throws VerificationError `malformed_chain`. */
export function decode<T>(set: Rrset, reader: (rdata: Uint8Array) => T): T[] {
  return refuseMalformed(() => set.rdatas.map(reader));
}

/** `predicate` follows "the TXT records of example.com.". */
export function refusal(
  code: VerificationErrorCode,
  set: Rrset,
  predicate: string,
): VerificationError {
  return new VerificationError(code, `the ${describe(set.name, set.type)} ${predicate}`);
}

/**
 * A set's name in messages and its key in maps: canonical names contain no white space. Unknown
 * types are numbers (RFC 3597 §5).
 */
export function describe(name: string, type: number): string {
  return `${TYPE_NAMES.get(type) ?? `TYPE${type}`} records of ${name}.`;
}

/** Throws VerificationError `malformed_chain` for records that cannot be read. */
export function refuseMalformed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DnsMessageError)) throw error;
    throw new VerificationError("malformed_chain", error.message, { cause: error });
  }
}
