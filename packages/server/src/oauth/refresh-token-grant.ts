// Rotates a refresh token. A retry gets the same successor, a replay revokes the grant.

import type { Control } from "../account/control.ts";
import type { Client } from "../clients/client.ts";
import type { RegisteredResources } from "../clients/registered-clients.ts";
import type { MacKeyring } from "../keys/keyring.ts";
import type { Clock } from "../lib/clock.ts";
import { MarkOwedError } from "../lib/errors.ts";
import { isMisdated, isSurelyOver } from "../lib/lifetime.ts";
import type { Grant, GrantForTokens, PresentedRefreshToken } from "../store/grant-row.ts";
import type { GrantStore, GrantWithAccount } from "../store/grants.ts";
import type { Events } from "../telemetry/events.ts";
import type { Access, AccessTokens, TokenResponse } from "./access-tokens.ts";
import type { TokenGrant } from "./authorization-code-grant.ts";
import type { AuthenticatedClient } from "./client-authentication.ts";
import { type Delivery, LATE_RETRY_S } from "./delivery.ts";
import { resourceFor, scopesFor } from "./grant-resources.ts";
import { readGrantToken } from "./grant-token.ts";
import { invalidRequest, refuseResource, TokenError } from "./protocol-errors.ts";

/** After this time, a refresh checks the record in the background. */
const CONTROL_TTL_S = 86_400;
/** After this time, a refresh waits for the check. */
const GRACE_PERIOD_S = 72 * 3600;
/** The grant may have resources, and may change during a DNS lookup, or while a mark is taken. */
const MAX_TRIES = 5;

interface Deps {
  readonly grants: GrantStore;
  readonly keyring: MacKeyring;
  readonly control: Control;
  readonly registeredResources: RegisteredResources;
  readonly accessTokens: AccessTokens;
  readonly clock: Clock;
  readonly events: Events;
}

/** What a refresh asks for. */
interface WantedAccess {
  readonly scope: string | undefined;
  readonly resource: string | undefined;
}

