// A signing key: made, brought into and out of what is sealed, and shown by its public half.

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";

export interface SigningKey {
  /** RFC 7638 SHA-256 thumbprint of the public key. */
  readonly kid: string;
  readonly alg: "ES256";
  readonly privateKey: KeyObject;
  /** Epoch seconds from which on it is the one to sign with. */
  readonly currentFrom: number;
}

/** What is published of a key (RFC 7517 §4). */
export interface PublicJwk {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly use: "sig";
  readonly alg: "ES256";
}

/** A new private key on P-256, as PKCS#8 in DER: what is sealed. */
export function makeSigningKey(): Buffer {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "der" });
}

/** The key in such octets. Throws for others. */
export function readSigningKey(pkcs8: Buffer, currentFrom: number): SigningKey {
  const privateKey = createPrivateKey({ key: pkcs8, type: "pkcs8", format: "der" });
  const { kid, alg } = publicJwkOf(privateKey);
  return { kid, alg, privateKey, currentFrom };
}

/** The public members alone, each taken by its name: a private one cannot slip through. */
export function publicJwkOf(privateKey: KeyObject): PublicJwk {
  const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: "jwk" });
  if (kty !== "EC" || crv !== "P-256" || x === undefined || y === undefined) {
    throw new Error("a signing key is not on P-256");
  }
  // In the order of the names, as RFC 7638 §3.2 wants them.
  const thumbprint = createHash("sha256").update(JSON.stringify({ crv, kty, x, y }));
  return { kty, crv, x, y, kid: thumbprint.digest("base64url"), use: "sig", alg: "ES256" };
}
