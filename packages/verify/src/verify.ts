// The algorithm: what validation_data proves to the client that received it.

import { type Attestation, verifyAttestation } from "./attestation.ts";
import { VerificationError } from "./errors.ts";
import {
  type Expectations,
  type RequiredProof,
  readExpectations,
  type VerificationOptions,
} from "./expectations.ts";
import { type OwnerProof, verifyOwnerProof } from "./owner-proof.ts";
import { type ProvenRecord, proveRecord } from "./proven-record.ts";
import { type ReadValidationData, readValidationData } from "./validation-data.ts";

/**
 * What is proven: that the domain is controlled, under this service provider and account, by who
 * signed in. `how` repeats what was required, and says on whose word the rest stands:
 *
 * - `attestation`: the service's, for all of it
 * - `attestation_and_dnssec`: the DNS root's for what `record` says, and the service's for who was
 *   there. The zone names this `sp` and `acct`; that this person has the account, the service says.
 * - `owner_proof`: the DNS root's, and that of the owner's own key, named by its thumbprint `jkt`
 * - `both`: the service's, and besides it all of `owner_proof`
 */
export type ProvenDomain = {
  readonly domain: string;
  readonly sp: string;
  readonly acct: string;
  /** Seconds since 1970: when the first of the proofs ends. */
  readonly until: number;
} & (
  | { readonly how: "attestation"; readonly sub: string }
  | {
      readonly how: "attestation_and_dnssec";
      readonly sub: string;
      readonly record: ProvenRecord;
    }
  | { readonly how: "owner_proof"; readonly jkt: string; readonly record: ProvenRecord }
  | {
      readonly how: "both";
      readonly sub: string;
      readonly jkt: string;
      readonly record: ProvenRecord;
    }
);

/**
 * Verifies the member `validation_data` of a token response, without network. Parts that were not
 * required must be well formed, but are not verified and prove nothing. What `require` says, a
 * compiler knows of the result as well.
 *
 * Rejects with VerificationError, and nothing else, whatever `data` and the options are; its `code`
 * says why:
 * - the options: `malformed_options`, `malformed_time`
 * - the shape: `malformed_data`, `unsupported_version`, `missing_part` (no `dnssec` or no
 *   `owner_proof`, but it is required)
 * - the attestation: see `verifyAttestation`
 * - the chain and its record: see `proveRecord`
 * - the owner proof: see `verifyOwnerProof`
 * - the attestation and the record together: `wrong_service_provider`, `wrong_account` (the
 *   attestation names another `sp` or `acct` than the record)
 *
 * Not proven: that the record is still there. A chain is good until its signatures end, days to
 * weeks later, and so is a key that was removed meanwhile: set `maxSignatureAge`, or require both.
 */
export function verifyValidationData<R extends RequiredProof>(
  data: unknown,
  options: VerificationOptions & { readonly require: R },
): Promise<Extract<ProvenDomain, { readonly how: R }>>;
export async function verifyValidationData(
  data: unknown,
  options: VerificationOptions,
): Promise<ProvenDomain> {
  const expected = await readExpectations(options);
  const read = readValidationData(data);
  switch (expected.require) {
    case "attestation": {
      const { sub, sp, acct, exp } = await attested(read, expected);
      return { domain: read.domain, how: "attestation", sub, sp, acct, until: exp };
    }
    case "attestation_and_dnssec": {
      const { sub, ...attestation } = await attested(read, expected);
      const record = await recorded(read, expected);
      checkSameAccount(attestation, record);
      const { sp, acct } = record;
      const until = Math.min(attestation.exp, record.notAfter);
      return { domain: read.domain, how: expected.require, sub, sp, acct, record, until };
    }
    case "owner_proof": {
      const { record, proof } = await owned(read, expected);
      const { sp, acct } = record;
      const until = Math.min(record.notAfter, proof.exp);
      return { domain: read.domain, how: "owner_proof", sp, acct, jkt: proof.jkt, record, until };
    }
    case "both": {
      const { sub, ...attestation } = await attested(read, expected);
      const { record, proof } = await owned(read, expected);
      checkSameAccount(attestation, record);
      const { sp, acct } = record;
      const until = Math.min(attestation.exp, record.notAfter, proof.exp);
      return { domain: read.domain, how: "both", sub, sp, acct, jkt: proof.jkt, record, until };
    }
  }
}

function attested(read: ReadValidationData, expected: Expectations): Promise<Attestation> {
  return verifyAttestation(read.attestation, read.domain, expected);
}

async function recorded(
  { domain, dnssec }: ReadValidationData,
  expected: Expectations,
): Promise<ProvenRecord> {
  if (!dnssec) throw new VerificationError("missing_part", "dnssec is required and not there");
  return proveRecord(dnssec, domain, expected);
}

/** A key's word counts for what the zone says, so that there is no owner proof without `dnssec`. */
async function owned(
  read: ReadValidationData,
  expected: Expectations,
): Promise<{ record: ProvenRecord; proof: OwnerProof }> {
  const { domain, ownerProof } = read;
  if (!ownerProof) {
    throw new VerificationError("missing_part", "owner_proof is required and not there");
  }
  const record = await recorded(read, expected);
  const proof = await verifyOwnerProof(ownerProof, domain, record, expected);
  return { record, proof };
}

function checkSameAccount(attestation: Omit<Attestation, "sub">, record: ProvenRecord): void {
  if (attestation.sp !== record.sp) {
    throw new VerificationError("wrong_service_provider", "the attested sp is not the record's");
  }
  if (attestation.acct !== record.acct) {
    throw new VerificationError("wrong_account", "the attested acct is not the record's");
  }
}
