// Runs tasks with the same key one after another, so that one contended key cannot occupy every worker.

import { ContendedError, NotBegunError, UnavailableError } from "./errors.ts";
import { afterOwnTime } from "./own-time.ts";

/** Of own time. Waiting for longer does not help: the task before is stuck. */
const MAX_WAIT_MS = 2000;
const MAX_WAITING = 256;
const TOO_MANY = "too many requests wait for one row";

export type Lines = ReturnType<typeof createLines>;

interface Line {
  readonly waiting: Set<Waiter>;
  /** How many tasks have begun. */
  turns: number;
  /** Why a task failed: the waiting tasks would fail in the same way. */
  outage: UnavailableError | null;
}

interface Waiter {
  start(): void;
  refuse(reason: NotBegunError): void;
}

export function createLines() {
  const lines = new Map<string, Line>();

  async function runNow<T>(key: string, line: Line, task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      if (error instanceof UnavailableError) line.outage = error;
      throw error;
    } finally {
      startNext(key, line);
    }
  }

  function startNext(key: string, line: Line): void {
    const { waiting, outage } = line;
    for (const waiter of waiting) {
      waiting.delete(waiter);
      if (outage === null) {
        line.turns++;
        waiter.start();
        return;
      }
      // Not the error itself: what became of the task before is not what became of this one.
      waiter.refuse(new NotBegunError(outage.message, { cause: outage }));
    }
    lines.delete(key);
  }

  function runLater<T>(key: string, line: Line, task: () => Promise<T>): Promise<T> {
    const { turns } = line;
    return new Promise((resolve, reject) => {
      const cancel = afterOwnTime(MAX_WAIT_MS, () => {
        line.waiting.delete(waiter);
        const isStuck = line.turns === turns;
        reject(
          isStuck
            ? new NotBegunError("a request for the same row does not end")
            : new ContendedError(TOO_MANY),
        );
      });
      const waiter: Waiter = {
        start() {
          cancel();
          resolve(runNow(key, line, task));
        },
        refuse(reason) {
          cancel();
          reject(reason);
        },
      };
      line.waiting.add(waiter);
    });
  }

  return {
    /**
     * Runs the task once those before it with the same key have settled. Rejects with `NotBegunError` if the task before
     * was unavailable or takes longer than two seconds, and with `ContendedError` if too many wait; then it never starts.
     */
    run<T>(key: string, task: () => Promise<T>): Promise<T> {
      const line = lines.get(key);
      if (line === undefined) {
        const own: Line = { waiting: new Set(), turns: 1, outage: null };
        lines.set(key, own);
        return runNow(key, own, task);
      }
      if (line.waiting.size >= MAX_WAITING) {
        return Promise.reject(new ContendedError(TOO_MANY));
      }
      return runLater(key, line, task);
    },
  };
}
