// Determines whether a statement took effect although its answer was lost.

import { UnavailableError, UnknownOutcomeError } from "../lib/errors.ts";
import { type Sql, sqlOf } from "./rows.ts";

/** Milliseconds after the failure, so that the answer comes within a second. */
const RESOLVED_WITHIN_MS = 800;
/** Milliseconds before each further attempt: connections may be cut one after the other. */
const PAUSE_MS = 50;

/**
 * Runs `change`, which changes a row once and marks it with an attempt id of its own. If its outcome is
 * unknown, it is run again on another connection, where the lock of the row waits for the first run. If that
 * changes nothing, `confirm` looks for the attempt id. Rejects with `UnknownOutcomeError` if the id is not found:
 * then null would be wrong, because another caller may have changed the row since.
 *
 * `confirm` must write. A commit that was not replicated is visible too, and only a later commit that was
 * replicated shows that the first one was.
 */
export async function withKnownOutcome<T>(
  sql: Sql,
  change: (sql: Sql) => Promise<T | null>,
  confirm: (sql: Sql) => Promise<T | null>,
): Promise<T | null> {
  try {
    return await change(sql);
  } catch (cause) {
    if (!(cause instanceof UnknownOutcomeError)) throw cause;
    return await resolve(cause);
  }

  async function resolve(failure: UnavailableError): Promise<T> {
    const until = performance.now() + RESOLVED_WITHIN_MS;
    const leftMs = () => Math.max(1, Math.ceil(until - performance.now()));
    const limited = () => sqlOf(sql.engine, { withinMs: leftMs(), isUrgent: true });
    for (;;) {
      try {
        const row = (await change(limited())) ?? (await confirm(limited()));
        if (row === null) throw failure;
        return row;
      } catch (cause) {
        if (!(cause instanceof UnavailableError)) throw cause;
        // Not what became of the last attempt: the first one may have taken effect.
        if (cause === failure || performance.now() + PAUSE_MS >= until) throw failure;
      }
      // By the timer that tests replace, as the limits of statements are.
      await new Promise((resume) => setTimeout(resume, PAUSE_MS));
    }
  }
}
