// The authorization endpoint: shows the first page of a sign-in, or answers `prompt=none`.

import type { Control } from "../account/control.ts";
import { type DomainNameOptions, readDomain } from "../account/domain-name.ts";
import { subjectOf } from "../clients/client.ts";
import type { Cookies } from "../http/cookies.ts";
import type { HttpResponse } from "../http/message.ts";
import { requesterAt } from "../http/requester.ts";
import { page } from "../http/responses.ts";
import type { ShowDomainForm } from "../interaction/domain-form.ts";
import { browserCookie, type RequestContext } from "../interaction/interaction.ts";
import { isConsentNeeded } from "../interaction/next-step.ts";
import { pagesFor } from "../interaction/pending-request.ts";
import type { Clock } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import { type Random, timeOrderedId } from "../lib/random.ts";
import { continuePage } from "../pages/continue.ts";
import type { BrowserSessions, LiveSession } from "../sessions/browser-sessions.ts";
import type { ContinueProofs } from "../sessions/continue-proof.ts";
import type { UnseenNews } from "../sessions/unseen-news.ts";
import type { Events } from "../telemetry/events.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import type { IssueCode } from "./authorization-response.ts";
import { AuthorizationError, type AuthorizationErrorCode } from "./protocol-errors.ts";
import type { Statements } from "./statements.ts";

type AuthorizeContext = RequestContext<AuthorizationRequest>;

interface Deps {
  readonly showDomainForm: ShowDomainForm;
  readonly issueCode: IssueCode;
  readonly statements: Statements;
  readonly browserSessions: BrowserSessions;
  readonly continueProofs: ContinueProofs;
  readonly cookies: Cookies;
  readonly unseenNews: UnseenNews;
  readonly control: Control;
  readonly domainNames: DomainNameOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}

export function createAuthorize(deps: Deps) {
  const { browserSessions, clock } = deps;
  return { authorize };

  /** GET /oauth/authorize */
  async function authorize(context: AuthorizeContext): Promise<HttpResponse> {
    const { http, request } = context;
    if (!request.prompt.has("none")) return showFirstPage(context);
    return answerSilently(context).catch((error) => {
      // There is no user to show a page to, so the client gets internal errors as well.
      if (error instanceof AuthorizationError) throw error;
      deps.events.failed({ path: http.path, cause: error });
      throw error instanceof UnavailableError
        ? new AuthorizationError(request.target, "temporarily_unavailable", "try again later")
        : new AuthorizationError(request.target, "server_error", "internal server error");
    });
  }

  /** Lists the domains that are signed in and that the request allows, or asks for one. */
  async function showFirstPage(context: AuthorizeContext): Promise<HttpResponse> {
    const { http, request } = context;
    const { live, ended, cleared } = await browserSessions.read(http);
    const hint = hintedDomain(request);
    const listed = browserSessions
      .usable(live, request)
      .filter(({ account }) => hint === null || account.domain === hint);
    if (listed.length === 0) {
      const value = request.loginHint?.slice(0, 300);
      return deps.showDomainForm(context, { value, ended, cookies: cleared });
    }
    const browser = browserCookie(http, deps);
    const { query } = request;
    const offers = listed.map(({ session: { sid }, account: { domain } }) => {
      const proof = deps.continueProofs.make(sid, { browser: browser.value, query });
      return { domain, proof };
    });
    const news = (await Promise.all(listed.map(newsOf))).filter((one) => one !== null);
    return page(200, continuePage(pagesFor(http, request), { offers, query, ended, news }), {
      "set-cookie": [browser.cookie, ...cleared],
    });
  }

  /** The news of an account that this browser has not shown yet. */
  async function newsOf({ session: { noticesFrom: since }, account }: LiveSession) {
    const { id: accountId, domain } = account;
    return since === null ? null : deps.unseenNews.read({ accountId, domain }, since);
  }

  /** The domain in `login_hint`; null if it names none. */
  function hintedDomain({ loginHint }: AuthorizationRequest): string | null {
    const hint = loginHint === undefined ? null : readDomain(loginHint, deps.domainNames);
    return hint?.ok ? hint.domain : null;
  }

  /** `prompt=none`: issues a code from the session, or throws `AuthorizationError`. */
  async function answerSilently(context: AuthorizeContext): Promise<HttpResponse> {
    const { request } = context;
    const refuse = refusal(request);
    if (request.hasUnreadResource) {
      // Nothing is fetched before the person has acted.
      throw refuse("interaction_required", "the metadata of a resource has to be read first");
    }
    const { session, account, consented } = await silentSession(context);
    const result = await deps.control.check(account, requesterAt(context.http.clientAddress, true));
    if (result.control === "unknown") {
      throw refuse("temporarily_unavailable", "the DNS lookup for the domain failed");
    }
    if (result.control === "lost") {
      throw refuse("login_required", "the DNS record of the domain no longer names the account");
    }
    if (isConsentNeeded(request, consented)) {
      throw refuse("consent_required", "the user has not consented to this request");
    }
    const { authTime, amr, sid } = session;
    const authentication = { accountId: account.id, authTime, amr, sid };
    const grantId = timeOrderedId(clock, deps.random);
    const controlCheckedAt = result.checkedAt;
    const others = browserSessions.useOf(session);
    const proof = { ...authentication, grantId, controlCheckedAt, interaction: null, others };
    return deps.issueCode(proof, { ...context, account });
  }

  /** The session of the account that `id_token_hint`, `claims` or `login_hint` names, or of the only one. */
  async function silentSession({ http, request }: AuthorizeContext): Promise<LiveSession> {
    const refuse = refusal(request);
    const browser = await browserSessions.read(http, request.clientId);
    const consented = browser.live.filter(isConsented(request));
    const live = consented.filter(await isHinted(request));
    if (live.length > 0 && request.consent === "always") {
      throw refuse("consent_required", "the user is asked for consent each time");
    }
    if (live.length > 1) {
      throw refuse("account_selection_required", "several domains are signed in: send login_hint");
    }
    const [session] = browserSessions.usable(live, request);
    const uncertain = browser.uncertain.filter(isConsented(request));
    if (session === undefined && uncertain.length > 0) {
      throw refuse("temporarily_unavailable", "the clock has jumped ahead");
    }
    if (session === undefined) throw refuse("login_required", "no user is signed in");
    return session;
  }

  async function isHinted(
    request: AuthorizationRequest,
  ): Promise<(session: LiveSession) => boolean> {
    const { client, idTokenHint, claims } = request;
    const bySub = (sub: string | undefined) => (session: LiveSession) =>
      subjectOf(client, session.account) === sub;
    if (idTokenHint !== undefined) {
      return bySub((await deps.statements.readIdTokenHint(idTokenHint, client))?.sub);
    }
    if (claims.requiredSub !== null) return bySub(claims.requiredSub);
    const domain = hintedDomain(request);
    return ({ account }) => domain === null || account.domain === domain;
  }
}

/** For a client, accounts that have not consented to it do not exist: it must not learn who is signed in. */
function isConsented({ consent }: AuthorizationRequest) {
  return ({ consented }: LiveSession) => consent === "never" || consented.size > 0;
}

function refusal({ target }: AuthorizationRequest) {
  return (code: AuthorizationErrorCode, description: string) =>
    new AuthorizationError(target, code, description);
}
