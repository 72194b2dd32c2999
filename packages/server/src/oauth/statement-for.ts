// For which request of which app a service wants a statement of the owner: the parameters ds_*.

import { isCodeChallenge } from "./pkce.ts";
import { redirectUriProblem } from "./redirect-target.ts";

/** What is said of the app in the statement; `cch` is a code_challenge. One of the last two is there. */
export interface StatementFor {
  readonly aud: string;
  readonly redirect_uri: string;
  readonly cch?: string;
  readonly nonce?: string;
}

const NAMES = ["ds_aud", "ds_redirect_uri", "ds_cch", "ds_nonce"];
const MAX_OCTETS = 2048;

/**
 * Null where none is wanted. All that we sign is checked here: throws what `refuse` makes of a
 * description of the mistake.
 */
export function readStatementFor(
  values: ReadonlyMap<string, string>,
  refuse: (description: string) => Error,
): StatementFor | null {
  if (!NAMES.some((name) => values.has(name))) return null;
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
  if (nonce !== undefined && Buffer.byteLength(nonce) > MAX_OCTETS) {
    throw refuse("ds_nonce is longer than 2,048 bytes");
  }
  return { aud, redirect_uri, ...(cch && { cch }), ...(nonce && { nonce }) };
}
