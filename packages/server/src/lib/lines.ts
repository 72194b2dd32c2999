// Runs tasks with the same key one after another, so that one contended key cannot occupy every worker.

import { UnavailableError } from "./errors.ts";

/** Waiting for longer does not help: the task before is stuck. */
const MAX_WAIT_MS = 2000;
const MAX_WAITING = 256;

export type Lines = ReturnType<typeof createLines>;

interface Line {
  tail: Promise<unknown>;
  length: number;
  /** Why the task before failed: those behind it would find the same. */
  outage: UnavailableError | null;
}

export function createLines() {
  const lines = new Map<string, Line>();

  return {
    /**
     * Runs the task once those before it with the same key have settled. Rejects with `UnavailableError` if many
     * wait already, if the task before was unavailable, or if it did not start within two seconds; then it never starts.
     */
    async run<T>(key: string, task: () => Promise<T>): Promise<T> {
      const line = lines.get(key) ?? { tail: Promise.resolve(), length: 0, outage: null };
      if (line.length > MAX_WAITING)
        throw new UnavailableError("too many requests wait for one row");
      const isFirst = line.length === 0;
      line.length++;
      lines.set(key, line);
      const before = line.tail;
      const result = isFirst ? task() : afterwards(before, line, task);
      // The next one starts when the task has ended, also if this caller has stopped waiting for its turn.
      line.tail = Promise.allSettled([before, result]);
      try {
        return await result;
      } catch (error) {
        if (error instanceof UnavailableError) line.outage = error;
        throw error;
      } finally {
        line.length--;
        if (line.length === 0) lines.delete(key);
      }
    },
  };
}

function afterwards<T>(before: Promise<unknown>, line: Line, task: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new UnavailableError("a request for the same row does not end"));
    }, MAX_WAIT_MS);
    void before.then(() => {
      clearTimeout(timer);
      if (isLate) return;
      if (line.outage === null) task().then(resolve, reject);
      else reject(line.outage);
    });
  });
}
