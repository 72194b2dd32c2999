// What can go wrong with an external service provider, named for the person and for its operator.

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

/** `sp` is its issuer; `detail` is English for whoever runs it, and safe to show: no token, code or state. */
export interface SpProblem {
  readonly kind: SpProblemKind;
  readonly sp: string;
  readonly detail: string;
}

/** Leaves the work with an SP; stays inside of this room. */
export class SpFailure extends Error {
  override name = "SpFailure";
  readonly kind: SpProblemKind;

  constructor(kind: SpProblemKind, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

/** What the work came to, or the problem that ended it; whatever is not the SP's is thrown on. */
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
  ...{ bad_url: "bad_metadata", not_public: "not_public" },
  ...{ redirect: "bad_answer", too_large: "bad_answer", not_json: "bad_answer" },
  encoded: "bad_answer",
};

function failureOf({ code, message }: GuardedFetchError): SpFailure {
  return new SpFailure(KINDS[code] ?? "unreachable", message);
}

/** An error code as an SP sends one, if it is fit to be shown (RFC 6749 §4.1.2.1). */
export function shownError(code: unknown): string {
  return typeof code === "string" && /^[a-z0-9_.-]{1,64}$/i.test(code) ? code : "no error code";
}
