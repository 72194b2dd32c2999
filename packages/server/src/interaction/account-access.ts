// Takes away what browsers and apps have of an account: their sessions, their grants, or all of it.

import type { Clock } from "../lib/clock.ts";
import type { Aggregates } from "../store/store.ts";

type AppDeps = Pick<Aggregates, "interactions" | "consents" | "grants"> & { readonly clock: Clock };

/**
 * Revokes the access of one app, or of all (null). Its tokens are refused at once on all nodes, and its next
 * request asks for consent again. `grants` is the number of grants that could still be used; `hadAccess` is
 * also true if there was only a consent, or a sign-in that had not ended.
 */
export async function revokeApps(
  { accountId, clientId }: { accountId: string; clientId: string | null },
  { interactions, consents, grants, clock }: AppDeps,
): Promise<{ grants: number; hadAccess: boolean }> {
  const of = { accountId, clientId, now: clock.seconds() };
  // The grants come last, as a statement of its own. What issues a grant stores it first, and then reads by
  // `readBasis` what these statements change, before the code leaves. If it still reads the former state, its grant
  // was stored before these changes were, so the last statement finds it. Otherwise it revokes the grant itself. This
  // holds on all nodes, without locks. A client that needs no consent gets codes after a revocation, too, by a
  // request a second later; so a silent request for it loses nothing by one a moment earlier.
  const wasSigningIn = await interactions.endInteractionsOf(of);
  const wasAllowed = await consents.forgetConsents(of);
  const revoked = await grants.revokeGrantsOf(of);
  return { grants: revoked, hadAccess: wasSigningIn || wasAllowed || revoked > 0 };
}

/**
 * Signs the account out in every browser, and forgets the browsers: each needs a passkey or a recovery code
 * for its next sign-in. Resolves to how many of each there were.
 */
export async function signOutEverywhere(
  { accountId, by }: { accountId: string; by: "elsewhere" | "operator" },
  deps: Pick<Aggregates, "interactions" | "sessions"> & { readonly clock: Clock },
): Promise<{ sessions: number; browsers: number }> {
  const { interactions, sessions, clock } = deps;
  // First, so that no sign-in with a session or by a known browser completes after they are gone.
  const now = clock.seconds();
  await interactions.endInteractionsOf({ accountId, clientId: null, now });
  const browsers = await sessions.countBrowsersOf(accountId, now);
  const ended = await sessions.endSessionsOf(accountId, { reason: by, now });
  await sessions.forgetBrowsersOf(accountId, by);
  // Again: a sign-in that relied on a known browser may have started a session in the meantime. It starts the
  // session first, and then checks that the browser is not forgotten.
  const late = await sessions.endSessionsOf(accountId, { reason: by, now });
  return { sessions: ended.length + late.length, browsers };
}
