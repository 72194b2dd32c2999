// Removes expired rows, in bounded steps along the primary key.
//
// There are no indexes on expiry times: an index on one that changes with each rotation would halve their rate.

import type { Sql } from "../database/rows.ts";
import type { Pause } from "../lib/background.ts";
import { LOGOUT_DELIVERY_WINDOW_S } from "./logouts.ts";
import type { SessionLifetimes } from "./session-lifetimes.ts";
import {
  ACCESS_TOKEN_LIFETIME_S,
  BROWSER_KNOWN_S,
  CODE_LIFETIME_S,
  EVIDENCE_AFTER_CODE_S,
  HISTORY_DAYS,
  SECURE_REMEMBERED_S,
} from "./shared-values.ts";
import { stepThrough } from "./table-steps.ts";

/** Whatever goes wrong, one walk removes at most a quarter of a table, or 500 rows. The next one goes on. */
const REMOVED_PER_STEP = 500;
/** Minimum age of a removed grant: longer than the lifetime of the interaction that issues it, which is a day. */
const MIN_GRANT_AGE_S = 90_000;
/** How long dynamic registrations at SPs are kept that have not signed anybody in, and after the last time they have. */
const UNUSED_REGISTRATION_KEPT_S = 86_400;
const REGISTRATION_KEPT_S = 30 * 86_400;
/** How long an account that has ended is kept, and its history. Longer than the set-up that would make it again. */
const ENDED_ACCOUNT_KEPT_S = 90 * 86_400;
/** What a set-up has stored before its account is made: longer than any set-up lasts. */
const SET_UP_KEPT_S = 31 * 86_400;
/** Longer than a year, in which a person uses each device and is told there. */
const REMOVED_PASSKEY_KEPT_S = 400 * 86_400;
/** How long a sign-in counts for the weight of its network. */
const WEIGHT_COUNTED_S = 7 * 86_400;
/** Entries of one account, of which the newest are kept. */
export const HISTORY_OF_ACCOUNT = 2000;

/** Pause between two steps, so that requests are not slowed down. */
const STEP_PAUSE_MS = 250;

/** When a step runs, in seconds. Of rows without a running time, which a node of an earlier version made, `before` decides. */
export interface CleanUpTime {
  /** Since the epoch: what was over by then is removed. Long before the floor, as a person or an app would miss it. */
  readonly before: number;
  /** The running time: what strangers stored is removed by it, whatever the clock says. */
  readonly ran: number;
}

/** Binds a time of the step plus `offset` seconds. */
type Bind = (offset: number) => string;

/** What the operator can set for each step. */
export interface Kept {
  readonly historyDays: number;
}

interface CleanedTable {
  readonly keys: readonly string[];
  readonly ended: (
    times: { readonly at: Bind; readonly ran: Bind },
    kept: Kept & SessionLifetimes,
  ) => string;
  /** A clause `WITH surplus AS …` that `ended` uses, for the rows of the step. */
  readonly surplus?: (inStep: string) => string;
}

const hasNone = (table: string) =>
  `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.account_id = accounts.id)`;
const isWithoutAccount = (table: string) =>
  `NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = ${table}.account_id)`;

