// The forms of the first page: enter a domain, continue with a session, choose another domain, sign out.

import type { Control } from "../account/control.ts";
import { type DomainNameOptions, readDomain } from "../account/domain-name.ts";
import type { NewRecords } from "../dns/new-records.ts";
import type { SpRecordLook, SpRecords } from "../dns/sp-record.ts";
import { newExternalState } from "../federation/sp-authorization.ts";
import type { Cookies } from "../http/cookies.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { isLongBegun, requesterAt } from "../http/requester.ts";
import { seeOther, withCookies } from "../http/responses.ts";
import type { ShowDomainForm } from "../interaction/domain-form.ts";
import type { Flow } from "../interaction/flow.ts";
import type { RequestContext } from "../interaction/interaction.ts";
import {
  dnsFailed,
  formField,
  formFields,
  PageError,
  pagesFor,
} from "../interaction/pending-request.ts";
import {
  authenticatedBy,
  challengeFor,
  externalOf,
  passkeyOf,
  SET_UP,
} from "../interaction/progress.ts";
import type { Clock } from "../lib/clock.ts";
import { type Random, randomText } from "../lib/random.ts";
import type { Notice } from "../pages/notice.ts";
import type { BrowserSessions, LiveSession } from "../sessions/browser-sessions.ts";
import type { Continued, ContinueProofs } from "../sessions/continue-proof.ts";
import type { ReturningBrowsers } from "../sessions/returning-browser.ts";
import { isTime, type UnseenNews } from "../sessions/unseen-news.ts";
import type { Account, AccountStore, AccountToSignIn } from "../store/accounts.ts";
import type { PasskeyStore } from "../store/passkeys.ts";
import { OWN_SP } from "../store/shared-values.ts";
import type { Challenges } from "./challenge-cookie.ts";
import { explain } from "./lookup-notice.ts";
import type { NewCeremony } from "./owner-statement.ts";
import { isFullFor, type SetUps } from "./set-up/set-up.ts";

export interface Deps {
  readonly flow: Flow;
  readonly showDomainForm: ShowDomainForm;
  readonly setUps: SetUps;
  readonly newCeremony: NewCeremony;
  readonly challenges: Challenges;
  readonly accounts: AccountStore;
  readonly passkeys: PasskeyStore;
  readonly browserSessions: BrowserSessions;
  readonly returningBrowsers: ReturningBrowsers;
  readonly unseenNews: UnseenNews;
  readonly control: Control;
  readonly spRecords: SpRecords;
  readonly newRecords: NewRecords;
  readonly domainNames: DomainNameOptions;
  readonly continueProofs: ContinueProofs;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly random: Random;
  /** The code for a session that needs no further step; null if there is none. */
  continueAtOnce(
    context: RequestContext,
    continued: {
      readonly live: LiveSession;
      readonly grantId: string;
      readonly controlCheckedAt: number;
    },
  ): Promise<HttpResponse | null>;
}

interface Known {
  readonly domain: string;
  readonly all: readonly AccountToSignIn[];
  /** Those that know this browser. */
  readonly own: readonly Account[];
  readonly live: readonly LiveSession[];
}

