// Public keys of passkeys as authenticators write them: COSE_Key (RFC 9053 §7, RFC 8230 §4).

import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { type PublicJwk, readPublicJwk } from "domain-signin-verify/jwk";
import { type CborMap, readCbor } from "./cbor.ts";

export const ALGORITHMS = { ES256: -7, EdDSA: -8, RS256: -257 } as const;

export interface CoseKey {
  readonly alg: number;
  readonly jwk: PublicJwk;
  readonly key: KeyObject;
}

/** Null unless it is a valid P-256, Ed25519 or RSA key that names the algorithm of its type. */
export function readCoseKey(octets: Buffer): CoseKey | null {
  const coseKey = readCbor(octets)?.value;
  if (!(coseKey instanceof Map)) return null;
  const { alg, ...members } = membersOf(coseKey);
  if (alg === undefined) return null;
  try {
    const jwk = readPublicJwk(members);
    // Refuses a point that is not on the curve.
    return { alg, jwk, key: createPublicKey({ key: { ...jwk }, format: "jwk" }) };
  } catch {
    return null;
  }
}

/** Whether the key made the signature, which is in DER if the algorithm is ES256 (WebAuthn Level 3 §6.5.5). */
export function isSignedBy({ alg, key }: CoseKey, signed: Buffer, signature: Buffer): boolean {
  return verify(alg === ALGORITHMS.EdDSA ? null : "sha256", signed, key, signature);
}

/** The members of the JWK. Those that are no octet strings are missing. */
function membersOf(coseKey: CborMap) {
  const [kty, alg, crv] = [coseKey.get(1), coseKey.get(3), coseKey.get(-1)];
  const member = (label: number) => {
    const value = coseKey.get(label);
    return Buffer.isBuffer(value) ? value.toString("base64url") : undefined;
  };
  if (kty === 2 && alg === ALGORITHMS.ES256 && crv === 1) {
    return { alg, kty: "EC", crv: "P-256", x: member(-2), y: member(-3) };
  }
  if (kty === 1 && alg === ALGORITHMS.EdDSA && crv === 6) {
    return { alg, kty: "OKP", crv: "Ed25519", x: member(-2) };
  }
  if (kty === 3 && alg === ALGORITHMS.RS256) {
    return { alg, kty: "RSA", n: member(-1), e: member(-2) };
  }
  return {};
}
