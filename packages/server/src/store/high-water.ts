// The high-water time: the latest time that was certain. It outlives the process and never goes back.

import type { Sql } from "./rows.ts";

/** Times in epoch seconds. */
export interface HighWater {
  /** The latest time that was certain. 0 before the first start. */
  readonly seconds: number;
  /** How many seconds the service has run since then with a clock that was too far ahead to be certain. */
  readonly ranS: number;
  /** The time of the clock when this row was last written. */
  readonly ranAt: number;
  /** How often an operator has accepted the clock. */
  readonly accepted: number;
}

const READ = "SELECT seconds, ran_s, ran_at, accepted FROM high_water WHERE id = 1";

const REPLACE = `
  UPDATE high_water SET seconds = ?1, ran_s = ?2, ran_at = ?3
  WHERE id = 1 AND seconds = ?4 AND ran_s = ?5 AND ran_at = ?6 AND accepted = ?7 RETURNING accepted`;

const ACCEPT = `
  UPDATE high_water SET seconds = ?1, ran_s = 0, ran_at = ?1, accepted = accepted + 1
  WHERE id = 1 RETURNING accepted`;

export type HighWaterStore = ReturnType<typeof highWaterStore>;

export function highWaterStore({ first, returnsRow }: Sql) {
  return {
    async readHighWater(): Promise<HighWater> {
      const row = await first<HighWater>(READ);
      if (row === null) throw new Error("the table high_water has no row");
      return row;
    },

    /** Replaces the row if it is still as it was read. Of concurrent callers, on all nodes, one gets true. */
    replaceHighWater: (from: HighWater, to: Omit<HighWater, "accepted">) =>
      returnsRow(
        REPLACE,
        ...[to.seconds, to.ranS, to.ranAt],
        ...[from.seconds, from.ranS, from.ranAt, from.accepted],
      ),

    /** Makes this time certain, whatever was certain before, because an operator has accepted it. */
    acceptClock: (now: number) => returnsRow(ACCEPT, now),
  };
}
