// The public API of domain-signin-verify.

export type { AttestedFacts } from "./attestation.ts";
export { parseTrustAnchor, type TrustAnchor } from "./dnssec/trust-anchors.ts";
export { VerificationError, type VerificationErrorCode } from "./errors.ts";
export type { Assurance, JwkSet, RequiredProof, VerificationOptions } from "./expectations.ts";
export type { ProvenRecord } from "./proven-record.ts";
export type { Issuer } from "./record.ts";
export type {
  DnssecPart,
  OwnerProofPart,
  ProviderProofPart,
  ValidationData,
} from "./validation-data.ts";
export { type ProvenDomain, verifyValidationData } from "./verify.ts";
