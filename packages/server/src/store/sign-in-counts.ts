// The sign-ins that were finished from a network in the last days, from which its weight follows.

import type { SqlValue } from "../database/engine.ts";
import type { Sql } from "../database/rows.ts";

export interface SignInCount {
  /** A MAC of the network: the table names no address. */
  readonly mac: string;
  /** Epoch seconds of the beginning of the day, in UTC. */
  readonly day: number;
  readonly count: number;
}

const COLUMNS = ["mac", "day", "count"] as const;

const READ = `
  SELECT ${COLUMNS.join(", ")} FROM network_weights WHERE day >= ?1 AND mac IN (
    SELECT mac FROM network_weights WHERE day >= ?1
    GROUP BY mac ORDER BY sum(count) DESC, mac LIMIT CAST(?2 AS BIGINT))`;

export type SignInCountStore = ReturnType<typeof signInCountStore>;

export function signInCountStore({ run, all }: Sql) {
  return {
    /** Adds to what is stored of the same networks and days, in one statement. Of concurrent callers, no count is lost. */
    async addSignIns(counts: readonly SignInCount[]): Promise<void> {
      if (counts.length === 0) return;
      // All callers lock the rows in one order, so that no two wait for each other.
      const sorted = [...counts].sort((a, b) => (a.mac < b.mac ? -1 : 1));
      const values = sorted.map((_, row) => {
        const numbers = COLUMNS.map((_, column) => `?${row * COLUMNS.length + column + 1}`);
        return `(${numbers.join(", ")})`;
      });
      await run(
        `INSERT INTO network_weights (${COLUMNS.join(", ")}) VALUES ${values.join(", ")}
         ON CONFLICT (mac, day) DO UPDATE SET count = network_weights.count + excluded.count`,
        ...sorted.flatMap(({ mac, day, count }): SqlValue[] => [mac, day, count]),
      );
    },

    /** Those since `day` of the networks with the most sign-ins, of `most` networks. */
    readSignIns: (day: number, most: number) => all<SignInCount>(READ, day, most),
  };
}
