// The forms of the first page: enter a domain, continue with a session, choose another domain, sign out.

import { readDomain } from "../account/domain-name.ts";
import type { SpRecordLook } from "../dns/sp-record.ts";
import { newExternalState } from "../federation/sp-authorization.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { seeOther } from "../http/responses.ts";
import { dnsFailed } from "../interaction/dns-failed.ts";
import { type DomainFormDeps, showDomainForm } from "../interaction/domain-form.ts";
import {
  beginInteraction,
  newInteractionId,
  type RequestContext,
} from "../interaction/interaction.ts";
import { formField, formFields, PageError, pagesFor } from "../interaction/pending-request.ts";
import { randomText } from "../lib/random.ts";
import type { Notice } from "../pages/notice.ts";
import type { LiveSession } from "../sessions/browser-sessions.ts";
import { isTime } from "../sessions/unseen-news.ts";
import type { Account } from "../store/accounts.ts";
import { OWN_SP } from "../store/shared-values.ts";
import type { Deps, StepDeps } from "./deps.ts";
import { explain } from "./lookup-notice.ts";
import { accountKnownToBrowser } from "./set-up/former-record.ts";
import { beginSetUp, clearFinished, isFullFor, readSetUps } from "./set-up/set-up.ts";

type DomainDeps = StepDeps &
  DomainFormDeps &
  Pick<
    Deps,
    | ("events" | "accounts" | "spRecords" | "newRecords" | "domainNames" | "control")
    | ("statementKeys" | "setUpSeal" | "restoredAt" | "passkeys" | "unseenNews")
  >;

export function createDomainStep(deps: DomainDeps) {
  return {
    enterDomain,
    continueSession: (context: RequestContext) => continueSession(context, deps),
    chooseOtherDomain,
    /** GET /sign-in/other: the page that asks for a domain, also if somebody is signed in. */
    askForOtherDomain: (context: RequestContext) => showDomainForm(context, {}, deps),
    signOut: (context: RequestContext) => signOut(context, deps),
  };

  /** POST /sign-in with the authorization request's query and the field `domain`. */
  async function enterDomain(context: RequestContext): Promise<HttpResponse> {
    const { http, request } = context;
    const typed = await formField(http, "domain", request);
    const { t } = pagesFor(http, request);
    const again = (status: number, notice: Notice) =>
      showDomainForm(context, { status, value: typed, notice }, deps);
    const input = readDomain(typed, deps.domainNames);
    if (!input.ok) {
      const about = { domain: input.about, example: `alice.${input.about}` };
      return again(400, t.explanation(`domainMistakes-${input.mistake}`, about));
    }
    const { domain } = input;
    // What is asked must not disclose an account that sleeps. The record of one that is awake is public.
    const isAwake = (await deps.accounts.accountsOf(domain)).some(
      ({ asleepSince }) => asleepSince === null,
    );
    const isKnown =
      isAwake || (await accountKnownToBrowser({ http, interaction: { domain } }, deps)) !== null;
    const look = isKnown
      ? await deps.spRecords.lookToDecide(domain, "now")
      : await deps.newRecords.lookForRecord(domain, { sp: null }, "now");
    switch (look.outcome) {
      case "absent":
      // Usually a wildcard CNAME, which the record to publish replaces.
      case "alias_invalid":
        return beginWithSetUp(context, domain, deps);
      case "own":
        return signIn(context, { domain, look }, deps);
      case "external": {
        if (request.mayFederate) return signIn(context, { domain, look }, deps);
        // Another service read the record and sent the user here: a further redirect could loop.
        const about = { domain, sp: new URL(look.sp).host, client: request.clientHost };
        return again(422, t.explanation("lookOutcomes-names_another", about));
      }
      case "invalid":
      case "ambiguous":
      case "unsupported":
        // If a set-up is pending in this browser, its page shows the right record.
        if (await hasSetUp(http, domain, deps)) return beginWithSetUp(context, domain, deps);
        return again(422, explain(t, look, domain));
      case "unregistered":
      case "disabled":
      case "not_permitted":
        return again(422, explain(t, look, domain));
      case "unavailable":
      case "bogus":
        return again(503, explain(t, look, domain));
    }
  }
}

async function hasSetUp(http: HttpRequest, domain: string, deps: DomainDeps): Promise<boolean> {
  return (await readSetUps(http, deps)).some((setUp) => setUp.domain === domain);
}

/** Begins an interaction with a set-up of its own, also if this browser has begun one before: up to three. */
async function beginWithSetUp(
  context: RequestContext,
  domain: string,
  deps: DomainDeps,
): Promise<HttpResponse> {
  const { http, request } = context;
  const id = newInteractionId(deps);
  const client = request.clientName;
  const isFull = isFullFor(await readSetUps(http, deps), domain);
  const cookies = isFull ? [] : await beginSetUp(http, { interactionId: id, domain, client }, deps);
  return beginInteraction(context, { id, domain, method: "dns-setup", cookies }, deps);
}

