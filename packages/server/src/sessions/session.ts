// Sessions: the accounts that are signed in in a browser. Each has its own cookie.

import type { NamedCookie } from "../http/cookies.ts";
import type { HttpRequest } from "../http/message.ts";
import { readUserAgent } from "../http/user-agent.ts";
import type { Deps } from "../interaction/deps.ts";
import type { PendingRequest } from "../interaction/pending-request.ts";
import type { Clock } from "../lib/clock.ts";
import { CLOCK_TOLERANCE_S, lifetimeStateOf } from "../lib/lifetime.ts";
import { randomText, sha256 } from "../lib/random.ts";
import type { Account } from "../store/accounts.ts";
import type { Authentication } from "../store/interactions.ts";
import type { SessionLifetimes } from "../store/session-lifetimes.ts";
import type { EndReason, FoundSession, Session, StartedSession } from "../store/sessions.ts";
import { OWN_SP, REPLACED_ACCEPTED_S } from "../store/shared-values.ts";
import { isAcrAccepted } from "./acr.ts";

/** How often a use is recorded. The idle time of a session counts from its last recorded use. */
const TOUCH_INTERVAL_S = 3600;
/** A browser that signs in with one more domain is signed out of the first, or no longer known for it. */
const MAX_ACCOUNTS = 8;

type SessionDeps = Pick<Deps, "sessions" | "cookies" | "clock" | "events">;

type StartDeps = Pick<Deps, "sessions" | "cookies" | "returningBrowsers" | "clock" | "random">;

/** `sid` is given if an interaction has recorded it. */
type NewAuthentication = Omit<Authentication, "sid"> & { readonly sid?: string | null };

type SessionWithCookies = StartedSession & { readonly setCookies: readonly string[] };

/** A session that this browser may use. */
export interface LiveSession extends FoundSession {
  readonly cookie: NamedCookie;
}

/** A session that ended, other than by a sign-out in this browser. */
export interface EndedSession {
  readonly domain: string;
  readonly reason: Exclude<EndReason, "signed_out">;
}

export interface BrowserSessions {
  /** Of live accounts, the last used one first. */
  readonly live: readonly LiveSession[];
  /** Of accounts that sleep. They may only be ended. */
  readonly resting: readonly LiveSession[];
  /** Those that are over only if the clock, which has jumped ahead, is right. They may only be ended. */
  readonly uncertain: readonly LiveSession[];
  readonly ended: readonly EndedSession[];
  /** `Set-Cookie` values that remove the cookies of sessions that have ended, for a page that shows `ended`. The
   * accounts still know this browser, unless it was signed out from elsewhere. */
  readonly cleared: readonly string[];
}

/**
 * The sessions of this browser. Does not check whether the records still name the accounts. Records
 * the first use of a new secret, and ends a session whose replaced secret is used.
 */
export async function readSessions(
  http: HttpRequest,
  { sessions, cookies, clock, events }: SessionDeps,
): Promise<BrowserSessions> {
  const sent = cookies.sessions(http);
  const now = clock.seconds();
  const found = await sessions.findSessions(sent.map(({ value }) => sha256(value)));
  const live: LiveSession[] = [];
  const resting: LiveSession[] = [];
  const uncertain: LiveSession[] = [];
  const ended: EndedSession[] = [];
  const cleared: string[] = [];
  for (const { name } of sent.filter((cookie) => !found.some((one) => isOf(one, cookie)))) {
    cleared.push(cookies.clear(name));
  }
  for (const one of found) {
    const { session, account } = one;
    const cookie = sent.find((cookie) => isOf(one, cookie)) as NamedCookie;
    const standing = standingOf(one, sessions.sessionLifetimes, clock);
    if (standing === "reused" && (await sessions.endReusedSession(session, now))) {
      await sessions.noticeOthers({ accountId: account.id, sid: session.sid, at: now });
      events.sessionReused({ accountId: account.id, domain: account.domain });
    }
    if (standing === "live" || standing === "resting") {
      if (session.presentedAt === null) await sessions.presentSession(session.secretHash, now);
      (standing === "live" ? live : resting).push({ session, account, cookie });
      continue;
    }
    if (standing === "uncertain") {
      uncertain.push({ session, account, cookie });
      continue;
    }
    const isForgotten =
      standing === "elsewhere" || standing === "operator" || account.endedAt !== null;
    cleared.push(...(isForgotten ? [cookies.clear(cookie.name)] : cookies.endSession(cookie)));
    if (standing !== "expired" && standing !== "signed_out") {
      ended.push({ domain: account.domain, reason: standing });
    }
  }
  live.sort((one, other) => other.session.lastUsedAt - one.session.lastUsedAt);
  return { live, resting, uncertain, ended, cleared };
}

