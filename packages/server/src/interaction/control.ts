// Checks whether the record of a domain still names an account: in a request, and at least weekly.

import { type Assurance, isAtLeast, leastForAbsence } from "../dns/assurance.ts";
import {
  type Freshness,
  failureOf,
  type LookFailure,
  namesAccount,
  type SpRecordLook,
  type SpRecords,
} from "../dns/sp-record.ts";
import type { Pause } from "../lib/background.ts";
import { createCache } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import { within } from "../lib/within.ts";
import type { Account } from "../store/accounts.ts";
import type { Grant } from "../store/grants.ts";
import type { Aggregates } from "../store/store.ts";
import type { Events } from "../telemetry/events.ts";

/** How long refreshes continue while DNS fails. */
const GRACE_PERIOD_S = 72 * 3600;
/** How long a request waits for DNS. */
const DNS_TIMEOUT_MS = 2000;
/** How long refreshes do not query a failing domain again. */
const FAILURE_TTL_MS = 300_000;
const MAX_FAILING_DOMAINS = 10_000;

export type ControlResult =
  /** `checkedAt` is the time of the DNS query in epoch seconds; a cached result is a few minutes old. */
  | { readonly control: "held"; readonly checkedAt: number }
  | { readonly control: "lost" }
  | { readonly control: "unknown"; readonly failure: LookFailure };

export type Control = ReturnType<typeof createControl>;

interface LookupDeps {
  readonly spRecords: Pick<SpRecords, "look">;
  /** The assurance that a record needs to wake an account. */
  readonly minAssurance: Assurance;
}

/** A lookup result that names the account. */
export type AccountLook = Extract<SpRecordLook, { outcome: "own" | "external" }>;

/**
 * Looks up the record of an account. `lost` means that it does not name the account. A cached result
 * may be older than one that another node has seen, so it may only confirm the account: any other
 * result needs a fresh lookup.
 */
export async function lookUpAccount(
  account: Account,
  freshness: Freshness,
  { spRecords, minAssurance }: LookupDeps,
): Promise<AccountLook | "lost" | LookFailure> {
  const look = async () => {
    const found = await spRecords.look(account.domain, freshness);
    const isEnough = freshness === "now" || failureOf(found) || namesAccount(found, account);
    return isEnough ? found : spRecords.look(account.domain, "now");
  };
  const found = await within(DNS_TIMEOUT_MS, look());
  if (found === null) return "unavailable";
  const failure = failureOf(found);
  if (failure !== null) return failure;
  if (namesAccount(found, account)) return found;
  return isAtLeast(found.assurance, leastForAbsence(minAssurance)) ? "lost" : "unconfirmed";
}

export function createControl(
  deps: Pick<Aggregates, "accounts" | "grants"> & LookupDeps & { readonly clock: Clock },
) {
  const { accounts, grants, clock } = deps;
  const failing = createCache<true>({ clock, maxEntries: MAX_FAILING_DOMAINS });
  return { check, confirm };

  /**
   * Looks up the record and puts the account to sleep or wakes it accordingly. An answer with low
   * assurance can confirm the current state but not change it.
   */
  async function check(account: Account): Promise<ControlResult> {
    const now = clock.seconds();
    const unknown = (failure: LookFailure) => ({ control: "unknown", failure }) as const;
    const isAwake = account.asleepSince === null;
    const found = await lookUpAccount(account, isAwake ? "cached" : "now", deps);
    if (found === "lost") {
      await accounts.putToSleep(account.id, now);
      return { control: "lost" };
    }
    if (typeof found === "string") return unknown(found);
    const held = { control: "held", checkedAt: found.checkedAt } as const;
    if (isAwake) return held;
    if (!isAtLeast(found.assurance, deps.minAssurance)) return unknown("unconfirmed");
    const awake = await accounts.wakeAccount(account, now);
    return awake === "conflict" ? unknown("unavailable") : held;
  }

  /**
   * For a grant whose last check is too old: returns the epoch second of the last proof of control,
   * or null if control is lost. Rejects with `UnavailableError` if DNS fails beyond the grace period.
   */
  async function confirm(account: Account, grant: Grant): Promise<number | null> {
    const { domain, asleepSince } = account;
    // A domain that failed recently is not queried, so that a refresh does not wait for a timeout.
    if (!failing.get(domain)) {
      const result = await check(account);
      if (result.control !== "unknown") failing.delete(domain);
      if (result.control === "lost") return null;
      if (result.control === "held") {
        const { checkedAt } = result;
        await grants.recordControl({ grantId: grant.id, checkedAt });
        return checkedAt;
      }
      failing.set(domain, true, FAILURE_TTL_MS);
    }
    const { controlCheckedAt } = grant;
    const inGrace = controlCheckedAt > clock.seconds() - GRACE_PERIOD_S;
    if (asleepSince === null && inGrace) return controlCheckedAt;
    throw new UnavailableError(`the DNS lookup for ${domain} failed`);
  }
}

/** Below seven days, so that every record is checked at least weekly. */
const CHECK_INTERVAL_S = 6 * 86_400;
/** After a DNS failure. */
const RETRY_INTERVAL_S = 6 * 3600;
/** How long an account may be asleep before it ends. */
const MAX_ASLEEP_S = 30 * 86_400;
/** Between two checks and two pages of accounts. Limits the job to a few dozen packets a second. */
const PAUSE_MS = 100;

type WalkDeps = Pick<Aggregates, "accountWalk"> & {
  control: Control;
  clock: Clock;
  events: Pick<Events, "ended">;
};

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
      await checkClaimed(account, now, deps);
      await pause(PAUSE_MS);
    }
    after = step.next;
    await pause(PAUSE_MS);
  } while (after !== null);
}

/** `control.check` updates the account. An account that has been asleep for too long ends. */
async function checkClaimed(account: Account, now: number, deps: WalkDeps): Promise<void> {
  const { accountWalk, control, events } = deps;
  // Backdates the claim, so that the account is due again after `RETRY_INTERVAL_S`.
  const retry = () =>
    accountWalk.claimWalk({ ...account, walkedAt: now }, now - CHECK_INTERVAL_S + RETRY_INTERVAL_S);
  try {
    const result = await control.check(account);
    if (result.control === "unknown") await retry();
    if (result.control !== "lost") return;
    const { id: accountId, domain } = account;
    if (await accountWalk.endAccount({ accountId, asleepBefore: now - MAX_ASLEEP_S, now })) {
      events.ended({ accountId, domain });
    }
  } catch (cause) {
    await retry();
    throw cause;
  }
}
