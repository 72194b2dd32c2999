// Access tokens as they are now: the grant, account and client behind one, opaque or JWT.

import type { Client } from "../clients/client.ts";
import { ClientDocumentError } from "../clients/client-errors.ts";
import { isOver } from "../lib/lifetime.ts";
import type { LiveGrant } from "../store/grants.ts";
import { ACCESS_TOKEN_LIFETIME_S } from "../store/shared-values.ts";
import type { Deps } from "./deps.ts";
import { type GrantResource, resourcesOf, scopesFor } from "./grant-resources.ts";
import { readAccessToken } from "./grant-token.ts";
import { isJwt, readResourceToken } from "./resource-token.ts";
import { selectedBy } from "./token-response.ts";

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

export type LiveTokenDeps = Pick<Deps, "issuer" | "grants" | "clients" | "keyring" | "clock">;

/**
 * Null if the token is not one of this service, has expired or is revoked, its client is removed, or its account is
 * asleep or has ended. Rejects with `UnavailableError`.
 */
export async function readLiveToken(text: string, deps: LiveTokenDeps): Promise<LiveToken | null> {
  const token = isJwt(text) ? await readResourceToken(text, deps) : await readOpaque(text, deps);
  if (token === null) return null;
  const { issuedAt, expiresAt, isForUserinfo } = token;
  if (isOver({ since: issuedAt, end: expiresAt }, deps.clock)) return null;
  const found = await deps.grants.readLiveGrant(token.grantId);
  if (found === null) return null;
  const { grant, account } = found;
  // A removed client may stay in the cache for a few seconds.
  const client = await deps.clients.find(grant.clientId).catch(nullIfBadDocument);
  if (client === null) return null;
  const resource = resourcesOf(grant).find(({ uri }) => uri === token.resource) ?? null;
  if (token.resource !== null && resource === null) return null;
  const scopes = selectedBy(token.scopeMask, scopesFor(grant, resource));
  return { grant, account, client, resource, isForUserinfo, scopes, issuedAt, expiresAt };
}

async function readOpaque(text: string, { keyring, clock }: LiveTokenDeps) {
  const token = await readAccessToken(keyring, text, clock.seconds());
  if (token === null) return null;
  const { grantId, scopeMask, expiresAt } = token;
  const issuedAt = expiresAt - ACCESS_TOKEN_LIFETIME_S;
  return { grantId, scopeMask, expiresAt, issuedAt, resource: null, isForUserinfo: true };
}

/** A client with a bad document no longer exists. One that is unreachable may still exist. */
function nullIfBadDocument(error: unknown): null {
  if (error instanceof ClientDocumentError && error.kind === "bad") return null;
  throw error;
}
