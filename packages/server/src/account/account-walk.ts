// Checks the record of every account at least weekly, and ends accounts that no record has named for long.

import type { Pause } from "../lib/background.ts";
import type { Clock } from "../lib/clock.ts";
import { isMisdated } from "../lib/lifetime.ts";
import type { Account } from "../store/accounts.ts";
import { LOST_CONFIRMED_AFTER_S } from "../store/shared-values.ts";
import type { Aggregates } from "../store/store.ts";
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

type WalkDeps = Pick<Aggregates, "accountWalk"> & {
  control: Pick<Control, "check">;
  clock: Clock;
  events: Pick<Events, "ended">;
  /** Whether an account may end now. */
  mayEnd: () => boolean;
};

/** Checks all accounts that are due. Several nodes may run it at once: each claims its accounts. */
export async function walkAccounts(deps: WalkDeps, pause: Pause): Promise<void> {
  const { accountWalk, clock } = deps;
  // A jump that is believed during the walk ends no account.
  const asleepBefore = longAgo(clock);
  let after: string | null = null;
  do {
    const step = await accountWalk.walkAccounts(after);
    for (const account of step.accounts) {
      if (!deps.mayEnd()) return;
      const now = clock.seconds();
      const last = lastOf(account);
      if (last > now - intervalOf(account) && !isMisdated(last, now)) continue;
      if (!(await accountWalk.claimWalk(account, now))) continue;
      await checkClaimed(account, { now, asleepBefore }, deps);
      await pause(PAUSE_MS);
    }
    after = step.next;
    await pause(PAUSE_MS);
  } while (after !== null);
}

const longAgo = (clock: Clock) => clock.floor() - MAX_ASLEEP_S;

/** An account that began to sleep is due when a second lookup can confirm it. */
function intervalOf({ asleepSince, lostConfirmedAt }: Account): number {
  const isUnconfirmed = asleepSince !== null && lostConfirmedAt === null;
  return isUnconfirmed ? LOST_CONFIRMED_AFTER_S : CHECK_INTERVAL_S;
}

function lastOf({ walkedAt, createdAt, asleepSince, lostConfirmedAt }: Account): number {
  const last = walkedAt ?? createdAt;
  return lostConfirmedAt === null ? Math.max(last, asleepSince ?? 0) : last;
}

/** `control.check` updates the account. An account that has been asleep for too long ends. */
async function checkClaimed(
  account: Account,
  { now, asleepBefore }: { readonly now: number; readonly asleepBefore: number },
  deps: WalkDeps,
): Promise<void> {
  const { accountWalk, control, events } = deps;
  // Backdates the claim, so that the account is due again after `RETRY_INTERVAL_S`.
  const retry = () =>
    accountWalk.claimWalk(
      { ...account, walkedAt: now },
      now - intervalOf(account) + RETRY_INTERVAL_S,
    );
  try {
    const result = await control.check(account);
    if (result.control === "unknown") await retry();
    if (result.control !== "lost") return;
    const { id: accountId, domain } = account;
    // An operator may have accepted an earlier time.
    const before = Math.min(asleepBefore, longAgo(deps.clock));
    if (await accountWalk.endAccount({ accountId, asleepBefore: before, now })) {
      events.ended({ accountId, domain });
    }
  } catch (cause) {
    await retry();
    throw cause;
  }
}
