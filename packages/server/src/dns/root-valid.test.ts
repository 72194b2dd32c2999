// Tests of the root's signatures as evidence of the time: they are valid only for days around the present.

import { expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { startValidatorWorld } from "../../test/support/validator-world.ts";
import { createValidator, isRootValid } from "./validator.ts";

const DAY = 86_400;

const world = fixture(() => startValidatorWorld([]));

/** Of a node whose clock is so many seconds ahead. */
function at(ahead: number) {
  const { query, now, trustAnchors } = world;
  return createValidator({ query, now: () => now() + ahead, trustAnchors });
}
const silent = createValidator({
  query: async () => ({ outcome: "failed", reason: "timeout" }),
  now: () => world.now(),
});

test.each([
  ["now", 0, true],
  ["40 days ahead", 40 * DAY, false],
  ["a year ahead", 366 * DAY, false],
  ["40 days behind", -40 * DAY, false],
])("the signatures of the root are valid %s: %s s make it %s", async (_, ahead, isValid) => {
  expect(await isRootValid([at(ahead)])).toBe(isValid);
});

test("two resolvers must show it, if there are two; what does not answer shows nothing", async () => {
  expect(await isRootValid([at(0), silent])).toBe(false);
  expect(await isRootValid([at(0), silent, at(0)])).toBe(true);
  expect(await isRootValid([at(0), at(40 * DAY)])).toBe(false);
  expect(await isRootValid([silent])).toBe(false);
});
