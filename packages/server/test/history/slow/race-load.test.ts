// The races in full: 500 codes with 100 clients each, 500 refresh tokens with 50.

import { describe, expect, test } from "vitest";
import { postgresTests } from "../../support/postgres.ts";
import { check } from "../checker.ts";
import { withFile, withServer } from "../databases.ts";
import { type RaceOptions, raceLoad, told } from "../race-load.ts";

const FULL = {
  codes: Number(process.env.RACE_CODES ?? 500),
  clients: Number(process.env.RACE_CLIENTS ?? 100),
  refreshers: Number(process.env.RACE_REFRESHERS ?? 50),
};
/** The suite must go red, and shows that with fewer. */
const BROKEN = { codes: 50, clients: 100, refreshers: 1, broken: "generation" } as const;

async function expectDecidedOnce(options: RaceOptions): Promise<void> {
  const load = await raceLoad(options);
  const violations = check(load.operations);
  console.log(`${told(load)}\nviolations: ${violations.length}`);
  expect(violations).toEqual([]);
  expect(load.otherAnswers).toBe(0);
  // What a stalled disk held up says nothing; a machine that stalls all the time cannot run this.
  expect(load.heldUp).toBeLessThanOrEqual(options.codes / 50);
  const raced = options.codes - load.heldUp;
  expect(load.redemptions.winners).toEqual(new Map([[1, raced]]));
  expect(load.rotations.successors).toEqual(new Map([[1, raced]]));
  expect(load.aliveAfterwards).toBe(raced);
  expect(load.ended.worked).toBe(0);
}

async function expectRed(options: RaceOptions): Promise<void> {
  const load = await raceLoad(options);
  const violations = check(load.operations);
  console.log(`${told(load)}\nviolations: ${violations.length}`);
  const rules = violations.map(({ rule }) => rule);
  expect(rules.filter((rule) => rule === "at most one redemption")).toHaveLength(options.codes);
}

describe("SQLite, one process", () => {
  test("each code is redeemed once, and each refresh token has one successor, which works", () =>
    withFile((database) => expectDecidedOnce({ ...FULL, database, nodes: 1 })));
  test("without its condition the statement redeems every code again", () =>
    withFile((database) => expectRed({ ...BROKEN, database, nodes: 1 })));
});

postgresTests("PostgreSQL, three processes", () => {
  test("each code is redeemed once, and each refresh token has one successor, which works", () =>
    withServer((database) => expectDecidedOnce({ ...FULL, database, nodes: 3 })));
  test("without its condition the statement redeems every code again", () =>
    withServer((database) => expectRed({ ...BROKEN, database, nodes: 3 })));
});
