// The forms of the account page for which a session is enough: end an app's access or sessions, or rename a passkey.

import type { AccountAccess } from "../account/account-access.ts";
import type { Control } from "../account/control.ts";
import { accountSignIn } from "../clients/account-client.ts";
import type { Cookies } from "../http/cookies.ts";
import type { HttpResponse } from "../http/message.ts";
import { requesterAt } from "../http/requester.ts";
import { seeOther } from "../http/responses.ts";
import { PageError } from "../interaction/pending-request.ts";
import type { Clock } from "../lib/clock.ts";
import { MAX_PASSKEY_NAME } from "../pages/account-entries.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import type { PasskeyStore } from "../store/passkeys.ts";
import type { SessionStore } from "../store/sessions.ts";
import type { Events } from "../telemetry/events.ts";
import {
  type AccountContext,
  accountPath,
  canAuthenticate,
  FRESH_S,
  isFresh,
  type OwnerSession,
} from "./account-session.ts";

interface Deps {
  readonly issuer: string;
  readonly passkeys: PasskeyStore;
  readonly sessions: SessionStore;
  readonly browserSessions: BrowserSessions;
  readonly accountAccess: AccountAccess;
  readonly control: Control;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly events: Events;
}

export function createAccountForms(deps: Deps) {
  const { issuer, passkeys, sessions, browserSessions, accountAccess } = deps;
  const { control, cookies, clock, events } = deps;
  const back = (own: OwnerSession) => seeOther(accountPath(own));
  return { revokeApp, signOutOfAccount, signOutEverywhere, renamePasskey };

  /** If the owner cannot authenticate, the page says what to do. */
  async function authenticateFirst({ http, own }: AccountContext): Promise<HttpResponse> {
    const from = requesterAt(http.clientAddress, true);
    if (!canAuthenticate(own, await control.check(own.account, from))) return back(own);
    const { domain } = own.account;
    return seeOther(accountSignIn(issuer, { domain, maxAge: FRESH_S }));
  }

  /** POST /account/revoke with `client_id`: from now on, the app's tokens are refused. */
  async function revokeApp({ own, fields }: AccountContext): Promise<HttpResponse> {
    const clientId = fields.get("client_id") ?? "";
    if (clientId === "") throw new PageError(400, "malformedRequest");
    const { id: accountId, domain } = own.account;
    const { hadAccess } = await accountAccess.revokeApps(accountId, clientId);
    if (hadAccess) events.appRevoked({ accountId, domain, clientId });
    return back(own);
  }

  /** POST /account/sign-out: this browser; with `sid`, another one; with `browser`, forgets one. */
  async function signOutOfAccount(context: AccountContext): Promise<HttpResponse> {
    const { own, former, fields } = context;
    if (fields.has("browser")) return forgetBrowser(context);
    const sid = fields.get("sid");
    const { id: accountId, domain } = own.account;
    if (sid === undefined || sid === own.session.sid) {
      return seeOther("/account?signed_out=1", await browserSessions.end([own, ...former]));
    }
    if (!isFresh(own, clock.seconds())) return authenticateFirst(context);
    if (await sessions.endSession({ sid, accountId }, "elsewhere", clock.seconds())) {
      events.signedOut({ accountId, domain, where: "elsewhere" });
    }
    return back(own);
  }

  async function forgetBrowser(context: AccountContext): Promise<HttpResponse> {
    const { own, fields } = context;
    const now = clock.seconds();
    if (!isFresh(own, now)) return authenticateFirst(context);
    const { id: accountId, domain } = own.account;
    const deviceId = fields.get("browser") ?? "";
    if (await sessions.forgetBrowser({ deviceId, accountId, now })) {
      events.signedOut({ accountId, domain, where: "elsewhere" });
    }
    return back(own);
  }

  /**
   * POST /account/sign-out-everywhere: ends all sessions and forgets all browsers; with `apps`, also revokes all apps.
   * The account keeps its `sub`. Former accounts are signed out in this browser.
   */
  async function signOutEverywhere(context: AccountContext): Promise<HttpResponse> {
    const { own, former, fields } = context;
    if (!isFresh(own, clock.seconds())) return authenticateFirst(context);
    const { id: accountId, domain } = own.account;
    await accountAccess.signOutEverywhere(accountId, "elsewhere");
    if (fields.get("apps") === "yes") await accountAccess.revokeApps(accountId, null);
    events.signedOut({ accountId, domain, where: "everywhere" });
    const cleared = [cookies.clear(own.cookie.name), ...(await browserSessions.end(former))];
    return seeOther("/account?signed_out=1", cleared);
  }

  /**
   * POST /account/rename-passkey with `passkey` (its thumbprint) and `name`. The record must name the account. A
   * session is enough, because a name gives nobody access.
   */
  async function renamePasskey({ http, own, fields }: AccountContext): Promise<HttpResponse> {
    const { id: accountId, domain } = own.account;
    const from = requesterAt(http.clientAddress, true);
    if ((await control.check(own.account, from)).control !== "held") return back(own);
    const name = cleaned(fields.get("name") ?? "");
    const thumbprint = fields.get("passkey");
    if (thumbprint === undefined) throw new PageError(400, "malformedRequest");
    const all = await passkeys.passkeysOf(accountId);
    const passkey = all.find((one) => one.thumbprint === thumbprint);
    // It was removed in another tab, or the name has no visible character: the page shows what there is.
    if (passkey === undefined || name === "") return back(own);
    if (name !== passkey.name && (await passkeys.renamePasskey(passkey, name)) === "renamed") {
      events.passkeyRenamed({ accountId, domain, name });
    }
    return back(own);
  }
}

/** Without invisible characters, which could make one name look like another. */
function cleaned(text: string): string {
  const visible = text.normalize("NFC").replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\s]+/gu, " ");
  return [...visible.trim()].slice(0, MAX_PASSKEY_NAME).join("").trim();
}
