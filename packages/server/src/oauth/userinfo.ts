// The userinfo endpoint (OIDC Core §5.3).

import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { json } from "../http/responses.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import type { GrantStore } from "../store/grants.ts";
import { liveAccess } from "./bearer.ts";
import type { Clients } from "./client.ts";
import { subjectOf } from "./client.ts";
import { BearerError } from "./errors.ts";
import { scopesOf } from "./token-response.ts";

interface Deps {
  readonly store: GrantStore;
  readonly clients: Clients;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

export function createUserinfoEndpoint(deps: Deps) {
  return {
    userinfoEndpoint: (context: HttpRequest) => userinfoEndpoint(context, deps),
  };
}

/** GET and POST /oauth/userinfo */
async function userinfoEndpoint(http: HttpRequest, deps: Deps): Promise<HttpResponse> {
  const { grant, account, client, scopeMask } = await liveAccess(http, deps);
  if (!scopesOf(grant, scopeMask).includes("openid")) {
    throw new BearerError(403, "insufficient_scope", "the access token lacks the openid scope");
  }
  return json(200, {
    sub: subjectOf(client, account),
    domain: account.domain,
    domain_since: account.createdAt,
  });
}
