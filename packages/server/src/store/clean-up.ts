// Walks through the tables, and removes what has ended a step at a time.

import type { Pause } from "../lib/background.ts";
import type { Clock } from "../lib/clock.ts";
import type { CleanUpStore, CleanUpTable } from "./store.ts";

export const CLEAN_UP_TABLES: readonly CleanUpTable[] = [
  ...(["grants", "interactions", "sessions", "enrolments", "attempts"] as const),
  ...(["evidence", "secure_domains", "sp_clients"] as const),
];
/** Milliseconds between two steps: it never crowds out a request. */
const BETWEEN_STEPS = 250;

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
