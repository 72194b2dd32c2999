// Tests of what `npm run test:starved` chooses to run, and of what it says at its end.

import { expect, test } from "vitest";
import { filesOf, summarize, THIRDS, thirdOfDay } from "../../../scripts/starved/plan.mjs";

const DAY_MS = 86_400_000;
const FILES = ["b.test.ts", "d.test.ts", "a.test.ts", "c.test.ts", "e.test.ts"];

test("three days in a row run every test file once", () => {
  const now = 20_000.9 * DAY_MS;
  const days = Array.from({ length: THIRDS }, (_, day) => thirdOfDay(now + day * DAY_MS));
  expect(days.flatMap((third) => filesOf(FILES, [third])).toSorted()).toEqual(FILES.toSorted());
  expect(filesOf(FILES, days)).toEqual(FILES.toSorted());
});

test("a third is the same in whatever order its files are listed", () => {
  expect(filesOf(FILES, [1])).toEqual(["b.test.ts", "e.test.ts"]);
  expect(filesOf(FILES.toReversed(), [1])).toEqual(["b.test.ts", "e.test.ts"]);
});

test.each([
  [[{ passed: 12, failed: 0 }], "12 passed, 0 failed", 0],
  [
    [
      { passed: 11, failed: 1 },
      { passed: 2000, failed: 0 },
    ],
    "2011 passed, 1 failed",
    1,
  ],
  // A part in which nothing ran has failed, unless it was skipped.
  [
    [
      { passed: 12, failed: 0 },
      { passed: 0, failed: 0 },
    ],
    "12 passed, 1 failed",
    1,
  ],
  [
    [
      { passed: 0, failed: 0, isSkipped: true },
      { passed: 5, failed: 0 },
    ],
    "5 passed, 0 failed",
    0,
  ],
])("%j end with %j and status %i", (parts, counts, status) => {
  expect(summarize(parts)).toEqual({ line: `starved: ${counts}`, status });
});
