// Walks through all accounts and asks for their records, so that "unbroken control" is measured.

import type { Pause } from "../lib/background.ts";
import type { Clock } from "../lib/clock.ts";
import type { Account } from "../store/accounts.ts";
import type { Store } from "../store/store.ts";
import type { Events } from "../telemetry/events.ts";
import type { Control } from "./control.ts";

/** Seconds after which an account is looked at again: every record is seen at least weekly. */
const LOOKED_AT_EVERY = 6 * 86_400;
/** Seconds after which one is asked again whose DNS failed. */
const ASKED_AGAIN_AFTER = 6 * 3600;
/** Seconds of sleep after which an account ends for good. */
const ENDS_ASLEEP = 30 * 86_400;
/** Milliseconds between two looks, and two steps: a few dozen packets a second, whatever there is to do. */
const BETWEEN_LOOKS = 100;

interface WalkParts {
  readonly store: Store;
  readonly control: Control;
  readonly clock: Clock;
  readonly events: Events;
}

/** One walk. Any number of nodes may walk at once: each account is looked at by one of them. */
export async function walkAccounts(parts: WalkParts, pause: Pause): Promise<void> {
  const { store, clock } = parts;
  let after: string | null = null;
  do {
    const step = await store.walkAccounts(after);
    for (const account of step.accounts) {
      const now = clock.seconds();
      if ((account.walkedAt ?? account.createdAt) > now - LOOKED_AT_EVERY) continue;
      if (!(await store.claimWalk(account, now))) continue;
      await lookAt(account, now, parts).catch(async (cause) => {
        await askAgainSoon(account, now, parts);
        throw cause;
      });
      await pause(BETWEEN_LOOKS);
    }
    after = step.next;
    await pause(BETWEEN_LOOKS);
  } while (after !== null);
}

/**
 * Sleeps or wakes as its zone says. One that has slept for long enough, and that the zone does not
 * name at this second look either, ends.
 */
async function lookAt(account: Account, now: number, parts: WalkParts): Promise<void> {
  const { store, control, events } = parts;
  const { control: held } = await control.look(account);
  if (held === "unknown") await askAgainSoon(account, now, parts);
  if (held !== "lost") return;
  const { id: accountId, domain } = account;
  if (await store.endAccount({ accountId, asleepBefore: now - ENDS_ASLEEP, now })) {
    events.ended({ accountId, domain });
  }
}

/** Gives the claim back, but not at once. */
async function askAgainSoon(account: Account, now: number, { store }: WalkParts): Promise<void> {
  await store.claimWalk({ ...account, walkedAt: now }, now - LOOKED_AT_EVERY + ASKED_AGAIN_AFTER);
}