export function createDomainStep(deps: Deps) {
  const { flow, showDomainForm, setUps, accounts, passkeys, browserSessions, random } = deps;
  return {
    enterDomain,
    continueSession,
    /** POST /sign-in/other */
    chooseOtherDomain: ({ http }: RequestContext) => seeOther(`/sign-in/other?${http.query}`),
    /** GET /sign-in/other: the page that asks for a domain, also if somebody is signed in. */
    askForOtherDomain: (context: RequestContext) => showDomainForm(context, {}),
    signOut,
  };

  /** POST /sign-in with the authorization request's query and the field `domain`. */
  async function enterDomain(context: RequestContext): Promise<HttpResponse> {
    const { http, request } = context;
    const typed = await formField(http, "domain", request);
    const { t } = pagesFor(http, request);
    const again = (status: number, notice: Notice) =>
      showDomainForm(context, { status, value: typed, notice });
    const input = readDomain(typed, deps.domainNames);
    if (!input.ok) {
      const about = { domain: input.about, example: `alice.${input.about}` };
      return again(400, t.explanation(`domainMistakes-${input.mistake}`, about));
    }
    const { domain } = input;
    const known = await knownOf(context, domain);
    const look = await lookFor(http, domain, known);
    switch (look.outcome) {
      case "absent":
      // Usually a wildcard CNAME, which the record to publish replaces.
      case "alias_invalid":
        return beginSetUp(context, domain);
      case "own":
        return signIn(context, look, known);
      case "external": {
        if (request.mayFederate) return signIn(context, look, known);
        // Another service read the record and sent the user here: a further redirect could loop.
        const about = { domain, sp: new URL(look.sp).host, client: request.clientHost };
        return again(422, t.explanation("lookOutcomes-names_another", about));
      }
      case "invalid":
      case "ambiguous":
      case "unsupported":
        // If a set-up is pending in this browser, its page shows the right record.
        if ((await setUps.read(http)).some((setUp) => setUp.domain === domain)) {
          return beginSetUp(context, domain);
        }
        return again(422, explain(t, look, domain));
      case "unregistered":
      case "disabled":
      case "not_permitted":
        return again(422, explain(t, look, domain));
      case "indeterminate":
      case "bogus":
        return again(503, explain(t, look, domain));
    }
  }

  /** What is known of the domain before the look: its accounts, and this browser's sessions. */
  async function knownOf({ http, request }: RequestContext, domain: string): Promise<Known> {
    const all = await accounts.accountsToSignIn(domain);
    const { live } = await browserSessions.read(http, request.clientId);
    const own: Account[] = [];
    for (const one of all) {
      // An account knows each browser in which it has a session.
      const isSignedIn = live.some(({ account }) => account.id === one.id);
      if (isSignedIn || (await browserSessions.isKnown(http, one))) own.push(one);
    }
    return { domain, all, own, live };
  }

  /** DNS queries must not disclose a sleeping account. The record of a live account is public. */
  async function lookFor(
    http: HttpRequest,
    domain: string,
    { all, own }: Known,
  ): Promise<SpRecordLook> {
    const isKnown =
      all.some(({ asleepSince }) => asleepSince === null) || own.some(({ sp }) => sp === OWN_SP);
    const begun = await setUps.read(http);
    const isReserved = own.length > 0 || isLongBegun(begun, domain, deps.clock.seconds());
    const from = requesterAt(http.clientAddress, isReserved);
    const wanted = { freshness: "now", from } as const;
    return isKnown
      ? deps.spRecords.lookToDecide(domain, wanted)
      : deps.newRecords.lookForRecord(domain, { sp: null }, wanted);
  }

  /** Begins an interaction with a new set-up. A browser can have three. */
  async function beginSetUp(context: RequestContext, domain: string): Promise<HttpResponse> {
    const { http, request } = context;
    const id = flow.newId();
    const isFull = isFullFor(await setUps.read(http), domain);
    const about = { interactionId: id, domain, client: request.clientName };
    const cookies = isFull ? [] : await setUps.begin(http, about);
    // A new set-up asks for a passkey first.
    const page = isFull ? {} : { page: "set-up-passkey" };
    return flow.begin(context, { id, domain, progress: SET_UP, cookies, ...page });
  }

  /** The record names an account: uses its session, or begins its authentication. */
  async function signIn(
    context: RequestContext,
    look: SpRecordLook & { outcome: "own" | "external" },
    { domain, all, live: before }: Known,
  ): Promise<HttpResponse> {
    const { acct } = look;
    const sp = look.outcome === "own" ? OWN_SP : look.sp;
    const isNamed = (one: Account) => one.sp === sp && one.acct === acct;
    // The account may be new since it was read, or one of more than were read.
    const account = all.find(isNamed) ?? (await accounts.findAccount(domain, { sp, acct }));
    if (account !== null) {
      // The record names the account again: wakes it, and with it its sessions.
      const awake = await deps.control.wake(account, look.checkedAt);
      if (awake === "conflict") throw new PageError(503, "temporarilyUnavailable", context.request);
      const isOf = (one: LiveSession) => one.account.id === account.id;
      // With the account, its sessions wake.
      const live =
        awake === account
          ? (browserSessions.usable(before, context.request).find(isOf) ?? null)
          : await sessionOf(context, isOf);
      if (live !== null) return useSession(context, live, look.checkedAt);
    }
    if (look.outcome === "external") {
      const state = newExternalState(sp, randomText(random, 16));
      return flow.begin(context, { domain, progress: externalOf(acct, state) });
    }
    // Without an account, the record is that of a set-up, of this or another browser.
    if (account === null) return flow.begin(context, { domain, progress: SET_UP });
    // Also if another browser finished the set-up: people without the passkey can start over.
    const hasPasskey =
      "hasPasskey" in account ? account.hasPasskey === 1 : await passkeys.hasPasskey(account.id);
    if (hasPasskey) {
      const ceremony = deps.newCeremony(context.request, { domain, acct });
      return flow.begin(context, { domain, progress: passkeyOf(acct, ceremony) });
    }
    // The page of a set-up says that the set-up was finished elsewhere, and what to do.
    return (await isSetUpElsewhere(context.http, account))
      ? flow.begin(context, { domain, progress: SET_UP })
      : beginChallenge(context, account);
  }

  async function beginChallenge(context: RequestContext, account: Account): Promise<HttpResponse> {
    const { http, request } = context;
    const { domain, acct } = account;
    const id = flow.newId();
    const begun = { account, interactionId: id, request, isRecovery: false };
    const { chal, code, setCookies: cookies } = await deps.challenges.begin(http, begun);
    return flow.begin(context, { id, domain, progress: challengeFor(acct, chal, code), cookies });
  }

  /**
   * Whether another browser, with a copy of the cookie, finished this browser's set-up of the account. A set-up with a
   * passkey does not count: only that passkey can finish the set-up, and it also signs in here.
   */
  async function isSetUpElsewhere(http: HttpRequest, account: Account): Promise<boolean> {
    const isOfSetUp = (await setUps.read(http)).some(
      ({ accountId, passkey }) => accountId === account.id && passkey === undefined,
    );
    return isOfSetUp && !(await browserSessions.isKnown(http, account));
  }

  /** The session that this browser may use for the request. */
  async function sessionOf(
    { http, request }: RequestContext,
    isWanted: (session: LiveSession) => boolean,
  ): Promise<LiveSession | null> {
    const { live } = await browserSessions.read(http, request.clientId);
    return browserSessions.usable(live, request).find(isWanted) ?? null;
  }

  /** Begins an interaction that needs no further proof. */
  async function useSession(
    context: RequestContext,
    { session, account, consented }: LiveSession,
    controlCheckedAt: number,
  ): Promise<HttpResponse> {
    await browserSessions.touch(session);
    const { id: accountId, domain } = account;
    const { authTime, amr, sid, noticesFrom: newsFrom } = session;
    const proof = { accountId, authTime, amr, controlCheckedAt, sid };
    const cookies = await cookiesOfUse(context.http, account);
    const progress = authenticatedBy("session", proof, newsFrom);
    return flow.begin(context, { domain, progress, cookies, consented });
  }

  /** What the response to the use of a session sets: a session can be older than the cookie of returning browsers. */
  async function cookiesOfUse(http: HttpRequest, account: Account): Promise<readonly string[]> {
    const { returningBrowsers } = deps;
    const isMarked = returningBrowsers.read(http) !== null;
    const mark = isMarked ? [] : [returningBrowsers.cookieFor(account.id, account.domain)];
    return [...mark, ...(await setUps.clearFinished(http, [account]))];
  }

  /** POST /sign-in/continue: "continue as" the field `domain`, if its record still names the account. */
  async function continueSession(context: RequestContext): Promise<HttpResponse> {
    const { http, request } = context;
    const fields = await formFields(http, request);
    const domain = fields.get("domain") ?? "";
    if (domain === "") throw new PageError(400, "malformedRequest", request);
    const continued = await offered(context, fields.get("proof") ?? "");
    if (continued === null) return returnToRequest(http);
    const isOffered = ({ account, session }: LiveSession) =>
      account.domain === domain && session.sid === continued.sid;
    const live = await sessionOf(context, isOffered);
    if (live === null) return returnToRequest(http);
    const seen = fields.get("news_seen") ?? "";
    const noticesFrom = isTime(seen)
      ? await deps.unseenNews.recordSeen(Number(seen), live.session)
      : live.session.noticesFrom;
    const from = requesterAt(http.clientAddress, true);
    const result = await deps.control.check(live.account, from);
    switch (result.control) {
      case "unknown":
        return dnsFailed(context, { domain, failure: result.failure });
      case "lost":
        // The account is asleep now, so the first page asks for a domain.
        return returnToRequest(http);
      case "held": {
        const current = { ...live, session: { ...live.session, noticesFrom } };
        const { checkedAt: controlCheckedAt } = result;
        const { isFresh, grantId } = continued;
        const proven = { live: current, grantId, controlCheckedAt };
        const atOnce = isFresh ? await deps.continueAtOnce(context, proven) : null;
        return atOnce === null
          ? useSession(context, current, controlCheckedAt)
          : withCookies(atOnce, await cookiesOfUse(http, live.account));
      }
    }
  }

  /** What a page offered to this browser for this request; null if there was no such page. */
  async function offered(
    { http, request }: RequestContext,
    proof: string,
  ): Promise<Continued | null> {
    const browser = deps.cookies.read(http, "browser");
    if (browser === undefined) return null;
    return deps.continueProofs.read(proof, { browser, query: request.query });
  }

  /** POST /sign-in/sign-out with `which`, a domain or `all`. Makes no look: works if DNS fails. */
  async function signOut({ http, request }: RequestContext): Promise<HttpResponse> {
    const which = await formField(http, "which", request);
    if (which === "") throw new PageError(400, "malformedRequest", request);
    const { live, resting, uncertain } = await browserSessions.read(http);
    const chosen = [...live, ...resting, ...uncertain].filter(
      ({ account }) => which === "all" || account.domain === which,
    );
    const ofSetUps = await setUps.clearFinished(
      http,
      chosen.map(({ account }) => account),
    );
    const ended = await browserSessions.end(chosen);
    return seeOther(`/oauth/authorize?${http.query}`, [...ended, ...ofSetUps]);
  }
}

/** Redirects to the first page of the request, also for a reload of a path that only takes POST. */
export function returnToRequest({ query }: { readonly query: string }): HttpResponse {
  return seeOther(`/oauth/authorize?${query}`);
}
