// The revocation endpoint (RFC 7009). Revoking any token of a grant revokes the grant.

import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { JSON_HEADERS } from "../http/responses.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import type { AttemptStore } from "../store/attempts.ts";
import type { GrantStore } from "../store/grants.ts";
import type { Clients } from "./client.ts";
import { authenticateClient } from "./client-authentication.ts";
import type { ClientKeys } from "./client-documents.ts";
import { TokenError } from "./errors.ts";
import { readAccessToken, readGrantToken } from "./grant-token.ts";
import { readTokenForm } from "./token.ts";

interface Deps {
  readonly issuer: string;
  readonly store: GrantStore & AttemptStore;
  readonly clients: Clients;
  readonly clientKeys: ClientKeys;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

export function createRevocationEndpoint(deps: Deps) {
  return {
    revocationEndpoint: (context: HttpRequest) => revocationEndpoint(context, deps),
  };
}

/** POST /oauth/revoke. Also 200 if the token is invalid or issued to another client (§2.2). */
async function revocationEndpoint(http: HttpRequest, deps: Deps): Promise<HttpResponse> {
  const { store, keyring, clock } = deps;
  const form = await readTokenForm(http);
  const token = form.values.get("token");
  if (token === undefined) throw new TokenError("invalid_request", "token is missing");
  const { client } = await authenticateClient(deps, http, form, "authorization_code");
  const parsed =
    (await readGrantToken(keyring, "refresh_token", token)) ??
    (await readAccessToken(keyring, token));
  if (parsed !== null) {
    const found = await store.readGrant(parsed.grantId);
    if (found?.grant.clientId === client.client_id) {
      await store.revokeGrant({ id: parsed.grantId, now: clock.seconds() });
    }
  }
  return { status: 200, headers: JSON_HEADERS, body: "" };
}
