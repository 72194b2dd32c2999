// Which session of this browser a request of the account page is about.

import type { ControlResult } from "../account/control.ts";
import { accountSignIn } from "../clients/account-client.ts";
import type { HttpRequest } from "../http/message.ts";
import type { Prepared } from "../http/pipeline.ts";
import { seeOther } from "../http/responses.ts";
import { formFields, PageError } from "../interaction/pending-request.ts";
import type { BrowserSessions, LiveSession } from "../sessions/browser-sessions.ts";

export interface OwnerSession extends LiveSession {
  /** Whether the domain was set up again: this account sleeps, and `domain` does not name it. */
  readonly isFormer: boolean;
}

/** A form post: the field `domain` names the account; a former account needs `session` as well. */
export interface AccountContext {
  readonly http: HttpRequest;
  readonly own: OwnerSession;
  /** Of former accounts of the same domain in this browser; none if `own` is one. */
  readonly former: readonly OwnerSession[];
  readonly fields: ReadonlyMap<string, string>;
}

interface Deps {
  readonly issuer: string;
  readonly browserSessions: BrowserSessions;
}

/** What the posts of the page require. Without such a session, the browser is sent to sign in. */
export function createAccountRequirement({ issuer, browserSessions }: Deps) {
  return async (http: HttpRequest): Promise<Prepared<AccountContext>> => {
    const fields = await formFields(http);
    const domain = fields.get("domain") ?? "";
    if (domain === "") throw new PageError(400, "malformedRequest");
    const { live, resting } = await browserSessions.read(http);
    const all = accountSessions(live, resting);
    const [own] = namedSessions(all, { domain, session: fields.get("session") ?? null });
    if (own === undefined) return { response: seeOther(accountSignIn(issuer, { domain })) };
    const former = all.filter(
      (one) => one.isFormer && !own.isFormer && one.account.domain === domain,
    );
    return { context: { http, own, former, fields } };
  };
}

/** The sessions of this browser. For each domain, the live or else the last used one is first. */
export function accountSessions(
  live: readonly LiveSession[],
  resting: readonly LiveSession[],
): readonly OwnerSession[] {
  const byUse = (one: LiveSession, other: LiveSession) =>
    other.session.lastUsedAt - one.session.lastUsedAt;
  const seen = new Set<string>();
  return [...live, ...resting.toSorted(byUse)].map((one) => {
    const isFormer = seen.has(one.account.domain);
    seen.add(one.account.domain);
    return { ...one, isFormer };
  });
}

/** One session of each domain, unless `session` names one by its `sid`, which is no secret. */
export function namedSessions(
  all: readonly OwnerSession[],
  { domain, session }: { readonly domain: string | null; readonly session: string | null },
): readonly OwnerSession[] {
  return all.filter(
    (one) =>
      (domain === null || one.account.domain === domain) &&
      (session === null ? !one.isFormer : one.session.sid === session),
  );
}

export function accountQuery({ account, session, isFormer }: OwnerSession): URLSearchParams {
  const { domain } = account;
  return new URLSearchParams(isFormer ? { domain, session: session.sid } : { domain });
}

export function accountPath(own: OwnerSession): string {
  return `/account?${accountQuery(own)}`;
}

/** Ending other sessions needs an authentication that is not older. */
export const FRESH_S = 300;

/**
 * Whether a sign-in with the domain can authenticate this account. For a former account, it would be a sign-in with
 * the present account; without a record, the set-up of a new one.
 */
export function canAuthenticate({ isFormer }: OwnerSession, { control }: ControlResult): boolean {
  return !isFormer && control !== "lost";
}

export function isFresh({ session }: LiveSession, now: number): boolean {
  return now - session.authTime <= FRESH_S;
}
