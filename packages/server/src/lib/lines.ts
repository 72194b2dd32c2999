// Runs tasks with the same key one after another, so that one contended key cannot occupy every worker.

import { ContendedError, NotBegunError, UnavailableError } from "./errors.ts";
import { afterOwnTime } from "./own-time.ts";

/** Of own time. Waiting for longer does not help: the task before is stuck. */
const MAX_WAIT_MS = 2000;
const TOO_MANY = "too many requests wait for one row";

/** How long a task waits for its turn. */
export interface Patience {
  /** Calls `run` when the time is over. The result takes that back. */
  onOver(run: () => void): () => void;
  /** The error of a task whose time is over. `isStuck` if no other task of its key has begun meanwhile. */
  lateError(isStuck: boolean): NotBegunError;
}

const RULES = {
  /** How many tasks may wait for one key. */
  maxWaiting: 256,
  /** With what the waiting tasks are refused after a task has failed. Null if the next one runs. */
  refusalAfter(error: unknown): NotBegunError | null {
    // Not the error itself: what became of the task before is not what became of the waiting tasks.
    return error instanceof UnavailableError
      ? new NotBegunError(error.message, { cause: error })
      : null;
  },
};

const PATIENCE: Patience = {
  onOver: (run) => afterOwnTime(MAX_WAIT_MS, run),
  lateError: (isStuck) =>
    isStuck
      ? new NotBegunError("a request for the same row does not end")
      : new ContendedError(TOO_MANY),
};

export type Lines = ReturnType<typeof createLines>;

interface Line {
  readonly waiting: Set<Waiter>;
  /** How many tasks have begun. */
  turns: number;
  /** Called when the line has ended. */
  watchers: (() => void)[] | null;
}

interface Waiter {
  start(): void;
  refuse(reason: NotBegunError): void;
}

export function createLines({ maxWaiting, refusalAfter } = RULES) {
  const lines = new Map<string, Line>();

  async function runNow<T>(key: string, line: Line, task: () => Promise<T>): Promise<T> {
    let refusal: NotBegunError | null = null;
    try {
      return await task();
    } catch (error) {
      refusal = refusalAfter(error);
      throw error;
    } finally {
      startNext(key, line, refusal);
    }
  }

  function startNext(key: string, line: Line, refusal: NotBegunError | null): void {
    for (const waiter of line.waiting) {
      line.waiting.delete(waiter);
      if (refusal === null) {
        line.turns++;
        waiter.start();
        return;
      }
      waiter.refuse(refusal);
    }
    lines.delete(key);
    for (const ended of line.watchers ?? []) ended();
  }

  function runLater<T>(
    key: string,
    line: Line,
    task: () => Promise<T>,
    { onOver, lateError }: Patience,
  ): Promise<T> {
    const { turns } = line;
    return new Promise((resolve, reject) => {
      const cancel = onOver(() => {
        line.waiting.delete(waiter);
        reject(lateError(line.turns === turns));
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
     * Runs the task once those before it with the same key have settled. By default it rejects with `NotBegunError` if
     * the task before was unavailable or takes longer than two seconds, and with `ContendedError` if too many wait; then
     * the task never starts.
     */
    run<T>(key: string, task: () => Promise<T>, patience = PATIENCE): Promise<T> {
      const line = lines.get(key);
      if (line === undefined) {
        const own: Line = { waiting: new Set(), turns: 1, watchers: null };
        lines.set(key, own);
        return runNow(key, own, task);
      }
      if (line.waiting.size >= maxWaiting) return Promise.reject(new ContendedError(TOO_MANY));
      return runLater(key, line, task, patience);
    },
    /** Resolves when the lines that are there now have ended. */
    async drain(): Promise<void> {
      const ends = Array.from(lines.values(), (line) => {
        line.watchers ??= [];
        return new Promise<void>((resolve) => line.watchers?.push(resolve));
      });
      await Promise.all(ends);
    },
  };
}
