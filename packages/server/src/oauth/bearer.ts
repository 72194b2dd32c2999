// The access token that a request bears (RFC 6750), and the live grant that it is of.

import type { Exchange } from "../http/channels.ts";
import type { Account, Grant } from "../store/store.ts";
import type { Client } from "./client.ts";
import { BearerError } from "./errors.ts";
import { readAccessToken } from "./grant-token.ts";
import type { OAuthParts } from "./parts.ts";

export interface LiveAccess {
  readonly accessToken: string;
  /** Which scopes of the grant's list it is for. */
  readonly scopeMask: number;
  readonly grant: Grant;
  readonly account: Account;
  readonly client: Client;
}

/**
 * Throws `BearerError`: 401 without a token, for one that is unknown, expired or revoked, and for
 * one of a removed client or of an account that sleeps or has ended; 400 for another kind of header.
 */
export async function liveAccess(
  { request }: Exchange,
  { store, clients, keyring, clock }: Pick<OAuthParts, "store" | "clients" | "keyring" | "clock">,
): Promise<LiveAccess> {
  const accessToken = readBearer(request.headers.get("authorization"));
  const token = await readAccessToken(keyring, accessToken);
  if (token === null || token.expiresAt <= clock.seconds()) throw invalid();
  const found = await store.readGrant(token.grantId);
  if (found === null || found.grant.revokedAt !== null) throw invalid();
  const { grant, account } = found;
  // A client that was removed a moment ago may still be remembered, but not for long.
  const client = await clients.find(grant.clientId);
  if (client === null) throw invalid();
  if (account.endedAt !== null || account.asleepSince !== null) throw invalid();
  return { accessToken, scopeMask: token.scopeMask, grant, account, client };
}

/** RFC 6750 §2.1. */
function readBearer(authorization: string | null): string {
  if (authorization === null) {
    throw new BearerError(401, undefined, "send the access token as Authorization: Bearer");
  }
  const [, token] = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization) ?? [];
  if (token !== undefined) return token;
  throw new BearerError(400, "invalid_request", "the Authorization header is not one Bearer token");
}

function invalid(): BearerError {
  return new BearerError(401, "invalid_token", "the access token is unknown, expired or revoked");
}
