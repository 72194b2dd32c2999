// News: what happened to an account elsewhere, until the person has seen it in this browser.

import type { Deps } from "../interaction/deps.ts";
import type { AccountNews } from "../pages/continue.ts";
import type { Session } from "../store/sessions.ts";

/** What happened to the account since `since`; null if the history has no entry of it. */
export async function newsOf(
  { accountId, domain, since }: { accountId: string; domain: string; since: number },
  { histories, history, clock }: Pick<Deps, "histories" | "history" | "clock">,
): Promise<AccountNews | null> {
  const until = clock.seconds();
  // Entries are written in the background. One that is missing here would count as shown.
  await history.caughtUp();
  const found = await histories.noticesOf(accountId, since);
  const events = found.map(({ at, kind, detail }) => ({
    ...{ at, event: kind },
    passkey: "name" in detail ? detail.name : undefined,
  }));
  return events.length === 0 ? null : { domain, events, until };
}

/** Whether a page posted back the time of the news that it has shown. */
export function isTime(field: string): boolean {
  return /^[0-9]{1,12}$/.test(field);
}

/**
 * Records that a page has shown what happened up to `seenUntil`: it is not shown again in this browser. Returns
 * since when there is something left to show; null if nothing is.
 */
export async function noteNewsSeen(
  seenUntil: number,
  { accountId, sid, noticesFrom }: Pick<Session, "accountId" | "sid" | "noticesFrom">,
  { sessions, clock }: Pick<Deps, "sessions" | "clock">,
): Promise<number | null> {
  if (noticesFrom === null) return null;
  // Not later than now, so that nothing that is still to come is taken for seen.
  const shownAt = Math.min(seenUntil, clock.seconds());
  const cleared = await sessions.clearNotices({ accountId, sid, shownAt });
  return cleared === null ? noticesFrom : cleared.noticesFrom;
}
