// The time for a command, which may run beside the service. It is read once, and the floor is not moved on.

import type { MachineClock } from "../lib/clock.ts";
import { readTime } from "../lib/clock-reading.ts";
import { OperatorError } from "../lib/errors.ts";
import type { FloorStore } from "../store/floor.ts";
import { createRunningTime } from "../time/running-time.ts";
import { judge, reasonOf } from "../time/time-verdict.ts";

/** Until `read` has resolved, its clock is that of this machine. */
export function createTimeReader(deps: {
  readonly store: Pick<FloorStore, "readFloor">;
  readonly machine: MachineClock;
  readonly databaseNow: (() => Promise<number>) | null;
}) {
  const running = createRunningTime(deps.machine);
  return {
    clock: running.clockWith(() => 0),
    /** Rejects with `OperatorError` if the clock cannot be used: what the command stores would be dated wrongly. */
    async read(): Promise<void> {
      const reading = await readTime(deps);
      const now = Math.floor(reading.timeMs / 1000);
      const row = await deps.store.readFloor();
      const unknown = { witness: null, certainSince: null, hasPublicRoot: true };
      const judged = judge(row, { now, ran: row.ran, ...unknown });
      if (judged.isHeld) throw new OperatorError(reasonOf(judged, now, null));
      running.adopt(reading, judged.floor.seconds);
    },
  };
}
