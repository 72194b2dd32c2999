// The provider proof: the service provider that the record names states who signed in for this request.

import { VerificationError } from "./errors.ts";
import type { JsonObject } from "./json.ts";
import { type PublicJwk, readPublicJwk, thumbprintOf } from "./jwk.ts";
import { verifyJws } from "./jws.ts";
import type { ProvenRecord } from "./proven-record.ts";
import type { RecordKeys } from "./record.ts";
import { checkStatement, type StatementExpectations } from "./statement.ts";
import type { ReadProviderProof } from "./validation-data.ts";

export interface SignedStatement {
  /** The key that signed, with its public members only, and its RFC 7638 thumbprint. */
  readonly key: PublicJwk;
  readonly thumbprint: string;
  /** Seconds since 1970. */
  readonly exp: number;
}

const TYP = "domain-provider-statement";

/**
 * Verifies the provider's signature and what was signed. `record` must be proven. Throws
 * VerificationError: `unsuitable_key`, `key_not_in_record`, and those of `verifyJws` and `checkStatement`.
 */
export async function verifyProviderProof(
  proof: ReadProviderProof,
  domain: string,
  record: ProvenRecord,
  expected: StatementExpectations,
): Promise<SignedStatement> {
  const { key, thumbprint } = await listedKey(proof.key, record, "spk");
  const statement = await verifyJws(proof.statement, `${TYP}+jwt`, () => key);
  return { key, thumbprint, exp: checkStatement(statement, TYP, domain, record, expected) };
}

/** The key, if the record lists it in this tag: a key of the owner is none of the provider, and the reverse. */
export async function listedKey(
  jwk: JsonObject,
  record: RecordKeys,
  tag: "jkt" | "spk",
): Promise<{ readonly key: PublicJwk; readonly thumbprint: string }> {
  const key = readPublicJwk(jwk);
  const thumbprint = await thumbprintOf(key);
  if (record[tag].includes(thumbprint)) return { key, thumbprint };
  throw new VerificationError("key_not_in_record", `the key is not in ${tag} of the record`);
}
