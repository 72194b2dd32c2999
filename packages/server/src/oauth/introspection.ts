// Token introspection (RFC 7662): what a resource or a client may know about an access token of its own.

import { type Clients, type Lookup, subjectOf } from "../clients/client.ts";
import type { RegisteredResources } from "../clients/registered-clients.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { json } from "../http/responses.ts";
import type { AccessTokens, LiveToken } from "./access-tokens.ts";
import type { Authenticating, ClientAuthentication } from "./client-authentication.ts";
import { invalidRequest, readUniqueForm, TokenError } from "./protocol-errors.ts";

interface Deps {
  readonly issuer: string;
  readonly clients: Clients;
  readonly registeredResources: RegisteredResources;
  readonly clientAuthentication: ClientAuthentication;
  readonly accessTokens: AccessTokens;
}

export function createIntrospection(deps: Deps) {
  const { issuer, clients, registeredResources, clientAuthentication, accessTokens } = deps;
  return { introspectionEndpoint };

  /** POST /oauth/introspect, by a resource or a confidential client */
  async function introspectionEndpoint(http: HttpRequest): Promise<HttpResponse> {
    const values = await readUniqueForm(http, invalidRequest);
    const token = values.get("token");
    if (token === undefined) throw invalidRequest("token is missing");
    const method = { find: findCaller };
    const caller = await clientAuthentication.authenticate(http, values, method);
    if (!caller.isProven) {
      const description = "introspection is for resources and confidential clients";
      throw new TokenError("invalid_client", description);
    }
    const live = await clientAuthentication.forClient(caller, () => accessTokens.findLive(token));
    // Of the tokens of others, the caller learns nothing (RFC 7662 §2.2).
    if (live === null || !isOwn(live, caller.client)) return json(200, { active: false });
    return json(200, descriptionOf(live, issuer));
  }

  async function findCaller(id: string, lookup: Lookup): Promise<Authenticating | null> {
    return (await clients.find(id, lookup)) ?? (await registeredResources.find(id, lookup));
  }
}

function isOwn({ grant, resource }: LiveToken, { uri, client_id }: Authenticating): boolean {
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
