// Sessions: browsers that are signed in to an account.

import type { HttpRequest } from "../http/message.ts";
import { randomText, sha256 } from "../lib/random.ts";
import type { Account } from "../store/accounts.ts";
import type { Authentication } from "../store/interactions.ts";
import type { Session } from "../store/sessions.ts";
import { OWN_SP } from "../store/shared-values.ts";
import type { Deps } from "./deps.ts";
import type { PendingRequest } from "./pending-request.ts";

/** Applies even if the session is in use. */
const ABSOLUTE_LIFETIME_S = 90 * 86_400;
/** How often a use is recorded. A session ends 14 days after its last recorded use. */
const TOUCH_INTERVAL_S = 3600;

export interface LiveSession {
  readonly session: Session;
  readonly account: Account;
}

/**
 * The session of this browser, if `prompt`, `max_age` and `ds_hop` allow its use. Does not check
 * whether the domain's record still names the account, and writes nothing.
 */
export async function findSession(
  http: HttpRequest,
  request: Pick<PendingRequest, "prompt" | "maxAge" | "mayFederate">,
  { sessions, cookies, clock }: Pick<Deps, "sessions" | "cookies" | "clock">,
): Promise<LiveSession | null> {
  const id = cookies.read(http, "session");
  if (id === undefined || request.prompt.has("login")) return null;
  const now = clock.seconds();
  const found = await sessions.findSession(sha256(id), now);
  if (found === null) return null;
  if (!request.mayFederate && found.account.sp !== OWN_SP) return null;
  const isTooOld = request.maxAge !== undefined && now - found.session.authTime > request.maxAge;
  return isTooOld ? null : found;
}

export async function touchSession(
  session: Session,
  { sessions, clock }: Pick<Deps, "sessions" | "clock">,
): Promise<void> {
  const now = clock.seconds();
  if (now - session.lastUsedAt >= TOUCH_INTERVAL_S) {
    await sessions.touchSession(session.idHash, now);
  }
}

/** Starts a session with a new id, and returns its `Set-Cookie` value. */
export async function startSession(
  proof: Authentication,
  { sessions, cookies, random, clock }: Pick<Deps, "sessions" | "cookies" | "random" | "clock">,
): Promise<string> {
  const id = randomText(random, 32);
  // Not `proof.authTime`: an external SP may have authenticated the user long ago.
  const now = clock.seconds();
  await sessions.startSession({
    idHash: sha256(id),
    accountId: proof.accountId,
    authTime: proof.authTime,
    amr: proof.amr,
    lastUsedAt: now,
    expiresAt: now + ABSOLUTE_LIFETIME_S,
  });
  return cookies.set("session", id);
}
