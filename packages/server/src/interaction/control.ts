// Checks whether the record of a domain still names an account, for refreshes and sessions.

import { type Assurance, isAtLeast, leastForAbsence } from "../dns/assurance.ts";
import {
  type Freshness,
  failureOf,
  type LookFailure,
  namesAccount,
  type SpRecordLook,
  type SpRecords,
} from "../dns/sp-record.ts";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import { within } from "../lib/within.ts";
import type { Account, AccountStore } from "../store/accounts.ts";
import type { Grant, GrantStore } from "../store/grants.ts";

/** How long refreshes continue while DNS fails. */
const GRACE_PERIOD_S = 72 * 3600;
/** How long a request waits for DNS. */
const DNS_TIMEOUT_MS = 2000;
/** How long refreshes do not query a failing domain again. */
const FAILURE_TTL_MS = 300_000;
const MAX_FAILING_DOMAINS = 10_000;

/** `checkedAt` is the time of the DNS query in epoch seconds; a cached result is a few minutes old. */
export type ControlResult = { readonly checkedAt: number } & (
  | { readonly control: "held" | "lost" }
  | { readonly control: "unknown"; readonly failure: LookFailure }
);

export interface Control {
  /** Looks up the record and puts the account to sleep or wakes it accordingly. */
  check(account: Account): Promise<ControlResult>;
  /**
   * For a grant whose last check is too old: returns the epoch second of the last proof of control,
   * or null if control is lost. Rejects with `UnavailableError` if DNS fails beyond the grace period.
   */
  confirm(account: Account, grant: Grant): Promise<number | null>;
}

type Lookup = Pick<SpRecords, "look">;

/**
 * Null if DNS takes too long. A cached result may be older than one that another node has seen, so it
 * may only confirm the account: any other result needs a fresh lookup.
 */
export async function lookUp(
  account: Account,
  freshness: Freshness,
  spRecords: Lookup,
): Promise<SpRecordLook | null> {
  const look = async () => {
    const found = await spRecords.look(account.domain, freshness);
    const isEnough = freshness === "now" || failureOf(found) || namesAccount(found, account);
    return isEnough ? found : spRecords.look(account.domain, "now");
  };
  return within(DNS_TIMEOUT_MS, look());
}

export function createControl({
  accounts,
  grants,
  spRecords,
  minAssurance,
  clock,
}: {
  accounts: AccountStore;
  grants: GrantStore;
  spRecords: Lookup;
  /** The assurance that a record needs to wake an account. */
  minAssurance: Assurance;
  clock: Clock;
}): Control {
  const failing = createCache<true>({ clock, maxEntries: MAX_FAILING_DOMAINS });

  async function check(account: Account): Promise<ControlResult> {
    const now = clock.seconds();
    const unknown = (failure: LookFailure) =>
      ({ control: "unknown", checkedAt: now, failure }) as const;
    const freshness = account.asleepSince === null ? "cached" : "now";
    const result = await lookUp(account, freshness, spRecords);
    const failure = result === null ? "unavailable" : failureOf(result);
    if (result === null || failure) return unknown(failure ?? "unavailable");
    const { checkedAt, assurance } = result;
    // An answer with low assurance can confirm the current state but not change it.
    if (!namesAccount(result, account)) {
      if (!isAtLeast(assurance, leastForAbsence(minAssurance))) return unknown("unconfirmed");
      await accounts.putToSleep(account.id, now);
      return { control: "lost", checkedAt };
    }
    if (account.asleepSince === null) return { control: "held", checkedAt };
    if (!isAtLeast(assurance, minAssurance)) return unknown("unconfirmed");
    const awake = await accounts.wakeAccount(account, now);
    return awake === "conflict" ? unknown("unavailable") : { control: "held", checkedAt };
  }

  /** Does not query a domain that failed recently, so that a refresh does not wait for a timeout. */
  async function checkUnlessFailing(account: Account): Promise<ControlResult> {
    const { domain } = account;
    if (failing.get(domain)) {
      return { control: "unknown", checkedAt: clock.seconds(), failure: "unavailable" };
    }
    const result = await check(account);
    if (result.control === "unknown") failing.set(domain, true, FAILURE_TTL_MS);
    else failing.delete(domain);
    return result;
  }

  return {
    check,
    async confirm(account, grant) {
      const { control, checkedAt } = await checkUnlessFailing(account);
      switch (control) {
        case "lost":
          return null;
        case "held": {
          await grants.recordControl({ grantId: grant.id, checkedAt });
          return checkedAt;
        }
        case "unknown":
          if (
            account.asleepSince === null &&
            grant.controlCheckedAt > clock.seconds() - GRACE_PERIOD_S
          ) {
            return grant.controlCheckedAt;
          }
          throw new UnavailableError(`the DNS lookup for ${account.domain} failed`);
      }
    },
  };
}
