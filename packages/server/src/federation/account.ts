// The `acct` of an account at an OpenID Provider, and the record that names the account.

import { formatSpRecord } from "domain-signin-verify/record";
import { OperatorError } from "../lib/errors.ts";
import { sha256 } from "../lib/random.ts";
import { issuerMistake } from "./provider.ts";

/**
 * Base64url SHA-256 of issuer, LF, sub, LF, domain. Neither an issuer nor a domain contains an LF, so two
 * different accounts never have the same input.
 */
export function acctOf(issuer: string, sub: string, domain: string): string {
  return sha256(`${issuer}\n${sub}\n${domain}`);
}

/** The `acct`, and the value of the record to publish. Throws an `OperatorError` that lists every mistake. */
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
      : "sub (--sub) must be 1 to 255 ASCII characters, exactly as the provider issues it",
  ].filter((mistake) => mistake !== null);
  if (mistakes.length > 0) throw new OperatorError(mistakes.join("\n"));
  const acct = acctOf(issuer, sub, domain);
  return { acct, value: formatSpRecord({ sp: issuer, acct }) };
}
