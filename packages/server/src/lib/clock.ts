// The clock: the only place that reads the time, so that tests can move it.

export interface Clock {
  /** Whole seconds since the epoch, as every stored time is. */
  seconds(): number;
  /** Milliseconds since the epoch; ids begin with them. */
  milliseconds(): number;
}

/** A clock over any source of milliseconds. */
export function clockFrom(milliseconds: () => number): Clock {
  return { milliseconds, seconds: () => Math.floor(milliseconds() / 1000) };
}

export const systemClock: Clock = clockFrom(Date.now);
