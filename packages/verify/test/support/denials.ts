// The records by which zones deny, made for tests by code that shares nothing with what reads them.

import { createHash } from "node:crypto";
import { join, type Octets, octets, wireName } from "./signer.ts";

export const denialType = {
  ...{ A: 1, NS: 2, CNAME: 5, SOA: 6, MX: 15, TXT: 16, AAAA: 28, DNAME: 39, DS: 43 },
  ...{ RRSIG: 46, NSEC: 47, DNSKEY: 48, NSEC3: 50, NSEC3PARAM: 51 },
} as const;

export type DenialTypeName = keyof typeof denialType;

export type Hashing = { readonly salt: string; readonly iterations: number };

/** `next` is the next hash in text; salts are in hexadecimal digits. */
export type Nsec3Fields = Partial<Hashing> & {
  readonly next: string;
  readonly types: readonly DenialTypeName[];
  readonly flags?: number;
  readonly hashAlgorithm?: number;
};

const alphabet = "0123456789abcdefghijklmnopqrstuv";

export function nsecRdata(next: string, types: readonly DenialTypeName[]): Octets {
  return join(wireName(next), bitMap(types));
}

export function nsec3Rdata(fields: Nsec3Fields): Octets {
  const { next, types, flags = 0, hashAlgorithm = 1, iterations = 0, salt = "" } = fields;
  const saltOctets = new Uint8Array(Buffer.from(salt, "hex"));
  const nextOctets = octetsOfHash(next);
  return join(
    ...[octets(hashAlgorithm, flags, iterations >> 8, iterations & 255)],
    ...[octets(saltOctets.length), saltOctets, octets(nextOctets.length), nextOctets],
    bitMap(types),
  );
}

/** RFC 5155 §5, in text. */
export function nsec3Hash(name: string, { salt, iterations }: Hashing): string {
  const salted = (octets: Uint8Array) =>
    createHash("sha1")
      .update(Buffer.concat([octets, Buffer.from(salt, "hex")]))
      .digest();
  let digest = salted(wireName(name.toLowerCase()));
  for (let left = iterations; left > 0; left--) digest = salted(digest);
  return hashText(BigInt(`0x${digest.toString("hex")}`));
}

/** The text of the hash that lies so many places behind, or before, another one. */
export function hashNear(hash: string, places: number): string {
  return hashText(BigInt.asUintN(160, numberOf(hash) + BigInt(places)));
}

function numberOf(hash: string): bigint {
  return [...hash].reduce((sum, digit) => sum * 32n + BigInt(alphabet.indexOf(digit)), 0n);
}

function hashText(number: bigint): string {
  return number.toString(32).padStart(32, "0");
}

function octetsOfHash(hash: string): Octets {
  const digits = numberOf(hash).toString(16).padStart(40, "0");
  return new Uint8Array(Buffer.from(digits, "hex"));
}

/** All of them are below 256: one window (RFC 4034 §4.1.2). */
function bitMap(types: readonly DenialTypeName[]): Octets {
  if (types.length === 0) return octets();
  const numbers = types.map((type) => denialType[type]);
  const bits = new Uint8Array((Math.max(...numbers) >> 3) + 1);
  for (const number of numbers)
    bits[number >> 3] = (bits[number >> 3] ?? 0) | (128 >> (number & 7));
  return join(octets(0, bits.length), bits);
}
