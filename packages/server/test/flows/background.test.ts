// The work that nobody asks for goes on in a running service, and ends with it.

import { expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import { heldSleep } from "../support/held-sleep.ts";
import { startTestService } from "../support/service.ts";

const held = heldSleep();
const at = flow({ start: () => startTestService({ sleep: held.sleep }) });

const WALK = 61_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/** Ends the waits of that length, and then the short ones between the steps that follow. */
const pass = (length: number) =>
  held.end((milliseconds) => milliseconds <= 1000 || milliseconds === length);

test("every minute accounts that are due are looked at, and what has ended is removed", async () => {
  await at.signIn();
  at.replaceRecord(null);
  at.advance(40 * 86_400);

  expect(await at.dump()).toContain('"asleep_since":null');
  await expect.poll(() => pass(WALK).then(() => at.dump())).not.toContain('"asleep_since":null');

  const before = at.statements.filter((sql) => sql.startsWith("DELETE FROM grants")).length;
  await expect
    .poll(async () => {
      await pass(MINUTE);
      return at.statements.filter((sql) => sql.startsWith("DELETE FROM grants")).length;
    })
    .toBeGreaterThan(before);
  expect(at.events.filter((event) => event.startsWith("failed"))).toEqual([]);
});

test("every hour, domains that are no longer signed get their second look", async () => {
  const looks = () =>
    at.statements.filter((sql) => sql.includes("secure_domains WHERE unsigned_at"));
  expect(looks()).toEqual([]);
  await expect.poll(() => pass(HOUR).then(() => looks().length)).toBeGreaterThan(0);
  expect(at.events.filter((event) => event.startsWith("failed"))).toEqual([]);
});