export function createRefreshTokenGrant(deps: Deps): TokenGrant {
  const { grants, keyring, control, registeredResources, accessTokens, clock, events } = deps;
  return rotate;

  async function rotate(
    authenticated: AuthenticatedClient,
    values: ReadonlyMap<string, string>,
    delivery: Delivery,
  ): Promise<TokenResponse> {
    const { client, from } = authenticated;
    const token = await readGrantToken(keyring, "refresh_token", values.get("refresh_token") ?? "");
    if (token === null) throw refuse("not a refresh token issued by this server");
    const { grantId: id, generation } = token;
    const rotation = rotationOf(id, generation, client, delivery);
    const { now } = rotation;
    // Must come before everything that may fail.
    delivery.begin(rotation);
    const wanted = { scope: values.get("scope"), resource: values.get("resource") };
    let access = await checkedAccess(rotation, wanted);
    const respond = async (grant: GrantForTokens) =>
      await accessTokens.respond(grant, access ?? (await accessFor(grant, wanted)), client);
    let wasReplayed = false;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const checked = access === null ? rotation : { ...rotation, mayHaveResources: true };
      const rotated = await grants.rotateRefreshToken(checked);
      if (rotated !== null) {
        if (rotated.controlCheckedAt <= now - CONTROL_TTL_S) control.checkLater(rotated);
        return await respond(rotated);
      }
      const current = await grants.readGrant(id);
      const { is, grant, account } = stateOf(current, rotation, authenticated);
      if (is === "retried" || is === "undelivered") {
        access ??= await accessFor(grant, wanted);
        const answered = is === "retried" ? grant : await grants.redeliverRefreshToken(rotation);
        if (answered === null) continue;
        reportRetry(grant, delivery, now);
        return await respond(answered);
      }
      if (is === "replayed" && generation === grant.generation - 1 && !wasReplayed) {
        // A mark that explains the retry may not be written yet. Until then, the grant must not end.
        if (grants.hasUnwrittenMark(id)) throw new MarkOwedError();
        wasReplayed = true;
        continue;
      }
      if (is === "replayed" || is === "ahead") return endGrant(grant, is, now);
      if (access === null && grant.resources !== null) {
        access = await accessFor(grant, wanted);
        continue;
      }
      if (!(await control.confirm(account, grant, { ...from, isReserved: true }))) {
        throw refuse("the DNS record of the domain no longer names the account");
      }
    }
    throw refuse("grant changed during the request");
  }

  /** Before the rotation, so that the token stays valid if the scope or the resource is refused. Null without both. */
  async function checkedAccess(
    { id, clientId }: PresentedRefreshToken,
    wanted: WantedAccess,
  ): Promise<Access | null> {
    if (wanted.scope === undefined && wanted.resource === undefined) return null;
    const current = await grants.readGrant(id);
    return current?.grant.clientId === clientId ? accessFor(current.grant, wanted) : null;
  }

  function rotationOf(
    id: string,
    generation: number,
    client: Client,
    { attempt, whenBegun }: Delivery,
  ): PresentedRefreshToken {
    const now = clock.seconds();
    return {
      id,
      generation,
      clientId: client.client_id,
      attempt,
      whenBegun,
      now,
      refreshExpiresAt: now + client.refresh_idle_lifetime,
      controlCheckedAfter: now - GRACE_PERIOD_S,
      mayHaveResources: false,
    };
  }

  /**
   * Why the rotation changed no row. Throws for a token that is just refused. `retried` and `undelivered` may have the
   * answer again; about `undelivered`, the store decides once more. The order of the checks matters.
   */
  function stateOf(
    current: GrantWithAccount | null,
    { generation, clientId, now, controlCheckedAfter }: PresentedRefreshToken,
    authenticated: AuthenticatedClient,
  ) {
    if (current === null) throw refuse("grant not found");
    const { grant, account } = current;
    const state = <S extends string>(is: S) => ({ is, grant, account });
    if (grant.clientId !== clientId) throw refuse("issued to another client");
    if (grant.revokedAt !== null) throw refuse("revoked");
    if (generation > grant.generation) return state("ahead");
    const { rotatedAt, refreshExpiresAt, controlCheckedAt } = grant;
    const since = rotatedAt ?? 0;
    // If a wrong clock dated the rotation, the token does not expire here: the look at the record decides.
    const isUndated = isMisdated(since, clock.seconds());
    if (!isUndated && isSurelyOver({ since, end: refreshExpiresAt ?? 0 }, clock))
      throw refuse("expired");
    if (account.endedAt !== null) throw refuse("account has ended");
    if (generation === grant.generation) return state("control_unchecked");
    const isLast = generation === grant.generation - 1;
    const repetition = isLast ? repetitionOf(grant, authenticated) : null;
    if (repetition === null) return state("replayed");
    // A retry passes every condition of the rotation but the generation.
    const isChecked = controlCheckedAt > controlCheckedAfter && !isMisdated(controlCheckedAt, now);
    const mayRefresh = account.asleepSince === null && isChecked;
    return state(mayRefresh ? repetition : "control_unchecked");
  }

  /** Why the previous token may have its answer again. Null if it was stolen. */
  function repetitionOf(
    grant: Grant,
    { client: { refresh_retry_window: retryWindow }, isProven }: AuthenticatedClient,
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

  function reportRetry(grant: Grant, delivery: Delivery, now: number): void {
    if (now - answeredAt(grant) <= LATE_RETRY_S) return;
    const { clientId, accountId } = grant;
    events.retriedLate({ clientId, accountId, token: "refresh_token" });
    if (delivery.isFromElsewhere(grant)) events.retriedElsewhere({ clientId, accountId });
  }

  async function endGrant(grant: Grant, reason: "replayed" | "ahead", now: number): Promise<never> {
    const { id, clientId, accountId } = grant;
    await grants.revokeGrant({ id, now });
    if (reason === "ahead") {
      events.lostWrites({ clientId, accountId });
      throw refuse("token is newer than the database");
    }
    events.replayed({ clientId, accountId, token: "refresh_token" });
    throw refuse("already used");
  }

  /** RFC 6749 §6: a refresh may only keep or narrow the scope. Throws `TokenError` for another scope or resource. */
  async function accessFor(grant: GrantForTokens, wanted: WantedAccess): Promise<Access> {
    const found = await resourceFor(grant.resources, wanted.resource, registeredResources);
    if (found === "refused") throw refuseResource();
    // The grant stays: it may have other resources.
    const isEmptied = found === "emptied" || (found === null && grant.scope === "");
    if (isEmptied) throw refuse("the operator has removed its scopes");
    const resource = found?.resource ?? null;
    const granted = [...scopesFor(grant.scope, null), ...(found?.scopes ?? [])];
    if (wanted.scope === undefined) return { resource, scopes: granted };
    const named = wanted.scope.split(" ").filter((scope) => scope !== "");
    if (named.length === 0 || !named.every((scope) => granted.includes(scope))) {
      throw invalidRequest("scope exceeds the scope that was granted");
    }
    return { resource, scopes: granted.filter((scope) => named.includes(scope)) };
  }
}

/** When the answer with the current token was last made. The mark of an older version no longer counts. */
function answeredAt({ rotatedAt, redeliveredAt }: Grant): number {
  return Math.max(rotatedAt ?? 0, redeliveredAt ?? 0);
}

function refuse(detail: string): TokenError {
  return new TokenError(
    "invalid_grant",
    "refresh_token is invalid, expired, revoked or already used",
    { detail },
  );
}
