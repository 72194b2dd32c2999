// Rotates a refresh token. A retry gets the same successor, a replay revokes the grant.

import type { Clock } from "../lib/clock.ts";
import { MarkOwedError } from "../lib/errors.ts";
import { isMisdated, isSurelyOver } from "../lib/lifetime.ts";
import type { Grant, GrantForTokens, PresentedRefreshToken } from "../store/grant-row.ts";
import type { GrantWithAccount } from "../store/grants.ts";
import type { AuthenticatedClient } from "./client-authentication.ts";
import type { Delivery } from "./delivery.ts";
import type { Deps } from "./deps.ts";
import { resourceFor, scopesFor } from "./grant-resources.ts";
import { readGrantToken } from "./grant-token.ts";
import { refuseResource, TokenError } from "./protocol-errors.ts";
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
/** A retry that comes later is reported. */
const LATE_RETRY_S = 30;
/** The grant may change while DNS is asked, or while a mark is taken. */
const MAX_TRIES = 4;

export async function rotateRefreshToken(
  by: AuthenticatedClient,
  values: ReadonlyMap<string, string>,
  deps: RefreshDeps,
  delivery: Delivery,
): Promise<TokenResponse> {
  const { client } = by;
  const { grants, clock, keyring, control } = deps;
  const token = await readGrantToken(keyring, "refresh_token", values.get("refresh_token") ?? "");
  if (token === null) throw refuse("not a refresh token issued by this server");
  const { grantId: id, generation } = token;
  const now = clock.seconds();
  const clientId = client.client_id;
  const { attempt, whenBegun } = delivery;
  const rotation: PresentedRefreshToken = {
    ...{ id, generation, clientId, now, attempt, whenBegun },
    refreshExpiresAt: now + client.refresh_idle_lifetime,
    controlCheckedAfter: now - GRACE_PERIOD_S,
  };
  // Before everything that may fail.
  delivery.begin(rotation);
  const wanted = { scope: values.get("scope"), resource: values.get("resource") };
  const respond = async (grant: GrantForTokens) =>
    await tokenResponse(grant, await accessFor(grant, wanted, deps), client, deps);
  // Before the rotation, so that the token stays valid if the scope or the resource is refused.
  if (wanted.scope !== undefined || wanted.resource !== undefined) {
    const found = await grants.readGrant(id);
    if (found?.grant.clientId === clientId) await accessFor(found.grant, wanted, deps);
  }

  let wasReplayed = false;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const rotated = await grants.rotateRefreshToken(rotation);
    if (rotated !== null) {
      if (rotated.controlCheckedAt <= now - CONTROL_TTL_S) control.checkLater(rotated);
      return await respond(rotated);
    }
    const state = stateOf(await grants.readGrant(id), rotation, by, clock);
    const { is, grant, account } = state;
    if (is === "retried") {
      reportRetry(grant, delivery, now, deps);
      return await respond(grant);
    }
    if (is === "undelivered") {
      const delivered = await grants.redeliverRefreshToken(rotation);
      if (delivered === null) continue;
      reportRetry(grant, delivery, now, deps);
      return await respond(delivered);
    }
    if (is === "replayed" && generation === grant.generation - 1 && !wasReplayed) {
      // The mark that would explain it may be on its way. What is not known yet must not end the grant.
      if (grants.hasUnwrittenMark(id)) throw new MarkOwedError();
      wasReplayed = true;
      continue;
    }
    if (is === "replayed" || is === "ahead") return endGrant(grant, is, now, deps);
    if (!(await control.confirm(account, grant))) {
      throw refuse("the DNS record of the domain no longer names the account");
    }
  }
  throw refuse("grant changed during the request");
}

type State = GrantWithAccount & {
  /** `retried` and `undelivered` may have the answer again; for `undelivered` the store decides once more. */
  is: "retried" | "undelivered" | "replayed" | "ahead" | "control_unchecked";
};

/**
 * Why the rotation changed no row, from the current row. Throws for a token that is just refused. The
 * order of the checks matters.
 */
function stateOf(
  found: GrantWithAccount | null,
  presented: PresentedRefreshToken,
  by: AuthenticatedClient,
  clock: Clock,
): State {
  if (found === null) throw refuse("grant not found");
  const { grant, account } = found;
  const { generation, clientId, now, controlCheckedAfter } = presented;
  if (grant.clientId !== clientId) throw refuse("issued to another client");
  if (grant.revokedAt !== null) throw refuse("revoked");
  if (generation > grant.generation) return { ...found, is: "ahead" };
  const { rotatedAt, refreshExpiresAt, controlCheckedAt } = grant;
  const since = rotatedAt ?? 0;
  // One that a wrong clock dated is as good as its absolute end: the look at the record decides.
  const isUndated = isMisdated(since, clock.seconds());
  if (!isUndated && isSurelyOver({ since, end: refreshExpiresAt ?? 0 }, clock))
    throw refuse("expired");
  if (account.endedAt !== null) throw refuse("account has ended");
  if (generation === grant.generation) return { ...found, is: "control_unchecked" };
  const repetition = generation === grant.generation - 1 ? repetitionOf(grant, by, clock) : null;
  if (repetition === null) return { ...found, is: "replayed" };
  // A retry passes every condition of the rotation but the generation.
  const isChecked = controlCheckedAt > controlCheckedAfter && !isMisdated(controlCheckedAt, now);
  const mayRefresh = account.asleepSince === null && isChecked;
  return { ...found, is: mayRefresh ? repetition : "control_unchecked" };
}

/** Whether the token before the current one may have its answer again. Null if it may not: then it was stolen. */
function repetitionOf(
  grant: Grant,
  { client: { refresh_retry_window: retryWindow }, isProven }: AuthenticatedClient,
  clock: Clock,
): "retried" | "undelivered" | null {
  // The code is no refresh token.
  if (grant.generation < 2) return null;
  if (grant.undelivered === grant.generation) return "undelivered";
  if (retryWindow === 0) return null;
  // Somebody who has stolen the token alone cannot authenticate.
  if (isProven) return "retried";
  const since = answeredAt(grant);
  // Nobody knows whether the window is open, and an honest retry must not end the grant.
  if (isMisdated(since, clock.seconds())) {
    throw refuse("already used, at a time that a wrong clock dated");
  }
  // Retries do not extend the window.
  return isSurelyOver({ since, end: since + retryWindow + 1 }, clock) ? null : "retried";
}

/** When the answer with the current token was last made. A mark that an older version has left counts no more. */
function answeredAt({ rotatedAt, redeliveredAt }: Grant): number {
  return Math.max(rotatedAt ?? 0, redeliveredAt ?? 0);
}

function reportRetry(
  grant: Grant,
  delivery: Delivery,
  now: number,
  { events }: Pick<Deps, "events">,
): void {
  if (now - answeredAt(grant) <= LATE_RETRY_S) return;
  const { clientId, accountId } = grant;
  events.retriedLate({ clientId, accountId, token: "refresh_token" });
  if (delivery.isFromElsewhere(grant)) events.retriedElsewhere({ clientId, accountId });
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
