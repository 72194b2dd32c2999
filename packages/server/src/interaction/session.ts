// A browser remembered as signed in to an account.

import type { Cookies } from "../http/cookies.ts";
import type { HttpRequest } from "../http/message.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { randomText, sha256 } from "../lib/random.ts";
import type { Account } from "../store/accounts.ts";
import type { Authentication } from "../store/interactions.ts";
import type { Session, SessionStore } from "../store/sessions.ts";
import { OWN_SP } from "../store/shared-values.ts";
import type { PendingRequest } from "./pending-request.ts";

/** Seconds after which a session ends, used or not. */
const ABSOLUTE_LIFETIME = 90 * 86400;

export interface LiveSession {
  readonly session: Session;
  readonly account: Account;
}

/**
 * The session of this browser, if the request lets it count (`prompt`, `max_age`, `ds_hop`). Reads
 * only; the zone has not been asked yet whether it still names the account.
 */
export async function findSession(
  http: HttpRequest,
  request: Pick<PendingRequest, "prompt" | "maxAge" | "mayFederate">,
  {
    store,
    cookies,
    clock,
  }: { readonly store: SessionStore; readonly cookies: Cookies; readonly clock: Clock },
): Promise<LiveSession | null> {
  const id = cookies.read(http, "session");
  if (id === undefined || request.prompt.has("login")) return null;
  const now = clock.seconds();
  const found = await store.findSession(sha256(id), now);
  if (found === null) return null;
  if (!request.mayFederate && found.account.sp !== OWN_SP) return null;
  const isTooOld = request.maxAge !== undefined && now - found.session.authTime > request.maxAge;
  return isTooOld ? null : found;
}

/** Notes that the session was used, at most once an hour: it ends 14 days after its last use. */
export async function keepSession(
  session: Session,
  { store, clock }: { readonly store: SessionStore; readonly clock: Clock },
): Promise<void> {
  const now = clock.seconds();
  if (now - session.lastUsedAt >= 3600) await store.touchSession(session.idHash, now);
}

/** Starts a session and gives back its cookie: a new id at each authentication. */
export async function startSession(
  proof: Authentication,
  {
    store,
    cookies,
    random,
    clock,
  }: {
    readonly store: SessionStore;
    readonly cookies: Cookies;
    readonly random: Random;
    readonly clock: Clock;
  },
): Promise<string> {
  const id = randomText(random, 32);
  // Somebody else may have authenticated the person long before this session begins.
  const now = clock.seconds();
  await store.startSession({
    idHash: sha256(id),
    accountId: proof.accountId,
    authTime: proof.authTime,
    amr: proof.amr,
    lastUsedAt: now,
    expiresAt: now + ABSOLUTE_LIFETIME,
  });
  return cookies.set("session", id);
}