/** The tables whose rows expire: their primary keys, and the condition for expired rows. */
const TABLES = {
  // A grant must outlive the interaction that issues it: if a revoked grant were removed earlier, a
  // second submit could issue it again.
  grants: {
    keys: ["id"],
    ended: ({ at, ran }) => `((generation = 0 AND made_ran <= ${ran(-MIN_GRANT_AGE_S)})
      OR ((generation > 0 OR made_ran IS NULL) AND created_at <= ${at(-MIN_GRANT_AGE_S)}
        AND (revoked_at IS NOT NULL OR (generation = 0 AND code_expires_at <= ${at(0)})
          OR (refresh_expires_at <= ${at(0)} AND rotated_at <= ${at(-ACCESS_TOKEN_LIFETIME_S)}))))`,
  },
  // One stays if a crash kept the recovery code that it used up from being marked as used.
  interactions: {
    keys: ["id"],
    ended: ({ at, ran }) => `(made_ran + expires_at - created_at <= ${ran(0)}
        OR (made_ran IS NULL AND expires_at <= ${at(0)}))
      AND (used_code IS NULL OR NOT EXISTS (
        SELECT 1 FROM recovery_codes WHERE recovery_codes.account_id = interactions.account_id
          AND recovery_codes.code_hash = interactions.used_code
          AND recovery_codes.used_at IS NULL))`,
  },
  // A secret that was replaced is kept as long as it could have been used, because the use of a copy must
  // be noticed. The last one is kept longer: the account knows the browser by it, unless it was forgotten.
  // One that was forgotten is kept while clients may have to be notified of its end. The row that says that a session
  // has ended is kept as long as another secret of it, which may have been stored in the same moment.
  sessions: {
    keys: ["secret_hash"],
    ended: ({ at }, { idleS }) => `(issued_at <= ${at(-BROWSER_KNOWN_S)}
      OR (((last_used_at <= ${at(-idleS)}
            AND end_reason IN ('elsewhere', 'operator') AND ended_at <= ${at(-LOGOUT_DELIVERY_WINDOW_S)})
          OR (expires_at <= ${at(0)} AND EXISTS (
            SELECT 1 FROM sessions AS later
            WHERE later.device_id = sessions.device_id AND later.number > sessions.number)))
        AND (ended_at IS NULL OR NOT EXISTS (
          SELECT 1 FROM sessions AS other WHERE other.sid = sessions.sid AND other.ended_at IS NULL))))`,
  },
  session_clients: {
    keys: ["sid", "client_id"],
    // An end is delivered within its time or never.
    ended: ({
      at,
    }) => `(NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.sid = session_clients.sid)
      OR EXISTS (SELECT 1 FROM sessions WHERE sessions.sid = session_clients.sid
        AND sessions.ended_at <= ${at(-LOGOUT_DELIVERY_WINDOW_S)}))`,
  },
  attempts: { keys: ["name"], ended: ({ at }) => `expires_at <= ${at(0)}` },
  network_weights: {
    keys: ["mac", "day"],
    ended: ({ at }) => `day <= ${at(-WEIGHT_COUNTED_S)}`,
  },
  evidence: {
    keys: ["grant_id"],
    ended: ({ at, ran }) => `(made_ran <= ${ran(-CODE_LIFETIME_S - EVIDENCE_AFTER_CODE_S)}
      OR (made_ran IS NULL AND expires_at <= ${at(0)}))`,
  },
  secure_domains: {
    keys: ["domain"],
    ended: ({ at }) => `secure_at <= ${at(-SECURE_REMEMBERED_S)}`,
  },
  // Any zone can name an SP, so registrations would accumulate.
  sp_clients: {
    keys: ["issuer", "source"],
    ended: ({ at }) => `source = 'registered' AND made_at <= ${at(-UNUSED_REGISTRATION_KEPT_S)}
      AND (used_at IS NULL OR used_at <= ${at(-REGISTRATION_KEPT_S)})`,
  },
  // Of those that registered themselves.
  clients: { keys: ["id"], ended: ({ at }) => `expires_at <= ${at(0)}` },
  history: {
    keys: ["account_id", "id"],
    ended: ({ at }, { historyDays }) => `(at <= ${at(-historyDays * 86_400)} OR EXISTS (
      SELECT 1 FROM surplus WHERE surplus.account_id = history.account_id AND history.id <= surplus.last_id))`,
    // For each account of the step, the newest entry that goes.
    surplus: (inStep) => `WITH surplus AS MATERIALIZED (
      SELECT account_id,
        (SELECT entry.id FROM history AS entry WHERE entry.account_id = of_step.account_id
          ORDER BY entry.id DESC LIMIT 1 OFFSET ${HISTORY_OF_ACCOUNT}) AS last_id
      FROM (SELECT DISTINCT account_id FROM history WHERE ${inStep}) AS of_step)`,
  },
  // The row of one that has ended outlives all that belongs to it, and counts among those of its owned domain.
  accounts: {
    keys: ["id"],
    ended: ({ at }) => `ended_at <= ${at(-ENDED_ACCOUNT_KEPT_S)}
      AND ${["grants", "sessions", "interactions", "consents", "history"].map(hasNone).join(" AND ")}`,
  },
  // Of set-ups that were never finished.
  passkeys: {
    keys: ["credential_id"],
    ended: ({ at }) => `created_at <= ${at(-SET_UP_KEPT_S)} AND ${isWithoutAccount("passkeys")}`,
  },
  removed_passkeys: {
    keys: ["credential_id"],
    ended: ({ at }) => `removed_at <= ${at(-REMOVED_PASSKEY_KEPT_S)}`,
  },
  recovery_codes: {
    keys: ["account_id", "code_hash"],
    ended: ({ at }) => `made_at <= ${at(-SET_UP_KEPT_S)} AND ${isWithoutAccount("recovery_codes")}`,
  },
} satisfies Record<string, CleanedTable>;

