// The sessions of a browser: one for each account that is signed in in it, each with its own cookie.

import type { Cookies, NamedCookie } from "../http/cookies.ts";
import type { HttpRequest } from "../http/message.ts";
import type { Clock } from "../lib/clock.ts";
import { CLOCK_TOLERANCE_S, lifetimeStateOf } from "../lib/lifetime.ts";
import { type Random, randomText, sha256 } from "../lib/random.ts";
import { readUserAgent } from "../lib/user-agent.ts";
import type { ShownEnd } from "../pages/notice.ts";
import type { NewAccount } from "../store/accounts.ts";
import type { Authentication } from "../store/interaction-row.ts";
import type { SessionLifetimes } from "../store/session-lifetimes.ts";
import type { NewSession } from "../store/session-start.ts";
import type { EndReason, FoundSession, Session, SessionStore } from "../store/sessions.ts";
import { OWN_SP, REPLACED_ACCEPTED_S } from "../store/shared-values.ts";
import type { JoinedWrite } from "../store/store.ts";
import type { Events } from "../telemetry/events.ts";
import { isAcrAccepted } from "./acr.ts";
import type { ReturningBrowsers } from "./returning-browser.ts";

/** How often a use is recorded. The idle time of a session counts from its last recorded use. */
const TOUCH_INTERVAL_S = 3600;
/** A browser that signs in with one more domain is signed out of the first, or no longer known for it. */
const MAX_ACCOUNTS = 8;

interface Deps {
  readonly sessions: SessionStore;
  readonly cookies: Cookies;
  readonly returningBrowsers: ReturningBrowsers;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}

/** An authentication that starts a session. */
type ProvenSession = Omit<Authentication, "sid"> & { readonly domain: string };

/** A session that this browser may use. */
export interface LiveSession extends FoundSession {
  readonly cookie: NamedCookie;
}

export interface SessionGroups {
  /** Of live accounts, the last used one first. */
  readonly live: readonly LiveSession[];
  /** Of accounts that sleep. They may only be ended. */
  readonly resting: readonly LiveSession[];
  /** Those that are over only if the clock, which has jumped ahead, is right. They may only be ended. */
  readonly uncertain: readonly LiveSession[];
  /** Those that ended, other than by a sign-out in this browser. */
  readonly ended: readonly ShownEnd[];
  /**
   * `Set-Cookie` values for a page that shows `ended`: remove the cookies of ended sessions. The accounts still know
   * this browser, unless it was signed out from elsewhere.
   */
  readonly cleared: readonly string[];
}

/** What an authorization request requires of a session that is used for it. */
export interface SessionRequirements {
  readonly prompt: ReadonlySet<string>;
  /** In seconds (OIDC Core §3.1.2.1). */
  readonly maxAge: number | undefined;
  /** False if the client found us in a domain's record: the account must then be one of ours. */
  readonly mayFederate: boolean;
  /** Whether the client gets, or insists on, the owner's approval of this request by a passkey. */
  readonly ownerProof: "none" | "when_available" | "required";
  /** Values of `acr` of which the client requires one; null if any will do. */
  readonly requiredAcr: readonly string[] | null;
}

export type BrowserSessions = ReturnType<typeof createBrowserSessions>;

