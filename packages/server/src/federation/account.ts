// How a record names an account at an OpenID Provider.

import { formatSpRecord } from "domain-signin-verify/record";
import { OperatorError } from "../lib/errors.ts";
import { sha256 } from "../lib/random.ts";
import { issuerMistake } from "./provider.ts";

/**
 * Base64url SHA-256 of issuer, LF, sub, LF, domain. Neither an issuer nor a domain holds an LF, so that no two
 * accounts are written the same.
 */
export function acctOf(issuer: string, sub: string, domain: string): string {
  return sha256(`${issuer}\n${sub}\n${domain}`);
}

/** Its `acct`, and its value as it is published. Throws `OperatorError` that lists every mistake. */
export function accountRecord(
  issuer: string,
  sub: string,
  domain: string,
): { readonly acct: string; readonly value: string } {
  const mistakes = [
    issuerMistake(issuer, { allowLoopbackIssuer: true, allowIssuerPort: true }),
    // OpenID Connect Core §2.
    /^[\x20-\x7e]{1,255}$/.test(sub)
      ? null
      : "sub (--sub) must be 1 to 255 characters of ASCII, as the provider says it",
  ].filter((mistake) => mistake !== null);
  if (mistakes.length > 0) throw new OperatorError(mistakes.join("\n"));
  const acct = acctOf(issuer, sub, domain);
  return { acct, value: formatSpRecord({ sp: issuer, acct }) };
}