export type CleanUpTable = keyof typeof TABLES;
/** What strangers can cause to be stored. With `before` 0, only what has a running time is removed. */
export const UNPROVEN_TABLES: readonly CleanUpTable[] = ["interactions", "evidence", "grants"];
/** What has been used. A service does not answer at a time before the floor, so what is out of date by it stays forbidden. */
export const USED_TABLES: readonly CleanUpTable[] = ["attempts"];
export const CLEAN_UP_TABLES = Object.keys(TABLES) as CleanUpTable[];
export const LASTING_TABLES = CLEAN_UP_TABLES.filter((table) => !USED_TABLES.includes(table));

/** The nonce is of no use after the code. The redemption leaves it there: its answer may have to be given again. */
const forgetNonces = (inStep: string, madeBy: string) =>
  `UPDATE grants SET nonce = NULL WHERE ${inStep} AND nonce IS NOT NULL AND made_ran <= ${madeBy}`;

export type CleanUpStore = ReturnType<typeof cleanUpStore>;

export function cleanUpStore(sql: Sql, lifetimes: SessionLifetimes) {
  return {
    /**
     * One bounded step: removes expired rows among those with a key after `after` (null: from the start), at most 500.
     * `next` is the `after` of the next step, null at the end of the table. Safe on any number of nodes.
     */
    async removeEnded(
      table: CleanUpTable,
      after: readonly string[] | null,
      time: CleanUpTime,
      kept: Kept = { historyDays: HISTORY_DAYS },
    ) {
      const { keys, ended, surplus }: CleanedTable = TABLES[table];
      const step = await stepThrough(sql, { table, keys }, after);
      const { next, inStep, columns, values, bind } = step;
      if (table === "grants") {
        const madeBy = time.ran - CODE_LIFETIME_S - EVIDENCE_AFTER_CODE_S;
        await sql.run(forgetNonces(inStep, `?${values.length + 1}`), ...values, madeBy);
      }
      const at: Bind = (offset) => bind(time.before + offset);
      const ran: Bind = (offset) => bind(time.ran + offset);
      const isEnded = ended({ at, ran }, { ...kept, ...lifetimes });
      const removable = `${inStep} AND ${isEnded}`;
      // The condition is repeated, because a row can be renewed after it was selected, and must then stay.
      const removed = await sql.rows(
        `${surplus?.(inStep) ?? ""} DELETE FROM ${table} WHERE (${columns}) IN (
           SELECT ${columns} FROM ${table}
           WHERE ${removable}
           ORDER BY ${columns} LIMIT ${REMOVED_PER_STEP})
         AND ${isEnded} RETURNING 1 AS removed`,
        ...values,
      );
      return { next, removed: removed.length };
    },
  };
}

/** When the next step of a walk runs; null ends the walk. */
export type WalkTime = () => CleanUpTime | null;

/** Removes expired rows of a table, at most a quarter of them in one walk. Returns their number. */
export async function cleanUp(
  table: CleanUpTable,
  deps: { store: CleanUpStore; time: WalkTime } & Partial<Kept>,
  pause: Pause,
): Promise<number> {
  const { store, time, historyDays = HISTORY_DAYS } = deps;
  let removed = 0;
  let after: readonly string[] | null = null;
  do {
    const at = time();
    if (at === null) break;
    const step = await store.removeEnded(table, after, at, { historyDays });
    removed += step.removed;
    after = step.next;
    await pause(STEP_PAUSE_MS);
  } while (after !== null);
  return removed;
}
