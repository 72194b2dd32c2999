// The protocol errors, one class per channel, and what each becomes on the wire.

import type { HttpResponse } from "../http/message.ts";
import { json, seeOther } from "../http/responses.ts";
import { answerUri, type RedirectTarget } from "./redirect-target.ts";

/** The codes of the token endpoint: these four and no other. */
export type TokenErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unsupported_grant_type";

/** A protocol error at the token endpoint: 400 and a JSON body. */
export class TokenError extends Error {
  override name = "TokenError";
  readonly code: TokenErrorCode;
  /** What was wanted and what was found, for the log: never a credential. */
  readonly detail: string | undefined;
  /** The client tried Basic, so the answer names that scheme (RFC 6749 §5.2). */
  readonly challenge: boolean;
  /** Whether it is told to a client that has proven its secret. */
  readonly ofProvenClient: boolean;

  constructor(
    code: TokenErrorCode,
    description: string,
    extra: { detail?: string | undefined; challenge?: boolean; ofProvenClient?: boolean } = {},
  ) {
    super(description);
    this.code = code;
    this.detail = extra.detail;
    this.challenge = extra.challenge ?? false;
    this.ofProvenClient = extra.ofProvenClient ?? false;
  }
}

/** Removes characters that RFC 6749 §5.2 does not allow in an error_description. */
export function sanitizeDescription(text: string): string {
  return text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "").slice(0, 200);
}

/** A name or value from the request, shortened and limited to characters that are safe to quote. */
export function shown(text: string): string {
  return text.replace(/[^A-Za-z0-9_.:/-]/g, "?").slice(0, 40);
}

/** The same error, as of a client that has proven its secret. */
export function ofProvenClient(error: unknown): unknown {
  if (!(error instanceof TokenError)) return error;
  const { code, message, detail } = error;
  return new TokenError(code, message, { detail, ofProvenClient: true });
}

export function tokenErrorResponse(error: TokenError, errorId: string): HttpResponse {
  return json(
    400,
    { error: error.code, error_description: error.message, error_id: errorId },
    error.challenge ? { "www-authenticate": 'Basic realm="domain-signin"' } : {},
  );
}

type BearerErrorCode = "invalid_request" | "invalid_token" | "insufficient_scope";

/** A refused access token (RFC 6750 §3.1). */
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

export function bearerErrorResponse(error: BearerError, errorId: string): HttpResponse {
  // A request without any token gets the bare challenge, without an error code.
  const code = error.code ? `, error="${error.code}", error_description="${error.message}"` : "";
  return json(
    error.status,
    { error: error.code ?? "invalid_token", error_description: error.message, error_id: errorId },
    { "www-authenticate": `Bearer realm="domain-signin"${code}` },
  );
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

/** An error of the authorization endpoint after the redirect_uri is proven: back to the client. */
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

export function authorizationErrorResponse(error: AuthorizationError): HttpResponse {
  return seeOther(authorizationErrorUri(error));
}

/** Where the client hears of the error. */
export function authorizationErrorUri({ target, code, message }: AuthorizationError): string {
  return answerUri(target, { error: code, error_description: message });
}
