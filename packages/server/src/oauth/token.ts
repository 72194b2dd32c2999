// The token endpoint: the checks that every grant shares, in their order.

import type { Exchange } from "../http/channels.ts";
import { FormError, readForm } from "../http/form.ts";
import { json } from "../http/headers.ts";
import { redeemAuthorizationCode } from "./authorization-code-grant.ts";
import { type AuthenticatedClient, authenticateClient } from "./client-authentication.ts";
import { ofProvenClient, TokenError } from "./errors.ts";
import type { OAuthParts } from "./parts.ts";
import { rotateRefreshToken } from "./refresh-token-grant.ts";
import type { TokenResponse } from "./token-response.ts";

type GrantValues = ReadonlyMap<string, string>;

const GRANTS: Record<
  "authorization_code" | "refresh_token",
  {
    required: readonly string[];
    handle: (
      by: AuthenticatedClient,
      values: GrantValues,
      parts: OAuthParts,
    ) => Promise<TokenResponse>;
  }
> = {
  authorization_code: { required: ["code", "redirect_uri"], handle: redeemAuthorizationCode },
  refresh_token: {
    required: ["refresh_token"],
    handle: ({ client }, values, parts) => rotateRefreshToken(client, values, parts),
  },
};

/** POST /oauth/token (RFC 6749 §3.2). */
export function tokenEndpoint(parts: OAuthParts) {
  return async (exchange: Exchange): Promise<Response> => {
    const form = await readTokenForm(exchange.request);
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
    const by = await authenticateClient(parts, exchange, form, grantType);
    const response = await grant.handle(by, values, parts).catch((error) => {
      throw by.isProven ? ofProvenClient(error) : error;
    });
    return json(200, response, { pragma: "no-cache" });
  };
}

/** The form of a JSON endpoint: each parameter at most once. */
export async function readTokenForm(request: Request) {
  try {
    const form = await readForm(request);
    const twice = form.repeated[0];
    if (twice === undefined) return form;
    throw new FormError(`the parameter ${shown(twice)} stands in the form twice`);
  } catch (error) {
    if (error instanceof FormError) throw new TokenError("invalid_request", error.message);
    throw error;
  }
}

function missing(name: string): TokenError {
  return new TokenError("invalid_request", `${name} is missing`);
}

/** RFC 6749 §5.2 allows few characters in a description; a parameter's name is the caller's. */
function shown(name: string): string {
  return name.replace(/[^A-Za-z0-9_.-]/g, "?").slice(0, 40);
}
