// Sign-ins that are pending during an upgrade go on, on nodes of the previous release and of this one.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProgressAt } from "../../../src/interaction/next-step.ts";
import { postgresTests } from "../../support/postgres.ts";
import { failuresOf, pendingSignIns, told } from "../../upgrade/pending-sign-ins.ts";
import { buildPrevious, previousMissing } from "../../upgrade/previous-build.ts";

const BUILD_LIMIT_MS = 280_000;

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

const missing = await previousMissing();
// A skip that nobody reads would let a release out untested.
if (missing !== null && process.env.CI === "true") throw new Error(missing);
if (missing !== null) {
  console.error(`SKIPPED: sign-ins that are pending during an upgrade: ${missing}`);
}

describe.skipIf(missing !== null)("a sign-in that is pending during an upgrade", () => {
  let folder: string;
  let previous: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "domain-signin-previous-"));
    previous = await buildPrevious(folder);
  }, BUILD_LIMIT_MS);
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await rm(`${folder}.tar`, { force: true });
  });

  postgresTests("on PostgreSQL", () => {
    test("goes on in each step, from an old node to a new one, back, and with each request elsewhere", async () => {
      const cuts = await pendingSignIns({ previous });
      console.log(told(cuts));
      expect(failuresOf(cuts)).toEqual([]);
      for (const way of ["old, then new", "new, then old"] as const) {
        const pending = cuts.filter((cut) => cut.way === way).map(({ step }) => step);
        expect([way, ...new Set(pending)]).toEqual(expect.arrayContaining(Object.keys(STEPS)));
      }
      // Only a new node begins a challenge that confirms a passkey.
      const confirming = { journey: "a passkey to be confirmed", step: "dns-challenge" };
      expect(cuts).toContainEqual(expect.objectContaining(confirming));
    });

    test("does not if one kind of node would store its progress in another way, and this check says which", async () => {
      const cuts = await pendingSignIns({
        previous,
        journeys: ["set-up without a passkey", "a passkey"],
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
