// The owner proof: a key of the domain's owner, listed in the record, approved this request.

import type { PublicJwk } from "./jwk.ts";
import { verifyJws } from "./jws.ts";
import type { ProvenRecord } from "./proven-record.ts";
import { listedKey, type SignedStatement } from "./provider-proof.ts";
import { checkStatement, type StatementExpectations } from "./statement.ts";
import type { ReadOwnerProof } from "./validation-data.ts";
import { verifyAssertion } from "./webauthn.ts";

const TYP = "domain-owner-statement";

/**
 * Verifies the owner's signature and what was signed. `record` must be proven. Throws
 * VerificationError: `unsuitable_key`, `key_not_in_record`, and those of `verifyJws`, `verifyAssertion` and
 * `checkStatement`.
 */
export async function verifyOwnerProof(
  proof: ReadOwnerProof,
  domain: string,
  record: ProvenRecord,
  expected: StatementExpectations,
): Promise<SignedStatement> {
  const { key, thumbprint } = await listedKey(proof.key, record, "jkt");
  const statement = await readSigned(proof, key, record);
  return { key, thumbprint, exp: checkStatement(statement, TYP, domain, record, expected) };
}

/** Verifies the signature and returns the octets of the statement. */
async function readSigned(
  proof: ReadOwnerProof,
  key: PublicJwk,
  record: ProvenRecord,
): Promise<Uint8Array> {
  if (proof.kind === "jws") return verifyJws(proof.jws, `${TYP}+jwt`, () => key);
  await verifyAssertion(proof, key, record.sp);
  return proof.statement;
}
