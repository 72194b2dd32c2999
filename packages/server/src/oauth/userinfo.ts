// The userinfo endpoint: who an access token speaks of (OIDC Core §5.3).

import type { Exchange } from "../http/channels.ts";
import { json } from "../http/headers.ts";
import { liveAccess } from "./bearer.ts";
import { subjectOf } from "./client.ts";
import { BearerError } from "./errors.ts";
import type { OAuthParts } from "./parts.ts";
import { scopesOf } from "./token-response.ts";

/** GET and POST /oauth/userinfo */
export function userinfoEndpoint(parts: OAuthParts) {
  return async (exchange: Exchange): Promise<Response> => {
    const { grant, account, client, scopeMask } = await liveAccess(exchange, parts);
    if (!scopesOf(grant, scopeMask).includes("openid")) {
      throw new BearerError(403, "insufficient_scope", "the access token lacks the scope openid");
    }
    return json(200, {
      sub: subjectOf(client, account),
      domain: account.domain,
      domain_since: account.createdAt,
    });
  };
}
