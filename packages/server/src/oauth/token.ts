// The token and revocation endpoints: the checks that all grant types share, in order.

import type { Client } from "../clients/client.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { limitKeys } from "../http/rate-limit.ts";
import { JSON_HEADERS, json } from "../http/responses.ts";
import { NotBegunError } from "../lib/errors.ts";
import { redeemAuthorizationCode } from "./authorization-code-grant.ts";
import { authenticateClient, forClient } from "./client-authentication.ts";
import { createDelivery } from "./delivery.ts";
import type { Deps, SigningDeps } from "./deps.ts";
import { readAccessToken, readGrantToken } from "./grant-token.ts";
import { readUniqueForm, TokenError } from "./protocol-errors.ts";
import { rotateRefreshToken } from "./refresh-token-grant.ts";
import { isJwt, readResourceToken } from "./resource-token.ts";

/** `token` is the parameter with the token, which is also its kind. */
const GRANTS = {
  authorization_code: {
    required: ["code", "redirect_uri"],
    token: "code",
    handle: redeemAuthorizationCode,
  },
  refresh_token: {
    required: ["refresh_token"],
    token: "refresh_token",
    handle: rotateRefreshToken,
  },
} as const;

/** RFC 6749 §5.1. */
const TOKEN_HEADERS = Object.freeze({ ...JSON_HEADERS, pragma: "no-cache" });

/** Of requests with one code or refresh token by a client that did not authenticate. */
const REFUSALS_PER_MINUTE = 120;

type TokenDeps = SigningDeps &
  Pick<
    Deps,
    | "grants"
    | "evidences"
    | "attempts"
    | "assertionLimit"
    | "clients"
    | "clientKeys"
    | "control"
    | "events"
    | "registeredResources"
  >;

export function createTokenEndpoints(deps: TokenDeps) {
  const refusedTokens = limitKeys(REFUSALS_PER_MINUTE, deps.clock);
  return { tokenEndpoint, revocationEndpoint };

  /** POST /oauth/token (RFC 6749 §3.2). */
  async function tokenEndpoint(http: HttpRequest): Promise<HttpResponse> {
    const values = await readUniqueForm(http, refuseRepeated);
    const grantType = values.get("grant_type");
    if (grantType === undefined) throw badRequest("grant_type is missing");
    if (grantType !== "authorization_code" && grantType !== "refresh_token") {
      const description = "grant_type must be authorization_code or refresh_token";
      throw new TokenError("unsupported_grant_type", description);
    }
    const { required, token, handle } = GRANTS[grantType];
    for (const name of required) if (!values.has(name)) throw badRequest(`${name} is missing`);
    // What fails from now on is noted in memory, which has an end.
    if (deps.grants.hasTooManyMarks())
      throw new NotBegunError("too many answers were not delivered");
    const by = await authenticateClient(deps, http, values, grantType);
    const delivery = createDelivery(by, http, deps);
    try {
      const tokens = await forClient(by, deps, () => handle(by, values, deps, delivery));
      const body = JSON.stringify(tokens);
      return { status: 200, headers: TOKEN_HEADERS, body, undelivered: delivery.hungUp };
    } catch (error) {
      if (!(error instanceof TokenError)) {
        delivery.failed(error);
        throw error;
      }
      error.isOfClient = by.isProven || (await isOurs(token, values.get(token) ?? ""));
      throw error;
    }
  }

  /**
   * Whether this service issued the code or refresh token: then the requests of others at the address do not
   * count against it, but those with this token do.
   */
  async function isOurs(kind: "code" | "refresh_token", text: string): Promise<boolean> {
    const token = await readGrantToken(deps.keyring, kind, text);
    if (token !== null) refusedTokens.take(token.grantId);
    return token !== null;
  }

  /**
   * POST /oauth/revoke (RFC 7009). Revoking any token of a grant revokes the grant. Also 200 if the
   * token is invalid or issued to another client (§2.2).
   */
  async function revocationEndpoint(http: HttpRequest): Promise<HttpResponse> {
    const values = await readUniqueForm(http, badRequest);
    const token = values.get("token");
    if (token === undefined) throw badRequest("token is missing");
    const by = await authenticateClient(deps, http, values, "authorization_code");
    await forClient(by, deps, () => revoke(token, by.client));
    // The body means nothing (RFC 7009 §2.2), but some libraries that accept JSON refuse anything else:
    // simple-oauth2 and @fastify/oauth2 do so by default.
    if (acceptsJson(http)) return json(200, {});
    // Without a media type, because another library throws if an empty body is declared as JSON.
    const { "content-type": _, ...headers } = JSON_HEADERS;
    return { status: 200, headers, body: "" };
  }

  async function revoke(token: string, { client_id: clientId }: Client): Promise<void> {
    const { grants, keyring, clock } = deps;
    const parsed =
      (await readGrantToken(keyring, "refresh_token", token)) ??
      (await readAccessToken(keyring, token, clock.seconds())) ??
      (isJwt(token) ? await readResourceToken(token, deps) : null);
    if (parsed === null) return;
    const found = await grants.readGrant(parsed.grantId);
    if (found?.grant.clientId === clientId) {
      await grants.revokeGrant({ id: parsed.grantId, now: clock.seconds() });
    }
  }
}

/** Two resources would be two tokens. */
function refuseRepeated(description: string, parameter?: string): TokenError {
  return parameter === "resource"
    ? new TokenError("invalid_target", "an access token is for one resource: send resource once")
    : badRequest(description);
}

function badRequest(description: string): TokenError {
  return new TokenError("invalid_request", description);
}

/** By its name: a client that accepts anything also accepts no body. */
function acceptsJson(http: HttpRequest): boolean {
  const accepted = http.header("accept")?.toLowerCase().split(",") ?? [];
  return accepted.some((range) => range.split(";", 1)[0]?.trim() === "application/json");
}
