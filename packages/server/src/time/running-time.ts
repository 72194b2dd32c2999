// Time that passes by the monotonic clock, from the last moment at which the clock was read.

import type { Clock } from "../lib/clock.ts";

/** The clock of this machine may differ by this much from its monotonic clock until the time is read again. */
const MAX_DRIFT_MS = 2000;
/** A correction by no more than this does not turn the time back: it stands still until it is right. */
const MAX_CORRECTION_MS = 30_000;

/** What was read at one moment; in epoch milliseconds, but for `monotonicMs`. */
export interface Reading {
  readonly timeMs: number;
  readonly monotonicMs: number;
  /** What the clock of this machine said. */
  readonly machineMs: number;
}

export type RunningTime = ReturnType<typeof createRunningTime>;

/** Starts with the clock of this machine, of which nothing is certain. */
export function createRunningTime(machine: Clock) {
  const machineMs = machine.milliseconds();
  let anchor: Reading = { timeMs: machineMs, monotonicMs: machine.monotonic(), machineMs };
  let certainAtAnchorMs = 0;
  /** The latest time that was given out. */
  let latestMs = 0;

  const passedSince = (monotonicMs: number) => monotonicMs - anchor.monotonicMs;
  const elapsedMs = () => passedSince(machine.monotonic());

  return {
    /** A whole number: ids begin with it. */
    milliseconds(): number {
      latestMs = Math.max(latestMs, Math.floor(anchor.timeMs + elapsedMs()));
      return latestMs;
    },
    /** It is at least this late. */
    certainMs: (monotonicMs = machine.monotonic()) => certainAtAnchorMs + passedSince(monotonicMs),
    /** Whether the clock of this machine was set, or its monotonic clock stood still, since the last reading. */
    isDrifting: () =>
      Math.abs(machine.milliseconds() - anchor.machineMs - elapsedMs()) > MAX_DRIFT_MS,
    /** Goes on from this reading. */
    adopt(reading: Reading, { certainMs }: { certainMs: number }): void {
      if (latestMs - reading.timeMs > MAX_CORRECTION_MS) latestMs = 0;
      anchor = reading;
      certainAtAnchorMs = certainMs;
    },
  };
}

/** `databaseNow` is the time of the database, in epoch milliseconds; null if it has no clock of its own. */
export async function readTime(deps: {
  readonly machine: Clock;
  readonly databaseNow: (() => Promise<number>) | null;
}): Promise<Reading> {
  const { machine, databaseNow } = deps;
  const askedMs = machine.monotonic();
  const databaseMs = await databaseNow?.();
  const monotonicMs = (askedMs + machine.monotonic()) / 2;
  const machineMs = machine.milliseconds();
  return { timeMs: databaseMs ?? machineMs, machineMs, monotonicMs };
}
