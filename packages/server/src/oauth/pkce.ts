// PKCE with S256 (RFC 7636).

import { sha256 } from "../lib/random.ts";

/** Whether the value is a base64url-encoded SHA-256 hash without padding. */
export function isCodeChallenge(value: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(value);
}

/** The S256 challenge of a verifier; null if the verifier is malformed (RFC 7636 §4.1). */
export function challengeOf(verifier: string): string | null {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) ? sha256(verifier) : null;
}
