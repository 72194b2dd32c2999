// The account page as a client of its own service: its sign-in is that of any app.

import type { Client, Clients } from "./client.ts";

const pathOf = (issuer: string) => `${issuer}/account`;

/** The client that stands for the account page. It gets no code: the session is all that it needs. */
function accountClient(issuer: string): Client {
  const id = pathOf(issuer);
  return {
    client_id: id,
    name: new URL(issuer).host,
    type: "public",
    application_type: "web",
    redirect_uris: [id],
    scope: "openid",
    consent: "never",
    require_pkce: false,
    subject_type: "account",
    validation_data: false,
    id_token_signed_response_alg: "ES256",
    // It gets no tokens.
    ...{ refresh_client_auth: "required", refresh_idle_lifetime: 60 },
    ...{ refresh_absolute_lifetime: 60, refresh_retry_window: 0 },
    secrets: [],
  };
}

export function isAccountClient(client: Pick<Client, "client_id">, issuer: string): boolean {
  return client.client_id === pathOf(issuer);
}

/** Adds the account page to the clients. */
export function withAccountPage(clients: Clients, issuer: string): Clients {
  const own = accountClient(issuer);
  return {
    find: async (id, lookup) => (id === own.client_id ? own : clients.find(id, lookup)),
  };
}

/**
 * The path of the authorization request that leads to the account page. `domain` is filled in; `maxAge` is the greatest
 * age of the authentication in seconds.
 */
export function accountSignIn(
  issuer: string,
  { domain, maxAge }: { domain?: string; maxAge?: number } = {},
): string {
  const query = new URLSearchParams({
    client_id: pathOf(issuer),
    redirect_uri: pathOf(issuer),
    response_type: "code",
    scope: "openid",
    ...(domain !== undefined && { login_hint: domain }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
  });
  return `/oauth/authorize?${query}`;
}
