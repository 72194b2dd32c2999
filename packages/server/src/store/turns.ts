// Writes that are likely to change the same row take turns: one that waits for a lock holds one connection, not the pool.

import { UnavailableError } from "../lib/errors.ts";

interface Turn {
  readonly since: number;
  /** Never rejects. Resolves to why the task failed, or to null. */
  run(): Promise<unknown>;
  reject(error: UnavailableError): void;
}

/** `waitMs`: a task whose turn comes later than that is rejected with `UnavailableError`. */
export function createTurns(waitMs: number, now = () => performance.now()) {
  /** Those that wait, by key. A key is here while a task of it runs. */
  const lines = new Map<string, Turn[]>();
  const running = new Set<Promise<void>>();

  async function runAll(key: string, first: Turn): Promise<void> {
    const waiting = [first];
    lines.set(key, waiting);
    for (let turn = waiting.shift(); turn !== undefined; turn = waiting.shift()) {
      if (now() - turn.since > waitMs) {
        turn.reject(
          new UnavailableError(`other writes of the same row took more than ${waitMs} ms`),
        );
        continue;
      }
      const failure = await turn.run();
      if (!(failure instanceof UnavailableError)) continue;
      const cause = new UnavailableError(
        `another write of the same row failed: ${failure.message}`,
      );
      for (const behind of waiting.splice(0)) behind.reject(cause);
    }
    lines.delete(key);
  }

  return {
    /**
     * Runs the task when the previous ones with the same key have ended. If one of them did not get an answer, rejects
     * with `UnavailableError` without running the task: it would only wait for the same lock.
     */
    take<T>(key: string, task: () => Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        const run = () =>
          task().then(
            (result) => {
              resolve(result);
              return null;
            },
            (cause: unknown) => {
              reject(cause);
              return cause;
            },
          );
        const turn = { since: now(), run, reject };
        const line = lines.get(key);
        if (line !== undefined) {
          line.push(turn);
          return;
        }
        const all = runAll(key, turn);
        running.add(all);
        void all.then(() => running.delete(all));
      });
    },
    /** Resolves when all tasks have ended. */
    async drain(): Promise<void> {
      await Promise.all(running);
    },
  };
}
