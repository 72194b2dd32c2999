// Access tokens, opaque or JWT: their token response (RFC 6749 §5.1), and the live grant behind one.

import type { ValidationData } from "domain-signin-verify";
import type { Client, Clients } from "../clients/client.ts";
import { ClientDocumentError } from "../clients/client-errors.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import { isOver } from "../lib/lifetime.ts";
import type { Random } from "../lib/random.ts";
import type { GrantForTokens } from "../store/grant-row.ts";
import type { GrantStore, LiveGrant } from "../store/grants.ts";
import { ACCESS_TOKEN_LIFETIME_S } from "../store/shared-values.ts";
import { type GrantResource, resourcesOf, scopesFor } from "./grant-resources.ts";
import { mintAccessToken, mintRefreshToken, readAccessToken } from "./grant-token.ts";
import { isJwt, type ResourceTokens } from "./resource-token.ts";

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

export interface LiveToken extends LiveGrant {
  readonly client: Client;
  /** Null for an opaque token, which is for the endpoints of this service. */
  readonly resource: GrantResource | null;
  readonly isForUserinfo: boolean;
  /** Those of the service, then those of the resource. */
  readonly scopes: readonly string[];
  /** Epoch seconds, like `expiresAt`. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

interface Deps {
  readonly grants: GrantStore;
  readonly clients: Clients;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly random: Random;
  readonly resourceTokens: ResourceTokens;
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

export function createAccessTokens(deps: Deps) {
  const { grants, clients, keyring, clock, random, resourceTokens } = deps;
  return { respond, read, findLive };

  /** A new access token, and the refresh token of the grant's generation. */
  async function respond(
    grant: GrantForTokens,
    { resource, scopes }: Access,
    client: Client,
  ): Promise<TokenResponse> {
    const now = clock.seconds();
    const expiresAt = now + ACCESS_TOKEN_LIFETIME_S;
    const scopeMask = maskOf(scopesFor(grant.scope, resource), scopes);
    return {
      access_token:
        resource === null
          ? mintAccessToken(keyring, grant.id, { expiresAt, scopeMask, now, random })
          : await resourceTokens.mint({ grant, client, resource, scopes, scopeMask, now }),
      token_type: "bearer",
      expires_in: ACCESS_TOKEN_LIFETIME_S,
      refresh_token: mintRefreshToken(keyring, grant.id, grant.generation, grant.rotatedAt ?? now),
      scope: scopes.join(" "),
    };
  }

  /** Null if this service did not issue the token. Does not check its expiry. */
  async function read(text: string) {
    if (isJwt(text)) return resourceTokens.read(text);
    const token = await readAccessToken(keyring, text, clock.seconds());
    if (token === null) return null;
    const issuedAt = token.expiresAt - ACCESS_TOKEN_LIFETIME_S;
    return { ...token, issuedAt, resource: null, isForUserinfo: true };
  }

  /**
   * Null if the token is not one of this service, has expired or is revoked, its client is removed, or its account is
   * asleep or has ended. Rejects with `UnavailableError`.
   */
  async function findLive(text: string): Promise<LiveToken | null> {
    const token = await read(text);
    if (token === null) return null;
    const { issuedAt, expiresAt, isForUserinfo } = token;
    if (isOver({ since: issuedAt, end: expiresAt }, clock)) return null;
    const live = await grants.readLiveGrant(token.grantId);
    if (live === null) return null;
    const { grant, account } = live;
    // A removed client may stay in the cache for a few seconds.
    const client = await clients.find(grant.clientId).catch(nullIfBadDocument);
    if (client === null) return null;
    const resource = resourcesOf(grant.resources).find(({ uri }) => uri === token.resource) ?? null;
    if (token.resource !== null && resource === null) return null;
    const scopes = selectedBy(token.scopeMask, scopesFor(grant.scope, resource));
    return { grant, account, client, resource, isForUserinfo, scopes, issuedAt, expiresAt };
  }
}

/** A client with a bad document no longer exists. One that is unreachable may still exist. */
function nullIfBadDocument(error: unknown): null {
  if (error instanceof ClientDocumentError && error.kind === "bad") return null;
  throw error;
}

/** The scopes that a mask selects; bit 0 is the first. */
function selectedBy(mask: number, scopes: readonly string[]): string[] {
  return scopes.filter((_, index) => (mask & (1 << index)) !== 0);
}

function maskOf(all: readonly string[], chosen: readonly string[]): number {
  let mask = 0;
  for (const [index, name] of all.entries()) if (chosen.includes(name)) mask |= 1 << index;
  return mask;
}
