// Takes the sessions and grants of an account away from browsers and apps, or ends the account.

import type { Clock } from "../lib/clock.ts";
import type { AccountAdminStore } from "../store/accounts.ts";
import type { ConsentStore } from "../store/consents.ts";
import type { GrantStore } from "../store/grants.ts";
import type { InteractionStore } from "../store/interactions.ts";
import type { SessionStore } from "../store/sessions.ts";

interface Deps {
  readonly interactions: InteractionStore;
  readonly consents: ConsentStore;
  readonly grants: GrantStore;
  readonly sessions: SessionStore;
  readonly accountAdmin: AccountAdminStore;
  readonly clock: Clock;
}

export type AccountAccess = ReturnType<typeof createAccountAccess>;

export function createAccountAccess(deps: Deps) {
  const { interactions, consents, grants, sessions, accountAdmin, clock } = deps;
  return { revokeApps, signOutEverywhere, endAccount };

  /**
   * Revokes the access of one app, or of all (null). Its tokens are refused at once on all nodes, and its next
   * request asks for consent again. `grants` is the number of grants that could still be used; `hadAccess` is
   * also true if there was only a consent, or a sign-in that had not ended.
   */
  async function revokeApps(
    accountId: string,
    clientId: string | null,
  ): Promise<{ readonly grants: number; readonly hadAccess: boolean }> {
    const access = { accountId, clientId, now: clock.seconds() };
    // The grants must come last, in a statement of their own. A sign-in stores its grant first and then reads, with
    // `readBasis`, what the first two statements change, before it sends the code. If it reads the former state, its
    // grant was stored before these changes, so the last statement finds it. Otherwise it revokes its grant itself.
    // This holds on all nodes, without locks. A client that needs no consent can get a new code right after a
    // revocation anyway, so a silent request in flight gains nothing.
    const wasSigningIn = await interactions.endInteractionsOf(access);
    const wasAllowed = await consents.forgetConsents(access);
    const revoked = await grants.revokeGrantsOf(access);
    return { grants: revoked, hadAccess: wasSigningIn || wasAllowed || revoked > 0 };
  }

  /** Signs out and forgets all browsers: each next sign-in needs a passkey or a recovery code. */
  async function signOutEverywhere(
    accountId: string,
    reason: "elsewhere" | "operator",
  ): Promise<{ readonly sessions: number; readonly browsers: number }> {
    const now = clock.seconds();
    // First, so that no sign-in with a session or by a known browser completes after they are gone.
    await interactions.endInteractionsOf({ accountId, clientId: null, now });
    const browsers = await sessions.countBrowsersOf(accountId, now);
    const ended = await sessions.endSessionsOf(accountId, { reason, now });
    await sessions.forgetBrowsersOf(accountId, reason);
    // Again: a sign-in that relied on a known browser may have started a session in the meantime. It starts the
    // session first, and then checks that the browser is not forgotten.
    const late = await sessions.endSessionsOf(accountId, { reason, now });
    return { sessions: ended.length + late.length, browsers };
  }

  /**
   * Ends the account for good, and its pending sign-ins except `keptId`: a sign-in that waits for consent could store a
   * consent that nothing would remove. Can be repeated; true for the one call that ended the account.
   */
  async function endAccount(accountId: string, now: number, keptId = ""): Promise<boolean> {
    const isEnded = await accountAdmin.endAccountNow({ accountId, now });
    await interactions.endInteractionsOf({ accountId, clientId: null, keptId, now });
    return isEnded;
  }
}
