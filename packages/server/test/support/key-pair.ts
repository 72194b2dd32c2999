// Key pairs for tests.

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";

const publicKeyEncoding = { type: "spki", format: "pem" } as const;
const privateKeyEncoding = { type: "pkcs8", format: "pem" } as const;

/**
 * A new pair that may be exported as a JWK at any time. Node 20 may stop for good when it exports one
 * that `generateKeyPairSync` returned as an object: while it holds the key's lock, garbage collection
 * may remove the job that made the key, which takes the same lock. A key that was read from its text
 * has no such job.
 */
export function makeKeyPair(type: "ec" | "ed25519" | "rsa"): {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
} {
  const key = createPrivateKey(newKeyAsText(type));
  return { privateKey: key, publicKey: createPublicKey(key) };
}

/** PKCS #8 as PEM. */
function newKeyAsText(type: "ec" | "ed25519" | "rsa"): string {
  switch (type) {
    case "ec": {
      const namedCurve = "P-256";
      return generateKeyPairSync("ec", { namedCurve, publicKeyEncoding, privateKeyEncoding })
        .privateKey;
    }
    case "ed25519":
      return generateKeyPairSync("ed25519", { publicKeyEncoding, privateKeyEncoding }).privateKey;
    case "rsa": {
      const modulusLength = 2048;
      return generateKeyPairSync("rsa", { modulusLength, publicKeyEncoding, privateKeyEncoding })
        .privateKey;
    }
  }
}
