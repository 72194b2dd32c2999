// The clock: the only place that reads the time, so that tests can move it.

export interface Clock {
  /** Whole seconds since the epoch; the unit of all stored times. */
  seconds(): number;
  /** Milliseconds since the epoch. */
  milliseconds(): number;
}

/** A clock over any source of milliseconds. */
export function clockFrom(milliseconds: () => number): Clock {
  return { milliseconds, seconds: () => Math.floor(milliseconds() / 1000) };
}

export const systemClock: Clock = clockFrom(Date.now);
