// Which session of this browser a request of the account page is about.

import type { ControlResult } from "../account/control.ts";
import type { LiveSession, SessionGroups } from "../sessions/browser-sessions.ts";

export interface AccountSession extends LiveSession {
  /**
   * Whether another account of the same domain comes first in this browser: the domain was set up again, and
   * this account sleeps. The domain alone does not name it.
   */
  readonly isFormer: boolean;
}

/** What a request names. `session` is the `sid` of a session, which is no secret. */
export interface NamedAccount {
  readonly domain: string | null;
  readonly session: string | null;
}

/** The sessions of this browser: of equal domains, that of the live account first, or else the last used one. */
export function accountSessions({
  live,
  resting,
}: Pick<SessionGroups, "live" | "resting">): readonly AccountSession[] {
  const byUse = (one: LiveSession, other: LiveSession) =>
    other.session.lastUsedAt - one.session.lastUsedAt;
  const seen = new Set<string>();
  return [...live, ...resting.toSorted(byUse)].map((one) => {
    const isFormer = seen.has(one.account.domain);
    seen.add(one.account.domain);
    return { ...one, isFormer };
  });
}

/** Those that the request can mean: of each domain one, unless it names a session. */
export function namedSessions(
  all: readonly AccountSession[],
  { domain, session }: NamedAccount,
): readonly AccountSession[] {
  return all.filter(
    (one) =>
      (domain === null || one.account.domain === domain) &&
      (session === null ? !one.isFormer : one.session.sid === session),
  );
}

/** The query of its account page. */
export function accountQuery({ account, session, isFormer }: AccountSession): URLSearchParams {
  const { domain } = account;
  return new URLSearchParams(isFormer ? { domain, session: session.sid } : { domain });
}

/** The path of its account page. */
export function accountPath(own: AccountSession): string {
  return `/account?${accountQuery(own)}`;
}

/** Ending other sessions needs an authentication that is not older. */
export const FRESH_S = 300;

/**
 * Whether a sign-in with the domain can be one of this account. That of a former account is one of the account that
 * the record names now, and without a record the sign-in is the set-up of a new account.
 */
export function canAuthenticate(
  { isFormer }: Pick<AccountSession, "isFormer">,
  { control }: Pick<ControlResult, "control">,
): boolean {
  return !isFormer && control !== "lost";
}

export function isFresh({ session }: LiveSession, now: number): boolean {
  return now - session.authTime <= FRESH_S;
}
