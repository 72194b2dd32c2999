// Protocol errors: one class for each kind of endpoint.

import type { RedirectTarget } from "./redirect-target.ts";

/** The only error codes of the token and revocation endpoints. */
export type TokenErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unsupported_grant_type";

/** A protocol error of the token or revocation endpoint: 400 with a JSON body. */
export class TokenError extends Error {
  override name = "TokenError";
  readonly code: TokenErrorCode;
  /** The exact reason, only for the log. Must not contain credentials. */
  readonly detail: string | undefined;
  /** The client used HTTP Basic, so the response needs a `WWW-Authenticate` header (RFC 6749 §5.2). */
  readonly challenge: boolean;
  /** Whether the client had authenticated before the error. */
  readonly clientIsProven: boolean;

  constructor(
    code: TokenErrorCode,
    description: string,
    extra: { detail?: string | undefined; challenge?: boolean; clientIsProven?: boolean } = {},
  ) {
    super(description);
    this.code = code;
    this.detail = extra.detail;
    this.challenge = extra.challenge ?? false;
    this.clientIsProven = extra.clientIsProven ?? false;
  }
}

/** Removes characters that RFC 6749 §5.2 does not allow in an error_description. */
export function sanitizeDescription(text: string): string {
  return text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "").slice(0, 200);
}

/** Shortens a name or value from the request for a description, which a page may also show. */
export function printable(text: string): string {
  return text.replace(/[^A-Za-z0-9_.:-]/g, "?").slice(0, 40);
}

/** A copy of the error that is marked as caused by an authenticated client. */
export function asProvenClient(error: unknown): unknown {
  if (!(error instanceof TokenError)) return error;
  const { code, message, detail } = error;
  return new TokenError(code, message, { detail, clientIsProven: true });
}

type BearerErrorCode = "invalid_request" | "invalid_token" | "insufficient_scope";

/** A missing or refused access token (RFC 6750 §3.1). */
export class BearerError extends Error {
  override name = "BearerError";
  readonly status: 400 | 401 | 403;
  readonly code: BearerErrorCode | undefined;

  constructor(status: 400 | 401 | 403, code: BearerErrorCode | undefined, description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }
}

export type AuthorizationErrorCode =
  | "invalid_request"
  | "unsupported_response_type"
  | "invalid_scope"
  | "access_denied"
  | "server_error"
  | "temporarily_unavailable"
  | "login_required"
  | "consent_required"
  | "interaction_required";

/** An error of the authorization endpoint once the redirect_uri is valid: sent to the client. */
export class AuthorizationError extends Error {
  override name = "AuthorizationError";
  readonly target: RedirectTarget;
  readonly code: AuthorizationErrorCode;

  constructor(target: RedirectTarget, code: AuthorizationErrorCode, description: string) {
    super(description);
    this.target = target;
    this.code = code;
  }
}
