// The owner proof: a key that the domain's record lists approved this very request.

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

export type OwnerProof = {
  /** RFC 7638 thumbprint of the owner's key. */
  readonly jkt: string;
  /** Seconds since 1970. */
  readonly exp: number;
};

/** In the statement itself, so that a key signs it for no other purpose; a JWS says it as well. */
const statementTyp = "domain-owner-statement";
const jwsTyp = "domain-owner-statement+jwt";
/** Passkey, consent and a code of ten minutes must fit; freshness comes from `cch` or `nonce`. */
const maxLifetime = 3600;

/**
 * Verifies the owner's signature and what was signed. `record` must be proven. Throws
 * VerificationError: `unsuitable_key`, `key_not_in_record`, `malformed_jws`, `critical_header`,
 * `wrong_algorithm`, `bad_signature`, `malformed_claims`, `wrong_type`, `wrong_domain`,
 * `wrong_issuer`, `wrong_service_provider`, `wrong_audience`, `wrong_redirect_uri`,
 * `wrong_request`, `not_yet_valid`, `expired`, and all that `verifyAssertion` throws.
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
    throw new VerificationError("key_not_in_record", "the record does not list the owner's key");
  }
  const statement = readJsonObject(await readSigned(proof, key, record));
  if (!statement) throw new VerificationError("malformed_claims", "the statement is no JSON");
  mustEqual(statement.typ, statementTyp, "wrong_type", `the statement is no ${statementTyp}`);
  if (statement.v !== 1) {
    throw new VerificationError("unsupported_version", "v of the statement is not 1");
  }
  mustEqual(statement.domain, domain, "wrong_domain", "the statement names another domain");
  mustEqual(statement.svc, expected.issuer, "wrong_issuer", "svc is not this issuer");
  mustEqual(
    statement.sp,
    record.sp,
    "wrong_service_provider",
    "sp of the statement is not the record's",
  );
  checkRequest(statement, expected);
  const exp = checkTimes(statement, expected, maxLifetime, "statement");
  textClaim(statement, "jti");
  return { jkt, exp };
}

/** The octets of the statement, once the key is known to have signed them. */
async function readSigned(
  proof: ReadOwnerProof,
  key: PublicJwk,
  record: ProvenRecord,
): Promise<Uint8Array> {
  if (proof.kind === "webauthn") {
    await verifyAssertion(proof, key, record.sp);
    return proof.statement;
  }
  const jws = readCompactJws(proof.jws, jwsTyp);
  mustEqual(
    jws.header.alg,
    algorithmOf(key),
    "wrong_algorithm",
    "alg of the owner proof is not its key's",
  );
  if (await isSignedByJwk(key, jws.signed, jws.signature)) return jws.payload;
  throw new VerificationError("bad_signature", "the statement is not what the owner's key signed");
}
