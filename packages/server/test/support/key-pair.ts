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
export function makeKeyPair(type: "ec" | "rsa"): {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
} {
  const pkcs8: string =
    type === "ec"
      ? generateKeyPairSync("ec", { namedCurve: "P-256", publicKeyEncoding, privateKeyEncoding })
          .privateKey
      : generateKeyPairSync("rsa", { modulusLength: 2048, publicKeyEncoding, privateKeyEncoding })
          .privateKey;
  const key = createPrivateKey(pkcs8);
  return { privateKey: key, publicKey: createPublicKey(key) };
}
