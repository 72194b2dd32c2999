// Checks whether the record of a domain still names an account.

import { type Assurance, isAtLeast } from "../dns/assurance.ts";
import {
  type Freshness,
  failureOf,
  type LookFailure,
  namesAccount,
  type SpRecordLook,
  type SpRecords,
} from "../dns/sp-record.ts";
import { createBackgroundTasks } from "../lib/background.ts";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { DomainUnavailableError } from "../lib/errors.ts";
import { withinOwnTime } from "../lib/own-time.ts";
import type { Account } from "../store/accounts.ts";
import type { Grant } from "../store/grant-row.ts";
import type { Aggregates } from "../store/store.ts";
import type { Events } from "../telemetry/events.ts";

/** How long a request waits for DNS. */
const DNS_TIMEOUT_MS = 2000;
/** How long refreshes do not look up an account again after DNS failed, and after its record was gone. */
const FAILURE_TTL_MS = 300_000;
const LOST_TTL_MS = 60_000;
const MAX_RESTING_ACCOUNTS = 10_000;
const MAX_BACKGROUND_LOOKS = 50;

export type ControlResult =
  /** `checkedAt` is the time of the DNS query in epoch seconds; a cached result is a few minutes old. */
  | { readonly control: "held"; readonly checkedAt: number }
  | { readonly control: "lost" }
  | { readonly control: "unknown"; readonly failure: LookFailure };

export type Control = ReturnType<typeof createControl>;

interface LookupDeps {
  readonly spRecords: Pick<SpRecords, "look">;
  /** The assurance that is needed to wake an account or put it to sleep. */
  readonly minAssurance: Assurance;
}

/** A lookup result that names the account. */
export type AccountLook = Extract<SpRecordLook, { outcome: "own" | "external" }>;

/**
 * Looks up the record of an account. `lost` means that the record does not name the account.
 *
 * A cached result may be up to 300 seconds old, and another node may have seen a newer record since. So
 * a cached result may only confirm an account that is awake; any other result needs a fresh lookup.
 * Otherwise, with two nodes on one database, a cached absence would put a new account to sleep, and a
 * cached record of a domain's seller would wake the seller's account after the buyer's was created. The
 * price is one more query if the record is gone. A seller's session can continue for the 300 seconds.
 */
export async function lookUpAccount(
  account: Account,
  freshness: Freshness,
  deps: LookupDeps,
): Promise<AccountLook | "lost" | LookFailure> {
  return (await judgedLook(account, freshness, deps)).judged;
}

/** The same with what DNS contains; `look` is null if nothing answered in time. */
async function judgedLook(
  account: Account,
  freshness: Freshness,
  { spRecords, minAssurance }: LookupDeps,
): Promise<{ judged: AccountLook | "lost" | LookFailure; look: SpRecordLook | null }> {
  const { domain } = account;
  const looking = spRecords.look(domain, freshness, (known) => namesAccount(known, account));
  const look = await withinOwnTime(DNS_TIMEOUT_MS, looking);
  if (look === null) return { judged: "unavailable", look };
  const failure = failureOf(look);
  if (failure !== null) return { judged: failure, look };
  if (namesAccount(look, account)) return { judged: look, look };
  return { judged: isAtLeast(look.assurance, minAssurance) ? "lost" : "unconfirmed", look };
}

type ControlDeps = Pick<Aggregates, "accounts" | "grants"> &
  LookupDeps & {
    readonly clock: Clock;
    readonly events: Pick<Events, "failed" | "recordLost" | "recordFound">;
  };

/** Puts the account to sleep or wakes it, as a look says that began at `now`. */
async function recordJudged(
  account: Account,
  found: AccountLook | "lost" | LookFailure,
  now: number,
  { accounts, clock, events, minAssurance }: ControlDeps,
): Promise<ControlResult> {
  const unknown = (failure: LookFailure) => ({ control: "unknown", failure }) as const;
  const isAwake = account.asleepSince === null;
  const about = { accountId: account.id, domain: account.domain };
  if (found === "lost") {
    const slept = await accounts.putToSleep(account.id, now, clock.floor());
    if (slept === "asleep") events.recordLost({ ...about, since: now });
    return { control: "lost" };
  }
  if (typeof found === "string") return unknown(found);
  const held = { control: "held", checkedAt: found.checkedAt } as const;
  if (isAwake) return held;
  if (!isAtLeast(found.assurance, minAssurance)) return unknown("unconfirmed");
  const awake = await accounts.wakeAccount(account, found.checkedAt);
  if (awake === "conflict") return unknown("unavailable");
  events.recordFound(about);
  return held;
}

export function createControl(deps: ControlDeps) {
  const { grants, clock, events } = deps;
  /** Accounts that refreshes do not look up again for a while. */
  const resting = createCache<true>({ clock, maxEntries: MAX_RESTING_ACCOUNTS });
  const tasks = createBackgroundTasks(MAX_BACKGROUND_LOOKS, (cause) =>
    events.failed({ path: "refresh", cause }),
  );
  return { check, checkAndShow, checkLater, confirm, settled: tasks.settled };

  /**
   * Looks up the record and puts the account to sleep or wakes it accordingly. An answer with low
   * assurance can confirm the current state but not change it.
   */
  async function check(account: Account): Promise<ControlResult> {
    return (await checkAndShow(account)).result;
  }

  /** The same with what DNS contains, for a person to see; null if nothing answered in time. */
  async function checkAndShow(
    account: Account,
  ): Promise<{ readonly result: ControlResult; readonly look: SpRecordLook | null }> {
    // Before the look, so that one that begins later decides.
    const now = clock.seconds();
    const freshness = account.asleepSince === null ? "cached" : "now";
    const { judged, look } = await judgedLook(account, freshness, deps);
    return { result: await recordJudged(account, judged, now, deps), look };
  }

  /** Checks the account of a grant and records the time if the record names it. */
  async function checkGrant(account: Account, grant: Grant): Promise<ControlResult["control"]> {
    if (resting.get(account.id)) return "unknown";
    const result = await check(account);
    const { control } = result;
    if (control === "held") {
      const { checkedAt } = result;
      await grants.recordControl({ grantId: grant.id, checkedAt, now: clock.seconds() });
    } else {
      resting.set(account.id, true, control === "lost" ? LOST_TTL_MS : FAILURE_TTL_MS);
    }
    return control;
  }

  /** The same in the background: one check for each account, and a limited number of them at once. */
  function checkLater({ id, accountId }: Pick<Grant, "id" | "accountId">): void {
    if (resting.get(accountId)) return;
    tasks.start(accountId, async () => {
      const found = await grants.readGrant(id);
      if (found !== null) await checkGrant(found.account, found.grant);
    });
  }

  /**
   * For a grant whose account sleeps or was last checked too long ago: whether the record names the
   * account now. Rejects with `DomainUnavailableError` if DNS fails, or until a second lookup has confirmed
   * that the record is gone: a client discards its token if it is refused.
   */
  async function confirm(account: Account, grant: Grant): Promise<boolean> {
    const { domain, asleepSince, lostConfirmedAt } = account;
    if (asleepSince !== null && lostConfirmedAt === null) {
      checkLater(grant);
      throw new DomainUnavailableError(
        `the record of ${domain} does not currently name the account`,
      );
    }
    if ((await checkGrant(account, grant)) === "held") return true;
    if (lostConfirmedAt !== null) return false;
    throw new DomainUnavailableError(`the record of ${domain} could not be confirmed`);
  }
}
