// Decoders for the rdata of the DNSSEC record types (RFC 4034, RFC 5155), and the key tag.

import { readUncompressedName } from "./name.ts";
import { type Cursor, DnsMessageError, readOctets, readUint } from "./octets.ts";

/** Flags of a DNSKEY record (RFC 4034 §2.1.1, RFC 5011 §3). */
export const dnskeyFlag = { zone: 0x0100, revoke: 0x0080, secureEntryPoint: 0x0001 } as const;

/** `rdata` is the input of digests and of the key tag. */
export interface Dnskey {
  readonly flags: number;
  readonly protocol: number;
  readonly algorithm: number;
  readonly publicKey: Uint8Array;
  readonly keyTag: number;
  readonly rdata: Uint8Array;
}

export interface Ds {
  readonly keyTag: number;
  readonly algorithm: number;
  readonly digestType: number;
  readonly digest: Uint8Array;
}

/** `inception` and `expiration` are seconds modulo 2^32 (RFC 4034 §3.1.5). */
export interface Rrsig {
  readonly typeCovered: number;
  readonly algorithm: number;
  readonly labels: number;
  readonly originalTtl: number;
  readonly expiration: number;
  readonly inception: number;
  readonly keyTag: number;
  readonly signer: string;
  readonly signature: Uint8Array;
  readonly rdata: Uint8Array;
}

export type Nsec = { readonly nextName: string; readonly types: readonly number[] };

export interface Nsec3 {
  readonly hashAlgorithm: number;
  readonly flags: number;
  readonly iterations: number;
  readonly salt: Uint8Array;
  readonly nextHash: Uint8Array;
  readonly types: readonly number[];
}

export function decodeDnskey(rdata: Uint8Array): Dnskey {
  const cursor = { octets: rdata, position: 0 };
  const flags = readUint(cursor, 2);
  const protocol = readUint(cursor, 1);
  const algorithm = readUint(cursor, 1);
  const publicKey = readRest(cursor);
  return { flags, protocol, algorithm, publicKey, keyTag: keyTagOf(rdata), rdata };
}

/** Whether a key may sign the records of its zone (RFC 4034 §2.1.1 and §2.1.2, RFC 5011 §3). */
export function isZoneKey({ flags, protocol }: Dnskey): boolean {
  return (flags & dnskeyFlag.zone) !== 0 && (flags & dnskeyFlag.revoke) === 0 && protocol === 3;
}

export function decodeDs(rdata: Uint8Array): Ds {
  const cursor = { octets: rdata, position: 0 };
  return {
    keyTag: readUint(cursor, 2),
    algorithm: readUint(cursor, 1),
    digestType: readUint(cursor, 1),
    digest: readRest(cursor),
  };
}

export function decodeRrsig(rdata: Uint8Array): Rrsig {
  const cursor = { octets: rdata, position: 0 };
  return {
    typeCovered: readUint(cursor, 2),
    algorithm: readUint(cursor, 1),
    labels: readUint(cursor, 1),
    originalTtl: readUint(cursor, 4),
    expiration: readUint(cursor, 4),
    inception: readUint(cursor, 4),
    keyTag: readUint(cursor, 2),
    signer: readUncompressedName(cursor),
    signature: readRest(cursor),
    rdata,
  };
}

export function decodeNsec(rdata: Uint8Array): Nsec {
  const cursor = { octets: rdata, position: 0 };
  return { nextName: readUncompressedName(cursor), types: readTypeBitMaps(cursor) };
}

export function decodeNsec3(rdata: Uint8Array): Nsec3 {
  const cursor = { octets: rdata, position: 0 };
  return {
    hashAlgorithm: readUint(cursor, 1),
    flags: readUint(cursor, 1),
    iterations: readUint(cursor, 2),
    salt: readOctets(cursor, readUint(cursor, 1)),
    nextHash: readOctets(cursor, readUint(cursor, 1)),
    types: readTypeBitMaps(cursor),
  };
}

/** Identifies the key of a signature or DS record, but is not unique: a checksum (RFC 4034 B). */
export function keyTagOf(dnskeyRdata: Uint8Array): number {
  let sum = 0;
  dnskeyRdata.forEach((octet, index) => {
    sum += index % 2 === 0 ? octet << 8 : octet;
  });
  return (sum + (sum >>> 16)) & 0xffff;
}

/** The types that exist at a name, in ascending order (RFC 4034 §4.1.2). */
function readTypeBitMaps(cursor: Cursor): number[] {
  const types: number[] = [];
  let lastWindow = -1;
  while (cursor.position < cursor.octets.length) {
    const window = readUint(cursor, 1);
    if (window <= lastWindow) throw new DnsMessageError("type bit maps are not in order");
    lastWindow = window;
    const bits = readOctets(cursor, readUint(cursor, 1));
    if (bits.length > 32 || !bits.at(-1)) throw new DnsMessageError("a type bit map is malformed");
    bits.forEach((octet, index) => {
      for (let bit = 0; bit < 8; bit++) {
        if (octet & (0x80 >> bit)) types.push(window * 256 + index * 8 + bit);
      }
    });
  }
  return types;
}

/** Reads a key, digest or signature, which must not be empty. */
function readRest(cursor: Cursor): Uint8Array {
  const rest = readOctets(cursor, cursor.octets.length - cursor.position);
  if (rest.length === 0) throw new DnsMessageError("a key, digest or signature is empty");
  return rest;
}
