// Record type numbers, and the rdata of the types that are read or written here.

import { encodeName, readName } from "./name.ts";
import { type Cursor, DnsMessageError, joinOctets, readOctets, readUint, uint } from "./octets.ts";

export const recordType = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  TXT: 16,
  AAAA: 28,
  DNAME: 39,
  OPT: 41,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
} as const;

export const classIn = 1;

/** The fields of an SOA record; intervals are in seconds (RFC 1035 §3.3.13). */
export interface Soa {
  readonly mname: string;
  readonly rname: string;
  readonly serial: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly minimum: number;
}

const MAX_STRING_OCTETS = 255;

/** The strings of a TXT record, joined without a separator. */
export function decodeTxt(rdata: Uint8Array): Uint8Array {
  const cursor = { octets: rdata, position: 0 };
  const strings: Uint8Array[] = [];
  do {
    strings.push(readOctets(cursor, readUint(cursor, 1)));
  } while (cursor.position < rdata.length);
  return joinOctets(strings);
}

/** Splits a value into strings of at most 255 octets. */
export function encodeTxt(value: Uint8Array): Uint8Array {
  const strings: Uint8Array[] = [];
  for (let start = 0; start === 0 || start < value.length; start += MAX_STRING_OCTETS) {
    const string = value.subarray(start, start + MAX_STRING_OCTETS);
    strings.push(uint(string.length, 1), string);
  }
  return joinOctets(strings);
}

/** Decodes the rdata of a CNAME or NS record, which is one name. */
export function decodeHostName(rdata: Uint8Array): string {
  const cursor = { octets: rdata, position: 0 };
  const name = readName(cursor);
  if (cursor.position !== rdata.length) throw new DnsMessageError("extra octets follow a name");
  return name;
}

export function encodeSoa(soa: Soa): Uint8Array {
  const { serial, refresh, retry, expire, minimum } = soa;
  const numbers = [serial, refresh, retry, expire, minimum].map((number) => uint(number, 4));
  return joinOctets([encodeName(soa.mname), encodeName(soa.rname), ...numbers]);
}

/**
 * Reads rdata from a message. Names that may be compressed (RFC 3597 §4) are expanded, and a TXT
 * record whose string lengths do not match its length is rejected.
 */
export function readRdata(cursor: Cursor, type: number): Uint8Array {
  const length = readUint(cursor, 2);
  const end = cursor.position + length;
  const rdata = readExpanded(cursor, type, length);
  if (cursor.position !== end) throw new DnsMessageError("rdata does not match its length");
  return rdata;
}

function readExpanded(cursor: Cursor, type: number, length: number): Uint8Array {
  switch (type) {
    case recordType.CNAME:
    case recordType.NS:
      return encodeName(readName(cursor));
    case recordType.SOA: {
      const names = [encodeName(readName(cursor)), encodeName(readName(cursor))];
      return joinOctets([...names, readOctets(cursor, 20)]);
    }
    case recordType.TXT: {
      const rdata = readOctets(cursor, length);
      decodeTxt(rdata);
      return rdata;
    }
    default:
      return readOctets(cursor, length);
  }
}
