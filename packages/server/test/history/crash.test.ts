// The kills in small: nothing that was acknowledged is lost, and the checker sees when it is.

import { expect, test } from "vitest";
import { check } from "./checker.ts";
import { crashLoad } from "./crash.ts";

test("after a kill under load every acknowledged redemption, rotation and revocation holds", async () => {
  const load = await crashLoad({ kills: 1 });
  expect(load.restarts).toHaveLength(1);
  expect(load.operations.filter(({ outcome }) => outcome === "ok").length).toBeGreaterThan(10);
  expect(load.serverErrors).toBe(0);
  expect(check(load.operations)).toEqual([]);
});

test("a database that comes back without its last writes is found", async () => {
  const load = await crashLoad({ kills: 2, putBack: true });
  const rules = check(load.operations).map(({ rule }) => rule);
  expect(rules).toContain("nothing acknowledged is lost");
});
