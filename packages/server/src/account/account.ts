// The account page: what the owner of a domain can see.

import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { page, seeOther } from "../http/responses.ts";
import { pagesWithout } from "../interaction/pending-request.ts";
import { readSessions } from "../interaction/session.ts";
import { accountSignIn } from "../oauth/account-client.ts";
import { accountPage, chooseAccountPage, signedOutPage } from "../pages/account.ts";
import { accountView } from "./account-view.ts";
import type { Deps } from "./deps.ts";

export function createAccountPage(
  deps: Pick<
    Deps,
    | (
        | "issuer"
        | "sessions"
        | "grants"
        | "recoveryCodes"
        | "passkeys"
        | "histories"
        | "historyDays"
      )
    | ("clients" | "control" | "cookies" | "clock" | "events")
  >,
) {
  const { issuer } = deps;
  return { leadToAccount, showAccount };

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
    const view = await accountView(own, query.get("before"), deps);
    const others = all.length > 1;
    return page(
      200,
      accountPage(pages, {
        ...view,
        ...{ ended, others, signIn: accountSignIn(issuer) },
        addPasskey: accountSignIn(issuer, { domain: own.account.domain, change: "new-passkey" }),
        deleteAccount: accountSignIn(issuer, {
          domain: own.account.domain,
          change: "delete-account",
        }),
      }),
      headers,
    );
  }
}
