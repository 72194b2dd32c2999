// The owner proof: a key listed in the domain's record approved this request.

import { VerificationError } from "./errors.ts";
import {
  checkRequest,
  checkTimes,
  type Expectations,
  mustEqual,
  textClaim,
} from "./expectations.ts";
import { readJsonObject } from "./json.ts";
import { algorithmOf, isSignedByJwk, type PublicJwk, readPublicJwk, thumbprintOf } from "./jwk.ts";
import { readCompactJws } from "./jws.ts";
import type { ProvenRecord } from "./proven-record.ts";
import type { ReadOwnerProof } from "./validation-data.ts";
import { verifyAssertion } from "./webauthn.ts";

export interface OwnerProof {
  /** RFC 7638 thumbprint of the owner's key. */
  readonly jkt: string;
  /** Seconds since 1970. */
  readonly exp: number;
}

/** In the statement itself, so that it cannot be used for another purpose; a JWS has both. */
const STATEMENT_TYP = "domain-owner-statement";
const JWS_TYP = "domain-owner-statement+jwt";
/** Leaves time for passkey, consent and a ten-minute code; `cch` or `nonce` ensures freshness. */
const MAX_LIFETIME_S = 3600;

/**
 * Verifies the owner's signature and what was signed. `record` must be proven. Throws
 * VerificationError: `unsuitable_key`, `key_not_in_record`, `malformed_jws`, `critical_header`,
 * `wrong_algorithm`, `bad_signature`, `malformed_claims`, `wrong_type`, `wrong_domain`,
 * `wrong_issuer`, `wrong_service_provider`, `wrong_audience`, `wrong_redirect_uri`,
 * `wrong_request`, `not_yet_valid`, `expired`, `unsupported_version`, and those of `verifyAssertion`.
 */
export async function verifyOwnerProof(
  proof: ReadOwnerProof,
  domain: string,
  record: ProvenRecord,
  expected: Expectations,
): Promise<OwnerProof> {
  const key = readPublicJwk(proof.key);
  const jkt = await thumbprintOf(key);
  if (!record.jkt.includes(jkt)) {
    throw new VerificationError("key_not_in_record", "the owner's key is not in the record's jkt");
  }
  const statement = readJsonObject(await readSigned(proof, key, record));
  if (!statement) throw new VerificationError("malformed_claims", "the statement is not JSON");
  mustEqual(statement.typ, STATEMENT_TYP, "wrong_type", `typ is not ${STATEMENT_TYP}`);
  if (statement.v !== 1) {
    throw new VerificationError("unsupported_version", "v of the statement must be 1");
  }
  mustEqual(statement.domain, domain, "wrong_domain", "the statement is for another domain");
  mustEqual(statement.svc, expected.issuer, "wrong_issuer", "svc does not match issuer");
  mustEqual(
    statement.sp,
    record.sp,
    "wrong_service_provider",
    "sp of the statement does not match the record",
  );
  checkRequest(statement, expected);
  const exp = checkTimes(statement, expected, MAX_LIFETIME_S, "statement");
  textClaim(statement, "jti");
  return { jkt, exp };
}

/** Verifies the signature and returns the octets of the statement. */
async function readSigned(
  proof: ReadOwnerProof,
  key: PublicJwk,
  record: ProvenRecord,
): Promise<Uint8Array> {
  if (proof.kind === "webauthn") {
    await verifyAssertion(proof, key, record.sp);
    return proof.statement;
  }
  const jws = readCompactJws(proof.jws, JWS_TYP);
  mustEqual(
    jws.header.alg,
    algorithmOf(key),
    "wrong_algorithm",
    "alg of the owner proof does not match its key",
  );
  if (await isSignedByJwk(key, jws.signed, jws.signature)) return jws.payload;
  throw new VerificationError("bad_signature", "the owner statement has an invalid signature");
}
