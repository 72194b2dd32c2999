// Accounts whose record the account walk looks up next, and how a walk claims and ends them.

import type { Sql } from "../database/rows.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import { ownedDomain } from "../lib/registrable-domain.ts";
import { type Account, COLUMNS, endBy } from "./accounts.ts";
import { ending } from "./ending.ts";
import { WALK_INTERVAL_S } from "./shared-values.ts";

export interface DueAccount extends Account {
  /** When the account walk looks up its record, or looks it up again. */
  readonly walkDueAt: number;
}

const PER_READ = 200;
/** Nothing is due later, except by a clock that was ahead. */
const LATEST_S = WALK_INTERVAL_S + CLOCK_TOLERANCE_S;

const dueBy = (which: string, order: string) => `
  SELECT * FROM (
    SELECT ${COLUMNS}, walk_due_at FROM accounts WHERE ended_at IS NULL AND ${which}
    ORDER BY walk_due_at ${order} LIMIT ${PER_READ}) AS due`;
// Two ranges of one index.
export const DUE = `${dueBy("walk_due_at <= ?1", "ASC")} UNION ALL ${dueBy("walk_due_at > ?2", "DESC")}`;

// An earlier version, which counted nothing, did not store the owned domain.
const CLAIM_WALK = `
  UPDATE accounts SET walk_due_at = ?1, owned_domain = COALESCE(owned_domain, ?4)
  WHERE id = ?2 AND walk_due_at = ?3 AND ended_at IS NULL RETURNING id`;

// What puts an account to sleep, in the same second, can make it due at the very time that the claim has set.
const NOTE_WALKED = `
  UPDATE accounts SET walked_at = ?1, walk_due_at = ?2
  WHERE id = ?3 AND walk_due_at = ?4 AND asleep_since IS NOT DISTINCT FROM ?5
    AND lost_confirmed_at IS NOT DISTINCT FROM ?6`;

const END = `
  UPDATE accounts SET ended_at = ?1
  WHERE id = ?2 AND asleep_since <= ?3 AND lost_confirmed_at IS NOT NULL AND ended_at IS NULL
  RETURNING id`;

export type AccountWalkStore = ReturnType<typeof accountWalkStore>;

export function accountWalkStore(sql: Sql) {
  const { returnsRow, all, run } = sql;
  return {
    /** Some accounts whose record is to be looked up by `now`, the longest due first; none if there are no more. */
    dueAccounts: (now: number) => all<DueAccount>(DUE, now, now + LATEST_S),

    /**
     * Claims the look at the account's record, which is due again at `dueAt` unless the look succeeds: of nodes that saw
     * the same `walkDueAt`, one gets true.
     */
    claimWalk: ({ id, walkDueAt, domain }: DueAccount, dueAt: number) =>
      returnsRow(CLAIM_WALK, dueAt, id, walkDueAt, ownedDomain(domain)),

    /** The look at `now` succeeded. Changes nothing if the account has been put to sleep or woken since the claim. */
    noteWalked: (account: DueAccount, { now, dueAt }: { now: number; dueAt: number }) => {
      const { id, walkDueAt, asleepSince, lostConfirmedAt } = account;
      return run(NOTE_WALKED, now, dueAt, id, walkDueAt, asleepSince, lostConfirmedAt);
    },

    /**
     * Ends the account for good, and removes its data, if it has been asleep since `asleepBefore` or
     * longer, a second look has confirmed that, and it does not wake in the meantime. True for the one call that ended it.
     */
    endAccount: ending((of: { accountId: string; asleepBefore: number; now: number }) =>
      endBy(sql, of, END, of.now, of.accountId, of.asleepBefore),
    ),
  };
}
