// The kills in full: 100 of them, and mostly an answer within two seconds.

import { expect, test } from "vitest";
import { check } from "../checker.ts";
import { crashLoad, told } from "../crash.ts";

const KILLS = Number(process.env.CRASH_KILLS ?? 100);

test(`after ${KILLS} kills under load nothing acknowledged is lost, and restarts are quick`, async () => {
  const load = await crashLoad({ kills: KILLS });
  const violations = check(load.operations);
  console.log(`${told(load)}\nviolations: ${violations.length}`);
  expect(violations).toEqual([]);
  expect(load.restarts).toHaveLength(KILLS);
  // Not the longest: another process may have had the processor.
  expect(load.restarts.toSorted((one, other) => one - other)[KILLS >> 1]).toBeLessThan(2000);
  expect(load.cutOff).toBeGreaterThan(KILLS);
  expect(load.serverErrors).toBe(0);
});
