// The kills of a node that issues grants, in full.

import { describe, expect, test } from "vitest";
import { postgresTests } from "../../support/postgres.ts";
import { withFile, withServer } from "../databases.ts";
import { issueCrashLoad } from "../issue-crash.ts";

const KILLS = Number(process.env.CRASH_KILLS ?? 100);
/** The check must go red, and shows that with fewer. */
const BROKEN = { kills: 5, broken: "joined" } as const;

async function expectWhole(database: string): Promise<void> {
  const { violations, ...load } = await issueCrashLoad({ database, kills: KILLS });
  console.log(`${JSON.stringify(load)}\nviolations: ${violations.length}`);
  expect(violations).toEqual([]);
  expect(load.otherAnswers).toEqual([]);
  expect(load.acknowledged).toBeGreaterThan(KILLS);
  expect(load.cutOff).toBeGreaterThan(KILLS);
}

async function expectHalves(database: string): Promise<void> {
  const { violations } = await issueCrashLoad({ database, ...BROKEN });
  console.log(`halves: ${violations.length}, such as ${violations[0]}`);
  expect(violations.join()).toContain("of no grant");
}

describe("SQLite", () => {
  test(`after ${KILLS} kills every grant has all that was stored with it`, () =>
    withFile(expectWhole));
  test("half of a grant is found if its writes do not commit together", () =>
    withFile(expectHalves));
});

postgresTests("PostgreSQL", () => {
  test(`after ${KILLS} kills every grant has all that was stored with it`, () =>
    withServer(expectWhole));
  test("half of a grant is found if its writes do not commit together", () =>
    withServer(expectHalves));
});
