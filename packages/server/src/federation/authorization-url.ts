// The request that a person is sent to an external SP with (OIDC Core §3.1.2.1).

import { createHash } from "node:crypto";
import type { RequestSecrets } from "./external-state.ts";

/** What the SP is asked to have the owner sign, for an app that wants proof (design of validation_data). */
export interface StatementWanted {
  readonly aud: string;
  readonly redirect_uri: string;
  readonly cch: string | null;
  readonly nonce: string | null;
}

export function authorizationUrl(
  endpoint: string,
  request: {
    readonly clientId: string;
    readonly redirectUri: string;
    readonly domain: string;
    readonly secrets: RequestSecrets;
    readonly prompt: ReadonlySet<string>;
    readonly maxAge: number | undefined;
    readonly locales: string | null;
    /** Null where the app wants none, or the SP knows nothing of it. */
    readonly statement: StatementWanted | null;
  },
): string {
  const { secrets, statement } = request;
  const challenge = createHash("sha256").update(secrets.verifier).digest("base64url");
  const url = new URL(endpoint);
  const parameters: Record<string, string | null | undefined> = {
    response_type: "code",
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    scope: "openid",
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: challenge,
    code_challenge_method: "S256",
    login_hint: request.domain,
    prompt: request.prompt.has("login") ? "login" : null,
    max_age: request.maxAge?.toString(),
    ui_locales: request.locales,
    // Forbids an SP of this kind to send the person on once more.
    ds_hop: "1",
    ds_aud: statement?.aud,
    ds_redirect_uri: statement?.redirect_uri,
    ds_cch: statement?.cch,
    ds_nonce: statement?.nonce,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}
