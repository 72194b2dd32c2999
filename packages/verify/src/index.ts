// The public API of domain-signin-verify.

export type { AttestedFacts } from "./attestation.ts";
export { parseTrustAnchor, type TrustAnchor } from "./dnssec/trust-anchors.ts";
export { VerificationError, type VerificationErrorCode } from "./errors.ts";
export type { Assurance, JwkSet, RequiredProof, VerificationOptions } from "./expectations.ts";
export type { ProvenRecord } from "./proven-record.ts";
export {
  type FoundRecord,
  formatSpRecord,
  type Issuer,
  type IssuerOptions,
  type ParsedSpRecord,
  parseSpRecord,
  type RecordKeys,
  type RecordProblem,
  type RecordProblemCode,
  readSpRecordSet,
  type SpRecord,
  type SpRecordSet,
  type UnusableRecord,
} from "./record.ts";
export type {
  DnssecPart,
  OwnerProofPart,
  ProviderProofPart,
  ValidationData,
} from "./validation-data.ts";
export { type ProvenDomain, verifyValidationData } from "./verify.ts";
