// The success response of the token endpoint (RFC 6749 §5.1), and the scopes of its access token.

import type { ValidationData } from "domain-signin-verify";
import type { Client } from "../clients/client.ts";
import type { GrantForTokens } from "../store/grant-row.ts";
import { ACCESS_TOKEN_LIFETIME_S } from "../store/shared-values.ts";
import type { Deps } from "./deps.ts";
import { type GrantResource, scopesFor } from "./grant-resources.ts";
import { mintAccessToken, mintRefreshToken } from "./grant-token.ts";
import { mintResourceToken } from "./resource-token.ts";

export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: "bearer";
  readonly expires_in: number;
  readonly refresh_token: string;
  /** The scopes of this access token, separated by spaces. */
  readonly scope: string;
  /** Only in the response to a code, if `openid` was granted. */
  readonly id_token?: string;
  /** Only in the response to a code, unless the client is registered without it. */
  readonly validation_data?: ValidationData;
}

/** What an access token is made for. */
export interface Access {
  /** Null for the endpoints of this service. */
  readonly resource: GrantResource | null;
  /** Those of `scopesFor` that the client wants. */
  readonly scopes: readonly string[];
}

/** Mints a new access token, and the refresh token of the grant's generation. */
export async function tokenResponse(
  grant: GrantForTokens,
  { resource, scopes }: Access,
  client: Client,
  deps: Pick<Deps, "issuer" | "keyring" | "clock" | "random" | "registeredResources">,
): Promise<TokenResponse> {
  const { keyring, clock, random } = deps;
  const now = clock.seconds();
  const expiresAt = now + ACCESS_TOKEN_LIFETIME_S;
  const scopeMask = maskOf(scopesFor(grant, resource), scopes);
  return {
    access_token:
      resource === null
        ? mintAccessToken(keyring, grant.id, { expiresAt, scopeMask, now, random })
        : await mintResourceToken({ grant, client, resource, scopes, scopeMask, now }, deps),
    token_type: "bearer",
    expires_in: ACCESS_TOKEN_LIFETIME_S,
    refresh_token: mintRefreshToken(keyring, grant.id, grant.generation, grant.rotatedAt ?? now),
    scope: scopes.join(" "),
  };
}

/** The scopes that a mask selects; bit 0 is the first. */
export function selectedBy(mask: number, scopes: readonly string[]): string[] {
  return scopes.filter((_, index) => (mask & (1 << index)) !== 0);
}

function maskOf(all: readonly string[], chosen: readonly string[]): number {
  let mask = 0;
  for (const [index, name] of all.entries()) if (chosen.includes(name)) mask |= 1 << index;
  return mask;
}
