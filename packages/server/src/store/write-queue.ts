// The queue of statements that change something. What waits is flushed together, as one commit.

import { UnavailableError } from "../lib/errors.ts";
import type { SqlRow, SqlValue } from "./engine.ts";

export interface Write {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** The rows of a write, which may come later than those of others; or the error to reject with. */
export type Written = readonly SqlRow[] | Promise<readonly SqlRow[]> | Error;

export const WRITE_LIMITS = {
  /** Beyond it, a write is refused at once. */
  waiting: 4096,
  /** So many share a flush: more would delay the first of them, and gain nothing. */
  batch: 256,
  /** A write that has not begun by then is refused. With the time of a flush it stays below a second. */
  waitMs: 500,
} as const;

interface Waiting {
  readonly write: Write;
  readonly since: number;
  resolve(rows: readonly SqlRow[] | Promise<readonly SqlRow[]>): void;
  reject(error: unknown): void;
}

export type WriteQueue = ReturnType<typeof createWriteQueue>;

/**
 * `flush` commits a group, and resolves to what came of each write. If it rejects, the outcome of all is that error.
 * Up to `flushes` run at a time, and the next begins as soon as one has ended; there is no timer. `begin` starts the
 * first one of a series: `setImmediate` lets it gather what has arrived at the same moment.
 */
export function createWriteQueue(
  flush: (batch: readonly Write[]) => Promise<readonly Written[]>,
  begin: (run: () => unknown) => unknown,
  flushes = 1,
) {
  const urgent: Waiting[] = [];
  const others: Waiting[] = [];
  /** Series of flushes. */
  let running = 0;
  const drained: (() => void)[] = [];

  function take(): Waiting[] {
    const batch: Waiting[] = [];
    const now = performance.now();
    for (const lane of [urgent, others]) {
      for (const waiting of lane.splice(0, WRITE_LIMITS.batch - batch.length)) {
        if (now - waiting.since <= WRITE_LIMITS.waitMs) batch.push(waiting);
        else
          waiting.reject(
            new UnavailableError("the database does not keep up with what is written"),
          );
      }
    }
    return batch;
  }

  async function run(): Promise<void> {
    while (urgent.length + others.length > 0) {
      const batch = take();
      if (batch.length === 0) continue;
      try {
        const written = await flush(batch.map(({ write }) => write));
        for (const [index, waiting] of batch.entries()) settle(waiting, written[index]);
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
      }
    }
    running--;
    if (running === 0) for (const done of drained.splice(0)) done();
  }

  return {
    /**
     * Resolves to the rows of the write once it is on the disk. `isUrgent` goes before the others. Rejects with
     * `UnavailableError` if too many wait.
     */
    add(write: Write, isUrgent: boolean): Promise<readonly SqlRow[]> {
      if (urgent.length + others.length >= WRITE_LIMITS.waiting) {
        return Promise.reject(new UnavailableError("too many writes wait for the database"));
      }
      return new Promise((resolve, reject) => {
        const since = performance.now();
        (isUrgent ? urgent : others).push({ write, since, resolve, reject });
        if (running === flushes) return;
        running++;
        begin(run);
      });
    },
    /** Fails all that wait, but not what is being flushed. */
    fail(error: Error): void {
      for (const waiting of [...urgent.splice(0), ...others.splice(0)]) waiting.reject(error);
    },
    /** Resolves when nothing waits and nothing is being flushed. */
    async drain(): Promise<void> {
      if (running > 0) await new Promise<void>((resolve) => drained.push(resolve));
    },
  };
}

function settle(waiting: Waiting, written: Written | undefined): void {
  if (written === undefined) waiting.reject(new Error("a write without an outcome"));
  else if (written instanceof Error) waiting.reject(written);
  else waiting.resolve(written);
}
