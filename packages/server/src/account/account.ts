// The account page: what its owner can see and undo.

import { FormError, readForm } from "../http/form.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import type { Prepared } from "../http/pipeline.ts";
import { page, seeOther } from "../http/responses.ts";
import { PageError, pagesWithout } from "../interaction/pending-request.ts";
import { endSessions, type LiveSession, readSessions } from "../interaction/session.ts";
import { accountSignIn } from "../oauth/account-client.ts";
import { accountPage, chooseAccountPage, signedOutPage } from "../pages/account.ts";
import { accountView } from "./account-view.ts";
import type { Deps } from "./deps.ts";

/** Ending other sessions needs an authentication that is not older. */
const FRESH_S = 300;

/** The context of a form post: a session of this browser whose account the field `domain` names. */
export interface AccountContext {
  readonly http: HttpRequest;
  readonly own: LiveSession;
  /** The fields of the form. */
  readonly fields: ReadonlyMap<string, string>;
}

type AccountDeps = Pick<
  Deps,
  | ("issuer" | "sessions" | "grants" | "consents" | "devices" | "clients" | "control")
  | ("cookies" | "clock" | "events")
>;

/** What the posts of the page require. Without such a session, the browser is sent to sign in. */
export function createAccountRequirement(deps: AccountDeps) {
  return async (http: HttpRequest): Promise<Prepared<AccountContext>> => {
    const { values: fields } = await readForm(http).catch((error) => {
      throw error instanceof FormError ? new PageError(400, "malformedRequest") : error;
    });
    const domain = fields.get("domain") ?? "";
    const { live, resting } = await readSessions(http, deps);
    const own = [...live, ...resting].find(({ account }) => account.domain === domain);
    if (own === undefined) return { response: seeOther(accountSignIn(deps.issuer, { domain })) };
    return { context: { http, own, fields } };
  };
}

export function createAccountPage(deps: AccountDeps) {
  const { issuer, sessions, grants, consents, devices, clock, events } = deps;
  return { leadToAccount, showAccount, revokeApp, signOutOfAccount, signOutEverywhere };

  /** GET / and GET of the paths that only take POST. */
  function leadToAccount(): HttpResponse {
    return seeOther("/account");
  }

  /** GET /account, for the account that `domain` in the query names, or the only one. */
  async function showAccount(http: HttpRequest): Promise<HttpResponse> {
    const query = new URLSearchParams(http.query);
    const wanted = query.get("domain");
    const { live, resting, ended, cleared } = await readSessions(http, deps);
    const all = [...live, ...resting];
    const named = all.filter(({ account }) => wanted === null || account.domain === wanted);
    const pages = pagesWithout(http);
    const headers = cleared.length === 0 ? {} : { "set-cookie": cleared };
    const [own] = named;
    if (own === undefined) {
      // Not a redirect to the sign-in if the person has just left it, or must be told something.
      const isBack = query.has("error") || query.has("signed_out") || ended.length > 0;
      const signIn = accountSignIn(issuer, wanted === null ? {} : { domain: wanted });
      if (!isBack) return seeOther(signIn);
      return page(200, signedOutPage(pages, { signIn, ended }), headers);
    }
    if (named.length > 1) {
      const domains = named.map(({ account }) => account.domain);
      const signIn = accountSignIn(issuer);
      return page(200, chooseAccountPage(pages, { domains, signIn, ended }), headers);
    }
    const view = await accountView(own, deps);
    const others = all.length > 1;
    return page(
      200,
      accountPage(pages, { ...view, ended, others, signIn: accountSignIn(issuer) }),
      headers,
    );
  }

  const back = ({ account: { domain } }: LiveSession) =>
    seeOther(`/account?${new URLSearchParams({ domain })}`);

  const isFresh = ({ session }: LiveSession) => clock.seconds() - session.authTime <= FRESH_S;

  const authenticateFirst = ({ account: { domain } }: LiveSession) =>
    seeOther(accountSignIn(issuer, { domain, maxAge: FRESH_S }));

  /** POST /account/revoke with `client_id`: from now on, the app's tokens are refused. */
  async function revokeApp({ own, fields }: AccountContext): Promise<HttpResponse> {
    const clientId = fields.get("client_id") ?? "";
    if (clientId === "") throw new PageError(400, "malformedRequest");
    const { id: accountId, domain } = own.account;
    // Before the grants: an authorization in between asks for consent.
    await consents.forgetConsent(accountId, clientId);
    const revoked = await grants.revokeGrantsOf({ accountId, clientId, now: clock.seconds() });
    if (revoked > 0) events.appRevoked({ accountId, domain, clientId });
    return back(own);
  }

  /** POST /account/sign-out: in this browser, or with `sid` in another one. */
  async function signOutOfAccount({ own, fields }: AccountContext): Promise<HttpResponse> {
    const sid = fields.get("sid");
    const { id: accountId, domain } = own.account;
    if (sid === undefined || sid === own.session.sid) {
      return seeOther("/account?signed_out=1", await endSessions([own], deps));
    }
    if (!isFresh(own)) return authenticateFirst(own);
    if (await sessions.endSession({ sid, accountId }, "elsewhere", clock.seconds())) {
      events.signedOut({ accountId, domain, where: "elsewhere" });
    }
    return back(own);
  }

  /**
   * POST /account/sign-out-everywhere: ends all sessions and forgets all browsers; with `apps`, revokes
   * all apps too. The account keeps its `sub`.
   */
  async function signOutEverywhere({ own, fields }: AccountContext): Promise<HttpResponse> {
    if (!isFresh(own)) return authenticateFirst(own);
    const { id: accountId, domain } = own.account;
    const now = clock.seconds();
    const setCookies = await endSessions([own], deps);
    await sessions.endSessionsOf(accountId, { reason: "elsewhere", now });
    await devices.forgetDevices(accountId);
    if (fields.get("apps") === "yes") await grants.revokeGrantsOf({ accountId, now });
    events.signedOut({ accountId, domain, where: "everywhere" });
    return seeOther("/account?signed_out=1", setCookies);
  }
}
