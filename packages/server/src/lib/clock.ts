// The clock: the only place that reads the time, so that tests can move it.

import { uptime } from "node:os";

/** For windows and caches of this process. */
export interface MonotonicClock {
  /** Milliseconds since an arbitrary moment. Never goes back. */
  monotonic(): number;
}

export interface Clock extends MonotonicClock {
  /** Whole seconds since the epoch; the unit of all stored times. */
  seconds(): number;
  /** Milliseconds since the epoch. */
  milliseconds(): number;
  /** Whole seconds since the epoch: the newest time that is proven. What is deleted, ended or rotated goes by it. */
  floor(): number;
  /**
   * By how many seconds the clock may be ahead, for a row that was stored at the time `since`: above 0 if it has jumped
   * ahead after that, without a witness. A lifetime that ended within the last so many seconds may not be over.
   */
  slack(since: number): number;
}

/** The clock of a machine. Nothing proves that it is right. */
export interface MachineClock extends Clock {
  /** Like `monotonic`, but includes the time of suspends, if the system counts them. */
  boot(): number;
}

/** A clock over any source of milliseconds, such as `() => Date.now() + offset`. */
export function clockFrom(
  milliseconds: () => number,
  monotonic = milliseconds,
  boot = monotonic,
): MachineClock {
  const seconds = () => Math.floor(milliseconds() / 1000);
  return { milliseconds, seconds, monotonic, floor: seconds, slack: () => 0, boot };
}

const elapsed = () => performance.now();
/** On Linux, this is the boot clock, which counts suspends. Elsewhere only a witness tells of them. */
const bootTime = process.platform === "linux" ? () => uptime() * 1000 : elapsed;

export const systemClock: MachineClock = clockFrom(Date.now, elapsed, bootTime);
