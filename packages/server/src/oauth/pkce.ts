// PKCE with S256 (RFC 7636): the challenge's form, and the challenge that belongs to a verifier.

import { sha256 } from "../lib/random.ts";

/** Base64url of a SHA-256, without padding. */
export function isCodeChallenge(value: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(value);
}

/** The challenge of a verifier, or null if the verifier is not one (RFC 7636 §4.1). */
export function challengeOf(verifier: string): string | null {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) ? sha256(verifier) : null;
}
