// The userinfo endpoint: who an access token speaks of (OIDC Core §5.3).

import type { Exchange } from "../http/channels.ts";
import { json } from "../http/headers.ts";
import { BearerError } from "./errors.ts";
import { readAccessToken } from "./grant-token.ts";
import type { OAuthParts } from "./parts.ts";
import { scopesOf } from "./token-response.ts";

/** GET /oauth/userinfo */
export function userinfoEndpoint({ store, clients, keyring, clock }: OAuthParts) {
  return async ({ request }: Exchange): Promise<Response> => {
    const token = await readAccessToken(keyring, readBearer(request.headers.get("authorization")));
    if (token === null || token.expiresAt <= clock.seconds()) throw invalid();
    const found = await store.readGrant(token.grantId);
    if (found === null || found.grant.revokedAt !== null) throw invalid();
    const { grant, account } = found;
    // A client that was removed a moment ago may still be remembered, but not for long.
    const client = await clients.find(grant.clientId);
    if (client === null) throw invalid();
    if (account.endedAt !== null || account.asleepSince !== null) throw invalid();
    if (!scopesOf(grant, token.scopeMask).includes("openid")) {
      throw new BearerError(403, "insufficient_scope", "the access token lacks the scope openid");
    }
    return json(200, {
      sub: client.subject_type === "domain" ? account.domain : account.id,
      domain: account.domain,
      domain_since: account.createdAt,
    });
  };
}

/** RFC 6750 §2.1. */
function readBearer(authorization: string | null): string {
  if (authorization === null) {
    throw new BearerError(401, undefined, "send the access token as Authorization: Bearer");
  }
  const [, token] = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization) ?? [];
  if (token !== undefined) return token;
  throw new BearerError(400, "invalid_request", "the Authorization header is not one Bearer token");
}

function invalid(): BearerError {
  return new BearerError(401, "invalid_token", "the access token is unknown, expired or revoked");
}
