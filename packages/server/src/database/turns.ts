// Writes that are likely to change the same row take turns: one that waits for a lock holds one connection, not the pool.

import { NotBegunError, UnavailableError } from "../lib/errors.ts";
import type { Wait } from "./waits.ts";

interface Turn {
  /** Never rejects. Resolves to why the task failed, or to null. */
  run(): Promise<unknown>;
  reject(error: NotBegunError): void;
}

export function createTurns() {
  /** Those that wait, by key. A key is here while a task of it runs. */
  const lines = new Map<string, Turn[]>();
  const running = new Set<Promise<void>>();

  async function runAll(key: string, first: Turn): Promise<void> {
    const waiting = [first];
    lines.set(key, waiting);
    for (let turn = waiting.shift(); turn !== undefined; turn = waiting.shift()) {
      const failure = await turn.run();
      // One that was never sent says nothing about the row.
      if (!(failure instanceof UnavailableError) || failure instanceof NotBegunError) continue;
      const cause = new NotBegunError(`another write of the same row failed: ${failure.message}`);
      for (const behind of waiting.splice(0)) behind.reject(cause);
    }
    lines.delete(key);
  }

  return {
    /**
     * Runs the task when the previous ones with the same key have ended. If one of them did not get an answer, rejects
     * with `NotBegunError` without running the task: it would only wait for the same lock. So it does when the time
     * is over before the turn comes.
     */
    take<T>(key: string, task: () => Promise<T>, wait: Wait): Promise<T> {
      return new Promise((resolve, rejectTask) => {
        let takeBack = () => {};
        const reject = (cause: unknown) => {
          takeBack();
          rejectTask(cause);
        };
        const run = () => {
          takeBack();
          return task().then(
            (result) => {
              resolve(result);
              return null;
            },
            (cause: unknown) => {
              rejectTask(cause);
              return cause;
            },
          );
        };
        const turn = { run, reject };
        const line = lines.get(key);
        if (line === undefined) {
          const all = runAll(key, turn);
          running.add(all);
          void all.then(() => running.delete(all));
          return;
        }
        line.push(turn);
        takeBack = wait.onOver(() => {
          line.splice(line.indexOf(turn), 1);
          rejectTask(wait.late("other writes of the same row did not end"));
        });
      });
    },
    /** Resolves when all tasks have ended. */
    async drain(): Promise<void> {
      await Promise.all(running);
    },
  };
}