function isOf({ session }: FoundSession, { value }: NamedCookie): boolean {
  return session.secretHash === sha256(value);
}

type Standing = EndReason | "live" | "resting" | "expired";

/**
 * The state of a session by one of its secrets. `expired` needs no notice: nothing happened but time. `uncertain`: it
 * may have expired, but the clock has jumped ahead; the person can sign in again.
 */
function standingOf(
  { session, account }: FoundSession,
  { idleS }: SessionLifetimes,
  clock: Clock,
): Standing | "uncertain" {
  const { endedAt, endReason, replacedAt, issuedAt, expiresAt, lastUsedAt } = session;
  if (endedAt !== null) return endReason ?? "expired";
  if (account.endedAt !== null) return "expired";
  const ends = [
    { since: issuedAt, end: expiresAt, standing: "expired" },
    // Before the idle time: a replaced secret is not used, so it is always idle.
    ...(replacedAt === null
      ? []
      : [
          { since: replacedAt, end: replacedAt + REPLACED_ACCEPTED_S, standing: "reused" } as const,
        ]),
    { since: lastUsedAt, end: lastUsedAt + idleS, standing: "expired" },
  ] as const;
  for (const { standing, ...lifetime } of ends) {
    const state = lifetimeStateOf(lifetime, clock);
    if (state !== "lasts") return state === "over" ? standing : "uncertain";
  }
  return account.asleepSince === null ? "live" : "resting";
}

/**
 * The sessions that `prompt`, `max_age`, `claims` and `ds_hop` of the request allow to use: none if the client insists on
 * an owner proof, which is of this request alone.
 */
export function usableSessions(
  { live }: Pick<BrowserSessions, "live">,
  request: Pick<PendingRequest, "prompt" | "maxAge" | "mayFederate" | "ownerProof" | "requiredAcr">,
  { clock }: Pick<Deps, "clock">,
): readonly LiveSession[] {
  const { maxAge, mayFederate, requiredAcr } = request;
  // Zero is the same as prompt=login (OIDC Core §3.1.2.1), also within the second of an authentication.
  const isLoginWanted = request.prompt.has("login") || maxAge === 0;
  if (isLoginWanted || request.ownerProof === "required") return [];
  const now = clock.seconds();
  return live.filter(
    ({ session, account }) =>
      isAcrAccepted(session.amr, requiredAcr) &&
      (mayFederate || account.sp === OWN_SP) &&
      (maxAge === undefined ||
        (now - session.authTime <= maxAge && session.authTime <= now + CLOCK_TOLERANCE_S)),
  );
}

export async function touchSession(
  session: Session,
  { sessions, clock }: Pick<Deps, "sessions" | "clock">,
): Promise<void> {
  const now = clock.seconds();
  if (now - session.lastUsedAt >= TOUCH_INTERVAL_S) {
    await sessions.touchSession(session.secretHash, now);
  }
}

/**
 * Starts a session, or continues that of the same account in this browser with a new secret. Returns
 * what it is, and the `Set-Cookie` values.
 */
export async function startSession(
  http: HttpRequest,
  proof: NewAuthentication,
  deps: StartDeps,
): Promise<SessionWithCookies> {
  const { secret, ...input } = newSession(http, proof, deps);
  const started = await deps.sessions.startSession(input);
  return { ...started, setCookies: await replaceCookies(http, { ...proof, secret }, deps) };
}

/** The same for a challenge that was stored nowhere: null if it has already started a session. */
export async function startSessionOnce(
  http: HttpRequest,
  { challengeHash, ...proof }: NewAuthentication & { readonly challengeHash: string },
  deps: StartDeps,
): Promise<SessionWithCookies | null> {
  const { secret, ...input } = newSession(http, proof, deps);
  const started = await deps.sessions.startSessionOnce(input, challengeHash);
  return (
    started && { ...started, setCookies: await replaceCookies(http, { ...proof, secret }, deps) }
  );
}

function newSession(
  http: HttpRequest,
  { accountId, authTime, amr, sid }: NewAuthentication,
  { sessions, cookies, random, clock }: StartDeps,
) {
  const secret = randomText(random, 32);
  // Not `authTime`: an external SP may have authenticated the user long ago.
  const now = clock.seconds();
  const { browser, system } = readUserAgent(http.header("user-agent"));
  return {
    secret,
    secretHash: sha256(secret),
    newSid: randomText(random, 16),
    accountId,
    authTime,
    amr,
    browser: `${browser} ${system}`,
    now,
    expiresAt: now + sessions.sessionLifetimes.absoluteS,
    formerHash: formerHashOf(http, accountId, { cookies }),
    sid,
  };
}

