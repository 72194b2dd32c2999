// Whether the zone still names an account: the slow path of a refresh, and of a session.

import type { SpRecords } from "../dns/sp-record.ts";
import type { Clock } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import type { Account, Grant, Store } from "../store/store.ts";

/** Seconds for which refreshing goes on while DNS is failing. */
const GRACE = 72 * 3600;
/** Seconds for which a failing zone is not asked again. */
const FAILURE_REMEMBERED = 300;

export type ControlLook = "held" | "lost" | "unknown";

export interface Control {
  /** Looks at the record, and puts the account to sleep or wakes it as the zone says. */
  look(account: Account): Promise<ControlLook>;
  /**
   * For a grant whose last look is too old: since when control is known, or null if it is lost.
   * Rejects with `UnavailableError` when DNS has been failing for 72 hours.
   */
  confirm(account: Account, grant: Grant): Promise<number | null>;
}

export function controlThrough(parts: {
  store: Store;
  spRecords: SpRecords;
  clock: Clock;
}): Control {
  const { store, spRecords, clock } = parts;
  const failedAt = new Map<string, number>();

  async function look(account: Account): Promise<ControlLook> {
    const now = clock.seconds();
    if (now - (failedAt.get(account.domain) ?? 0) < FAILURE_REMEMBERED) return "unknown";
    const seen = await spRecords.look(account.domain, "cached");
    if (seen.outcome === "unavailable" || seen.outcome === "bogus") {
      if (failedAt.size >= 10_000) failedAt.clear();
      failedAt.set(account.domain, now);
      return "unknown";
    }
    failedAt.delete(account.domain);
    if (seen.outcome !== "own" || seen.acct !== account.acct) {
      await store.putToSleep(account.id, now);
      return "lost";
    }
    if (account.asleepSince === null) return "held";
    return (await store.wakeAccount(account, now)) === "conflict" ? "unknown" : "held";
  }

  return {
    look,
    async confirm(account, grant) {
      switch (await look(account)) {
        case "lost":
          return null;
        case "held": {
          const checkedAt = clock.seconds();
          await store.recordControl({ grantId: grant.id, checkedAt });
          return checkedAt;
        }
        case "unknown":
          if (account.asleepSince === null && grant.controlCheckedAt > clock.seconds() - GRACE) {
            return grant.controlCheckedAt;
          }
          throw new UnavailableError(`DNS of ${account.domain} does not answer`);
      }
    },
  };
}
