// Checks the record of every account at least weekly, and ends accounts that no record has named for long.

import type { Pause } from "../lib/background.ts";
import type { Clock } from "../lib/clock.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import { isMisdated } from "../lib/lifetime.ts";
import type { Account, AccountWalkStore } from "../store/accounts.ts";
import { LOST_CONFIRMED_AFTER_S } from "../store/shared-values.ts";
import type { Events } from "../telemetry/events.ts";
import type { Control } from "./control.ts";

/** Below seven days, so that every record is checked at least weekly. */
const CHECK_INTERVAL_S = 6 * 86_400;
/** After a DNS failure. */
const RETRY_INTERVAL_S = 6 * 3600;
/** How long an account may be asleep before it ends. */
const MAX_ASLEEP_S = 30 * 86_400;
/** Between two checks and two pages of accounts. Limits the job to a few dozen packets a second. */
const PAUSE_MS = 100;

interface Deps {
  readonly accountWalk: AccountWalkStore;
  readonly control: Control;
  readonly clock: Clock;
  readonly events: Events;
  readonly mayEnd: () => boolean;
}

/** Checks all accounts that are due. Several nodes may run it at once: each claims its accounts. */
export async function walkAccounts(
  { accountWalk, control, clock, events, mayEnd }: Deps,
  pause: Pause,
): Promise<void> {
  const longAgo = () => clock.floor() - MAX_ASLEEP_S;
  // A jump that is believed during the walk ends no account.
  const asleepBefore = longAgo();
  let after: string | null = null;
  do {
    const step = await accountWalk.walkAccounts(after);
    for (const account of step.accounts) {
      if (!mayEnd()) return;
      const now = clock.seconds();
      const last = lastOf(account);
      if (last > now - intervalOf(account) && !isMisdated(last, now)) continue;
      if (!(await accountWalk.claimWalk(account, now))) continue;
      await checkClaimed(account, now);
      await pause(PAUSE_MS);
    }
    after = step.next;
    await pause(PAUSE_MS);
  } while (after !== null);

  /** `control.check` updates the account. An account that has been asleep for too long ends. */
  async function checkClaimed(account: Account, now: number): Promise<void> {
    const { id: accountId, domain } = account;
    try {
      const result = await control.check(account, SERVICE);
      if (result.control === "unknown") await retryLater(account, now);
      if (result.control !== "lost") return;
      // An operator may have accepted an earlier time.
      const before = Math.min(asleepBefore, longAgo());
      if (await accountWalk.endAccount({ accountId, asleepBefore: before, now })) {
        events.ended({ accountId, domain });
      }
    } catch (cause) {
      await retryLater(account, now);
      throw cause;
    }
  }

  /** Backdates the claim, so that the account is due again after `RETRY_INTERVAL_S`. */
  function retryLater(account: Account, now: number): Promise<boolean> {
    const claimedAt = now - intervalOf(account) + RETRY_INTERVAL_S;
    return accountWalk.claimWalk({ ...account, walkedAt: now }, claimedAt);
  }
}

/** An account that began to sleep is due when a second lookup can confirm it. */
function intervalOf({ asleepSince, lostConfirmedAt }: Account): number {
  const isUnconfirmed = asleepSince !== null && lostConfirmedAt === null;
  return isUnconfirmed ? LOST_CONFIRMED_AFTER_S : CHECK_INTERVAL_S;
}

function lastOf({ walkedAt, createdAt, asleepSince, lostConfirmedAt }: Account): number {
  const last = walkedAt ?? createdAt;
  return lostConfirmedAt === null ? Math.max(last, asleepSince ?? 0) : last;
}
