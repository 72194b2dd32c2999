// Time that passes by the clocks of this machine that nobody sets, from the last moment at which the time was read.

import type { Clock, MachineClock } from "../lib/clock.ts";
import { type ClockReading, LEAST_SUSPEND_MS } from "../lib/clock-reading.ts";

/** The clock of this machine may differ by this much from its monotonic clock until the time is read again. */
const MAX_DRIFT_MS = 2000;
/** After a longer suspend, the clock of the machine may be wrong. */
const LONG_SUSPEND_MS = 60_000;
/** A correction by no more than this does not turn the time back: it stands still until it is right. */
const MAX_CORRECTION_MS = 30_000;

/** Starts with the clock of this machine, and with a floor of 0. */
export function createRunningTime(machine: MachineClock) {
  const machineMs = machine.milliseconds();
  const started = { monotonicMs: machine.monotonic(), bootMs: machine.boot() };
  let anchor: ClockReading = { timeMs: machineMs, machineMs, ...started };
  let floorMs = 0;
  /** The latest time that was given out. */
  let latestMs = 0;
  /** Since the start until the anchor, with suspends. */
  let passedMs = 0;
  /** The running time at the start of this process; negative if the database is younger. */
  let ranBeforeMs = Number.NEGATIVE_INFINITY;

  const elapsedMs = () => machine.monotonic() - anchor.monotonicMs;
  const passedAt = (reading: ClockReading) => passedMs + passedBetween(anchor, reading);

  /** A whole number: ids begin with it. */
  function milliseconds(): number {
    latestMs = Math.max(latestMs, Math.floor(anchor.timeMs + elapsedMs()));
    return latestMs;
  }

  return {
    clockWith: (slack: Clock["slack"]): Clock => ({
      milliseconds,
      seconds: () => Math.floor(milliseconds() / 1000),
      // Counts suspends, as far as readings have found them.
      monotonic: () => started.monotonicMs + passedMs + elapsedMs(),
      floor: () => Math.floor((floorMs + elapsedMs()) / 1000),
      slack,
    }),
    /** The running time of all nodes at a reading, in seconds. `stored` is what any node had stored last. */
    ranAt(reading: ClockReading, stored: number): number {
      ranBeforeMs = Math.max(ranBeforeMs, stored * 1000 - passedAt(reading));
      return Math.floor((ranBeforeMs + passedAt(reading)) / 1000);
    },
    hasSlept: (reading: ClockReading) =>
      passedBetween(anchor, reading) - (reading.monotonicMs - anchor.monotonicMs) > LONG_SUSPEND_MS,
    /** Whether the clock of this machine was set, or its monotonic clock stood still, since the last reading. */
    isDrifting: () =>
      Math.abs(machine.milliseconds() - anchor.machineMs - elapsedMs()) > MAX_DRIFT_MS,
    /** Goes on from this reading, and from this floor, in epoch seconds. */
    adopt(reading: ClockReading, floor: number): void {
      if (latestMs - reading.timeMs > MAX_CORRECTION_MS) latestMs = 0;
      passedMs = passedAt(reading);
      anchor = reading;
      floorMs = floor * 1000;
    },
  };
}

/** The boot clock is coarse, and leaps in some containers: it counts a suspend only as far as the machine's clock agrees. */
function passedBetween(from: ClockReading, to: ClockReading): number {
  const monotonic = to.monotonicMs - from.monotonicMs;
  const elapsed = [to.bootMs - from.bootMs, to.machineMs - from.machineMs, to.timeMs - from.timeMs];
  const asleep = Math.min(...elapsed);
  return asleep - monotonic > LEAST_SUSPEND_MS ? asleep : monotonic;
}
