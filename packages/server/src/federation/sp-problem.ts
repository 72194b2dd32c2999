// Problems with external service providers, for the page of the user and for the SP's operator.

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

/** A problem with an SP, thrown inside this folder only; `orProblem` converts it. */
export class SpFailure extends Error {
  override name = "SpFailure";
  readonly kind: SpProblemKind;

  constructor(kind: SpProblemKind, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

/** Converts `SpFailure` and `GuardedFetchError` to a problem. Rejects with any other error. */
export async function orProblem<T extends object>(
  sp: string,
  work: Promise<T>,
): Promise<T | { readonly outcome: "problem"; readonly problem: SpProblem }> {
  try {
    return await work;
  } catch (error) {
    const failure = error instanceof GuardedFetchError ? failureOf(error) : error;
    if (!(failure instanceof SpFailure)) throw error;
    return { outcome: "problem", problem: { kind: failure.kind, sp, detail: failure.message } };
  }
}

const KINDS: Partial<Record<GuardedFetchCode, SpProblemKind>> = {
  bad_url: "bad_metadata",
  not_public: "not_public",
  redirect: "bad_answer",
  too_large: "bad_answer",
  not_json: "bad_answer",
  encoded: "bad_answer",
};

function failureOf({ code, message }: GuardedFetchError): SpFailure {
  return new SpFailure(KINDS[code] ?? "unreachable", message);
}

/** The error code that an SP sent, if it is safe to show (RFC 6749 §4.1.2.1). */
export function shownError(code: unknown): string {
  return typeof code === "string" && /^[a-z0-9_.-]{1,64}$/i.test(code)
    ? code
    : "no valid error code";
}
