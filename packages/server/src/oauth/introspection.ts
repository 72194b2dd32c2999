// Token introspection (RFC 7662): what a resource or a client may know about an access token of its own.

import { subjectOf } from "../clients/client.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { json } from "../http/responses.ts";
import { type Authenticating, authenticateClient, forClient } from "./client-authentication.ts";
import type { Deps } from "./deps.ts";
import { type LiveToken, type LiveTokenDeps, readLiveToken } from "./live-token.ts";
import { readUniqueForm, TokenError } from "./protocol-errors.ts";

type IntrospectionDeps = LiveTokenDeps &
  Pick<Deps, "attempts" | "assertionLimit" | "clientKeys" | "registeredResources">;

/** Who asks: a resource, which has a URI, or a confidential client, which has none. */
interface Caller extends Authenticating {
  readonly uri?: string;
}

export function createIntrospection(deps: IntrospectionDeps) {
  const callerDeps = { ...deps, clients: { find: findCaller } };
  return { introspectionEndpoint };

  /** POST /oauth/introspect */
  async function introspectionEndpoint(http: HttpRequest): Promise<HttpResponse> {
    const values = await readUniqueForm(http, badRequest);
    const token = values.get("token");
    if (token === undefined) throw badRequest("token is missing");
    const by = await authenticateClient<Caller>(callerDeps, http, values, "authorization_code");
    const { client: caller, isProven } = by;
    if (!isProven) {
      const description = "introspection is for resources and confidential clients";
      throw new TokenError("invalid_client", description);
    }
    const live = await forClient(by, deps, () => readLiveToken(token, deps));
    // Of the tokens of others, the caller learns nothing (RFC 7662 §2.2).
    if (live === null || !isOwn(live, caller)) return json(200, { active: false });
    return json(200, descriptionOf(live, deps.issuer));
  }

  async function findCaller(
    id: string,
    lookup: Parameters<Deps["clients"]["find"]>[1] = {},
  ): Promise<Caller | null> {
    const resource = await deps.registeredResources.find(id, lookup);
    return resource ?? (await deps.clients.find(id, lookup));
  }
}

function isOwn({ grant, resource }: LiveToken, { uri, client_id }: Caller): boolean {
  return uri === undefined ? grant.clientId === client_id : resource?.uri === uri;
}

function descriptionOf(live: LiveToken, issuer: string) {
  const { account, client, resource, isForUserinfo, scopes, issuedAt, expiresAt } = live;
  const ofResource = resource?.scope.split(" ");
  return {
    active: true,
    iss: issuer,
    sub: subjectOf(client, account),
    aud: resource === null ? issuer : isForUserinfo ? [resource.uri, issuer] : resource.uri,
    client_id: client.client_id,
    scope: scopes.filter((name) => ofResource?.includes(name) ?? true).join(" "),
    domain: account.domain,
    domain_since: account.createdAt,
    iat: issuedAt,
    exp: expiresAt,
    token_type: "bearer",
  };
}

function badRequest(description: string): TokenError {
  return new TokenError("invalid_request", description);
}
