// The account page as a client of its own service, with the same sign-in as any app.

import {
  ACCOUNT_CHANGES,
  type AccountChange,
  accountUri,
  changeUri,
} from "../interaction/account-page.ts";
import type { Client, Clients } from "./client.ts";

/** The client that stands for the account page. It gets no code: the session is all that it needs. */
function accountClient(issuer: string): Client {
  const id = accountUri(issuer);
  return {
    client_id: id,
    name: new URL(issuer).host,
    type: "public",
    application_type: "web",
    redirect_uris: [id, ...ACCOUNT_CHANGES.map((change) => changeUri(issuer, change))],
    post_logout_redirect_uris: [],
    backchannel_logout_uri: "",
    ...{ scope: "openid", default_scope: "" },
    consent: "never",
    require_pkce: false,
    subject_type: "account",
    validation_data: false,
    owner_proof: "none",
    id_token_signed_response_alg: "ES256",
    // It gets no tokens.
    ...{ refresh_client_auth: "required", refresh_idle_lifetime: 60 },
    ...{ refresh_absolute_lifetime: 60, refresh_retry_window: 0 },
    secrets: [],
  };
}

export function isAccountClient(client: Client, issuer: string): boolean {
  return client.client_id === accountUri(issuer);
}

export function withAccountPage(clients: Clients, issuer: string): Clients {
  const own = accountClient(issuer);
  return {
    find: (id, lookup) => (id === own.client_id ? Promise.resolve(own) : clients.find(id, lookup)),
  };
}

/**
 * The path of the authorization request that leads to the account page. `maxAge` is in seconds. `change` needs an
 * authentication of its own and leads to its page; `about` names what is changed, such as one passkey.
 */
export function accountSignIn(
  issuer: string,
  options: { domain?: string; maxAge?: number; change?: AccountChange; about?: string } = {},
): string {
  const { domain, maxAge, change, about } = options;
  const query = new URLSearchParams({
    client_id: accountUri(issuer),
    redirect_uri: change === undefined ? accountUri(issuer) : changeUri(issuer, change),
    response_type: "code",
    scope: "openid",
    ...(change !== undefined && { prompt: "login" }),
    ...(about !== undefined && { nonce: about }),
    ...(domain !== undefined && { login_hint: domain }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
  });
  return `/oauth/authorize?${query}`;
}
