// The `acct` that names an account at an OpenID Provider which knows nothing of domains.

import { sha256 } from "../lib/random.ts";

/**
 * Base64url SHA-256 of issuer, LF, sub, LF, domain. Neither an issuer nor a domain holds an LF, so that no two
 * accounts are written the same.
 */
export function acctOf(issuer: string, sub: string, domain: string): string {
  return sha256(`${issuer}\n${sub}\n${domain}`);
}
