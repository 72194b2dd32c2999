// Tests that start whole programs: `npm test` has one of each kind, `npm run test:programs` has all.

import { describe, test } from "vitest";

/** Whether this run has all of these tests. */
export const hasAllPrograms = process.env.WHOLE_PROGRAMS === "all";

/** Registers nothing: what `npm test` leaves out must not count as skipped. */
const leftOut = Object.assign(() => {}, { each: () => () => {} });

/** `test` for all but one test of a kind. */
export const programTest = hasAllPrograms ? test : (leftOut as unknown as typeof test);

/** `describe` for a group of such tests. */
export const programTests = hasAllPrograms ? describe : (leftOut as unknown as typeof describe);
