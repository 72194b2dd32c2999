// Counted attempts, for rate limits across all nodes.

import { type Sql, sqlOf } from "../database/rows.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";

/** Not over, and not dated by a clock that was ahead. */
const IS_OPEN = `(attempts.expires_at > ?3 AND attempts.expires_at <= ?2 + ${CLOCK_TOLERANCE_S})`;

/** A window begins with the first attempt after the end of the previous window. */
const COUNT = `
  INSERT INTO attempts (name, count, expires_at) VALUES (?1, 1, ?2)
  ON CONFLICT (name) DO UPDATE SET
    count = CASE WHEN ${IS_OPEN} THEN attempts.count + 1 ELSE 1 END,
    expires_at = CASE WHEN ${IS_OPEN} THEN attempts.expires_at ELSE excluded.expires_at END
  RETURNING count, expires_at`;

/** In place of the count there is an id of the use: only that use can be forgotten. */
const USE = `
  INSERT INTO attempts (name, count, expires_at) VALUES (?1, ?4, ?2)
  ON CONFLICT (name) DO UPDATE SET count = ?4, expires_at = excluded.expires_at WHERE NOT ${IS_OPEN}
  RETURNING count`;

/** A use of an assertion that counts. */
export interface AssertionUse {
  readonly name: string;
  /** A random integer. */
  readonly use: number;
}

export type AttemptStore = ReturnType<typeof attemptStore>;

export function attemptStore({ engine, rows }: Sql) {
  const urgent = sqlOf(engine, { isUrgent: true });
  return {
    /** Uses a name. Of all callers, on all nodes, only the first in the window gets true. */
    async useOnce(attempt: AssertionUse & { windowSeconds: number; now: number }) {
      const { name, use, windowSeconds, now } = attempt;
      return await urgent.returnsRow(USE, name, now + windowSeconds, now, use);
    },

    /** Counts an attempt. Returns the count in the current window, which no two callers share, and the end of it. */
    async countAttempt(attempt: { name: string; windowSeconds: number; now: number }) {
      const { name, windowSeconds, now } = attempt;
      const [row] = await rows(COUNT, name, now + windowSeconds, now);
      return { count: Number(row?.count), expiresAt: Number(row?.expires_at) };
    },
  };
}
