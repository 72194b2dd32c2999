// Whether the zone still names an account: the slow path of a refresh, and of a session.

import type { SpRecords } from "../dns/sp-record.ts";
import type { Clock } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import type { Account, Grant, Store } from "../store/store.ts";

/** Seconds for which refreshing goes on while DNS is failing. */
const GRACE = 72 * 3600;
/** Milliseconds that a request waits for DNS. */
const PATIENCE = 2000;
/** Seconds for which a failing zone is not asked again. */
const FAILURE_REMEMBERED = 300;

export interface ControlLook {
  readonly control: "held" | "lost" | "unknown";
  /** When DNS was asked, which may be a few minutes ago. */
  readonly checkedAt: number;
}

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
    const answer = (control: ControlLook["control"], checkedAt = now) => ({ control, checkedAt });
    if (now - (failedAt.get(account.domain) ?? 0) < FAILURE_REMEMBERED) return answer("unknown");
    const seen = await within(PATIENCE, spRecords.look(account.domain, "cached"));
    if (seen === null || seen.outcome === "unavailable" || seen.outcome === "bogus") {
      if (failedAt.size >= 10_000) failedAt.clear();
      failedAt.set(account.domain, now);
      return answer("unknown");
    }
    failedAt.delete(account.domain);
    if (seen.outcome !== "own" || seen.acct !== account.acct) {
      await store.putToSleep(account.id, now);
      return answer("lost", seen.checkedAt);
    }
    if (account.asleepSince !== null && (await store.wakeAccount(account, now)) === "conflict") {
      return answer("unknown");
    }
    return answer("held", seen.checkedAt);
  }

  return {
    look,
    async confirm(account, grant) {
      const { control, checkedAt } = await look(account);
      switch (control) {
        case "lost":
          return null;
        case "held": {
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

/** What the promise gives in that many milliseconds, else null. */
function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
