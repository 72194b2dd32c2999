// Checks the record of every account at least weekly, and ends accounts that no record has named for long.

import type { Pause } from "../lib/background.ts";
import type { Clock } from "../lib/clock.ts";
import { createRateGate, SERVICE } from "../lib/fair-queue.ts";
import type { Account } from "../store/accounts.ts";
import type { AccountWalkStore, DueAccount } from "../store/due-accounts.ts";
import { LOST_CONFIRMED_AFTER_S, WALK_INTERVAL_S } from "../store/shared-values.ts";
import type { Events } from "../telemetry/events.ts";
import type { Control } from "./control.ts";

/** A look at a zone that does not answer takes two seconds. It must not keep other accounts waiting. */
const LOOKS_AT_ONCE = 20;
/**
 * With three resolvers, a look asks four questions, or six about a signed zone and about one that does not answer, three
 * of them a second later: at most 45 in any second.
 */
const LOOKS_PER_SECOND = 5;
/** An hour. Whatever is due then is found by the next walk, with the floor of its own beginning. */
const LOOKS_PER_WALK = LOOKS_PER_SECOND * 3600;
/** After a DNS failure: the longer a record could not be read, the longer until the next look, but at most a day. */
const SHORTEST_RETRY_S = 6 * 3600;
const LONGEST_RETRY_S = 86_400;
/** If this service had no room for the look, which says nothing about the zone. */
const BUSY_RETRY_S = 600;
/** How long an account may be asleep before it ends. */
const MAX_ASLEEP_S = 30 * 86_400;

interface Deps {
  readonly accountWalk: AccountWalkStore;
  readonly control: Control;
  readonly clock: Clock;
  readonly events: Events;
  readonly mayEnd: () => boolean;
}

/** Checks the accounts that are due. Several nodes may run it at once: each claims its accounts. */
export async function walkAccounts(
  { accountWalk, control, clock, events, mayEnd }: Deps,
  pause: Pause,
): Promise<void> {
  const longAgo = () => clock.floor() - MAX_ASLEEP_S;
  // A jump that is believed during the walk ends no account.
  const asleepBefore = longAgo();
  const rate = createRateGate(LOOKS_PER_SECOND, 1 / LOOKS_PER_SECOND, clock);
  const looks = new Set<Promise<void>>();
  const failures: unknown[] = [];
  try {
    await beginLooks();
  } finally {
    await Promise.all(looks);
  }
  if (failures.length > 0) throw failures[0];

  async function beginLooks(): Promise<void> {
    let begun = 0;
    while (begun < LOOKS_PER_WALK) {
      const due = await accountWalk.dueAccounts(clock.seconds());
      if (due.length === 0) return;
      for (const account of due) {
        if (looks.size === LOOKS_AT_ONCE) await Promise.race(looks);
        if (!mayEnd() || failures.length > 0) return;
        const now = clock.seconds();
        // A look that is never finished counts as failed.
        const claimed = { ...account, walkDueAt: now + retryAfter(account, now) };
        if (!(await accountWalk.claimWalk(account, claimed.walkDueAt))) continue;
        await pause(rate.waitMs());
        rate.begin([]);
        begun++;
        const look = check(claimed, now)
          .catch((cause) => void failures.push(cause))
          .finally(() => looks.delete(look));
        looks.add(look);
      }
    }
  }

  /** `control.check` updates the account. An account that has been asleep for too long ends. */
  async function check(account: DueAccount, now: number): Promise<void> {
    const result = await control.check(account, SERVICE);
    if (result.control === "unknown") {
      if (result.failure === "busy") await accountWalk.claimWalk(account, now + BUSY_RETRY_S);
      return;
    }
    if (result.control === "lost" && (await endIfAsleep(account, now))) return;
    await accountWalk.noteWalked(account, { now, dueAt: now + intervalOf(account) });
  }

  async function endIfAsleep({ id: accountId, domain }: Account, now: number): Promise<boolean> {
    if (!mayEnd()) return false;
    // An operator may have accepted an earlier time.
    const before = Math.min(asleepBefore, longAgo());
    const hasEnded = await accountWalk.endAccount({ accountId, asleepBefore: before, now });
    if (hasEnded) events.ended({ accountId, domain });
    return hasEnded;
  }
}

/** An account that began to sleep is due when a second lookup can confirm it. */
function intervalOf({ asleepSince, lostConfirmedAt }: Account): number {
  const isUnconfirmed = asleepSince !== null && lostConfirmedAt === null;
  return isUnconfirmed ? LOST_CONFIRMED_AFTER_S : WALK_INTERVAL_S;
}

/** Seconds from a look that fails to the next one: as long as the record has been due, within bounds. */
function retryAfter(account: Account, now: number): number {
  const { walkedAt, createdAt, asleepSince, lostConfirmedAt } = account;
  const known = Math.max(walkedAt ?? createdAt, asleepSince ?? 0, lostConfirmedAt ?? 0);
  const dueFor = now - known - intervalOf(account);
  return Math.min(LONGEST_RETRY_S, Math.max(SHORTEST_RETRY_S, dueFor));
}
