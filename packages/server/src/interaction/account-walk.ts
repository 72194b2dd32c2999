// The background job that checks the record of every account, to detect a loss of control.

import type { Pause } from "../lib/background.ts";
import type { Account } from "../store/accounts.ts";
import type { Deps } from "./deps.ts";

/** Below seven days, so that every record is checked at least weekly. */
const CHECK_INTERVAL_S = 6 * 86_400;
/** After a DNS failure. */
const RETRY_INTERVAL_S = 6 * 3600;
/** How long an account may be asleep before it ends. */
const MAX_ASLEEP_S = 30 * 86_400;
/** Between two checks and two pages of accounts. Limits the job to a few dozen packets a second. */
const PAUSE_MS = 100;

type WalkDeps = Pick<Deps, "accountWalk" | "control" | "clock" | "events">;

/** Checks all accounts that are due. Several nodes may run it at once: each claims its accounts. */
export async function walkAccounts(deps: WalkDeps, pause: Pause): Promise<void> {
  const { accountWalk, clock } = deps;
  let after: string | null = null;
  do {
    const step = await accountWalk.walkAccounts(after);
    for (const account of step.accounts) {
      const now = clock.seconds();
      if ((account.walkedAt ?? account.createdAt) > now - CHECK_INTERVAL_S) continue;
      if (!(await accountWalk.claimWalk(account, now))) continue;
      await checkAccount(account, now, deps).catch(async (cause) => {
        await scheduleRetry(account, now, deps);
        throw cause;
      });
      await pause(PAUSE_MS);
    }
    after = step.next;
    await pause(PAUSE_MS);
  } while (after !== null);
}

/** `control.check` updates the account. An account that has been asleep for too long ends. */
async function checkAccount(account: Account, now: number, deps: WalkDeps): Promise<void> {
  const { accountWalk, control, events } = deps;
  const result = await control.check(account);
  if (result.control === "unknown") await scheduleRetry(account, now, deps);
  if (result.control !== "lost") return;
  const { id: accountId, domain } = account;
  if (await accountWalk.endAccount({ accountId, asleepBefore: now - MAX_ASLEEP_S, now })) {
    events.ended({ accountId, domain });
  }
}

/** Backdates the claim, so that the account is due again after `RETRY_INTERVAL_S`. */
async function scheduleRetry(
  account: Account,
  now: number,
  { accountWalk }: WalkDeps,
): Promise<void> {
  await accountWalk.claimWalk(
    { ...account, walkedAt: now },
    now - CHECK_INTERVAL_S + RETRY_INTERVAL_S,
  );
}