/** The `Set-Cookie` values of a new secret. The browser signs out of the accounts that are too many. */
async function replaceCookies(
  http: HttpRequest,
  { accountId, secret }: { readonly accountId: string; readonly secret: string },
  { sessions, cookies, returningBrowsers, clock }: StartDeps,
): Promise<readonly string[]> {
  const sent = cookies.sessions(http);
  const own = cookies.sessionName(accountId);
  const known = knownCookies(http, accountId, { cookies });
  const others = sent.filter(({ name }) => name !== own);
  const surplus = others.slice(0, Math.max(0, others.length + 1 - MAX_ACCOUNTS));
  for (const { session } of await sessions.findSessions(surplus.map((one) => sha256(one.value)))) {
    await sessions.endSession(session, "signed_out", clock.seconds());
  }
  const ofOthers = cookies.known(http).filter((one) => !known.includes(one));
  const dropped = ofOthers.slice(0, Math.max(0, ofOthers.length - MAX_ACCOUNTS));
  const cleared = [...surplus, ...dropped, ...known.filter(({ name }) => name !== own)];
  return [
    cookies.setSession(accountId, secret),
    returningBrowsers.cookieFor(accountId),
    ...cleared.map(({ name }) => cookies.clear(name)),
  ];
}

/** The hash of the secret that the next session of the account in this browser continues; null without one. */
export function formerHashOf(
  http: HttpRequest,
  accountId: string,
  { cookies }: Pick<Deps, "cookies">,
): string | null {
  const [former] = knownCookies(http, accountId, { cookies });
  return former === undefined ? null : sha256(former.value);
}

/**
 * The secret of a set-up's session got lost with the response, if the browser never sent it. Gives the session
 * another one. Returns the `Set-Cookie` values. The caller has checked that the set-up is of this browser.
 */
export async function replaceLostSecret(
  of: { readonly accountId: string; readonly sid: string },
  { sessions, cookies, random }: Pick<Deps, "sessions" | "cookies" | "random">,
): Promise<readonly string[]> {
  const secret = randomText(random, 32);
  const isReplaced = await sessions.replaceLostSecret({ ...of, secretHash: sha256(secret) });
  return isReplaced ? [cookies.setSession(of.accountId, secret)] : [];
}

/** The cookies by which the account may know this browser: that of a session, and that of an ended one. */
function knownCookies(
  http: HttpRequest,
  accountId: string,
  { cookies }: Pick<Deps, "cookies">,
): readonly NamedCookie[] {
  const session = cookies
    .sessions(http)
    .filter(({ name }) => name === cookies.sessionName(accountId));
  const known = cookies.known(http).filter(({ name }) => name === cookies.knownName(accountId));
  return [...session, ...known];
}

/**
 * Whether the account knows this browser: it has signed in here in the last 400 days, and nobody has signed
 * it out from elsewhere. A secret that was replaced does not count; its use is recorded, because it is a copy.
 */
export async function knowsBrowser(
  http: HttpRequest,
  account: Pick<Account, "id" | "domain">,
  { sessions, cookies, clock, events }: SessionDeps,
): Promise<boolean> {
  const { id: accountId, domain } = account;
  const now = clock.seconds();
  let isKnown = false;
  for (const { value } of knownCookies(http, accountId, { cookies })) {
    const of = { secretHash: sha256(value), accountId };
    const result = await sessions.knowsBrowser(of, now, clock.slack(0));
    if (result.known === "yes") isKnown = true;
    if (result.known === "replaced") {
      const isFirst = await sessions.endReusedSession({ sid: result.sid, accountId }, now);
      if (!isFirst) continue;
      await sessions.noticeOthers({ accountId, sid: result.sid, at: now });
      events.sessionReused({ accountId, domain });
    }
  }
  return isKnown;
}

/**
 * Records that this browser sent the new secret of the account, after which the former ones are refused. For
 * requests that need no session, such as the next step of the sign-in that started it.
 */
export async function presentSession(
  http: HttpRequest,
  accountId: string,
  { sessions, cookies, clock }: Pick<Deps, "sessions" | "cookies" | "clock">,
): Promise<void> {
  const own = cookies.sessionName(accountId);
  const sent = cookies.sessions(http).find(({ name }) => name === own);
  if (sent !== undefined) await sessions.presentSession(sha256(sent.value), clock.seconds());
}

/**
 * Ends sessions of this browser. Returns the `Set-Cookie` values that say so; the accounts still know the
 * browser.
 */
export async function endSessions(
  ended: readonly LiveSession[],
  { sessions, cookies, clock, events }: SessionDeps,
): Promise<readonly string[]> {
  for (const { session, account } of ended) {
    const { id: accountId, domain } = account;
    if (await sessions.endSession(session, "signed_out", clock.seconds())) {
      events.signedOut({ accountId, domain, where: "here" });
    }
  }
  return ended.flatMap(({ cookie }) => cookies.endSession(cookie));
}
