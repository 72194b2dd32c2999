// The token and revocation endpoints: the checks that all grant types share, in order.

import { FormError, type Parameters, readForm } from "../http/form.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { JSON_HEADERS, json } from "../http/responses.ts";
import { redeemAuthorizationCode } from "./authorization-code-grant.ts";
import { type AuthenticatedClient, authenticateClient } from "./client-authentication.ts";
import type { Deps, SigningDeps } from "./deps.ts";
import { asProvenClient, printable, TokenError } from "./errors.ts";
import { readAccessToken, readGrantToken } from "./grant-token.ts";
import { rotateRefreshToken } from "./refresh-token-grant.ts";
import type { TokenResponse } from "./token-response.ts";

const GRANTS: Record<
  "authorization_code" | "refresh_token",
  {
    required: readonly string[];
    handle: (
      by: AuthenticatedClient,
      values: Parameters["values"],
      deps: TokenDeps,
    ) => Promise<TokenResponse>;
  }
> = {
  authorization_code: { required: ["code", "redirect_uri"], handle: redeemAuthorizationCode },
  refresh_token: {
    required: ["refresh_token"],
    handle: ({ client }, values, deps) => rotateRefreshToken(client, values, deps),
  },
};

type TokenDeps = SigningDeps &
  Pick<Deps, "grants" | "evidences" | "attempts" | "clients" | "clientKeys" | "control" | "events">;

export function createTokenEndpoints(deps: TokenDeps) {
  return { tokenEndpoint, revocationEndpoint };

  /** POST /oauth/token (RFC 6749 §3.2). */
  async function tokenEndpoint(http: HttpRequest): Promise<HttpResponse> {
    const form = await readTokenForm(http);
    const { values } = form;
    const grantType = values.get("grant_type");
    if (grantType === undefined) throw missing("grant_type");
    if (grantType !== "authorization_code" && grantType !== "refresh_token") {
      throw new TokenError(
        "unsupported_grant_type",
        "grant_type must be authorization_code or refresh_token",
      );
    }
    const grant = GRANTS[grantType];
    const absent = grant.required.find((name) => !values.has(name));
    if (absent !== undefined) throw missing(absent);
    const by = await authenticateClient(deps, http, form, grantType);
    const response = await grant.handle(by, values, deps).catch((error) => {
      throw by.isProven ? asProvenClient(error) : error;
    });
    return json(200, response, { pragma: "no-cache" });
  }

  /**
   * POST /oauth/revoke (RFC 7009). Revoking any token of a grant revokes the grant. Also 200 if the token is invalid or issued to another
   * client (§2.2).
   */
  async function revocationEndpoint(http: HttpRequest): Promise<HttpResponse> {
    const { grants, keyring, clock } = deps;
    const form = await readTokenForm(http);
    const token = form.values.get("token");
    if (token === undefined) throw missing("token");
    const { client } = await authenticateClient(deps, http, form, "authorization_code");
    const parsed =
      (await readGrantToken(keyring, "refresh_token", token)) ??
      (await readAccessToken(keyring, token));
    if (parsed !== null) {
      const found = await grants.readGrant(parsed.grantId);
      if (found?.grant.clientId === client.client_id) {
        await grants.revokeGrant({ id: parsed.grantId, now: clock.seconds() });
      }
    }
    return { status: 200, headers: JSON_HEADERS, body: "" };
  }
}

/** Reads a form without duplicate parameters. Throws `TokenError` with `invalid_request`. */
async function readTokenForm(http: HttpRequest) {
  try {
    const form = await readForm(http);
    const [duplicate] = form.repeated;
    if (duplicate === undefined) return form;
    throw new FormError(`duplicate parameter: ${printable(duplicate)}`);
  } catch (error) {
    if (error instanceof FormError) throw new TokenError("invalid_request", error.message);
    throw error;
  }
}

function missing(name: string): TokenError {
  return new TokenError("invalid_request", `${name} is missing`);
}
