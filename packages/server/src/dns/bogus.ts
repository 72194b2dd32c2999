// Why an answer is refused although the resolver gave one: a closed list of causes.

import type { VerificationErrorCode } from "domain-signin-verify/errors";
import type { ExtendedError } from "./extended-error.ts";

/** From the most to the least specific. Each has a message on the page. */
export const BOGUS_CAUSES = [
  /** A DNAME record leads to the name. */
  "dname",
  /** A zone below the domain, usually `_domain-signin`, is delegated without DNSSEC. */
  "unsigned_subzone",
  "unsupported_dnssec",
  /** More keys, signatures, records or questions than a look may cost. */
  "too_large",
  "malformed",
  /** The domain was signed until recently, and now it is not. */
  "was_signed",
  "validation_failed",
] as const;
export type BogusCause = (typeof BOGUS_CAUSES)[number];

/** `reason` is for logs and operators. It begins with the verifier's error code if the verifier refused. */
export interface Bogus {
  readonly cause: BogusCause;
  readonly reason: string;
  /** Epoch seconds, for "was_signed": when the service checks again; null if the first check did not confirm it. */
  readonly againAt?: number | null;
  /** Set if the resolver itself refused. */
  readonly extendedError?: ExtendedError | undefined;
}

/** The codes with a cause of their own. All others mean that validation failed. */
const CAUSES: Partial<Record<VerificationErrorCode, BogusCause>> = {
  dname: "dname",
  unsupported_algorithm: "unsupported_dnssec",
  unsupported_digest: "unsupported_dnssec",
  unsuitable_key: "unsupported_dnssec",
  platform_unsupported: "unsupported_dnssec",
  chain_too_long: "too_large",
  too_many_records: "too_large",
  too_many_keys: "too_large",
  too_many_signatures: "too_large",
  malformed_chain: "malformed",
};

export function bogusCauseOf(code: VerificationErrorCode): BogusCause {
  return CAUSES[code] ?? "validation_failed";
}