export function createBrowserSessions(deps: Deps) {
  const { sessions, cookies, returningBrowsers, clock, random, events } = deps;
  return {
    read,
    usable,
    touch,
    useOf,
    newSession,
    cookiesOf,
    replaceLostSecret,
    isKnown,
    hasSent,
    present,
    end,
  };

  /**
   * Makes no look. Records the first use of a secret; ends a session whose old secret is used. With the consents of the
   * accounts to the client `clientId`.
   */
  async function read(http: HttpRequest, clientId?: string): Promise<SessionGroups> {
    const sent = cookies.sessions(http);
    const now = clock.seconds();
    const hashes = sent.map(({ value }) => sha256(value));
    const found = await sessions.findSessions(hashes, clientId);
    const live: LiveSession[] = [];
    const resting: LiveSession[] = [];
    const uncertain: LiveSession[] = [];
    const ended: ShownEnd[] = [];
    const cleared: string[] = [];
    const groups = { live, resting, uncertain };
    const handled = new Set<string>();
    for (const cookie of sent) {
      const secretHash = sha256(cookie.value);
      const known = found.find(({ session }) => session.secretHash === secretHash);
      if (known === undefined) {
        cleared.push(cookies.clear(cookie.name));
        continue;
      }
      // A secret under two names is one session.
      if (handled.has(secretHash)) continue;
      handled.add(secretHash);
      const { session, account, consented } = known;
      const standing = standingOf(known, sessions.sessionLifetimes, clock);
      if (standing === "reused") await endReused(session.sid, account, now);
      if (standing === "live" || standing === "resting" || standing === "uncertain") {
        const isUsed = standing !== "uncertain" && session.presentedAt === null;
        if (isUsed) await sessions.presentSession(secretHash, now);
        groups[standing].push({ session, account, consented, cookie });
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

  /** A replaced secret was used, so it was copied: ends the session, and the owner's other browsers say so. */
  async function endReused(
    sid: string,
    { id: accountId, domain }: NewAccount,
    now: number,
  ): Promise<void> {
    if (!(await sessions.endReusedSession({ sid, accountId }, now))) return;
    await sessions.noticeOthers({ accountId, sid, at: now });
    events.sessionReused({ accountId, domain });
  }

  /** The live sessions that the request may use. None can give an owner proof of this request. */
  function usable(
    live: readonly LiveSession[],
    request: SessionRequirements,
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

  async function touch(session: Session): Promise<void> {
    const now = clock.seconds();
    if (isUseDue(session, now)) await sessions.touchSession(session.secretHash, now);
  }

  /** For a code from this session: the writes that go with the grant, none of which counts without the others. */
  function useOf(session: Session): readonly JoinedWrite[] {
    const now = clock.seconds();
    const required = sessions.requireSession(session, now);
    return isUseDue(session, now)
      ? [required, sessions.writeTouch(session.secretHash, now)]
      : [required];
  }

  /** A new secret, and what is stored with it. */
  function newSession(
    http: HttpRequest,
    { accountId, authTime, amr }: ProvenSession,
  ): { readonly secret: string; readonly session: NewSession } {
    const secret = randomText(random, 32);
    // Not `authTime`: an external SP may have authenticated the user long ago.
    const now = clock.seconds();
    const session = {
      secretHash: sha256(secret),
      newSid: randomText(random, 16),
      accountId,
      authTime,
      amr,
      browser: readUserAgent(http.header("user-agent")),
      now,
      expiresAt: now + sessions.sessionLifetimes.absoluteS,
      formerHash: formerHash(http, accountId),
    };
    return { secret, session };
  }

  /** The `Set-Cookie` values of a new secret. Signs the browser out of surplus accounts. */
  async function cookiesOf(
    http: HttpRequest,
    { accountId, domain }: ProvenSession,
    secret: string,
  ): Promise<readonly string[]> {
    const own = cookies.sessionName(accountId);
    const known = knownCookies(http, accountId);
    const others = cookies.sessions(http).filter(({ name }) => name !== own);
    const surplus = others.slice(0, Math.max(0, others.length + 1 - MAX_ACCOUNTS));
    const hashes = surplus.map(({ value }) => sha256(value));
    for (const { session } of await sessions.findSessions(hashes)) {
      await sessions.endSession(session, "signed_out", clock.seconds());
    }
    const ofOthers = cookies.known(http).filter((one) => !known.includes(one));
    const dropped = ofOthers.slice(0, Math.max(0, ofOthers.length - MAX_ACCOUNTS));
    const cleared = [...surplus, ...dropped, ...known.filter(({ name }) => name !== own)];
    return [
      cookies.setSession(accountId, secret),
      returningBrowsers.cookieFor(accountId, domain),
      ...cleared.map(({ name }) => cookies.clear(name)),
    ];
  }

  /** The hash of the secret that the next session of the account in this browser continues; null without one. */
  function formerHash(http: HttpRequest, accountId: string): string | null {
    const [former] = knownCookies(http, accountId);
    return former === undefined ? null : sha256(former.value);
  }

  /**
   * Replaces the secret of a set-up's session if the browser never sent it: the response was lost. Returns the
   * `Set-Cookie` values. The caller must have checked that the set-up is of this browser.
   */
  async function replaceLostSecret(accountId: string, sid: string): Promise<readonly string[]> {
    const secret = randomText(random, 32);
    const replacement = { accountId, sid, secretHash: sha256(secret) };
    const isReplaced = await sessions.replaceLostSecret(replacement);
    return isReplaced ? [cookies.setSession(accountId, secret)] : [];
  }

  /** The cookies by which the account may know this browser: that of a session, and that of an ended one. */
  function knownCookies(http: HttpRequest, accountId: string): readonly NamedCookie[] {
    const sessionName = cookies.sessionName(accountId);
    const knownName = cookies.knownName(accountId);
    return [
      ...cookies.sessions(http).filter(({ name }) => name === sessionName),
      ...cookies.known(http).filter(({ name }) => name === knownName),
    ];
  }

  /**
   * Whether the account knows this browser: it has signed in here in the last 400 days, and nobody has signed
   * it out from elsewhere. A secret that was replaced does not count; its use is recorded, because it is a copy.
   */
  async function isKnown(http: HttpRequest, account: NewAccount): Promise<boolean> {
    const { id: accountId } = account;
    const now = clock.seconds();
    let isBrowserKnown = false;
    for (const { value } of knownCookies(http, accountId)) {
      const secret = { secretHash: sha256(value), accountId };
      const result = await sessions.knowsBrowser(secret, now, clock.slack(0));
      if (result.known === "yes") isBrowserKnown = true;
      if (result.known === "replaced") await endReused(result.sid, account, now);
    }
    return isBrowserKnown;
  }

  /** Whether this browser sent the secret with this hash of a session of the account. */
  function hasSent(http: HttpRequest, accountId: string, secretHash: string): boolean {
    const own = cookies.sessionName(accountId);
    return cookies
      .sessions(http)
      .some(({ name, value }) => name === own && sha256(value) === secretHash);
  }

  /** Records that this browser sent its new secret, after which the former ones are refused. */
  async function present(http: HttpRequest, accountId: string, secretHash: string): Promise<void> {
    if (hasSent(http, accountId, secretHash))
      await sessions.presentSession(secretHash, clock.seconds());
  }

  /** Ends sessions of this browser, which the accounts still know. Returns `Set-Cookie` values. */
  async function end(ended: readonly LiveSession[]): Promise<readonly string[]> {
    for (const { session, account } of ended) {
      const { id: accountId, domain } = account;
      if (await sessions.endSession(session, "signed_out", clock.seconds())) {
        events.signedOut({ accountId, domain, where: "here" });
      }
    }
    return ended.flatMap(({ cookie }) => cookies.endSession(cookie));
  }
}

function isUseDue({ lastUsedAt }: Session, now: number): boolean {
  return now - lastUsedAt >= TOUCH_INTERVAL_S;
}

type Standing = EndReason | "live" | "resting" | "uncertain" | "expired";

/**
 * The state of a session by one of its secrets. `expired` needs no notice: nothing happened but time. `uncertain`: it
 * may have expired, but the clock has jumped ahead; the person can sign in again.
 */
function standingOf(
  { session, account }: FoundSession,
  { idleS }: SessionLifetimes,
  clock: Clock,
): Standing {
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
