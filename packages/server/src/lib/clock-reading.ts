// What the clocks say at one moment: those of this machine, and that of the database.

import type { MachineClock } from "./clock.ts";

/** A longer difference between clocks that count suspends and clocks that do not is a suspend. */
export const LEAST_SUSPEND_MS = 1000;

/** What was read at one moment, in milliseconds; the first two since the epoch. */
export interface ClockReading {
  readonly timeMs: number;
  readonly machineMs: number;
  readonly monotonicMs: number;
  readonly bootMs: number;
}

/** `databaseNow` is the time of the database, in epoch milliseconds; null if it has no clock of its own. */
export async function readTime(deps: {
  readonly machine: MachineClock;
  readonly databaseNow: (() => Promise<number>) | null;
}): Promise<ClockReading> {
  const { machine, databaseNow } = deps;
  for (let tries = 1; ; tries++) {
    const before = { monotonicMs: machine.monotonic(), bootMs: machine.boot() };
    const databaseMs = await databaseNow?.();
    const after = { monotonicMs: machine.monotonic(), bootMs: machine.boot() };
    const awakeMs = after.monotonicMs - before.monotonicMs;
    // The machine was suspended meanwhile, and nobody knows whether before or after the answer.
    const asleepMs = after.bootMs - before.bootMs - awakeMs;
    if (databaseMs !== undefined && asleepMs > LEAST_SUSPEND_MS && tries < 3) continue;
    const machineMs = machine.milliseconds();
    const bootMs = after.bootMs - awakeMs / 2;
    const monotonicMs = after.monotonicMs - awakeMs / 2;
    return { timeMs: databaseMs ?? machineMs, machineMs, monotonicMs, bootMs };
  }
}
