// Verifies validation_data for the client that received it.

import { type Attestation, type AttestedFacts, verifyAttestation } from "./attestation.ts";
import { VerificationError } from "./errors.ts";
import {
  type Expectations,
  type RequiredProof,
  readExpectations,
  type VerificationOptions,
} from "./expectations.ts";
import { verifyOwnerProof } from "./owner-proof.ts";
import { type ProvenRecord, proveRecord } from "./proven-record.ts";
import { type SignedStatement, verifyProviderProof } from "./provider-proof.ts";
import { mustBeOfRecord } from "./statement.ts";
import { type ReadValidationData, readValidationData } from "./validation-data.ts";

/**
 * What is proven: the person who signed in controls the domain, under this service provider and account.
 * `how` repeats what was required, and tells who must be trusted:
 *
 * - `attestation`: the service, for everything
 * - `attestation_and_dnssec`: the DNS root for `record`, which names `sp` and `acct`, and the
 *   service for the claim that the person who signed in has this account
 * - `provider_proof`: the DNS root, and the service provider that the zone names, by its key `spk`
 * - `owner_proof`: the DNS root and the owner's own key, whose thumbprint is `jkt`
 * - `both`: the service and, independently, everything in `owner_proof`
 *
 * `sub` and the other facts come from the attestation alone. The author of a record can list any key in it,
 * and make any other proof about any `sub`. An app that requires a proof alone uses the domain as its key for
 * the user.
 */
export type ProvenDomain = {
  readonly domain: string;
  readonly sp: string;
  readonly acct: string;
  /** Seconds since 1970: when the first of the proofs expires. */
  readonly until: number;
} & (
  | ({ readonly how: "attestation" } & AttestedFacts)
  | ({ readonly how: "attestation_and_dnssec"; readonly record: ProvenRecord } & AttestedFacts)
  | { readonly how: "provider_proof"; readonly spk: string; readonly record: ProvenRecord }
  | { readonly how: "owner_proof"; readonly jkt: string; readonly record: ProvenRecord }
  | ({
      readonly how: "both";
      readonly jkt: string;
      readonly record: ProvenRecord;
    } & AttestedFacts)
);

/**
 * Verifies the member `validation_data` of a token response, offline. Parts that are not required
 * must be well formed, but are not verified and prove nothing. `require` sets the result type.
 *
 * Rejects only with VerificationError, for any `data` and any options. Its `code` is the reason:
 * - the options: `malformed_options`, `malformed_time`
 * - the shape: `malformed_data`, `unsupported_version`, `missing_part` (`dnssec`, `provider_proof` or
 *   `owner_proof` is required but missing)
 * - the attestation: see `verifyAttestation`; `assurance_too_low` with `minAssurance`
 * - the chain and its record: see `proveRecord`
 * - the statement of the provider or owner: see `verifyProviderProof`, `verifyOwnerProof`
 * - the attestation and the record together: `wrong_service_provider`, `wrong_account` (the
 *   attestation names another `sp` or `acct` than the record, or the record another `sp` than `issuer`
 *   without `allowFederation`)
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
  const { domain } = read;
  const how = expected.require;
  switch (how) {
    case "attestation": {
      const { facts, sp, acct, exp: until } = await checkAttestation(read, expected);
      return { domain, how, sp, acct, ...facts, until };
    }
    case "attestation_and_dnssec": {
      const attestation = await checkAttestation(read, expected);
      const record = await checkRecord(read, expected);
      mustBeOfRecord(attestation, record, "the attestation");
      checkProvider(record, expected);
      const { sp, acct, notAfter } = record;
      const until = Math.min(attestation.exp, notAfter);
      return { domain, how, sp, acct, ...attestation.facts, record, until };
    }
    case "provider_proof": {
      const { record, thumbprint: spk, until } = await checkProviderProof(read, expected);
      return { domain, how, sp: record.sp, acct: record.acct, spk, record, until };
    }
    case "owner_proof": {
      const { record, thumbprint: jkt, until } = await checkOwnerProof(read, expected);
      return { domain, how, sp: record.sp, acct: record.acct, jkt, record, until };
    }
    case "both": {
      const attestation = await checkAttestation(read, expected);
      const proven = await checkOwnerProof(read, expected);
      const { record, thumbprint: jkt } = proven;
      mustBeOfRecord(attestation, record, "the attestation");
      const until = Math.min(attestation.exp, proven.until);
      const { sp, acct } = record;
      return { domain, how, sp, acct, ...attestation.facts, jkt, record, until };
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
  if (!dnssec) throw missing("dnssec");
  return proveRecord(dnssec, domain, expected);
}

/** Otherwise any service could attest any domain: the zone's own record would prove nothing more. */
function checkProvider({ sp }: ProvenRecord, { issuer, allowFederation }: Expectations): void {
  if (sp === issuer || allowFederation) return;
  const message = "the record names another service provider than issuer (see allowFederation)";
  throw new VerificationError("wrong_service_provider", message);
}

interface ProvenStatement extends SignedStatement {
  readonly record: ProvenRecord;
  readonly until: number;
}

/** Only the proven record says which keys are the provider's: a proof requires `dnssec`. */
async function checkProviderProof(
  read: ReadValidationData,
  expected: Expectations,
): Promise<ProvenStatement> {
  if (!read.providerProof) throw missing("provider_proof");
  const record = await checkRecord(read, expected);
  const signed = await verifyProviderProof(read.providerProof, read.domain, record, expected);
  return { ...signed, record, until: Math.min(record.notAfter, signed.exp) };
}

async function checkOwnerProof(
  read: ReadValidationData,
  expected: Expectations,
): Promise<ProvenStatement> {
  if (!read.ownerProof) throw missing("owner_proof");
  const record = await checkRecord(read, expected);
  const signed = await verifyOwnerProof(read.ownerProof, read.domain, record, expected);
  return { ...signed, record, until: Math.min(record.notAfter, signed.exp) };
}

function missing(part: string): VerificationError {
  return new VerificationError("missing_part", `${part} is required but missing`);
}
