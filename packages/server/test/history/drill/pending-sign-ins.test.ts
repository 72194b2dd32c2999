// Sign-ins that are pending during an upgrade go on, on nodes of the previous release and of this one.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProgressAt } from "../../../src/interaction/next-step.ts";
import { postgresTests } from "../../support/postgres.ts";
import { failuresOf, pendingSignIns, told } from "../../upgrade/pending-sign-ins.ts";
import { buildPrevious, previousMissing } from "../../upgrade/previous-build.ts";
import { JOURNEYS, LONG_REQUEST } from "../../upgrade/sign-in-journeys.ts";

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

const PLANTED = ["set-up without a passkey", "a passkey"];

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

    // Until the previous release reads the request from the browser: decision 0027.
    test("waits for a new node if one began it for a request of more than 2,048 octets", async () => {
      const cuts = await pendingSignIns({ previous, journeys: [LONG_REQUEST] });
      const failed = cuts.filter(({ failure }) => failure !== null);
      expect(failed.filter(({ way }) => way === "old, then new" || way === "back to new")).toEqual(
        [],
      );
      const onOld = failed.filter(({ way }) => way === "new, then old");
      expect(new Set(onOld.map(({ step }) => step))).toEqual(
        new Set(["dns-setup", "recovery-codes", "consent", "complete"]),
      );
      for (const { failure } of onOld) expect(failure).toContain("problem (400)");
    });

    test("does not if one kind of node would store its progress in another way, and this check says which", async () => {
      const cuts = await pendingSignIns({
        previous,
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
