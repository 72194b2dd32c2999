// The error of this package: why a request may not use the resource.

/**
 * Why an access token was refused. The first three are of RFC 6750 §3.1:
 *
 * - `invalid_request` (400): the Authorization header is malformed.
 * - `invalid_token` (401): the token is malformed, expired, revoked, or made by or for somebody else.
 * - `insufficient_scope` (403): the token is valid, but lacks a scope that this route requires.
 * - `temporarily_unavailable` (503): the issuer did not answer, so nothing is known about the token.
 */
export type AccessTokenErrorCode =
  | "invalid_request"
  | "invalid_token"
  | "insufficient_scope"
  | "temporarily_unavailable";

const STATUS = {
  invalid_request: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  temporarily_unavailable: 503,
} as const;

/**
 * What `verify` throws. The middleware answers it; call `verify` yourself for another framework:
 *
 * ```js
 * try {
 *   const { sub, domain } = await api.verify(token);
 * } catch (error) {
 *   if (!(error instanceof AccessTokenError)) throw error;
 *   console.log(error.status, error.code, error.message); // 401 invalid_token The access token has expired
 * }
 * ```
 */
export class AccessTokenError extends Error {
  override name = "AccessTokenError";
  readonly code: AccessTokenErrorCode;
  /** The HTTP status that RFC 6750 has for the code. */
  readonly status: 400 | 401 | 403 | 503;

  constructor(code: AccessTokenErrorCode, description: string, options?: { cause: unknown }) {
    super(description, options);
    this.code = code;
    this.status = STATUS[code];
  }
}
