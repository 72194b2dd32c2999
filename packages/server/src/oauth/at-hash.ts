// The `at_hash` claim, which binds a signed token to an access token (OIDC Core §3.1.3.6).

import { createHash } from "node:crypto";
import type { SigningAlg } from "../keys/signing-key.ts";

/** The left half of the hash of the algorithm, in base64url. Ed25519 uses SHA-512. */
export function accessTokenHash(accessToken: string, alg: SigningAlg): string {
  const hash = createHash(alg === "EdDSA" ? "sha512" : "sha256");
  const octets = hash.update(accessToken, "ascii").digest();
  return octets.subarray(0, octets.length / 2).toString("base64url");
}
