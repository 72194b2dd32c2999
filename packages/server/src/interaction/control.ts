// Whether the zone still names an account: the slow path of a refresh, and of a session.

import type { SpRecordLook, SpRecords } from "../dns/sp-record.ts";
import type { Clock } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import { within } from "../lib/within.ts";
import type { Account, Grant, Store } from "../store/store.ts";

/** Seconds for which refreshing goes on while DNS is failing. */
const GRACE = 72 * 3600;
/** Milliseconds that a request waits for DNS. */
const PATIENCE = 2000;
/** Seconds for which a refresh does not ask a failing zone again. */
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
    const seen = await within(PATIENCE, ask(account));
    if (seen === null || isFailure(seen)) {
      return { control: "unknown", checkedAt: now };
    }
    const { checkedAt } = seen;
    if (!names(seen, account)) {
      await store.putToSleep(account.id, now);
      return { control: "lost", checkedAt };
    }
    if (account.asleepSince === null) return { control: "held", checkedAt };
    const awake = await store.wakeAccount(account, now);
    return { control: awake === "conflict" ? "unknown" : "held", checkedAt };
  }

  /**
   * A remembered look may be older than what another node has seen since: it can confirm an account
   * that is live, and nothing else. Whatever changes the account is asked for now.
   */
  async function ask(account: Account): Promise<SpRecordLook> {
    if (account.asleepSince === null) {
      const remembered = await spRecords.look(account.domain, "cached");
      if (isFailure(remembered) || names(remembered, account)) return remembered;
    }
    return spRecords.look(account.domain, "now");
  }

  /** Whether asking is worth a request's time: a zone that failed is left alone for a while. */
  async function lookUnlessFailing(account: Account): Promise<ControlLook> {
    const { domain } = account;
    const now = clock.seconds();
    if (now - (failedAt.get(domain) ?? 0) < FAILURE_REMEMBERED) {
      return { control: "unknown", checkedAt: now };
    }
    const looked = await look(account);
    if (failedAt.size >= 10_000) failedAt.clear();
    if (looked.control === "unknown") failedAt.set(domain, now);
    else failedAt.delete(domain);
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
          throw new UnavailableError(`DNS of ${account.domain} does not answer`);
      }
    },
  };
}

function isFailure({ outcome }: SpRecordLook): boolean {
  return outcome === "unavailable" || outcome === "bogus";
}

function names(seen: SpRecordLook, account: Account): boolean {
  return seen.outcome === "own" && seen.acct === account.acct;
}
