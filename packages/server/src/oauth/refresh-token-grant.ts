// Rotates a refresh token. A retry gets the same successor, a replay revokes the grant.

import type { Clock } from "../lib/clock.ts";
import { isMisdated, isOver } from "../lib/lifetime.ts";
import type { Grant, GrantForTokens, GrantWithAccount } from "../store/grants.ts";
import type { Client } from "./client.ts";
import type { AuthenticatedClient } from "./client-authentication.ts";
import type { Deps } from "./deps.ts";
import { refuseResource, TokenError } from "./errors.ts";
import { resourceFor, scopesFor } from "./grant-resources.ts";
import { readGrantToken } from "./grant-token.ts";
import { type Access, type TokenResponse, tokenResponse } from "./token-response.ts";

type RefreshDeps = Pick<
  Deps,
  | ("issuer" | "grants" | "keyring" | "control" | "clock" | "random" | "events")
  | "registeredResources"
>;

/** After this time, a refresh checks the record in the background. */
const CONTROL_TTL_S = 86_400;
/** After this time, a refresh waits for the check. */
const GRACE_PERIOD_S = 72 * 3600;

export async function rotateRefreshToken(
  { client }: AuthenticatedClient,
  values: ReadonlyMap<string, string>,
  deps: RefreshDeps,
): Promise<TokenResponse> {
  const { grants, clock, keyring, control } = deps;
  const token = await readGrantToken(keyring, "refresh_token", values.get("refresh_token") ?? "");
  if (token === null) throw refuse("not a refresh token issued by this server");
  const { grantId: id, generation } = token;
  const now = clock.seconds();
  const wanted = { scope: values.get("scope"), resource: values.get("resource") };
  const respond = async (grant: GrantForTokens) =>
    await tokenResponse(grant, await accessFor(grant, wanted, deps), client, deps);
  // Before the rotation, so that the token stays valid if the scope or the resource is refused.
  if (wanted.scope !== undefined || wanted.resource !== undefined) {
    const found = await grants.readGrant(id);
    if (found?.grant.clientId === client.client_id) await accessFor(found.grant, wanted, deps);
  }

  const refreshExpiresAt = now + client.refresh_idle_lifetime;
  const controlCheckedAfter = now - GRACE_PERIOD_S;
  const clientId = client.client_id;
  const rotation = { id, generation, clientId, refreshExpiresAt, controlCheckedAfter, now };
  // The second attempt follows the DNS check, during which the grant may have changed.
  for (let attempt = 0; attempt < 2; attempt++) {
    const rotated = await grants.rotateRefreshToken(rotation);
    if (rotated !== null) {
      if (rotated.controlCheckedAt <= now - CONTROL_TTL_S) control.checkLater(rotated);
      return await respond(rotated);
    }
    const { is, grant, account } = stateOf(await grants.readGrant(id), token, client, clock);
    if (is === "replayed" || is === "ahead") return endGrant(grant, is, now, deps);
    if (is === "retried" && account.asleepSince === null) return respond(grant);
    if (!(await control.confirm(account, grant))) {
      throw refuse("the DNS record of the domain no longer names the account");
    }
  }
  throw refuse("grant changed during the request");
}

type State = GrantWithAccount & { is: "retried" | "replayed" | "ahead" | "control_unchecked" };

/**
 * Why the rotation changed no row, from the current row. Throws for a token that is just refused. The
 * order of the checks matters.
 */
function stateOf(
  found: GrantWithAccount | null,
  { generation }: { generation: number },
  { client_id: clientId, refresh_retry_window: retryWindow }: Client,
  clock: Clock,
): State {
  if (found === null) throw refuse("grant not found");
  const { grant, account } = found;
  if (grant.clientId !== clientId) throw refuse("issued to another client");
  if (grant.revokedAt !== null) throw refuse("revoked");
  if (generation > grant.generation) return { ...found, is: "ahead" };
  const { rotatedAt, refreshExpiresAt } = grant;
  const since = rotatedAt ?? 0;
  // One that a wrong clock dated is as good as its absolute end: the look at the record decides.
  const isUndated = isMisdated(since, clock.seconds());
  if (!isUndated && isOver({ since, end: refreshExpiresAt ?? 0 }, clock)) throw refuse("expired");
  if (account.endedAt !== null) throw refuse("account has ended");
  if (generation === grant.generation) return { ...found, is: "control_unchecked" };
  // The window starts at the rotation. Retries do not extend it.
  const isLast = generation === grant.generation - 1 && generation > 0 && retryWindow > 0;
  // Nobody knows whether it is open, and an honest retry must not end the grant.
  if (isLast && isUndated) throw refuse("already used, at a time that a wrong clock dated");
  const isRetry = isLast && !isOver({ since, end: since + retryWindow + 1 }, clock);
  return { ...found, is: isRetry ? "retried" : "replayed" };
}

async function endGrant(
  { id, clientId, accountId }: Pick<Grant, "id" | "clientId" | "accountId">,
  reason: "replayed" | "ahead",
  now: number,
  { grants, events }: RefreshDeps,
): Promise<never> {
  await grants.revokeGrant({ id, now });
  if (reason === "ahead") {
    events.lostWrites({ clientId, accountId });
    throw refuse("token is newer than the database");
  }
  events.replayed({ clientId, accountId, token: "refresh_token" });
  throw refuse("already used");
}

/** RFC 6749 §6: a refresh may only keep or narrow the scope. Throws `TokenError` for another scope or resource. */
async function accessFor(
  grant: GrantForTokens,
  wanted: { readonly scope: string | undefined; readonly resource: string | undefined },
  { registeredResources }: Pick<Deps, "registeredResources">,
): Promise<Access> {
  const resource = await resourceFor(grant, wanted.resource, registeredResources);
  if (resource === "refused") throw refuseResource();
  const granted = scopesFor(grant, resource);
  if (wanted.scope === undefined) return { resource, scopes: granted };
  const named = wanted.scope.split(" ").filter((scope) => scope !== "");
  if (named.length === 0 || !named.every((scope) => granted.includes(scope))) {
    throw new TokenError("invalid_request", "scope exceeds the scope that was granted");
  }
  return { resource, scopes: granted.filter((scope) => named.includes(scope)) };
}

function refuse(detail: string): TokenError {
  return new TokenError(
    "invalid_grant",
    "refresh_token is invalid, expired, revoked or already used",
    { detail },
  );
}
