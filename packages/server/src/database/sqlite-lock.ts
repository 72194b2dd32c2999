// Waiting for a SQLite file that another process has locked: as long as it takes, and without blocking this process.

import { OWN_STEP_MS } from "../lib/own-time.ts";
import type { OnWait } from "./engine.ts";
import { lockHolder } from "./lock-holder.ts";
import { whenUnlocked } from "./sqlite-batch.ts";
import { type Database, durabilityOf, isLocked } from "./sqlite-library.ts";

export interface WaitHooks {
  readonly onWait: OnWait;
  /** False once the file is closed. */
  readonly mayWait: () => boolean;
}

/** What is waited for is reported so often. */
const REPORTED_EVERY_S = 10;

/** Makes writes durable: at once, or as soon as no other process has locked the file. */
export function openDurably(database: Database, path: string, hooks: WaitHooks) {
  const makeDurable = durabilityOf(database);
  let opening: Promise<void> | null = null;
  try {
    makeDurable();
  } catch (cause) {
    if (!isLocked(cause)) throw cause;
    opening = whenFree(path, makeDurable, hooks).then(() => {
      opening = null;
    });
    // Each statement reports the failure.
    opening.catch(() => {});
  }
  return {
    /** Null if the file is ready; otherwise resolves when it is. */
    opening: () => opening,
  };
}

/** Runs the task, which a lock fails before it has any effect, as soon as no other process has locked the file. */
export async function whenFree(
  path: string,
  task: () => void,
  { onWait, mayWait }: WaitHooks,
): Promise<void> {
  let steps = 0;
  const timer = setInterval(() => {
    steps++;
    const seconds = (steps * OWN_STEP_MS) / 1000;
    if (seconds % REPORTED_EVERY_S === 0) onWait(lockedBy(path), seconds);
  }, OWN_STEP_MS);
  try {
    await whenUnlocked(task, Number.POSITIVE_INFINITY, { mayWait });
  } finally {
    clearInterval(timer);
  }
}

/** Who has locked the file, as a clause. */
export function lockedBy(path: string): string {
  const holder = lockHolder(path);
  return `another process has locked the database${holder === null ? "" : `: ${holder}`}`;
}
