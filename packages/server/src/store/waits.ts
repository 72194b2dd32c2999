// How long statements wait. Time is counted in steps: while this process is blocked or stopped, one step passes.

import { NotBegunError } from "../lib/errors.ts";

/** Milliseconds. */
const STEP = 100;

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

interface Timer {
  /** Steps. */
  left: number;
  readonly run: () => void;
  /** Null outside of the list. */
  previous: Timer | null;
  next: Timer | null;
}

/** `outage` is why no statement can begin at present, or null. */
export function createWaits(outage: () => Error | null) {
  const { start, cancel, stop } = createTimers();

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

/**
 * Timers that count steps. They are a linked list, because each write has one: the garbage collector would keep what was
 * in a set for long.
 */
function createTimers() {
  const head: Timer = { left: 0, run() {}, previous: null, next: null };
  let ticker: NodeJS.Timeout | undefined;

  function halt(): void {
    clearInterval(ticker);
    ticker = undefined;
  }

  function cancel(timer: Timer): void {
    const { previous, next } = timer;
    if (previous === null) return;
    previous.next = next;
    if (next !== null) next.previous = previous;
    timer.previous = null;
    timer.next = null;
  }

  function step(): void {
    if (head.next === null) halt();
    // Deferred, so that an answer that has already arrived is read first.
    else setImmediate(count);
  }

  function count(): void {
    const due: Timer[] = [];
    for (let timer = head.next; timer !== null; timer = timer.next) {
      timer.left--;
      if (timer.left <= 0) due.push(timer);
    }
    for (const timer of due.reverse()) {
      // What runs may cancel others.
      if (timer.previous === null) continue;
      cancel(timer);
      timer.run();
    }
  }

  return {
    start(milliseconds: number, run: () => void): Timer {
      // A step that has already begun is not a whole one.
      const begun = ticker === undefined ? 0 : 1;
      const left = Math.ceil(milliseconds / STEP) + begun;
      const timer: Timer = { left, run, previous: null, next: null };
      if (milliseconds === Number.POSITIVE_INFINITY) return timer;
      timer.previous = head;
      timer.next = head.next;
      if (head.next !== null) head.next.previous = timer;
      head.next = timer;
      ticker ??= setInterval(step, STEP);
      return timer;
    },
    cancel,
    stop(): void {
      while (head.next !== null) cancel(head.next);
      halt();
    },
  };
}
