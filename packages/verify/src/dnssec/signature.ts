// One signature by one DNSKEY, checked by the platform's WebCrypto.

import { encodeBase64url } from "../base64url.ts";
import type { Dnskey } from "../dns/dnssec-records.ts";
import { VerificationError } from "../errors.ts";

export type Scheme =
  | { readonly name: "RSASSA-PKCS1-v1_5"; readonly hash: "SHA-256" | "SHA-512" }
  | {
      readonly name: "ECDSA";
      readonly namedCurve: "P-256" | "P-384";
      readonly hash: "SHA-256" | "SHA-384";
    }
  | { readonly name: "Ed25519" | "Ed448" };

/** What RFC 8624 §3.1 wants validated, without all that rests on SHA-1. */
const schemes = new Map<number, Scheme>([
  [8, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }],
  [10, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" }],
  [13, { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }],
  [14, { name: "ECDSA", namedCurve: "P-384", hash: "SHA-384" }],
  [15, { name: "Ed25519" }],
  [16, { name: "Ed448" }],
]);

const minRsaBits = 1024;
const maxRsaBits = 4096;
/** What BoringSSL takes, so that every platform says the same. */
const maxExponentBits = 33;

export function isSupportedAlgorithm(algorithm: number): boolean {
  return schemes.has(algorithm);
}

/**
 * Whether the key made the signature. Throws VerificationError `unsupported_algorithm`,
 * `unsuitable_key` (an RSA key of odd size) or `platform_unsupported`.
 */
export async function isSignatureBy(
  key: Dnskey,
  signed: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const scheme = schemes.get(key.algorithm);
  if (!scheme) {
    throw new VerificationError("unsupported_algorithm", `algorithm ${key.algorithm} is not read`);
  }
  return isSignature(scheme, () => importedKey(scheme, key), signed, signature);
}

/** The same for a key that comes in another form. Throws what `importKey` throws of our errors. */
export async function isSignature(
  scheme: Scheme,
  importKey: () => Promise<CryptoKey>,
  signed: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  try {
    return await subtle().verify(scheme, await importKey(), plain(signature), plain(signed));
  } catch (error) {
    // A key that is no point of its curve, or whose length is wrong, has signed nothing.
    if (!(error instanceof DOMException)) throw error;
    if (error.name !== "NotSupportedError") return false;
    throw new VerificationError("platform_unsupported", `there is no ${scheme.name} here`, {
      cause: error,
    });
  }
}

/** The platform's WebCrypto, which browsers keep from pages that did not come over TLS. */
export function subtle(): SubtleCrypto {
  const found: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (found) return found;
  throw new VerificationError("platform_unsupported", "there is no WebCrypto here");
}

/** WebCrypto takes no view of a shared buffer, and the type of a view does not tell. */
export function plain(octets: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(octets);
}

/** The keys of the root and of a few zones below it stand in every chain. */
const imported = new Map<string, Promise<CryptoKey>>();
const maxImported = 256;

/** Importing a key takes as long as checking a signature with it; so it is kept for the next one. */
function importedKey(scheme: Scheme, { algorithm, publicKey }: Dnskey): Promise<CryptoKey> {
  const name = `${algorithm} ${encodeBase64url(publicKey)}`;
  const known = imported.get(name);
  if (known !== undefined) return known;
  const key = importPublicKey(scheme, publicKey);
  if (imported.size === maxImported) imported.clear();
  imported.set(name, key);
  // It may have failed by no fault of the key.
  key.catch(() => imported.delete(name));
  return key;
}

function importPublicKey(scheme: Scheme, publicKey: Uint8Array): Promise<CryptoKey> {
  switch (scheme.name) {
    case "RSASSA-PKCS1-v1_5":
      return subtle().importKey("jwk", rsaJwk(publicKey), scheme, false, ["verify"]);
    case "ECDSA":
      return importRaw(scheme, [4, ...publicKey]);
    case "Ed25519":
    case "Ed448":
      return importRaw(scheme, publicKey);
  }
}

function importRaw(scheme: Scheme, octets: Iterable<number>): Promise<CryptoKey> {
  return subtle().importKey("raw", Uint8Array.from(octets), scheme, false, ["verify"]);
}

/** An exponent behind its length, then the modulus (RFC 3110 §2). */
function rsaJwk(publicKey: Uint8Array): JsonWebKey {
  const [first = 0, second = 0, third = 0] = publicKey;
  const start = first === 0 ? 3 : 1;
  const end = start + (first === 0 ? second * 256 + third : first);
  const exponent = publicKey.subarray(start, end);
  const modulus = publicKey.subarray(end);
  const modulusBits = bitLength(modulus);
  const isSane =
    modulusBits >= minRsaBits &&
    modulusBits <= maxRsaBits &&
    bitLength(exponent) >= 2 &&
    bitLength(exponent) <= maxExponentBits &&
    (exponent.at(-1) ?? 0) % 2 === 1;
  if (!isSane) throw new VerificationError("unsuitable_key", "an RSA key has an odd size");
  return { kty: "RSA", n: encodeBase64url(modulus), e: encodeBase64url(exponent) };
}

/** Zero for a number with leading zeros, which RFC 3110 forbids, and for no octets. */
function bitLength(octets: Uint8Array): number {
  const [first = 0] = octets;
  return first === 0 ? 0 : octets.length * 8 - (Math.clz32(first) - 24);
}
