// The floor: the newest time that is proven. It outlives the process and never goes back by itself.

import type { Sql } from "../database/rows.ts";

/** The clock went ahead, and no witness has said yet that it is right. */
export interface Jump {
  /** The running time at which it was found, in seconds. */
  readonly ran: number;
  /** The time of the clock then, in epoch seconds. What was stored before is from before the jump. */
  readonly at: number;
  readonly seconds: number;
  /** Whether the DNS root has contradicted the clock since then: then running time says nothing for the jump. */
  readonly isRefuted: boolean;
}

/** Times in epoch seconds, running time in seconds. */
export interface Floor {
  /** The floor. 0 before the first start. */
  readonly seconds: number;
  /** The running time when this was written: how long the service has run, on all nodes and in all starts together. */
  readonly ran: number;
  /** The running time until which nothing is deleted or ended, because a jump was believed. */
  readonly quietUntil: number;
  /** The jumps that are not believed yet, in order. */
  readonly jumps: readonly Jump[];
  /** How often an operator has accepted the clock. */
  readonly accepted: number;
}

/** What a step stores. */
export type NewFloor = Omit<Floor, "accepted">;

const READ = "SELECT seconds, ran_s, quiet_until, jumps, accepted FROM time_floor WHERE id = 1";

const REPLACE = `
  UPDATE time_floor SET seconds = ?1, ran_s = ?2, quiet_until = ?3, jumps = ?4
  WHERE id = 1 AND seconds = ?5 AND ran_s = ?6 AND quiet_until = ?7 AND jumps = ?8 AND accepted = ?9
  RETURNING accepted`;

const ACCEPT = `
  UPDATE time_floor SET seconds = ?1, quiet_until = 0, jumps = '[]', accepted = accepted + 1
  WHERE id = 1 RETURNING accepted`;

/** The running time now, as SQL: at most ten seconds old. For rows that are removed by it, whatever the clock says. */
export const RAN_S = "(SELECT ran_s FROM time_floor WHERE id = 1)";

export type FloorStore = ReturnType<typeof floorStore>;

export function floorStore({ rows, returnsRow }: Sql) {
  return {
    async readFloor(): Promise<Floor> {
      const [row] = await rows(READ);
      if (row === undefined) throw new Error("the table time_floor has no row");
      return {
        ...{ seconds: Number(row.seconds), ran: Number(row.ran_s) },
        ...{ quietUntil: Number(row.quiet_until), accepted: Number(row.accepted) },
        jumps: jumpsOf(String(row.jumps)),
      };
    },

    /** Replaces the row if it is still as it was read. Of concurrent callers, on all nodes, one gets true. */
    replaceFloor: (from: Floor, to: NewFloor) =>
      returnsRow(REPLACE, ...valuesOf(to), ...valuesOf(from), from.accepted),

    /** Makes this time the floor, and believes each jump, because an operator has accepted the clock. */
    acceptClock: (now: number) => returnsRow(ACCEPT, now),
  };
}

function valuesOf({ seconds, ran, quietUntil, jumps }: NewFloor) {
  const listed = jumps.map(({ ran, at, seconds, isRefuted }) => [ran, at, seconds, isRefuted]);
  return [seconds, ran, quietUntil, JSON.stringify(listed)] as const;
}

function jumpsOf(text: string): readonly Jump[] {
  const listed = JSON.parse(text) as [number, number, number, boolean][];
  return listed.map(([ran, at, seconds, isRefuted]) => ({ ran, at, seconds, isRefuted }));
}
