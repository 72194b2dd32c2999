// Walks the tables again and again, and removes what has ended a step at a time.

import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../lib/clock.ts";
import type { CleanUpStore, CleanUpTable } from "./store.ts";

const TABLES: readonly CleanUpTable[] = ["grants", "interactions", "sessions", "enrolments"];
/** Milliseconds between two steps, and between two walks: it never crowds out a request. */
const BETWEEN_STEPS = 250;
const BETWEEN_WALKS = 60_000;

/** Begins after a minute, and ends when `signal` says so. What failed is tried on the next walk. */
export async function cleanUpUntil(
  signal: AbortSignal,
  parts: { store: CleanUpStore; clock: Clock; onFailure: (cause: unknown) => void },
): Promise<void> {
  // Waiting is no reason to keep a process alive. Only the end makes it reject.
  const wait = (milliseconds: number) => sleep(milliseconds, undefined, { signal, ref: false });
  for (;;) {
    try {
      await wait(BETWEEN_WALKS);
      for (const table of TABLES) await cleanUp(table, parts, () => wait(BETWEEN_STEPS));
    } catch (cause) {
      if (signal.aborted) return;
      parts.onFailure(cause);
    }
  }
}

/** One walk through a table. */
export async function cleanUp(
  table: CleanUpTable,
  { store, clock }: { store: CleanUpStore; clock: Clock },
  pause: () => Promise<unknown>,
): Promise<number> {
  let removed = 0;
  let after: readonly string[] | null = null;
  do {
    const step = await store.removeEnded(table, after, clock.seconds());
    removed += step.removed;
    after = step.next;
    await pause();
  } while (after !== null);
  return removed;
}
