// The races in small, with real processes: they are decided once, and the checker sees when not.

import { describe, expect, test } from "vitest";
import { postgresTests } from "../support/postgres.ts";
import { check } from "./checker.ts";
import { withFile, withServer } from "./databases.ts";
import { type RaceOptions, raceLoad } from "./race-load.ts";

const SMALL = { codes: 4, clients: 12, refreshers: 6 };

async function expectDecidedOnce(options: RaceOptions): Promise<void> {
  const load = await raceLoad(options);
  const { codes, clients, refreshers, nodes } = options;
  expect(load.redemptions).toMatchObject({
    ...{ winners: new Map([[1, codes]]), requests: codes * clients },
  });
  expect(load.rotations).toMatchObject({
    ...{ successors: new Map([[1, codes]]), winners: new Map([[refreshers, codes]]) },
  });
  expect(load).toMatchObject({ aliveAfterwards: codes, otherAnswers: 0 });
  expect(load.ended).toEqual({ presented: (codes / 2) * nodes * 3, worked: 0 });
  expect(check(load.operations)).toEqual([]);
}

describe("SQLite, one process", () => {
  test("each code is redeemed once, and each refresh token has one successor, which works", () =>
    withFile((database) => expectDecidedOnce({ ...SMALL, database, nodes: 1 })));

  test("without its condition the statement redeems codes again, and the checker says so", () =>
    withFile(async (database) => {
      const load = await raceLoad({ ...SMALL, database, nodes: 1, broken: "generation" });
      expect([...load.redemptions.winners.keys()].every((winners) => winners > 1)).toBe(true);
      const rules = check(load.operations).map(({ rule }) => rule);
      expect(rules.filter((rule) => rule === "at most one redemption")).toHaveLength(SMALL.codes);
    }));
});

postgresTests("PostgreSQL, two processes", () => {
  test("each code is redeemed once, and each refresh token has one successor, which works", () =>
    withServer((database) => expectDecidedOnce({ ...SMALL, database, nodes: 2 })));
});
