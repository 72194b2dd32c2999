// Ends what a restored database must not revive, in bounded steps along the primary keys.

import type { Sql } from "../database/rows.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import { stepThrough } from "./table-steps.ts";

/** Before the interaction began, and in the past by the clock of every node. */
const endOfInteraction = (now: string) => `
  (CASE WHEN created_at < ${now} THEN created_at ELSE ${now} END) - ${CLOCK_TOLERANCE_S}`;

/** What ends the rows of one step, of which `rows` is the condition. `now` binds the time. */
type End = (rows: string, now: () => string) => string;

/** The tables: their primary keys, and what ends their rows. */
const TABLES = {
  // First, so that no sign-in from before the restore can issue a code.
  interactions: {
    keys: ["id"],
    end: (rows, now) => {
      const ended = endOfInteraction(`CAST(${now()} AS BIGINT)`);
      return `UPDATE interactions SET expires_at = ${ended} WHERE expires_at > ${ended} AND ${rows}`;
    },
  },
  // An owner may have withdrawn it after the backup, so everybody is asked again.
  consents: {
    keys: ["account_id", "client_id", "scope"],
    end: (rows) => `DELETE FROM consents WHERE ${rows}`,
  },
  grants: {
    keys: ["id"],
    end: (rows, now) =>
      `UPDATE grants SET revoked_at = ${now()} WHERE revoked_at IS NULL AND ${rows}`,
  },
  // As signed out in the browser itself: the account still knows it.
  sessions: {
    keys: ["secret_hash"],
    end: (rows, now) => `
      UPDATE sessions SET ended_at = ${now()}, end_reason = 'signed_out'
      WHERE ended_at IS NULL AND ${rows}`,
  },
  // The account walk comes to every account, and any later look at the record decides. One that sleeps may have been
  // live since the backup, so its thirty days begin again. No interaction can get the codes of a set-up again.
  accounts: {
    keys: ["id"],
    end: (rows, now) => `
      UPDATE accounts SET walked_at = 0, walk_due_at = 0, finish_hash = NULL, lost_confirmed_at = NULL,
        asleep_since = CASE WHEN asleep_since IS NULL THEN NULL ELSE CAST(${now()} AS BIGINT) END
      WHERE ended_at IS NULL AND ${rows}`,
  },
} satisfies Record<string, { keys: string[]; end: End }>;

export type RevivedTable = keyof typeof TABLES;
export const REVIVED_TABLES = Object.keys(TABLES) as RevivedTable[];

export function revivedStore(sql: Sql) {
  return {
    /** One bounded step: ends rows with a key after `after` (null: the first). `next`: null at the end. Idempotent. */
    async endRevived(table: RevivedTable, after: readonly string[] | null, now: number) {
      const { keys, end } = TABLES[table];
      const { next, inStep, values, bind } = await stepThrough(sql, { table, keys }, after);
      const statement = `${end(inStep, () => bind(now))} RETURNING 1 AS ended`;
      return { next, ended: (await sql.rows(statement, ...values)).length };
    },
  };
}
