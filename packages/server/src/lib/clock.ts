// The clock: the only place that reads the time, so that tests can move it.

export interface Clock {
  /** Whole seconds since the epoch; the unit of all stored times. */
  seconds(): number;
  /** Milliseconds since the epoch. */
  milliseconds(): number;
  /** Milliseconds since an arbitrary moment. Never goes back: for windows and caches of this process. */
  monotonic(): number;
  /**
   * By how many seconds the clock may be ahead, for a row that was stored at the time `since`. Above 0 only if the clock
   * has jumped ahead after that. A lifetime that ended within the last so many seconds may not be over.
   */
  slack(since: number): number;
}

/**
 * A clock over any source of milliseconds.
 *
 * @example
 * const clock = clockFrom(() => Date.now() + offset);
 */
export function clockFrom(milliseconds: () => number, monotonic = milliseconds): Clock {
  return {
    milliseconds,
    seconds: () => Math.floor(milliseconds() / 1000),
    monotonic,
    slack: () => 0,
  };
}

export const systemClock: Clock = clockFrom(Date.now, () => performance.now());
