// Limits for waiting that count only time in which this process itself ran.
//
// A machine that is busy, suspended or short of processor time stops this process too. By a clock, that time would
// count against whatever the process waits for, although nobody was slow but the process itself.

/** Milliseconds. However long the process was stopped, that counts as one step. */
export const OWN_STEP_MS = 100;

/** The number of steps in this time, at least one. `Infinity` is allowed. */
export function stepsIn(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / OWN_STEP_MS));
}

/**
 * Calls `task` after the time, in milliseconds; never for `Infinity`. Returns a function that cancels the call.
 *
 * @example
 * const cancel = afterOwnTime(2000, () => reject(new UnavailableError("no answer within 2 s")));
 */
export function afterOwnTime(milliseconds: number, task: () => void): () => void {
  if (milliseconds === Number.POSITIVE_INFINITY) return () => {};
  let left = stepsIn(milliseconds);
  let isOver = false;
  const timer = setInterval(() => {
    left--;
    if (left > 0) return;
    clearInterval(timer);
    // Deferred, so that an answer counts that has arrived while the process was stopped.
    setImmediate(() => {
      if (!isOver) task();
    });
  }, OWN_STEP_MS);
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}

/** Settles as the promise does, or resolves to null after the time. */
export function withinOwnTime<T>(milliseconds: number, promise: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const cancel = afterOwnTime(milliseconds, () => resolve(null));
    promise.then(resolve, reject).finally(cancel);
  });
}
