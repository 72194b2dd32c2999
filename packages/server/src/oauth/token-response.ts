// The success response of the token endpoint.

import type { ValidationData } from "domain-signin-verify";
import type { Grant } from "../store/grants.ts";
import { ACCESS_TOKEN_LIFETIME_S } from "../store/shared-values.ts";
import type { Deps } from "./deps.ts";
import { mintAccessToken, mintRefreshToken } from "./grant-token.ts";

/** RFC 6749 §5.1. */
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

/** Mints a new access token for `scopes`, and the refresh token of the grant's generation. */
export function tokenResponse(
  grant: Grant,
  scopes: readonly string[],
  { keyring, clock, random }: Pick<Deps, "keyring" | "clock" | "random">,
): TokenResponse {
  const now = clock.seconds();
  return {
    access_token: mintAccessToken(keyring, grant.id, {
      expiresAt: now + ACCESS_TOKEN_LIFETIME_S,
      scopeMask: maskOf(grant, scopes),
      now,
      random,
    }),
    token_type: "bearer",
    expires_in: ACCESS_TOKEN_LIFETIME_S,
    refresh_token: mintRefreshToken(keyring, grant.id, grant.generation, grant.rotatedAt ?? now),
    scope: scopes.join(" "),
  };
}

/** The scopes of the grant that a scope mask selects. */
export function scopesOf(grant: Grant, mask: number): string[] {
  return grant.scope.split(" ").filter((_, index) => (mask & (1 << index)) !== 0);
}

function maskOf({ scope }: Grant, scopes: readonly string[]): number {
  const bits = scope.split(" ").map((name, index) => (scopes.includes(name) ? 1 << index : 0));
  return bits.reduce((mask, bit) => mask | bit, 0);
}
