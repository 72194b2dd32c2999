// Whether the zone still names an account: the slow path of a refresh, and of a session.

import { type Assurance, isAtLeast, leastForAbsence } from "../dns/assurance.ts";
import {
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
import type { Account } from "../store/accounts.ts";
import type { Grant } from "../store/grants.ts";
import type { Store } from "../store/store.ts";

/** Seconds for which refreshing goes on while DNS is failing. */
const GRACE = 72 * 3600;
/** Milliseconds that a request waits for DNS. */
const PATIENCE = 2000;
/** Seconds for which a refresh does not ask a failing zone again. */
const FAILURE_REMEMBERED = 300;
const MAX_FAILING = 10_000;

/** `checkedAt` is when DNS was asked, which may be a few minutes ago. */
export type ControlLook = { readonly checkedAt: number } & (
  | { readonly control: "held" | "lost" }
  | { readonly control: "unknown"; readonly failure: LookFailure }
);

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
  spRecords: Pick<SpRecords, "look">;
  /** What a record must be worth to wake an account. */
  least: Assurance;
  clock: Clock;
}): Control {
  const { store, spRecords, least, clock } = parts;
  const failing = createCache<true>({ clock, maxEntries: MAX_FAILING });

  async function look(account: Account): Promise<ControlLook> {
    const now = clock.seconds();
    const unknown = (failure: LookFailure) =>
      ({ control: "unknown", checkedAt: now, failure }) as const;
    const seen = await within(PATIENCE, ask(account));
    const failure = seen === null ? "unavailable" : failureOf(seen);
    if (seen === null || failure) return unknown(failure ?? "unavailable");
    const { checkedAt, assurance } = seen;
    // One resolver's word confirms what was proven before, and changes nothing.
    if (!namesAccount(seen, account)) {
      if (!isAtLeast(assurance, leastForAbsence(least))) return unknown("unconfirmed");
      await store.putToSleep(account.id, now);
      return { control: "lost", checkedAt };
    }
    if (account.asleepSince === null) return { control: "held", checkedAt };
    if (!isAtLeast(assurance, least)) return unknown("unconfirmed");
    const awake = await store.wakeAccount(account, now);
    return awake === "conflict" ? unknown("unavailable") : { control: "held", checkedAt };
  }

  /**
   * A remembered look may be older than what another node has seen since: it can confirm an account
   * that is live, and nothing else. Whatever changes the account is asked for now.
   */
  async function ask(account: Account): Promise<SpRecordLook> {
    if (account.asleepSince === null) {
      const remembered = await spRecords.look(account.domain, "cached");
      if (failureOf(remembered) || namesAccount(remembered, account)) return remembered;
    }
    return spRecords.look(account.domain, "now");
  }

  /** Whether asking is worth a request's time: a zone that failed is left alone for a while. */
  async function lookUnlessFailing(account: Account): Promise<ControlLook> {
    const { domain } = account;
    if (failing.get(domain)) {
      return { control: "unknown", checkedAt: clock.seconds(), failure: "unavailable" };
    }
    const looked = await look(account);
    if (looked.control === "unknown") failing.set(domain, true, FAILURE_REMEMBERED * 1000);
    else failing.delete(domain);
    return looked;
  }

  return {
    look,
    async confirm(account, grant) {
      const { control, checkedAt } = await lookUnlessFailing(account);
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
          throw new UnavailableError(`the DNS lookup for ${account.domain} failed`);
      }
    },
  };
}
