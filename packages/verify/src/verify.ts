// Verifies validation_data for the client that received it.

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
 * What is proven: the person who signed in controls the domain, under this service provider and
 * account. `how` repeats what was required, and tells who must be trusted:
 *
 * - `attestation`: the service, for everything
 * - `attestation_and_dnssec`: the DNS root for `record`, which names `sp` and `acct`, and the
 *   service for the claim that the person who signed in has this account
 * - `owner_proof`: the DNS root and the owner's own key, whose thumbprint is `jkt`
 * - `both`: the service and, independently, everything in `owner_proof`
 */
export type ProvenDomain = {
  readonly domain: string;
  readonly sp: string;
  readonly acct: string;
  /** Seconds since 1970: when the first of the proofs expires. */
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
 * Verifies the member `validation_data` of a token response, offline. Parts that are not required
 * must be well formed, but are not verified and prove nothing. `require` sets the result type.
 *
 * Rejects only with VerificationError, for any `data` and any options. Its `code` is the reason:
 * - the options: `malformed_options`, `malformed_time`
 * - the shape: `malformed_data`, `unsupported_version`, `missing_part` (`dnssec` or
 *   `owner_proof` is required but missing)
 * - the attestation: see `verifyAttestation`
 * - the chain and its record: see `proveRecord`
 * - the owner proof: see `verifyOwnerProof`
 * - the attestation and the record together: `wrong_service_provider`, `wrong_account` (the
 *   attestation names another `sp` or `acct` than the record)
 *
 * The result does not prove that the record still exists. A chain, and any key listed in its record,
 * stays valid until the signatures expire, days to weeks later: set `maxSignatureAge` or use `both`.
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
      const { sub, sp, acct, exp } = await checkAttestation(read, expected);
      return { domain: read.domain, how: "attestation", sub, sp, acct, until: exp };
    }
    case "attestation_and_dnssec": {
      const { sub, ...attestation } = await checkAttestation(read, expected);
      const record = await checkRecord(read, expected);
      checkSameAccount(attestation, record);
      const { sp, acct } = record;
      const until = Math.min(attestation.exp, record.notAfter);
      return { domain: read.domain, how: expected.require, sub, sp, acct, record, until };
    }
    case "owner_proof": {
      const { record, proof } = await checkOwnerProof(read, expected);
      const { sp, acct } = record;
      const until = Math.min(record.notAfter, proof.exp);
      return { domain: read.domain, how: "owner_proof", sp, acct, jkt: proof.jkt, record, until };
    }
    case "both": {
      const { sub, ...attestation } = await checkAttestation(read, expected);
      const { record, proof } = await checkOwnerProof(read, expected);
      checkSameAccount(attestation, record);
      const { sp, acct } = record;
      const until = Math.min(attestation.exp, record.notAfter, proof.exp);
      return { domain: read.domain, how: "both", sub, sp, acct, jkt: proof.jkt, record, until };
    }
  }
}

function checkAttestation(read: ReadValidationData, expected: Expectations): Promise<Attestation> {
  return verifyAttestation(read.attestation, read.domain, expected);
}

async function checkRecord(
  { domain, dnssec }: ReadValidationData,
  expected: Expectations,
): Promise<ProvenRecord> {
  if (!dnssec) throw new VerificationError("missing_part", "dnssec is required but missing");
  return proveRecord(dnssec, domain, expected);
}

/** Only the proven record says which keys are the owner's: an owner proof requires `dnssec`. */
async function checkOwnerProof(
  read: ReadValidationData,
  expected: Expectations,
): Promise<{ record: ProvenRecord; proof: OwnerProof }> {
  const { domain, ownerProof } = read;
  if (!ownerProof) {
    throw new VerificationError("missing_part", "owner_proof is required but missing");
  }
  const record = await checkRecord(read, expected);
  const proof = await verifyOwnerProof(ownerProof, domain, record, expected);
  return { record, proof };
}

function checkSameAccount(attestation: Omit<Attestation, "sub">, record: ProvenRecord): void {
  if (attestation.sp !== record.sp) {
    throw new VerificationError("wrong_service_provider", "sp does not match the record");
  }
  if (attestation.acct !== record.acct) {
    throw new VerificationError("wrong_account", "acct does not match the record");
  }
}
