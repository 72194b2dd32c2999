// Public keys as JWKs: what may sign here, its thumbprint (RFC 7638) and its signatures.

import { decodeBase64url, encodeBase64url } from "./base64url.ts";
import { isSignature, plain, type Scheme, subtle } from "./dnssec/signature.ts";
import { VerificationError } from "./errors.ts";
import type { JsonObject } from "./json.ts";

/** Members stand in the order of their names, as the thumbprint wants them. */
export type PublicJwk =
  | { readonly crv: "P-256"; readonly kty: "EC"; readonly x: string; readonly y: string }
  | { readonly crv: "Ed25519"; readonly kty: "OKP"; readonly x: string }
  | { readonly e: string; readonly kty: "RSA"; readonly n: string };

export type JwsAlgorithm = "ES256" | "EdDSA" | "RS256";

const minModulusOctets = 256;
const maxModulusOctets = 512;
/** What BoringSSL takes is 33 bits; nobody uses more than 32. */
const maxExponentOctets = 4;

/**
 * Takes the public members of a JWK and leaves all others. Throws VerificationError
 * `unsuitable_key` for other types, curves and sizes than are used here.
 */
export function readPublicJwk({ kty, crv, x, y, e, n }: JsonObject): PublicJwk {
  if (kty === "EC" && crv === "P-256" && hasOctets(x, 32) && hasOctets(y, 32)) {
    return { crv, kty, x, y };
  }
  if (kty === "OKP" && crv === "Ed25519" && hasOctets(x, 32)) return { crv, kty, x };
  if (kty === "RSA" && isExponent(e) && isModulus(n)) return { e, kty, n };
  throw new VerificationError("unsuitable_key", "a key is not P-256, Ed25519 or RSA of 2048 bits");
}

/** The key's type says the algorithm, never the message. */
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

/** SHA-256 over the members in the order in which `readPublicJwk` puts them. */
export async function thumbprintOf(key: PublicJwk): Promise<string> {
  return encodeBase64url(await sha256(new TextEncoder().encode(JSON.stringify(key))));
}

/**
 * Whether the key made the signature, which has the form of RFC 7518 (ES256: both numbers, 64
 * octets). Throws VerificationError `platform_unsupported`.
 */
export async function isSignedByJwk(
  key: PublicJwk,
  signed: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const scheme = schemeOf(key);
  const importKey = () => subtle().importKey("jwk", { ...key }, scheme, false, ["verify"]);
  return isSignature(scheme, importKey, signed, signature);
}

export async function sha256(octets: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await subtle().digest("SHA-256", plain(octets)));
}

function schemeOf({ kty }: PublicJwk): Scheme {
  switch (kty) {
    case "EC":
      return { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
    case "OKP":
      return { name: "Ed25519" };
    case "RSA":
      return { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  }
}

function hasOctets(member: unknown, count: number): member is string {
  return octetsOf(member).length === count;
}

function isExponent(member: unknown): member is string {
  const octets = octetsOf(member);
  const isOdd = (octets.at(-1) ?? 0) % 2 === 1;
  const isOverOne = octets.length > 1 || (octets[0] ?? 0) > 1;
  return isOdd && isOverOne && octets[0] !== 0 && octets.length <= maxExponentOctets;
}

function isModulus(member: unknown): member is string {
  const octets = octetsOf(member);
  const isLong = (octets[0] ?? 0) >= 0x80 || octets.length > minModulusOctets;
  const isSized = octets.length >= minModulusOctets && octets.length <= maxModulusOctets;
  return isLong && isSized && octets[0] !== 0;
}

function octetsOf(member: unknown): Uint8Array {
  const octets = typeof member === "string" ? decodeBase64url(member) : null;
  return octets ?? new Uint8Array();
}
