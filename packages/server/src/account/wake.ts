// Wakes a sleeping account whose record was seen again.

import type { Account, AccountStore } from "../store/accounts.ts";
import type { Events } from "../telemetry/events.ts";

/**
 * The account, awake, if a look at `checkedAt` (epoch seconds) has seen its record. `conflict`: the record has changed
 * since that look.
 */
export type Wake = (account: Account, checkedAt: number) => Promise<Account | "conflict">;

interface Deps {
  readonly accounts: AccountStore;
  readonly events: Events;
}

export function createWake({ accounts, events }: Deps): Wake {
  return async (account, checkedAt) => {
    if (account.asleepSince === null) return account;
    const awake = await accounts.wakeAccount(account, checkedAt);
    if (awake !== "conflict") events.recordFound({ accountId: awake.id, domain: awake.domain });
    return awake;
  };
}
