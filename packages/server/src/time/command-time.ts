// The time for a command, which may run beside the service. It is read once, and the high-water time is not changed.

import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { HighWaterStore } from "../store/high-water.ts";
import { judge } from "./certainty.ts";
import { createRunningTime, readTime } from "./running-time.ts";

/** For the operator, if a command runs while the clock is behind. */
export function behindMessage(seconds: number): string {
  return `the clock is ${seconds} s behind the latest certain time: correct it, or run domain-signin clock accept`;
}

/** Until `read` has resolved, its clock is that of this machine. */
export function createTimeReader(deps: {
  readonly store: Pick<HighWaterStore, "readHighWater">;
  readonly machine: Clock;
  readonly databaseNow: (() => Promise<number>) | null;
}) {
  const running = createRunningTime(deps.machine);
  const clock: Clock = {
    milliseconds: running.milliseconds,
    seconds: () => Math.floor(running.milliseconds() / 1000),
    monotonic: deps.machine.monotonic,
    slack: () => 0,
  };
  return {
    clock,
    /** Rejects with `OperatorError` if the clock is behind: what the command stores would be dated wrongly. */
    async read(): Promise<void> {
      const reading = await readTime(deps);
      const now = Math.floor(reading.timeMs / 1000);
      const row = await deps.store.readHighWater();
      const { standing, certainS } = judge(row, { now, ranTo: 0, isRootValid: false });
      if (standing === "behind") throw new OperatorError(behindMessage(certainS - now));
      running.adopt(reading, { certainMs: certainS * 1000 });
    },
  };
}
