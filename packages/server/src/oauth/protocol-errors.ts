// Protocol errors: one class for each kind of endpoint. How the parameters of their requests are read.

import type { RedirectTarget } from "../clients/redirect-target.ts";
import { FormError, type Parameters, parseParameters, printable, readForm } from "../http/form.ts";
import type { HttpRequest } from "../http/message.ts";
import { seeOther } from "../http/responses.ts";
import type { ProblemName } from "../interaction/pending-request.ts";

/** The error codes of the token, revocation and introspection endpoints. `invalid_target` is about `resource`. */
export type TokenErrorCode =
  | "invalid_target"
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
  /** Set if the client had authenticated before the error, or presented a token that this service issued. */
  isOfClient = false;

  constructor(
    code: TokenErrorCode,
    description: string,
    { detail, challenge = false }: { detail?: string; challenge?: boolean } = {},
  ) {
    super(description);
    this.code = code;
    this.detail = detail;
    this.challenge = challenge;
  }
}

export function invalidRequest(description: string): TokenError {
  return new TokenError("invalid_request", description);
}

/** RFC 8707 §2.2. */
export function refuseResource(): TokenError {
  return new TokenError("invalid_target", "the authorization is not for this resource");
}

/** A missing or refused access token (RFC 6750 §3.1). */
export class BearerError extends Error {
  override name = "BearerError";
  readonly status: 400 | 401 | 403;
  readonly code: "invalid_request" | "invalid_token" | "insufficient_scope" | undefined;
  /** Set if the token stands for a password: somebody may be guessing it. */
  isGuess = false;

  constructor(status: BearerError["status"], code: BearerError["code"], description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }
}

export type AuthorizationErrorCode =
  | "invalid_request"
  | "unsupported_response_type"
  | "invalid_scope"
  | "request_not_supported"
  | "request_uri_not_supported"
  | "registration_not_supported"
  | "invalid_target"
  | "access_denied"
  | "server_error"
  | "temporarily_unavailable"
  | "login_required"
  | "consent_required"
  | "interaction_required"
  | "account_selection_required";

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

/** Throws an error that is sent to the client, with `invalid_request` by default. */
export type Check = (
  isValid: boolean,
  description: string,
  code?: AuthorizationErrorCode,
) => asserts isValid;

export function checkFor(target: RedirectTarget): Check {
  return (isValid, description, code = "invalid_request") => {
    if (!isValid) throw new AuthorizationError(target, code, description);
  };
}

interface UntrustedDetails {
  /** The name of the repeated parameter. */
  readonly parameter?: string;
  /** For the app's developer: why the client cannot have the URI. */
  readonly reason?: string | undefined;
  /** Only for the log: the rejected value and the client_id. */
  readonly found?: string;
  readonly clientId?: string | undefined;
}

/** The client or its redirect_uri is not validated, so the answer must not be a redirect. */
export class UntrustedRequestError extends Error {
  override name = "UntrustedRequestError";
  readonly problem: ProblemName | "repeatedParameter";
  readonly parameter: string;
  readonly reason: string | undefined;
  readonly found: string | undefined;
  readonly clientId: string | undefined;

  constructor(problem: UntrustedRequestError["problem"], sent: UntrustedDetails = {}) {
    super(problem);
    this.problem = problem;
    this.reason = sent.reason;
    this.parameter = sent.parameter?.slice(0, 40) ?? "";
    // Unauthenticated input may be long, and the query of a URI may contain secrets.
    this.found = sent.found?.split(/[?#]/, 1)[0]?.slice(0, 200);
    this.clientId = sent.clientId?.slice(0, 100);
  }
}

function refuseMalformed(error: unknown): never {
  throw error instanceof FormError ? new UntrustedRequestError("malformedRequest") : error;
}

/** Throws `UntrustedRequestError` for a mistake in the encoding. */
export function parseQuery(query: string): Parameters {
  try {
    return parseParameters(query);
  } catch (error) {
    return refuseMalformed(error);
  }
}

/**
 * Answers the POST of a request (OIDC Core §3.1.2.1, RP-Initiated Logout §2) with a redirect to the same request as a
 * GET, because a post from another site does not carry our SameSite=Lax cookies.
 */
export function redirectPosted(path: string) {
  return async (http: HttpRequest) => seeOther(`${path}?${await readPostedQuery(http)}`);
}

/** Repeated parameters stay repeated, so that the GET refuses them. */
async function readPostedQuery(http: HttpRequest): Promise<URLSearchParams> {
  const { values, repeated, further } = await readForm(http).catch(refuseMalformed);
  const query = new URLSearchParams([...values]);
  for (const [index, name] of repeated.entries()) {
    // The first one had no value, so `values` does not have it.
    if (!query.has(name)) query.append(name, "");
    query.append(name, further[index] ?? "");
  }
  return query;
}

/** Throws what `refuse` returns for a malformed form or a repeated parameter, whose name it gets. */
export async function readUniqueForm(
  http: HttpRequest,
  refuse: (description: string, repeated?: string) => Error,
): Promise<ReadonlyMap<string, string>> {
  let form: Parameters;
  try {
    form = await readForm(http);
  } catch (error) {
    throw error instanceof FormError ? refuse(error.message) : error;
  }
  const [duplicate] = form.repeated;
  if (duplicate !== undefined) {
    throw refuse(`duplicate parameter: ${printable(duplicate)}`, duplicate);
  }
  return form.values;
}
