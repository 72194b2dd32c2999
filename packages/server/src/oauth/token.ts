// The token, revocation and introspection endpoints: the checks that all their requests share, in order.

import { type Client, type Clients, type Lookup, subjectOf } from "../clients/client.ts";
import type { RegisteredResources } from "../clients/registered-clients.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { limitKeys } from "../http/rate-limit.ts";
import { JSON_HEADERS, json } from "../http/responses.ts";
import type { MacKeyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import { NotBegunError } from "../lib/errors.ts";
import type { GrantStore } from "../store/grants.ts";
import type { AccessTokens, LiveToken } from "./access-tokens.ts";
import type { TokenGrant } from "./authorization-code-grant.ts";
import type { Authenticating, ClientAuthentication, Values } from "./client-authentication.ts";
import type { Deliveries } from "./delivery.ts";
import { readGrantToken } from "./grant-token.ts";
import { invalidRequest, readUniqueForm, TokenError } from "./protocol-errors.ts";

interface Deps {
  readonly issuer: string;
  readonly clients: Clients;
  readonly registeredResources: RegisteredResources;
  readonly clientAuthentication: ClientAuthentication;
  readonly redeemCode: TokenGrant;
  readonly rotateRefreshToken: TokenGrant;
  readonly deliveryTo: Deliveries;
  readonly accessTokens: AccessTokens;
  readonly grants: GrantStore;
  readonly keyring: MacKeyring;
  readonly clock: Clock;
}

/** By grant type. The first parameter contains the token, and its name is the kind of the token. */
const REQUIRED_PARAMETERS = {
  authorization_code: ["code", "redirect_uri"],
  refresh_token: ["refresh_token"],
} as const;

/** RFC 6749 §5.1. */
const TOKEN_HEADERS = Object.freeze({ ...JSON_HEADERS, pragma: "no-cache" });

/** Counts unauthenticated requests with the same code or refresh token. */
const REFUSALS_PER_MINUTE = 120;

export function createTokenEndpoints(deps: Deps) {
  const { clients, clientAuthentication, accessTokens, grants, keyring, clock } = deps;
  const refusedTokens = limitKeys(REFUSALS_PER_MINUTE, clock);
  return { tokenEndpoint, revocationEndpoint, introspectionEndpoint };

  /** POST /oauth/token (RFC 6749 §3.2). */
  async function tokenEndpoint(http: HttpRequest): Promise<HttpResponse> {
    const values = await readUniqueForm(http, refuseRepeated);
    const grantType = values.get("grant_type");
    if (grantType === undefined) throw invalidRequest("grant_type is missing");
    if (grantType !== "authorization_code" && grantType !== "refresh_token") {
      const description = "grant_type must be authorization_code or refresh_token";
      throw new TokenError("unsupported_grant_type", description);
    }
    const required = REQUIRED_PARAMETERS[grantType];
    for (const name of required) if (!values.has(name)) throw invalidRequest(`${name} is missing`);
    // Failures from here on are noted in memory, which is limited.
    if (grants.hasTooManyMarks()) throw new NotBegunError("too many answers were not delivered");
    const isRefresh = grantType === "refresh_token";
    const method = { find: clients.find, isRefresh };
    const authenticated = await clientAuthentication.authenticate(http, values, method);
    const handle = isRefresh ? deps.rotateRefreshToken : deps.redeemCode;
    const delivery = deps.deliveryTo(authenticated, http);
    try {
      const answer = () => handle(authenticated, values, delivery);
      const tokens = await clientAuthentication.forClient(authenticated, answer);
      const body = JSON.stringify(tokens);
      return { status: 200, headers: TOKEN_HEADERS, body, undelivered: delivery.hungUp };
    } catch (error) {
      if (!(error instanceof TokenError)) {
        delivery.failed(error);
        throw error;
      }
      error.isOfClient = authenticated.isProven || (await isOurs(required[0], values));
      throw error;
    }
  }

  /** Whether this service issued the token: then a refusal counts against the token, and not against the address. */
  async function isOurs(kind: "code" | "refresh_token", values: Values): Promise<boolean> {
    const token = await readGrantToken(keyring, kind, values.get(kind) ?? "");
    if (token !== null) refusedTokens.take(token.grantId);
    return token !== null;
  }

  /** POST /oauth/revoke (RFC 7009) revokes the grant. Also 200 for an invalid token or another client's (§2.2). */
  async function revocationEndpoint(http: HttpRequest): Promise<HttpResponse> {
    const values = await readUniqueForm(http, invalidRequest);
    const token = values.get("token");
    if (token === undefined) throw invalidRequest("token is missing");
    const authenticated = await clientAuthentication.authenticate(http, values, clients);
    await clientAuthentication.forClient(authenticated, () => revoke(token, authenticated.client));
    // The body means nothing (RFC 7009 §2.2), but simple-oauth2 and @fastify/oauth2 refuse all but JSON by default.
    if (acceptsJson(http)) return json(200, {});
    // Without a media type, because another library throws if an empty body is declared as JSON.
    const { "content-type": _, ...headers } = JSON_HEADERS;
    return { status: 200, headers, body: "" };
  }

  async function revoke(text: string, { client_id: clientId }: Client): Promise<void> {
    const token =
      (await readGrantToken(keyring, "refresh_token", text)) ?? (await accessTokens.read(text));
    if (token === null) return;
    const current = await grants.readGrant(token.grantId);
    if (current?.grant.clientId === clientId) {
      await grants.revokeGrant({ id: token.grantId, now: clock.seconds() });
    }
  }

  /** POST /oauth/introspect (RFC 7662), by a resource or a confidential client, about a token of its own. */
  async function introspectionEndpoint(http: HttpRequest): Promise<HttpResponse> {
    const values = await readUniqueForm(http, invalidRequest);
    const token = values.get("token");
    if (token === undefined) throw invalidRequest("token is missing");
    const caller = await clientAuthentication.authenticate(http, values, { find: findCaller });
    if (!caller.isProven) {
      const description = "introspection is for resources and confidential clients";
      throw new TokenError("invalid_client", description);
    }
    const live = await clientAuthentication.forClient(caller, () => accessTokens.findLive(token));
    // The caller learns nothing about tokens of others (RFC 7662 §2.2).
    if (live === null || live.isEmptied || !isOwn(live, caller.client))
      return json(200, { active: false });
    return json(200, descriptionOf(live, deps.issuer));
  }

  /** A client whose id is a URL has a document. All other clients, and all resources, are registered. */
  function findCaller(id: string, lookup: Lookup): Promise<Authenticating | null> {
    const isAddress = URL.canParse(id);
    return isAddress ? clients.find(id, lookup) : deps.registeredResources.findCaller(id, lookup);
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

/** Two resources would need two tokens. */
function refuseRepeated(description: string, parameter?: string): TokenError {
  return parameter === "resource"
    ? new TokenError("invalid_target", "an access token is for one resource: send resource once")
    : invalidRequest(description);
}

/** Only if JSON is named: a client that accepts anything also accepts an empty body. */
function acceptsJson(http: HttpRequest): boolean {
  const accepted = http.header("accept")?.toLowerCase().split(",") ?? [];
  return accepted.some((range) => range.split(";", 1)[0]?.trim() === "application/json");
}
