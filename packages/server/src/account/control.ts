// Checks whether the record of a domain still names an account.

import { type Assurance, isAtLeast } from "../dns/assurance.ts";
import {
  failureOf,
  type LookFailure,
  type LookFor,
  namesAccount,
  type SpRecordLook,
  type SpRecords,
} from "../dns/sp-record.ts";
import { createBackgroundTasks } from "../lib/background.ts";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { DomainUnavailableError } from "../lib/errors.ts";
import { type Requester, SERVICE } from "../lib/fair-queue.ts";
import { withinOwnTime } from "../lib/own-time.ts";
import type { Account, AccountStore } from "../store/accounts.ts";
import type { Grant } from "../store/grant-row.ts";
import type { GrantStore } from "../store/grants.ts";
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

/** The result with the look that it is of; null if nothing answered in time. */
export interface ShownCheck {
  readonly result: ControlResult;
  readonly look: SpRecordLook | null;
}

export type Control = ReturnType<typeof createControl>;

/** A lookup result that names the account. */
export type AccountLook = Extract<SpRecordLook, { outcome: "own" | "external" }>;

export interface GrantOfAccount {
  readonly id: string;
  readonly accountId: string;
}

/** What a lookup says of the account. */
type Judgement = AccountLook | "lost" | LookFailure;

interface Deps {
  readonly accounts: AccountStore;
  readonly grants: GrantStore;
  readonly spRecords: { readonly look: SpRecords["look"] };
  /** The assurance that is needed to wake an account or put it to sleep. */
  readonly minAssurance: Assurance;
  readonly clock: Clock;
  readonly events: Events;
}

export function createControl({ accounts, grants, spRecords, minAssurance, clock, events }: Deps) {
  /** Accounts that refreshes do not look up again for a while. */
  const resting = createCache<true>({ clock, maxEntries: MAX_RESTING_ACCOUNTS });
  const tasks = createBackgroundTasks(MAX_BACKGROUND_LOOKS, (cause) =>
    events.failed({ path: "refresh", cause }),
  );
  return { lookUp, wake, check, checkAndShow, checkLater, confirm, settled: tasks.settled };

  /**
   * `lost` means that the record does not name the account. `look` is what DNS contains; null if nothing answered in
   * time.
   *
   * A cached result may be up to 300 seconds old, and another node may have seen a newer record since. So a cached
   * result only confirms an account that is awake; any other result needs a fresh lookup, one more query. Otherwise,
   * with two nodes on one database, a cached absence would put a new account to sleep, and a cached record of a
   * domain's seller would wake the seller's account after the buyer's was created. A seller's session can continue for
   * the 300 seconds.
   */
  async function lookUp(
    account: Account,
    wanted: LookFor,
  ): Promise<{ readonly judged: Judgement; readonly look: SpRecordLook | null }> {
    const { domain } = account;
    const looking = spRecords.look(domain, wanted, (known) => namesAccount(known, account));
    const look = await withinOwnTime(DNS_TIMEOUT_MS, looking);
    if (look === null) return { judged: "indeterminate", look };
    const failure = failureOf(look);
    if (failure !== null) return { judged: failure, look };
    if (namesAccount(look, account)) return { judged: look, look };
    return { judged: isAtLeast(look.assurance, minAssurance) ? "lost" : "unconfirmed", look };
  }

  /** Puts the account to sleep or wakes it, by a look that began at `now`. */
  async function recordJudged(
    account: Account,
    judged: Judgement,
    now: number,
  ): Promise<ControlResult> {
    const unknown = (failure: LookFailure) => ({ control: "unknown", failure }) as const;
    if (judged === "lost") {
      const { id: accountId, domain } = account;
      const slept = await accounts.putToSleep(accountId, now, clock.floor());
      if (slept === "asleep") events.recordLost({ accountId, domain, since: now });
      return { control: "lost" };
    }
    if (typeof judged === "string") return unknown(judged);
    const { checkedAt, assurance } = judged;
    const isAwake = account.asleepSince === null;
    if (!isAwake && !isAtLeast(assurance, minAssurance)) return unknown("unconfirmed");
    const awake = await wake(account, checkedAt);
    return awake === "conflict" ? unknown("indeterminate") : { control: "held", checkedAt };
  }

  /**
   * Wakes the account, whose record a look has seen at `checkedAt` (epoch seconds). `conflict` if the record has
   * changed since that look.
   */
  async function wake(account: Account, checkedAt: number): Promise<Account | "conflict"> {
    if (account.asleepSince === null) return account;
    const awake = await accounts.wakeAccount(account, checkedAt);
    if (awake !== "conflict") events.recordFound({ accountId: awake.id, domain: awake.domain });
    return awake;
  }

  /** Looks up the record and updates the account. Low assurance can only confirm its state. */
  async function check(account: Account, from: Requester): Promise<ControlResult> {
    return (await checkAndShow(account, from)).result;
  }

  /** The same with what DNS contains, for a person to see. */
  async function checkAndShow(account: Account, from: Requester): Promise<ShownCheck> {
    // The time before the look: of two looks, the look that began later decides.
    const now = clock.seconds();
    const freshness = account.asleepSince === null ? "cached" : "now";
    const { judged, look } = await lookUp(account, { freshness, from });
    return { result: await recordJudged(account, judged, now), look };
  }

  /** Checks the account of a grant and records the time if the record names it. */
  async function checkGrant(
    account: Account,
    grant: Grant,
    from: Requester,
  ): Promise<ControlResult["control"]> {
    if (resting.get(account.id)) return "unknown";
    const result = await check(account, from);
    if (result.control === "held") {
      const { checkedAt } = result;
      await grants.recordControl({ grantId: grant.id, checkedAt, now: clock.seconds() });
    } else {
      resting.set(account.id, true, result.control === "lost" ? LOST_TTL_MS : FAILURE_TTL_MS);
    }
    return result.control;
  }

  /** The same in the background: one check for each account, and a limited number of them at once. */
  function checkLater({ id, accountId }: GrantOfAccount): void {
    if (resting.get(accountId)) return;
    tasks.start(accountId, async () => {
      const current = await grants.readGrant(id);
      if (current !== null) await checkGrant(current.account, current.grant, SERVICE);
    });
  }

  /**
   * For a grant whose account sleeps or was last checked too long ago: whether the record names the
   * account now. Rejects with `DomainUnavailableError` if DNS fails, or until a second lookup has confirmed
   * that the record is gone: a client discards its token if it is refused.
   */
  async function confirm(account: Account, grant: Grant, from: Requester): Promise<boolean> {
    const { domain, asleepSince, lostConfirmedAt } = account;
    if (asleepSince !== null && lostConfirmedAt === null) {
      checkLater(grant);
      throw new DomainUnavailableError(
        `the record of ${domain} does not currently name the account`,
      );
    }
    if ((await checkGrant(account, grant, from)) === "held") return true;
    if (lostConfirmedAt !== null) return false;
    throw new DomainUnavailableError(`the record of ${domain} could not be confirmed`);
  }
}
