// The account page: what the owner of a domain can see.

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
import type { SessionGroups } from "../sessions/browser-sessions.ts";
import { pageThatFits } from "./account-lists.ts";
import {
  type AccountSession,
  accountPath,
  accountSessions,
  namedSessions,
} from "./account-session.ts";
import { accountView } from "./account-view.ts";
import type { Deps } from "./deps.ts";

interface Asked extends Pick<SessionGroups, "ended"> {
  readonly own: AccountSession;
  readonly all: readonly AccountSession[];
  readonly query: URLSearchParams;
}

export function createAccountPage(
  deps: Pick<
    Deps,
    | (
        | "issuer"
        | "sessions"
        | "browserSessions"
        | "grants"
        | "recoveryCodes"
        | "passkeys"
        | "histories"
        | "historyDays"
      )
    | ("clients" | "control" | "clock")
  >,
) {
  const { issuer, control } = deps;
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
    const browser = await deps.browserSessions.read(http);
    const { ended, cleared } = browser;
    const all = accountSessions(browser);
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
    if (named.length > 1) {
      const accounts = all.map(choiceOf);
      const signIn = accountSignIn(issuer);
      return page(200, chooseAccountPage(pages, { accounts, signIn, ended }), headers);
    }
    const shown = await ownPage(http, { own, all, query, ended });
    return page(200, shown, headers);
  }

  /** The page of the account that the request names. */
  async function ownPage(
    http: HttpRequest,
    { own, all, query, ended }: Asked,
  ): Promise<Awaited<ReturnType<typeof accountPage>>> {
    const { domain } = own.account;
    const former = all.filter(({ account, isFormer }) => isFormer && account.domain === domain);
    const checked = await control.checkAndShow(own.account);
    const shown = await pageThatFits(async (size) =>
      accountPage(pagesWithout(http), {
        ...(await accountView({ own, query, size }, checked, deps)),
        ...{ ended, signIn: accountSignIn(issuer) },
        others: all.some(({ account }) => account.domain !== domain),
        former: own.isFormer ? [] : former.map(accountPath),
      }),
    );
    if (checked.result.control === "held") await deps.browserSessions.touch(own.session);
    return shown;
  }
}

function choiceOf(one: AccountSession): AccountChoice {
  const { account, isFormer } = one;
  return { domain: account.domain, path: accountPath(one), isFormer };
}
