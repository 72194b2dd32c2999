// The public surface of domain-signin-verify, nothing else.

export {
  type FoundRecord,
  formatSpRecord,
  type Issuer,
  type IssuerOptions,
  type ParsedSpRecord,
  parseSpRecord,
  type RecordProblem,
  type RecordProblemCode,
  readSpRecordSet,
  type SpRecord,
  type SpRecordSet,
  type UnusableRecord,
} from "./record.ts";
