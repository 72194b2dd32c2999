// Public keys as JWKs: the supported types, thumbprints (RFC 7638) and signature checks.

import { decodeBase64url, encodeBase64url } from "./base64url.ts";
import { joinOctets } from "./dns/octets.ts";
import { isSignatureBy, type PublicKey, plain, subtle } from "./dnssec/signature.ts";
import { VerificationError } from "./errors.ts";
import type { JsonObject } from "./json.ts";

/** Members are in the order that the thumbprint requires (RFC 7638 §3.3). */
export type PublicJwk =
  | { readonly crv: "P-256"; readonly kty: "EC"; readonly x: string; readonly y: string }
  | { readonly crv: "Ed25519"; readonly kty: "OKP"; readonly x: string }
  | { readonly e: string; readonly kty: "RSA"; readonly n: string };

export type JwsAlgorithm = "ES256" | "EdDSA" | "RS256";

const MIN_MODULUS_OCTETS = 256;
const MAX_MODULUS_OCTETS = 512;
/** BoringSSL accepts 33 bits; keys in use have at most 32. */
const MAX_EXPONENT_OCTETS = 4;

/**
 * Reads the public members of a JWK and ignores all others. Throws VerificationError
 * `unsuitable_key` for unsupported types, curves and sizes.
 */
export function readPublicJwk({ kty, crv, x, y, e, n }: JsonObject): PublicJwk {
  if (kty === "EC" && crv === "P-256" && hasOctets(x, 32) && hasOctets(y, 32)) {
    return { crv, kty, x, y };
  }
  if (kty === "OKP" && crv === "Ed25519" && hasOctets(x, 32)) return { crv, kty, x };
  if (kty === "RSA" && isExponent(e) && isModulus(n)) return { e, kty, n };
  throw new VerificationError("unsuitable_key", "key must be P-256, Ed25519 or RSA 2048-4096 bits");
}

/** The key type determines the algorithm; the message never does. */
export function algorithmOf({ kty }: PublicJwk): JwsAlgorithm {
  switch (kty) {
    case "EC":
      return "ES256";
    case "OKP":
      return "EdDSA";
    case "RSA":
      return "RS256";
  }
}

/** Whether `alg` of a JWS fits its key. Ed25519 has two names (RFC 8037, RFC 9864). */
export function isAlgorithmOf(key: PublicJwk, alg: unknown): boolean {
  return alg === algorithmOf(key) || (alg === "Ed25519" && key.kty === "OKP");
}

/** SHA-256 over the members, in the order in which `readPublicJwk` returns them. */
export async function thumbprintOf(key: PublicJwk): Promise<string> {
  return encodeBase64url(await sha256(new TextEncoder().encode(JSON.stringify(key))));
}

/**
 * Whether the key made the signature, encoded as in RFC 7518 (ES256: r and s, 64 octets). Throws
 * VerificationError `platform_unsupported`.
 */
export function isSignedByJwk(
  key: PublicJwk,
  signed: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  return isSignatureBy(asDnskey(key), signed, signature);
}

export async function sha256(octets: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await subtle().digest("SHA-256", plain(octets)));
}

/** DNSSEC has the same algorithms, with the same form of signatures. */
function asDnskey(key: PublicJwk): PublicKey {
  switch (key.kty) {
    case "EC":
      return { algorithm: 13, publicKey: joinOctets([octetsOf(key.x), octetsOf(key.y)]) };
    case "OKP":
      return { algorithm: 15, publicKey: octetsOf(key.x) };
    case "RSA": {
      const exponent = octetsOf(key.e);
      const length = Uint8Array.of(exponent.length);
      return { algorithm: 8, publicKey: joinOctets([length, exponent, octetsOf(key.n)]) };
    }
  }
}

function hasOctets(member: unknown, count: number): member is string {
  return octetsOf(member).length === count;
}

function isExponent(member: unknown): member is string {
  const octets = octetsOf(member);
  const isOdd = (octets.at(-1) ?? 0) % 2 === 1;
  const isOverOne = octets.length > 1 || (octets[0] ?? 0) > 1;
  return isOdd && isOverOne && octets[0] !== 0 && octets.length <= MAX_EXPONENT_OCTETS;
}

function isModulus(member: unknown): member is string {
  const octets = octetsOf(member);
  const isLong = (octets[0] ?? 0) >= 0x80 || octets.length > MIN_MODULUS_OCTETS;
  const isSized = octets.length >= MIN_MODULUS_OCTETS && octets.length <= MAX_MODULUS_OCTETS;
  return isLong && isSized && octets[0] !== 0;
}

function octetsOf(member: unknown): Uint8Array {
  const octets = typeof member === "string" ? decodeBase64url(member) : null;
  return octets ?? new Uint8Array();
}