/** The record names an account: uses its session, or begins its authentication. */
async function signIn(
  context: RequestContext,
  { domain, look }: { domain: string; look: SpRecordLook & { outcome: "own" | "external" } },
  deps: DomainDeps,
): Promise<HttpResponse> {
  const { acct } = look;
  const sp = look.outcome === "own" ? OWN_SP : look.sp;
  const account = await deps.accounts.findAccount(domain, { sp, acct });
  if (account !== null) {
    // The record names the account again: wakes it, and with it its sessions.
    if (account.asleepSince !== null) {
      const awake = await deps.accounts.wakeAccount(account, look.checkedAt);
      // The record has changed since the look.
      if (awake === "conflict") throw new PageError(503, "temporarilyUnavailable", context.request);
      deps.events.recordFound({ accountId: account.id, domain });
    }
    const live = await sessionOf(context, (one) => one.account.id === account.id, deps);
    if (live !== null) return useSession(context, live, look.checkedAt, deps);
  }
  const text = randomText(deps.random, 16);
  if (look.outcome === "external") {
    const external = newExternalState(sp, text);
    return beginInteraction(context, { domain, method: "external", acct, external }, deps);
  }
  // Without an account, the record is that of a set-up, of this or another browser.
  if (account === null) return beginInteraction(context, { domain, method: "dns-setup" }, deps);
  // Also in a browser whose set-up of the account somebody else may have finished: it may have been this one, and
  // have been signed out from elsewhere since. Who has not the passkey can start over from there.
  if (await deps.passkeys.hasPasskey(account.id)) {
    return beginInteraction(context, { domain, method: "passkey", acct }, deps);
  }
  // Its page says that the set-up was finished elsewhere, and what to do.
  return (await isSetUpElsewhere(context.http, account, deps))
    ? beginInteraction(context, { domain, method: "dns-setup" }, deps)
    : beginInteraction(context, { domain, method: "dns-challenge", acct, challenge: text }, deps);
}

/**
 * Whether this browser began the set-up that the account came of, and the account does not know it: another browser
 * with a copy of the cookie finished it. One with a passkey is finished by that alone, which also signs in here.
 */
async function isSetUpElsewhere(
  http: HttpRequest,
  account: Account,
  deps: DomainDeps,
): Promise<boolean> {
  const setUps = await readSetUps(http, deps);
  const isOfSetUp = setUps.some(
    ({ accountId, passkey }) => accountId === account.id && passkey === undefined,
  );
  return isOfSetUp && !(await deps.browserSessions.isKnown(http, account));
}

/** The session that this browser may use for the request. */
async function sessionOf(
  { http, request }: RequestContext,
  isWanted: (session: LiveSession) => boolean,
  deps: DomainDeps,
): Promise<LiveSession | null> {
  const { live } = await deps.browserSessions.read(http);
  const usable = deps.browserSessions.usable(live, request);
  return usable.find(isWanted) ?? null;
}

/** Begins an interaction that needs no further proof. */
async function useSession(
  context: RequestContext,
  { session, account }: LiveSession,
  controlCheckedAt: number,
  deps: DomainDeps,
): Promise<HttpResponse> {
  await deps.browserSessions.touch(session);
  const { id: accountId, domain, acct } = account;
  const { authTime, amr, sid, noticesFrom: newsFrom } = session;
  const proof = { accountId, authTime, amr, controlCheckedAt, sid, newsFrom };
  const { http } = context;
  const { returningBrowsers } = deps;
  // A session can be older than this cookie.
  const isMarked = returningBrowsers.read(http) !== null;
  const mark = isMarked ? [] : [returningBrowsers.cookieFor(accountId)];
  const cookies = [...mark, ...(await clearFinished(http, [account], deps))];
  return beginInteraction(context, { domain, method: "session", acct, ...proof, cookies }, deps);
}

/** POST /sign-in/continue: "continue as" the field `domain`, if its record still names the account. */
async function continueSession(context: RequestContext, deps: DomainDeps): Promise<HttpResponse> {
  const { http, request } = context;
  const fields = await formFields(http, request);
  const domain = fields.get("domain") ?? "";
  if (domain === "") throw new PageError(400, "malformedRequest", request);
  const live = await sessionOf(context, ({ account }) => account.domain === domain, deps);
  if (live === null) return returnToRequest(http);
  const seen = fields.get("news_seen") ?? "";
  const noticesFrom = isTime(seen)
    ? await deps.unseenNews.recordSeen(Number(seen), live.session)
    : live.session.noticesFrom;
  const result = await deps.control.check(live.account);
  switch (result.control) {
    case "unknown":
      return dnsFailed(context, { domain, failure: result.failure });
    case "lost":
      // The account is asleep now, so the first page asks for a domain.
      return returnToRequest(http);
    case "held":
      return useSession(
        context,
        { ...live, session: { ...live.session, noticesFrom } },
        result.checkedAt,
        deps,
      );
  }
}

/** GET of a path that only takes POST, such as by a reload: redirects to the first page. */
export function returnToRequest({ query }: HttpRequest): HttpResponse {
  return seeOther(`/oauth/authorize?${query}`);
}

/** POST /sign-in/other */
function chooseOtherDomain({ http }: RequestContext): HttpResponse {
  return seeOther(`/sign-in/other?${http.query}`);
}

/**
 * POST /sign-in/sign-out with `which`, a domain or `all`: ends sessions of this browser. Needs no look at
 * the record, so it also works while an account sleeps or DNS fails.
 */
async function signOut(context: RequestContext, deps: DomainDeps): Promise<HttpResponse> {
  const { http, request } = context;
  const which = await formField(http, "which", request);
  if (which === "") throw new PageError(400, "malformedRequest", request);
  const { live, resting, uncertain } = await deps.browserSessions.read(http);
  const chosen = [...live, ...resting, ...uncertain].filter(
    ({ account }) => which === "all" || account.domain === which,
  );
  const accounts = chosen.map(({ account }) => account);
  const cleared = await clearFinished(http, accounts, deps);
  return seeOther(`/oauth/authorize?${http.query}`, [
    ...(await deps.browserSessions.end(chosen)),
    ...cleared,
  ]);
}
