// News: what happened to an account elsewhere, until the person has seen it in this browser.

import type { History } from "../account/history-writer.ts";
import type { Clock } from "../lib/clock.ts";
import type { AccountNews, ShownEvent } from "../pages/account-events.ts";
import type { HistoryStore } from "../store/history-entries.ts";
import type { SessionStore } from "../store/sessions.ts";

interface Deps {
  readonly sessions: SessionStore;
  readonly histories: HistoryStore;
  readonly history: History;
  readonly clock: Clock;
}

/** A session and the time since which its browser has news to show; null if it has none. */
export interface SessionWithNews {
  readonly accountId: string;
  readonly sid: string;
  readonly noticesFrom: number | null;
}

export type UnseenNews = ReturnType<typeof createUnseenNews>;

export function createUnseenNews({ sessions, histories, history, clock }: Deps) {
  return { read, recordSeen };

  /** What happened to the account since `since`; null if the history has no entry of it. */
  async function read(
    account: { readonly accountId: string; readonly domain: string },
    since: number,
  ): Promise<AccountNews | null> {
    const until = clock.seconds();
    // Entries are written in the background. One that is missing here would count as shown.
    await history.caughtUp();
    const notices = await histories.noticesOf(account.accountId, since);
    if (notices.length === 0) return null;
    const events = notices.map(({ at, kind, detail }): ShownEvent => {
      const isOfChallenge = "of" in detail && detail.of === "challenge";
      const passkey = "name" in detail ? detail.name : undefined;
      return { at, event: isOfChallenge ? "challenge_reused" : kind, passkey };
    });
    return { domain: account.domain, events, until };
  }

  /**
   * Records that a page of this browser has shown what happened up to `seenUntil`. Returns the time since which there
   * is more to show; null if there is nothing.
   */
  async function recordSeen(
    seenUntil: number,
    { accountId, sid, noticesFrom }: SessionWithNews,
  ): Promise<number | null> {
    if (noticesFrom === null) return null;
    // Not later than now, so that nothing that is still to come is taken for seen.
    const shownAt = Math.min(seenUntil, clock.seconds());
    const cleared = await sessions.clearNotices({ accountId, sid, shownAt });
    return cleared === null ? noticesFrom : cleared.noticesFrom;
  }
}

/** Whether a page posted back the time of the news that it has shown. */
export function isTime(field: string): boolean {
  return /^[0-9]{1,12}$/.test(field);
}
