// The userinfo endpoint (OIDC Core §5.3).

import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { json } from "../http/responses.ts";
import { liveAccess } from "./bearer.ts";
import { subjectOf } from "./client.ts";
import type { Deps } from "./deps.ts";
import { BearerError } from "./errors.ts";
import { scopesOf } from "./token-response.ts";

export function createUserinfoEndpoint(
  deps: Pick<Deps, "grants" | "clients" | "keyring" | "clock">,
) {
  return { userinfoEndpoint };

  /** GET and POST /oauth/userinfo */
  async function userinfoEndpoint(http: HttpRequest): Promise<HttpResponse> {
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
}
