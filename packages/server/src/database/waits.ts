// How long statements wait, in the own time of this process.

import { NotBegunError } from "../lib/errors.ts";
import { createOwnTimers } from "../lib/own-time.ts";

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
    /** No time is over any more. */
    stop,
  };
}

/** The wait that is over last. */
export function lastOf(waits: readonly Wait[]): Wait | null {
  let last: Wait | null = null;
  for (const wait of waits) if (last === null || wait.steps() > last.steps()) last = wait;
  return last;
}
