// How long statements, commands and starts wait, in the own time of this process.

import { setTimeout as sleep } from "node:timers/promises";
import { NotBegunError, UnknownOutcomeError } from "../lib/errors.ts";
import { createOwnTimers, OWN_STEP_MS } from "../lib/own-time.ts";
import type { OnWait } from "./engine.ts";

const REPORTED_EVERY_S = 10;
/** Before a task is run again. */
const PAUSE_MS = 500;

/** The time that a statement may wait before it begins. */
export interface Wait {
  readonly limitMs: number;
  /** How many steps are left. */
  steps(): number;
  isOver(): boolean;
  /** Calls `run` when the time is over, but not if it is over already. The result takes that back. */
  onOver(run: () => void): () => void;
  /** From now on, the time does not pass. */
  end(): void;
  /** Ends the wait, because the statement begins. False if the time is over, and the statement must not begin. */
  begin(): boolean;
  /** The wait itself before the statement has begun. Otherwise a new one, for a statement that had no effect. */
  again(): Wait;
  /** `what` did not happen in time. */
  late(what: string): NotBegunError;
}

export interface Settle<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
}

export type Waits = ReturnType<typeof createWaits>;

/** `outage` is why no statement can begin at present, or null. */
export function createWaits(outage: () => Error | null) {
  const { start, cancel, stop } = createOwnTimers();

  function of(limitMs: number): Wait {
    let callbacks: Set<() => void> | null = null;
    let hasBegun = false;
    const timer = start(limitMs, () => {
      for (const run of callbacks ?? []) run();
    });
    const wait: Wait = {
      limitMs,
      steps: () => timer.left,
      isOver: () => timer.left <= 0,
      onOver(run) {
        callbacks ??= new Set();
        const all = callbacks.add(run);
        return () => void all.delete(run);
      },
      end: () => cancel(timer),
      begin() {
        if (timer.left <= 0) return false;
        hasBegun = true;
        cancel(timer);
        return true;
      },
      again: () => (hasBegun ? of(limitMs) : wait),
      late(what) {
        const cause = outage();
        if (cause !== null) return new NotBegunError(cause.message, { cause });
        return new NotBegunError(`${what} within ${limitMs} ms`);
      },
    };
    return wait;
  }

  return {
    of,
    /** Calls `run` after so many milliseconds, or up to a step later. The result takes that back. */
    after(milliseconds: number, run: () => void): () => void {
      const timer = start(milliseconds, run);
      return () => cancel(timer);
    },
    /** From now on, no wait ends. */
    stop,
  };
}

/** Is one of the `waiters` until one of them settles it, or rejects when the time is over. `begin` is called meanwhile. */
export function settledWithin<T>(
  wait: Wait,
  what: string,
  waiters: Set<Settle<T>>,
  begin: (waiter: Settle<T>) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (wait.isOver()) return reject(wait.late(what));
    const waiter: Settle<T> = {
      resolve(value) {
        end();
        resolve(value);
      },
      reject(error) {
        end();
        reject(error);
      },
    };
    const takeBack = wait.onOver(() => waiter.reject(wait.late(what)));
    waiters.add(waiter);
    begin(waiter);
    function end(): void {
      takeBack();
      waiters.delete(waiter);
    }
  });
}

/** The wait that is over last. */
export function lastOf(waits: readonly Wait[]): Wait | null {
  let last: Wait | null = null;
  for (const wait of waits) if (last === null || wait.steps() > last.steps()) last = wait;
  return last;
}

/** Runs the task, and passes on what it waits for after each ten seconds. */
export async function whileWaiting<T>(
  what: () => string,
  onWait: OnWait | undefined,
  task: () => Promise<T>,
): Promise<T> {
  let steps = 0;
  const timer = setInterval(() => {
    steps++;
    const seconds = (steps * OWN_STEP_MS) / 1000;
    if (seconds % REPORTED_EVERY_S === 0) onWait?.(what(), seconds);
  }, OWN_STEP_MS);
  try {
    return await task();
  } finally {
    clearInterval(timer);
  }
}

/** Runs a task that changes nothing, again as long as its answer is lost. */
export async function asLongAsItTakes<T>(task: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await task();
    } catch (cause) {
      if (!(cause instanceof UnknownOutcomeError)) throw cause;
    }
    await sleep(PAUSE_MS);
  }
}
