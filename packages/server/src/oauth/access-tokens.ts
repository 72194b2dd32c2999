// Access tokens, opaque or JWT: their token response (RFC 6749 §5.1), and the live grant behind one.

import type { ValidationData } from "domain-signin-verify";
import { type Client, type Clients, subjectOf } from "../clients/client.ts";
import { ClientDocumentError } from "../clients/client-errors.ts";
import type { RegisteredResources } from "../clients/registered-clients.ts";
import { signJwsAsync } from "../keys/jws.ts";
import type { Keyring } from "../keys/keyring.ts";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { isOver } from "../lib/lifetime.ts";
import { type Random, sha256 } from "../lib/random.ts";
import { acrOf } from "../sessions/acr.ts";
import type { GrantForTokens } from "../store/grant-row.ts";
import type { GrantStore, LiveGrant } from "../store/grants.ts";
import { ACCESS_TOKEN_LIFETIME_S } from "../store/shared-values.ts";
import {
  type GrantResource,
  ownerInRow,
  resourcesOf,
  scopesFor,
  standingScopes,
} from "./grant-resources.ts";
import { mintAccessToken, mintRefreshToken, readAccessToken } from "./grant-token.ts";
import {
  NONCE_OCTETS,
  type ParsedToken,
  RESOURCE_TOKEN_TYPE,
  sealJti,
  type VerifiedToken,
  verifyResourceToken,
} from "./resource-token.ts";
import { PURPOSE_OF } from "./statements.ts";

export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: "bearer";
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
  /** Only in the response to a code, if `openid` was granted. */
  readonly id_token?: string;
  /** Only in the response to a code, unless the client is registered without it. */
  readonly validation_data?: ValidationData;
}

export interface Access {
  /** Null for the endpoints of this service. */
  readonly resource: GrantResource | null;
  /** The scopes of `scopesFor` that the client requests. */
  readonly scopes: readonly string[];
}

export interface LiveToken extends LiveGrant {
  readonly client: Client;
  /** Null for an opaque token, which is for the endpoints of this service. */
  readonly resource: GrantResource | null;
  readonly isForUserinfo: boolean;
  /** First the scopes of the service, then those of the resource, without those that the operator has removed. */
  readonly scopes: readonly string[];
  /** Whether the token had scopes of the resource, and all of them were removed. */
  readonly isEmptied: boolean;
  /** Epoch seconds, like `expiresAt`. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

interface Deps {
  readonly issuer: string;
  readonly grants: GrantStore;
  readonly clients: Clients;
  readonly registeredResources: RegisteredResources;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly random: Random;
}

/** A JWT has about 1 KB. */
const MAX_JWT_CHARS = 8192;
const MAX_VERIFIED = 5000;

export type AccessTokens = ReturnType<typeof createAccessTokens>;

export function createAccessTokens(deps: Deps) {
  const { issuer, grants, clients, registeredResources, keyring, clock, random } = deps;
  /** Cached by the hash of the JWT, because an API sends the same token many times. */
  const known = createCache<VerifiedToken>({ clock, maxEntries: MAX_VERIFIED });
  return { respond, read, findLive };

  /** A new access token, and the refresh token of the grant's generation. */
  async function respond(
    grant: GrantForTokens,
    access: Access,
    client: Client,
  ): Promise<TokenResponse> {
    const { resource, scopes } = access;
    const now = clock.seconds();
    const expiresAt = now + ACCESS_TOKEN_LIFETIME_S;
    const scopeMask = maskOf(scopesFor(grant.scope, resource), scopes);
    return {
      // No spread, which is slower: every refresh runs this code.
      access_token:
        resource === null
          ? mintAccessToken(keyring, grant.id, { now, expiresAt, scopeMask, random })
          : await mintJwt(grant, client, { resource, scopes, now, expiresAt, scopeMask }),
      token_type: "bearer",
      expires_in: ACCESS_TOKEN_LIFETIME_S,
      refresh_token: mintRefreshToken(keyring, grant.id, grant.generation, grant.rotatedAt ?? now),
      scope: scopes.join(" "),
    };
  }

  /** With `openid`, this service accepts the token too, but only for userinfo. */
  async function mintJwt(
    grant: GrantForTokens,
    client: Client,
    access: Access & { resource: GrantResource; scopeMask: number; now: number; expiresAt: number },
  ): Promise<string> {
    const { resource, scopes, scopeMask, now, expiresAt: exp } = access;
    const { uri } = resource;
    const { domain, createdAt } = ownerInRow(grant.resources);
    const registered = resource.registered ? await registeredResources.findByUri(uri) : null;
    const key = keyring.signingKeyAt(PURPOSE_OF[registered?.signing_alg ?? "ES256"], now);
    const granted = resource.scope.split(" ");
    const mac = keyring.currentAt("grant-token", now);
    const claims = {
      iss: issuer,
      sub: subjectOf(client, { id: grant.accountId, domain }),
      aud: scopes.includes("openid") ? [uri, issuer] : uri,
      client_id: grant.clientId,
      // Without the scopes of the service.
      scope: scopes.filter((name) => granted.includes(name)).join(" "),
      domain,
      domain_since: createdAt,
      iat: now,
      exp,
      auth_time: grant.authTime,
      acr: acrOf(grant.amr),
      amr: grant.amr.split(" "),
      jti: sealJti(mac, random(NONCE_OCTETS), { grantId: grant.id, scopeMask }, { uri, exp }),
    };
    return signJwsAsync(key, { typ: RESOURCE_TOKEN_TYPE }, claims);
  }

  /** Parses an access token. Null if this service did not issue it. Does not check its expiry. */
  async function read(text: string): Promise<ParsedToken | null> {
    // Only a JWT contains dots.
    if (text.includes(".")) return readJwt(text);
    const token = await readAccessToken(keyring, text, clock.seconds());
    if (token === null) return null;
    // No spread, which is slower: every request of an API runs this code.
    const { grantId, scopeMask, expiresAt } = token;
    const issuedAt = expiresAt - ACCESS_TOKEN_LIFETIME_S;
    return { grantId, scopeMask, expiresAt, issuedAt, resource: null, isForUserinfo: true };
  }

  async function readJwt(text: string): Promise<ParsedToken | null> {
    if (text.length > MAX_JWT_CHARS) return null;
    const hash = sha256(text);
    const now = clock.seconds();
    const verified = known.get(hash) ?? (await verifyResourceToken(text, { issuer, keyring, now }));
    if (verified === null) return null;
    // The keys may have been withdrawn or ended since the token was cached.
    if (!keyring.publicKeys(now).some(({ kid }) => kid === verified.kid)) return null;
    if ((await keyring.find("grant-token", verified.macKeyId)) === null) return null;
    known.set(hash, verified);
    return verified.token;
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
    const all = selectedBy(token.scopeMask, scopesFor(grant.scope, resource));
    const times = { issuedAt, expiresAt };
    const of = { grant, account, client, resource, isForUserinfo, ...times };
    if (resource === null) return { ...of, scopes: all, isEmptied: false };
    const standing = await standingScopes(resource, registeredResources);
    const granted = resource.scope.split(" ");
    const scopes = all.filter((name) => !granted.includes(name) || standing.includes(name));
    const hasOwn = (names: readonly string[]) => names.some((name) => granted.includes(name));
    return { ...of, scopes, isEmptied: hasOwn(all) && !hasOwn(scopes) };
  }
}

/** A client with a bad document no longer exists. A client with an unreachable document may still exist. */
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
