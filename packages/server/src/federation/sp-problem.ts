// Problems with external service providers, for the page of the user and for the SP's operator.

import { TooManyRequestsError } from "../http/rate-limit.ts";
import { UnavailableError } from "../lib/errors.ts";
import { type GuardedFetchCode, GuardedFetchError } from "../outgoing/guarded-fetch.ts";

export type SpProblemKind =
  | "unreachable"
  | "not_public"
  | "bad_metadata"
  | "unmet_requirements"
  | "no_client"
  | "bad_answer"
  | "refused_by_sp"
  | "other_account"
  | "other_domain";

/** `sp` is the issuer. `detail` is English text for the SP's operator, without tokens, codes or states. */
export interface SpProblem {
  readonly kind: SpProblemKind;
  readonly sp: string;
  readonly detail: string;
}

/** A problem with an SP, thrown inside this folder only; the broker converts it. */
export class SpFailure extends Error {
  override name = "SpFailure";
  readonly kind: SpProblemKind;

  constructor(kind: SpProblemKind, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

/** The SP does not know our client, or its secret is no longer stored. */
export class UnknownClientError extends Error {
  override name = "UnknownClientError";
}

const REPORTED_ERRORS = [
  SpFailure,
  GuardedFetchError,
  UnknownClientError,
  UnavailableError,
  TooManyRequestsError,
];

/** Errors that are not the SP's fault, or already describe what is. */
export function isReported(error: unknown): boolean {
  return REPORTED_ERRORS.some((kind) => error instanceof kind);
}

const KINDS: Partial<Record<GuardedFetchCode, SpProblemKind>> = {
  bad_url: "bad_metadata",
  not_public: "not_public",
  redirect: "bad_answer",
  too_large: "bad_answer",
  not_json: "bad_answer",
  encoded: "bad_answer",
};

/** The failure that a `GuardedFetchError` or `SpFailure` means. Throws any other error. */
export function failureOf(error: unknown): SpFailure {
  if (error instanceof SpFailure) return error;
  if (!(error instanceof GuardedFetchError)) throw error;
  return new SpFailure(KINDS[error.code] ?? "unreachable", error.message);
}

/** Whether the SP may respond later. */
export function isUnavailable({ status }: Response): boolean {
  return status >= 500 || status === 429;
}

/** The error code that an SP sent, if it is safe to show (RFC 6749 §4.1.2.1). */
export function shownError(code: unknown): string {
  return typeof code === "string" && /^[a-z0-9_.-]{1,64}$/i.test(code)
    ? code
    : "no valid error code";
}
