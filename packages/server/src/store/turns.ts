// Writes that are likely to change the same row take turns: one that waits for a lock holds one connection, not the pool.

import { UnavailableError } from "../lib/errors.ts";

export type Turns = ReturnType<typeof createTurns>;

export function createTurns() {
  /** The last task of each key. */
  const last = new Map<string, Promise<unknown>>();

  return {
    /**
     * Runs the task when the previous ones with the same key have ended. If one of them did not get an answer, rejects
     * with `UnavailableError` without running the task: it would only wait for the same lock.
     */
    take<T>(key: string, task: () => Promise<T>): Promise<T> {
      const turn = last.get(key)?.then(task, (cause: unknown) => {
        if (!(cause instanceof UnavailableError)) return task();
        throw new UnavailableError(`another write of the same row failed: ${cause.message}`);
      });
      const running = turn ?? task();
      last.set(key, running);
      const ended = () => {
        if (last.get(key) === running) last.delete(key);
      };
      running.then(ended, ended);
      return running;
    },
    /** Resolves when all tasks have ended. */
    async drain(): Promise<void> {
      await Promise.allSettled(last.values());
    },
  };
}
