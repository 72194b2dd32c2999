// Removes rows that have come to their end, in bounded steps along the primary key.
//
// There is no index on an expiry: on one that slides with each rotation it would halve their rate.

import type { Pause } from "../lib/background.ts";
import type { Clock } from "../lib/clock.ts";
import type { SqlEngine, SqlValue } from "./engine.ts";
import { SESSION_IDLE } from "./sessions.ts";
import { ACCESS_TOKEN_LIFETIME_S, SECURE_REMEMBERED_S } from "./shared-values.ts";

const ROWS_PER_STEP = 2000;
/** Seconds for which a grant stays in any case: longer than the interaction that issues it lives. */
const LONGER_THAN_AN_INTERACTION = 7200;
/** Seconds for which an interaction that has ended still shows the way back to its app. */
const WAY_BACK = 7 * 86400;

/** Seconds for which a registration that we made with an SP stays. */
const REGISTRATION_KEPT = 30 * 86400;

/** The tables whose rows come to an end by time. */
export const CLEAN_UP_TABLES = [
  ...(["grants", "interactions", "sessions", "enrolments", "attempts"] as const),
  ...(["evidence", "secure_domains", "sp_clients"] as const),
] as const;
export type CleanUpTable = (typeof CLEAN_UP_TABLES)[number];

/** Milliseconds between two steps: it never crowds out a request. */
const BETWEEN_STEPS = 250;

/** Binds a time, in seconds before (or after) now. */
type At = (offset: number) => string;

/** Primary key of each table, and which of its rows have ended. */
const TABLES: Record<CleanUpTable, { keys: readonly string[]; ended: (at: At) => string }> = {
  // A grant outlives the interaction that issues it: removed any earlier, one that was revoked
  // could be made again by a second submit.
  grants: {
    keys: ["id"],
    ended: (at) => `created_at <= ${at(-LONGER_THAN_AN_INTERACTION)} AND (revoked_at IS NOT NULL
      OR (generation = 0 AND code_expires_at <= ${at(0)})
      OR (refresh_expires_at <= ${at(0)} AND rotated_at <= ${at(-ACCESS_TOKEN_LIFETIME_S)}))`,
  },
  interactions: { keys: ["id"], ended: (at) => `expires_at <= ${at(-WAY_BACK)}` },
  sessions: {
    keys: ["id_hash"],
    ended: (at) => `(expires_at <= ${at(0)} OR last_used_at <= ${at(-SESSION_IDLE)})`,
  },
  enrolments: { keys: ["domain", "device_hash"], ended: (at) => `expires_at <= ${at(0)}` },
  attempts: { keys: ["name"], ended: (at) => `expires_at <= ${at(0)}` },
  evidence: { keys: ["grant_id"], ended: (at) => `expires_at <= ${at(0)}` },
  secure_domains: { keys: ["domain"], ended: (at) => `secure_at <= ${at(-SECURE_REMEMBERED_S)}` },
  // Anybody's zone can name an SP, so that registrations would pile up; one in use is made again.
  sp_clients: {
    keys: ["issuer", "source"],
    ended: (at) => `source = 'registered' AND made_at <= ${at(-REGISTRATION_KEPT)}`,
  },
};

export type CleanUpStore = ReturnType<typeof cleanUpStore>;

export function cleanUpStore(engine: SqlEngine) {
  return {
    /**
     * One bounded step: removes what has ended among the rows behind the key `after` (null: from the
     * start). `next` is where to go on, null at the end of the table. Safe on any number of nodes.
     */
    async removeEnded(
      table: CleanUpTable,
      after: readonly string[] | null,
      now: number,
    ): Promise<{ next: readonly string[] | null; removed: number }> {
      const { keys, ended } = TABLES[table];
      const columns = keys.join(", ");
      const parameters: SqlValue[] = [];
      const at = (offset: number) => `?${parameters.push(now + offset)}`;
      const bound = (operator: string, values: readonly string[]) => {
        const numbers = values.map((value) => `?${parameters.push(value)}`);
        return `(${columns}) ${operator} (${numbers.join(", ")})`;
      };

      const from = after === null ? [] : [bound(">", after)];
      const [last] = await engine.execute(
        `SELECT ${columns} FROM ${table} ${from.length > 0 ? `WHERE ${from}` : ""}
         ORDER BY ${columns} LIMIT 1 OFFSET ${ROWS_PER_STEP - 1}`,
        parameters,
      );
      const next = last === undefined ? null : keys.map((key) => String(last[key]));
      const upTo = next === null ? [] : [bound("<=", next)];
      const removed = await engine.execute(
        `DELETE FROM ${table} WHERE ${[...from, ...upTo, ended(at)].join(" AND ")}
         RETURNING 1 AS removed`,
        parameters,
      );
      return { next, removed: removed.length };
    },
  };
}

/** One walk through a table; gives back how many rows it removed. */
export async function cleanUp(
  table: CleanUpTable,
  { store, clock }: { store: CleanUpStore; clock: Clock },
  pause: Pause,
): Promise<number> {
  let removed = 0;
  let after: readonly string[] | null = null;
  do {
    const step = await store.removeEnded(table, after, clock.seconds());
    removed += step.removed;
    after = step.next;
    await pause(BETWEEN_STEPS);
  } while (after !== null);
  return removed;
}
