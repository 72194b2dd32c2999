// Rotates a refresh token. A retry gets the same successor, a replay revokes the grant.

import type { Grant, GrantWithAccount } from "../store/grants.ts";
import type { Client } from "./client.ts";
import type { AuthenticatedClient } from "./client-authentication.ts";
import type { Deps } from "./deps.ts";
import { TokenError } from "./errors.ts";
import { readGrantToken } from "./grant-token.ts";
import { type TokenResponse, tokenResponse } from "./token-response.ts";

type RefreshDeps = Pick<Deps, "grants" | "keyring" | "control" | "clock" | "random" | "events">;

/** How long one DNS check allows refreshes. */
const CONTROL_TTL_S = 86_400;

export async function rotateRefreshToken(
  { client }: AuthenticatedClient,
  values: ReadonlyMap<string, string>,
  deps: RefreshDeps,
): Promise<TokenResponse> {
  const { grants, clock, keyring, control } = deps;
  const token = await readGrantToken(keyring, "refresh_token", values.get("refresh_token") ?? "");
  if (token === null) throw refuse("not a refresh token issued by this server");
  const now = clock.seconds();
  const rotate = async (controlCheckedAfter: number) => {
    const rotated = await grants.rotateRefreshToken({
      id: token.grantId,
      generation: token.generation,
      clientId: client.client_id,
      refreshExpiresAt: now + client.refresh_idle_lifetime,
      controlCheckedAfter,
      now,
    });
    return rotated && respond(rotated, values.get("scope"), deps);
  };
  // Checks the scope before the rotation, so that the token stays valid if the scope is refused.
  if (values.has("scope")) {
    const found = await grants.readGrant(token.grantId);
    if (found?.grant.clientId === client.client_id) narrowedScope(found.grant, values.get("scope"));
  }

  let controlCheckedAfter = now - CONTROL_TTL_S;
  // The second attempt follows the DNS check, during which the grant may have changed.
  for (let attempt = 0; attempt < 2; attempt++) {
    const rotated = await rotate(controlCheckedAfter);
    if (rotated !== null) return rotated;
    const presented = { ...token, client, now };
    const state = stateOf(await grants.readGrant(token.grantId), presented);
    if (state.is === "retried") return respond(state.grant, values.get("scope"), deps);
    if (state.is !== "control_unchecked") return endGrant(state, now, deps);
    const checkedAt = await control.confirm(state.account, state.grant);
    if (checkedAt === null)
      throw refuse("the DNS record of the domain no longer names the account");
    controlCheckedAfter = checkedAt - 1;
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
  presented: { client: Client; generation: number; now: number },
): State {
  const { client, generation, now } = presented;
  const { client_id: clientId, refresh_retry_window: retryWindow } = client;
  if (found === null) throw refuse("grant not found");
  const { grant, account } = found;
  if (grant.clientId !== clientId) throw refuse("issued to another client");
  if (grant.revokedAt !== null) throw refuse("revoked");
  if (generation > grant.generation) return { ...found, is: "ahead" };
  if ((grant.refreshExpiresAt ?? 0) <= now) throw refuse("expired");
  if (account.endedAt !== null) throw refuse("account has ended");
  if (generation < grant.generation) {
    // The window starts at the rotation. Retries do not extend it.
    const inWindow = retryWindow > 0 && now - (grant.rotatedAt ?? 0) <= retryWindow;
    const isRetry = generation === grant.generation - 1 && generation > 0 && inWindow;
    if (!isRetry) return { ...found, is: "replayed" };
    if (account.asleepSince !== null) throw refuse("account is asleep");
    return { ...found, is: "retried" };
  }
  return { ...found, is: "control_unchecked" };
}

async function endGrant(
  state: State,
  now: number,
  { grants, events }: RefreshDeps,
): Promise<never> {
  const { id, clientId, accountId } = state.grant;
  await grants.revokeGrant({ id, now });
  if (state.is === "ahead") events.lostWrites({ clientId, accountId });
  else events.replayed({ clientId, accountId, token: "refresh_token" });
  throw refuse(state.is === "ahead" ? "token is newer than the database" : "already used");
}

function respond(grant: Grant, requested: string | undefined, deps: RefreshDeps): TokenResponse {
  return tokenResponse(grant, narrowedScope(grant, requested), deps);
}

/** RFC 6749 §6: a refresh may only keep or narrow the scope. */
function narrowedScope(grant: Grant, requested: string | undefined): string[] {
  const granted = grant.scope.split(" ");
  if (requested === undefined) return granted;
  const wanted = requested.split(" ").filter((scope) => scope !== "");
  if (wanted.length === 0 || !wanted.every((scope) => granted.includes(scope))) {
    throw new TokenError("invalid_request", "scope exceeds the scope that was granted");
  }
  return granted.filter((scope) => wanted.includes(scope));
}

function refuse(detail: string): TokenError {
  return new TokenError(
    "invalid_grant",
    "the refresh token is invalid, expired, revoked or already used",
    { detail },
  );
}
