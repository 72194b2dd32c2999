// Sign-ins that are pending during an upgrade go on, on nodes of the previous release and of this one.

import { expect, test } from "vitest";
import type { ProgressAt } from "../../../src/interaction/next-step.ts";
import { postgresTests } from "../../support/postgres.ts";
import { describeUpgrades } from "../../upgrade/describe-upgrades.ts";
import { failuresOf, pendingSignIns, summary } from "../../upgrade/pending-sign-ins.ts";
import { JOURNEYS, LONG_REQUEST } from "../../upgrade/sign-in-journeys.ts";

/** All of them: the compiler says so. */
const STEPS: Readonly<Record<keyof ProgressAt, true>> = {
  "dns-setup": true,
  passkey: true,
  "dns-challenge": true,
  external: true,
  "new-passkey": true,
  "recovery-codes": true,
  news: true,
  consent: true,
  complete: true,
};

const PLANTED = ["set-up without a passkey", "a passkey"];

await describeUpgrades("a sign-in that is pending during an upgrade", (previous) => {
  postgresTests("on PostgreSQL", () => {
    test("goes on in each step, from an old node to a new one, back, and with each request elsewhere", async () => {
      const cuts = await pendingSignIns({ previous: previous() });
      console.log(summary(cuts));
      expect(failuresOf(cuts)).toEqual([]);
      for (const way of ["old, then new", "new, then old"] as const) {
        const pending = cuts.filter((cut) => cut.way === way).map(({ step }) => step);
        expect([way, ...new Set(pending)]).toEqual(expect.arrayContaining(Object.keys(STEPS)));
      }
      const confirming = { journey: "a passkey to be confirmed", step: "dns-challenge" };
      expect(cuts).toContainEqual(expect.objectContaining(confirming));
    });

    // The request is in the browser: decision 0027.
    test("goes on for a request of more than 2,048 octets, too", async () => {
      const cuts = await pendingSignIns({ previous: previous(), journeys: [LONG_REQUEST] });
      expect(cuts.length).toBeGreaterThan(0);
      expect(failuresOf(cuts)).toEqual([]);
    });

    test("does not if one kind of node would store its progress in another way, and this check says which", async () => {
      const cuts = await pendingSignIns({
        previous: previous(),
        journeys: JOURNEYS.filter(({ name }) => PLANTED.includes(name)),
        planted: "UPDATE interactions SET passkey_statement = 'of another form'",
      });
      const failures = failuresOf(cuts);
      for (const way of ["old, then new", "new, then old"]) {
        const expected = `a passkey, ${way}, pending at passkey after “enters the domain”`;
        expect(failures).toContainEqual(expect.stringContaining(expected));
      }
      expect(failures.filter((failure) => failure.startsWith("set-up"))).toEqual([]);
    });
  });
});
