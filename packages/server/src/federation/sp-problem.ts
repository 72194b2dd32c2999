// Problems with external service providers, for the page of the user and for the SP's operator.

import { UnavailableError } from "../lib/errors.ts";
import { type GuardedFetchCode, GuardedFetchError } from "../outgoing/guarded-fetch.ts";

export type SpProblemKind =
  /** This service under another spelling: nothing is asked. */
  | "own_issuer"
  | "unreachable"
  | "not_public"
  | "bad_metadata"
  | "unmet_requirements"
  | "no_client"
  | "bad_answer"
  | "refused_by_sp"
  | "other_account"
  | "other_domain"
  /** This service is: nothing was asked. */
  | "busy";

/** `sp` is the issuer. `detail` is English text for the SP's operator, without tokens, codes or states. */
export interface SpProblem {
  readonly kind: SpProblemKind;
  readonly sp: string;
  readonly detail: string;
}

/** What an SP answered, in a form that is safe to show to its operator. */
export interface SpAnswer {
  readonly status: number;
  /** Null if it sent no valid error code. */
  readonly error: string | null;
  /** One line of at most 300 characters. */
  readonly error_description: string | null;
}

/** A problem with an SP, thrown inside this folder only; the broker converts it. */
export class SpFailure extends Error {
  override name = "SpFailure";
  readonly kind: SpProblemKind;
  /** Null if there is none, or none that is known. */
  readonly answer: SpAnswer | null;

  constructor(kind: SpProblemKind, detail: string, answer: SpAnswer | null = null) {
    super(detail);
    this.kind = kind;
    this.answer = answer;
  }
}

/** The SP does not know our client, or its secret is no longer stored. */
export class UnknownClientError extends Error {
  override name = "UnknownClientError";
}

const REPORTED_ERRORS = [SpFailure, GuardedFetchError, UnknownClientError, UnavailableError];

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
  busy: "busy",
};

/** The failure that a `GuardedFetchError` or `SpFailure` means. Throws any other error. */
export function failureOf(error: unknown): SpFailure {
  if (error instanceof SpFailure) return error;
  if (!(error instanceof GuardedFetchError)) throw error;
  return new SpFailure(KINDS[error.code] ?? "unreachable", error.message);
}

/** Whether the SP may respond later. */
export function isUnavailable(status: number): boolean {
  return status >= 500 || status === 429;
}

/** The error code that an SP sent, if it is safe to show (RFC 6749 §4.1.2.1). */
export function shownError(code: unknown): string {
  return errorCode(code) ?? "no valid error code";
}

/** Its `error` and `error_description`, as far as they are safe to show. `secrets` are replaced. */
export function answerOf(
  status: number,
  body: { readonly error?: unknown; readonly error_description?: unknown } = {},
  secrets: readonly string[] = [],
): SpAnswer {
  const description = shownText(body.error_description, secrets);
  const code = errorCode(body.error);
  const isSecret = secrets.some((secret) => code?.includes(secret));
  return { status, error: isSecret ? null : code, error_description: description };
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, "[secret]"), text);
}

function errorCode(code: unknown): string | null {
  return typeof code === "string" && /^[a-z0-9_.-]{1,64}$/i.test(code) ? code : null;
}

const MAX_TEXT_LENGTH = 300;

/** One line without control, format or unassigned characters. */
function shownText(text: unknown, secrets: readonly string[]): string | null {
  if (typeof text !== "string") return null;
  // Before the text is cut, which could leave a part of a secret.
  const line = withoutSecrets(text, secrets).replace(/[\p{C}\p{Z}]+/gu, " ");
  const characters = [...line.trim()];
  if (characters.length === 0) return null;
  if (characters.length <= MAX_TEXT_LENGTH) return characters.join("");
  return `${characters.slice(0, MAX_TEXT_LENGTH - 1).join("")}…`;
}
