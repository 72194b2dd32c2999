// Signing keys: generation, PKCS#8 encoding, and public JWK.

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
} from "node:crypto";
import { promisify } from "node:util";

/** JWS algorithms (RFC 7518 §3.1, RFC 8037 §3.1); EdDSA with Ed25519 alone. */
export type SigningAlg = "ES256" | "RS256" | "EdDSA";

export interface SigningKey {
  /** RFC 7638 SHA-256 thumbprint of the public key. */
  readonly kid: string;
  readonly alg: SigningAlg;
  readonly privateKey: KeyObject;
  readonly jwk: PublicJwk;
  /** Epoch seconds; from then on, this key is used for signing. */
  readonly currentFrom: number;
}

type PublicMembers =
  | { readonly kty: "EC"; readonly crv: "P-256"; readonly x: string; readonly y: string }
  | { readonly kty: "RSA"; readonly n: string; readonly e: string }
  | { readonly kty: "OKP"; readonly crv: "Ed25519"; readonly x: string };

/** The published JWK of a key (RFC 7517 §4). */
export type PublicJwk = PublicMembers & {
  readonly kid: string;
  readonly use: "sig";
  readonly alg: SigningAlg;
};

const generate = promisify(generateKeyPair);

/** Generates a private key, as PKCS#8 in DER. Uses the thread pool, because RSA keys take long. */
export async function makeSigningKey(alg: SigningAlg): Promise<Buffer> {
  const { privateKey } = await generated(alg);
  return privateKey.export({ type: "pkcs8", format: "der" });
}

function generated(alg: SigningAlg): Promise<{ privateKey: KeyObject }> {
  if (alg === "ES256") return generate("ec", { namedCurve: "P-256" });
  if (alg === "RS256") return generate("rsa", { modulusLength: 2048 });
  return generate("ed25519");
}

/** Reads a key from PKCS#8 in DER. Throws if it is not one. */
export function readSigningKey(pkcs8: Buffer, currentFrom: number): SigningKey {
  const privateKey = createPrivateKey({ key: pkcs8, type: "pkcs8", format: "der" });
  const jwk = publicJwkOf(privateKey);
  return { kid: jwk.kid, alg: jwk.alg, privateKey, jwk, currentFrom };
}

/** Copies only the public members, each by name, so that a private member can never be included. */
export function publicJwkOf(privateKey: KeyObject): PublicJwk {
  const { kty, crv, x, y, n, e } = createPublicKey(privateKey).export({ format: "jwk" });
  // In lexicographic order, as RFC 7638 §3.2 requires.
  if (kty === "EC" && crv === "P-256" && x !== undefined && y !== undefined) {
    return named({ crv, kty, x, y }, "ES256");
  }
  if (kty === "RSA" && n !== undefined && e !== undefined) return named({ e, kty, n }, "RS256");
  if (kty === "OKP" && crv === "Ed25519" && x !== undefined) return named({ crv, kty, x }, "EdDSA");
  throw new Error("unsupported signing key: it must be P-256, RSA or Ed25519");
}

function named(members: PublicMembers, alg: SigningAlg): PublicJwk {
  const thumbprint = createHash("sha256").update(JSON.stringify(members));
  return { ...members, kid: thumbprint.digest("base64url"), use: "sig", alg };
}
