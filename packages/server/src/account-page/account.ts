// The account page: what the owner of a domain can see.

import type { Control } from "../account/control.ts";
import { accountSignIn } from "../clients/account-client.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import { pagesWithout } from "../interaction/pending-request.ts";
import {
  type AccountChoice,
  accountPage,
  chooseAccountPage,
  signedOutPage,
} from "../pages/account.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import {
  type AccountSession,
  accountPath,
  accountSessions,
  namedSessions,
} from "./account-session.ts";
import { type AccountViewDeps, createAccountView } from "./account-view.ts";
import { pageThatFits } from "./list-parts.ts";

interface Deps extends AccountViewDeps {
  readonly browserSessions: BrowserSessions;
  readonly control: Control;
}

export function createAccountPage(deps: Deps) {
  const { issuer, browserSessions, control } = deps;
  const accountView = createAccountView(deps);
  return { redirectToAccount, showAccount };

  /** GET / and GET of the paths that only take POST. */
  function redirectToAccount(): HttpResponse {
    return seeOther("/account");
  }

  /**
   * GET /account, for the account of `domain` in the query, or the only one. A former account of that domain
   * needs `session` as well.
   */
  async function showAccount(http: HttpRequest): Promise<HttpResponse> {
    const query = new URLSearchParams(http.query);
    const domain = query.get("domain");
    const { live, resting, ended, cleared } = await browserSessions.read(http);
    const all = accountSessions(live, resting);
    const named = namedSessions(all, { domain, session: query.get("session") });
    const pages = pagesWithout(http);
    const headers = cleared.length === 0 ? {} : { "set-cookie": cleared };
    const [own] = named;
    if (own === undefined) {
      // Not a redirect to the sign-in if the person has just left it, or must be told something.
      const isBack = query.has("error") || query.has("signed_out") || ended.length > 0;
      const signIn = accountSignIn(issuer, domain === null ? {} : { domain });
      if (!isBack) return seeOther(signIn);
      const left = ended.find((one) => one.domain === domain)?.domain ?? null;
      const isLeft = left !== null && !all.some(({ account }) => account.domain === left);
      // There, `ended` is shown as well.
      if (all.length > 0 && !isLeft) return seeOther("/account");
      const notSignedIn = all.length > 0 ? left : null;
      return page(200, signedOutPage(pages, { signIn, ended, notSignedIn }), headers);
    }
    const signIn = accountSignIn(issuer);
    if (named.length > 1) {
      const accounts = all.map(choiceOf);
      return page(200, chooseAccountPage(pages, { accounts, signIn, ended }), headers);
    }
    const isOfDomain = ({ account }: AccountSession) => account.domain === own.account.domain;
    const former = all.filter((one) => one.isFormer && isOfDomain(one));
    const check = await control.checkAndShow(own.account);
    const body = await pageThatFits(async (size) =>
      accountPage(pages, {
        ...(await accountView({ own, query, size }, check)),
        ...{ ended, signIn, others: !all.every(isOfDomain) },
        former: own.isFormer ? [] : former.map(accountPath),
      }),
    );
    if (check.result.control === "held") await browserSessions.touch(own.session);
    return page(200, body, headers);
  }
}

function choiceOf(one: AccountSession): AccountChoice {
  const { account, isFormer } = one;
  return { domain: account.domain, path: accountPath(one), isFormer };
}
