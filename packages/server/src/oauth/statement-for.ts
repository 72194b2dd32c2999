// The parameters ds_*, by which a service requests an owner statement for one of its apps.

import { isCodeChallenge } from "./pkce.ts";
import { redirectUriProblem } from "./redirect-target.ts";

/** The request of the app. `cch` is its code_challenge. At least one of `cch` and `nonce` is set. */
export interface StatementFor {
  readonly aud: string;
  readonly redirect_uri: string;
  readonly cch?: string;
  readonly nonce?: string;
}

const PARAMETERS = ["ds_aud", "ds_redirect_uri", "ds_cch", "ds_nonce"];
const MAX_NONCE_BYTES = 2048;

/**
 * Returns null if no statement is requested. Validates every value that the statement will contain,
 * and throws the error that `refuse` creates from a description.
 */
export function readStatementFor(
  values: ReadonlyMap<string, string>,
  refuse: (description: string) => Error,
): StatementFor | null {
  if (!PARAMETERS.some((name) => values.has(name))) return null;
  const aud = values.get("ds_aud");
  if (aud === undefined) throw refuse("ds_aud is missing");
  if (!/^[\x20-\x7e]{1,2048}$/.test(aud)) {
    throw refuse("ds_aud must be 1 to 2,048 printable ASCII characters");
  }
  const redirect_uri = values.get("ds_redirect_uri");
  if (redirect_uri === undefined) throw refuse("ds_redirect_uri is missing");
  const problem = redirectUriProblem(redirect_uri, "native");
  if (problem !== null) throw refuse(`ds_redirect_uri ${problem}`);
  const [cch, nonce] = [values.get("ds_cch"), values.get("ds_nonce")];
  if (cch === undefined && nonce === undefined) throw refuse("ds_cch or ds_nonce is missing");
  if (cch !== undefined && !isCodeChallenge(cch)) {
    throw refuse("ds_cch must be a base64url-encoded SHA-256 hash");
  }
  if (nonce !== undefined && Buffer.byteLength(nonce) > MAX_NONCE_BYTES) {
    throw refuse("ds_nonce is longer than 2,048 bytes");
  }
  return { aud, redirect_uri, ...(cch && { cch }), ...(nonce && { nonce }) };
}
