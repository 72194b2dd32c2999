// A statement: what the owner or the service provider of a domain says about one request of one app.

import { VerificationError } from "./errors.ts";
import {
  checkRequest,
  checkTimes,
  type Expectations,
  mustEqual,
  type RequestExpectations,
  textClaim,
} from "./expectations.ts";
import { readJsonObject } from "./json.ts";
import type { ProvenRecord } from "./proven-record.ts";

/** What the client knows about its request. */
export type StatementExpectations = RequestExpectations & Pick<Expectations, "issuer" | "now">;

/** In the statement itself, so that it cannot be used for another purpose; a JWS adds `+jwt` in its header. */
export type StatementType = "domain-owner-statement" | "domain-provider-statement";

/** Leaves time for passkey, consent and a ten-minute code; `cch` or `nonce` ensures freshness. */
const MAX_LIFETIME_S = 3600;

/**
 * Checks what was signed. `record` must be proven. Returns `exp`, seconds since 1970. Throws
 * VerificationError: `malformed_claims`, `wrong_type`, `unsupported_version`, `wrong_domain`,
 * `wrong_issuer`, `wrong_service_provider`, `wrong_account`, `wrong_audience`, `wrong_redirect_uri`,
 * `wrong_request`, `not_yet_valid`, `expired`.
 */
export function checkStatement(
  octets: Uint8Array,
  typ: StatementType,
  domain: string,
  record: ProvenRecord,
  expected: StatementExpectations,
): number {
  const statement = readJsonObject(octets);
  if (!statement) throw new VerificationError("malformed_claims", "the statement is not JSON");
  mustEqual(statement.typ, typ, "wrong_type", `typ is not ${typ}`);
  if (statement.v !== 1) {
    throw new VerificationError("unsupported_version", "v of the statement must be 1");
  }
  mustEqual(statement.domain, domain, "wrong_domain", "the statement is for another domain");
  mustEqual(statement.svc, expected.issuer, "wrong_issuer", "svc does not match issuer");
  mustBeOfRecord(statement, record, "the statement");
  checkRequest(statement, expected);
  const exp = checkTimes(statement, expected, MAX_LIFETIME_S, "statement");
  textClaim(statement, "jti");
  return exp;
}

/** For statements and attestations alike: `sp` and `acct` must be those that the zone published. */
export function mustBeOfRecord(
  said: { readonly sp?: unknown; readonly acct?: unknown },
  { sp, acct }: ProvenRecord,
  by: string,
): void {
  mustEqual(said.sp, sp, "wrong_service_provider", `sp of ${by} does not match the record`);
  mustEqual(said.acct, acct, "wrong_account", `acct of ${by} does not match the record`);
}
