// The forms of the account page by which its owner ends something: an app's access, or sessions.

import { signOutEverywhere as endEverywhere, revokeApps } from "../account/account-access.ts";
import { accountSignIn } from "../clients/account-client.ts";
import { FormError, readForm } from "../http/form.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import type { Prepared } from "../http/pipeline.ts";
import { seeOther } from "../http/responses.ts";
import { PageError } from "../interaction/pending-request.ts";
import {
  type AccountSession,
  accountPath,
  accountSessions,
  canAuthenticate,
  FRESH_S,
  isFresh,
  namedSessions,
} from "./account-session.ts";
import type { Deps } from "./deps.ts";

/**
 * The context of a form post: a session of this browser, whose account the field `domain` names, together with
 * `session` if it is a former account of that domain.
 */
export interface AccountContext {
  readonly http: HttpRequest;
  readonly own: AccountSession;
  /** Of former accounts of the same domain in this browser; none if `own` is one. */
  readonly former: readonly AccountSession[];
  /** The fields of the form. */
  readonly fields: ReadonlyMap<string, string>;
}

/** What the posts of the page require. Without such a session, the browser is sent to sign in. */
export function createAccountRequirement(deps: Pick<Deps, "issuer" | "browserSessions">) {
  return async (http: HttpRequest): Promise<Prepared<AccountContext>> => {
    const { values: fields } = await readForm(http).catch((error) => {
      throw error instanceof FormError ? new PageError(400, "malformedRequest") : error;
    });
    const domain = fields.get("domain") ?? "";
    if (domain === "") throw new PageError(400, "malformedRequest");
    const all = accountSessions(await deps.browserSessions.read(http));
    const [own] = namedSessions(all, { domain, session: fields.get("session") ?? null });
    if (own === undefined) return { response: seeOther(accountSignIn(deps.issuer, { domain })) };
    const former = all.filter(
      (one) => one.isFormer && !own.isFormer && one.account.domain === domain,
    );
    return { context: { http, own, former, fields } };
  };
}

export function createEndings(
  deps: Pick<
    Deps,
    | (
        | "issuer"
        | "sessions"
        | "browserSessions"
        | "interactions"
        | "consents"
        | "grants"
        | "control"
      )
    | ("cookies" | "clock" | "events")
  >,
) {
  const { issuer, sessions, browserSessions, control, clock, events } = deps;
  const back = (own: AccountSession) => seeOther(accountPath(own));
  return { revokeApp, signOutOfAccount, signOutEverywhere };

  /** If that cannot be, the page says what the person can do. */
  async function authenticateFirst(own: AccountSession): Promise<HttpResponse> {
    if (!canAuthenticate(own, await control.check(own.account))) return back(own);
    const { domain } = own.account;
    return seeOther(accountSignIn(issuer, { domain, maxAge: FRESH_S }));
  }

  /** POST /account/revoke with `client_id`: from now on, the app's tokens are refused. */
  async function revokeApp({ own, fields }: AccountContext): Promise<HttpResponse> {
    const clientId = fields.get("client_id") ?? "";
    if (clientId === "") throw new PageError(400, "malformedRequest");
    const { id: accountId, domain } = own.account;
    const { hadAccess } = await revokeApps({ accountId, clientId }, deps);
    if (hadAccess) events.appRevoked({ accountId, domain, clientId });
    return back(own);
  }

  /**
   * POST /account/sign-out: of the domain in this browser; with `sid`, in another one; or with `browser`, forgets one
   * that is signed out already.
   */
  async function signOutOfAccount(context: AccountContext): Promise<HttpResponse> {
    const { own, former, fields } = context;
    if (fields.has("browser")) return forgetBrowser(context);
    const sid = fields.get("sid");
    const { id: accountId, domain } = own.account;
    if (sid === undefined || sid === own.session.sid) {
      return seeOther("/account?signed_out=1", await browserSessions.end([own, ...former]));
    }
    if (!isFresh(own, clock.seconds())) return authenticateFirst(own);
    if (await sessions.endSession({ sid, accountId }, "elsewhere", clock.seconds())) {
      events.signedOut({ accountId, domain, where: "elsewhere" });
    }
    return back(own);
  }

  async function forgetBrowser({ own, fields }: AccountContext): Promise<HttpResponse> {
    const now = clock.seconds();
    if (!isFresh(own, now)) return authenticateFirst(own);
    const { id: accountId, domain } = own.account;
    const deviceId = fields.get("browser") ?? "";
    if (await sessions.forgetBrowser({ deviceId, accountId, now })) {
      events.signedOut({ accountId, domain, where: "elsewhere" });
    }
    return back(own);
  }

  /**
   * POST /account/sign-out-everywhere: ends all sessions and forgets all browsers; with `apps`, revokes
   * all apps too. The account keeps its `sub`. Former accounts are signed out in this browser.
   */
  async function signOutEverywhere({ own, former, fields }: AccountContext): Promise<HttpResponse> {
    if (!isFresh(own, clock.seconds())) return authenticateFirst(own);
    const { id: accountId, domain } = own.account;
    await endEverywhere({ accountId, by: "elsewhere" }, deps);
    if (fields.get("apps") === "yes") await revokeApps({ accountId, clientId: null }, deps);
    events.signedOut({ accountId, domain, where: "everywhere" });
    const cleared = [deps.cookies.clear(own.cookie.name), ...(await browserSessions.end(former))];
    return seeOther("/account?signed_out=1", cleared);
  }
}
