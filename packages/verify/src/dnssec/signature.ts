// Checks one signature by one DNSKEY with the platform's WebCrypto.

import { encodeBase64url } from "../base64url.ts";
import type { Dnskey } from "../dns/dnssec-records.ts";
import { VerificationError } from "../errors.ts";

/** A key in the format of a DNSKEY record: RFC 3110 §2, RFC 6605 §4, RFC 8080 §3. */
export type PublicKey = Pick<Dnskey, "algorithm" | "publicKey">;

type Scheme =
  | { readonly name: "RSASSA-PKCS1-v1_5"; readonly hash: "SHA-256" | "SHA-512" }
  | {
      readonly name: "ECDSA";
      readonly namedCurve: "P-256" | "P-384";
      readonly hash: "SHA-256" | "SHA-384";
    }
  | { readonly name: "Ed25519" | "Ed448" };

/** The algorithms to validate according to RFC 8624 §3.1, except those based on SHA-1. */
const SCHEMES = new Map<number, Scheme>([
  [8, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }],
  [10, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" }],
  [13, { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }],
  [14, { name: "ECDSA", namedCurve: "P-384", hash: "SHA-384" }],
  [15, { name: "Ed25519" }],
  [16, { name: "Ed448" }],
]);

const MIN_RSA_BITS = 1024;
const MAX_RSA_BITS = 4096;
/** The limit of BoringSSL, so that every platform gives the same result. */
const MAX_EXPONENT_BITS = 33;

export function isSupportedAlgorithm(algorithm: number): boolean {
  return SCHEMES.has(algorithm);
}

/** Why none of the algorithms can be verified here; null if one can. Only use shows what a platform has. */
export async function platformLacks(
  algorithms: readonly number[],
): Promise<VerificationError | null> {
  const nothing = new Uint8Array(1);
  let lacking: VerificationError | null = null;
  for (const algorithm of new Set(algorithms)) {
    try {
      await isSignatureBy({ algorithm, publicKey: nothing }, nothing, nothing);
      return null;
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      if (error.code === "unsuitable_key") return null;
      lacking = error;
    }
  }
  return lacking;
}

/**
 * Whether the key made the signature. Throws VerificationError `unsupported_algorithm`,
 * `unsuitable_key` (an RSA key of unsupported size) or `platform_unsupported`.
 */
export async function isSignatureBy(
  key: PublicKey,
  signed: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const scheme = SCHEMES.get(key.algorithm);
  if (!scheme) {
    throw new VerificationError("unsupported_algorithm", `unsupported algorithm ${key.algorithm}`);
  }
  try {
    const imported = await importedKey(scheme, key);
    return await subtle().verify(scheme, imported, plain(signature), plain(signed));
  } catch (error) {
    // A key that is not a point of its curve, or has the wrong length, has signed nothing.
    if (!(error instanceof DOMException)) throw error;
    if (error.name !== "NotSupportedError") return false;
    throw new VerificationError("platform_unsupported", `WebCrypto lacks ${scheme.name}`, {
      cause: error,
    });
  }
}

/** The platform's WebCrypto, which browsers offer in secure contexts only. */
export function subtle(): SubtleCrypto {
  const found: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (found) return found;
  throw new VerificationError("platform_unsupported", "WebCrypto is not available");
}

/** WebCrypto rejects views of shared buffers, and the type of a view does not exclude those. */
export function plain(octets: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(octets);
}

/** By algorithm and public key. The keys of the root and of a few zones are in every chain. */
const importedKeys = new Map<string, Promise<CryptoKey>>();
const MAX_IMPORTED_KEYS = 256;

/** Importing a key takes as long as checking a signature, so imported keys are cached. */
function importedKey(scheme: Scheme, { algorithm, publicKey }: PublicKey): Promise<CryptoKey> {
  const name = `${algorithm} ${encodeBase64url(publicKey)}`;
  const known = importedKeys.get(name);
  if (known !== undefined) return known;
  const key = importPublicKey(scheme, publicKey);
  if (importedKeys.size === MAX_IMPORTED_KEYS) importedKeys.clear();
  importedKeys.set(name, key);
  // The failure may have another cause than the key.
  key.catch(() => importedKeys.delete(name));
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

/** The length of the exponent, the exponent, the modulus (RFC 3110 §2). */
function rsaJwk(publicKey: Uint8Array): JsonWebKey {
  const [first = 0, second = 0, third = 0] = publicKey;
  const start = first === 0 ? 3 : 1;
  const end = start + (first === 0 ? second * 256 + third : first);
  const exponent = publicKey.subarray(start, end);
  const modulus = publicKey.subarray(end);
  const modulusBits = bitLength(modulus);
  const isSane =
    modulusBits >= MIN_RSA_BITS &&
    modulusBits <= MAX_RSA_BITS &&
    bitLength(exponent) >= 2 &&
    bitLength(exponent) <= MAX_EXPONENT_BITS &&
    (exponent.at(-1) ?? 0) % 2 === 1;
  if (!isSane) throw new VerificationError("unsuitable_key", "unsupported RSA key size");
  return { kty: "RSA", n: encodeBase64url(modulus), e: encodeBase64url(exponent) };
}

/** Zero for an empty number, and for leading zeros, which RFC 3110 forbids. */
function bitLength(octets: Uint8Array): number {
  const [first = 0] = octets;
  return first === 0 ? 0 : octets.length * 8 - (Math.clz32(first) - 24);
}
