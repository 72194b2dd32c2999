// Limits for waiting that count only the time in which this process ran. A busy or suspended machine stops this process
// too, and a clock would count that time against what the process waits for.

/** Milliseconds. However long the process was stopped, that counts as one step. */
export const OWN_STEP_MS = 100;

/** The number of steps in this time, at least one. `Infinity` is allowed. */
export function stepsIn(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / OWN_STEP_MS));
}

/** Calls `task` after the time, in milliseconds; never for `Infinity`. Returns a function that cancels the call. */
export function afterOwnTime(milliseconds: number, task: () => void): () => void {
  const timers = createOwnTimers();
  timers.start(milliseconds, () => {
    timers.stop();
    task();
  });
  return timers.stop;
}

/** Settles as the promise does, or resolves to null after the time. */
export function withinOwnTime<T>(milliseconds: number, promise: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const cancel = afterOwnTime(milliseconds, () => resolve(null));
    promise.then(resolve, reject).finally(cancel);
  });
}

interface OwnTimer {
  /** Steps. */
  left: number;
  readonly run: () => void;
  /** Null outside of the list. */
  previous: OwnTimer | null;
  next: OwnTimer | null;
}

/**
 * Timers that count steps, for many waits at once. They are a linked list, because there is a timer for each write, and
 * entries of a `Set` would survive several garbage collections.
 */
export function createOwnTimers() {
  const head: OwnTimer = { left: 0, run() {}, previous: null, next: null };
  let ticker: NodeJS.Timeout | undefined;

  function halt(): void {
    clearInterval(ticker);
    ticker = undefined;
  }

  function cancel(timer: OwnTimer): void {
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
    const due: OwnTimer[] = [];
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
    start(milliseconds: number, run: () => void): OwnTimer {
      // A step that has already begun is not a whole one.
      const begun = ticker === undefined ? 0 : 1;
      const left = Math.ceil(milliseconds / OWN_STEP_MS) + begun;
      const timer: OwnTimer = { left, run, previous: null, next: null };
      if (milliseconds === Number.POSITIVE_INFINITY) return timer;
      timer.previous = head;
      timer.next = head.next;
      if (head.next !== null) head.next.previous = timer;
      head.next = timer;
      ticker ??= setInterval(step, OWN_STEP_MS);
      return timer;
    },
    cancel,
    stop(): void {
      while (head.next !== null) cancel(head.next);
      halt();
    },
  };
}
