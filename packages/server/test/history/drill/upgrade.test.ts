// Upgrades under load: nodes of the previous release go on after the migration, and nothing is lost.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresTests } from "../../support/postgres.ts";
import { buildPrevious, previousMissing } from "../../upgrade/previous-build.ts";
import { told, upgradeLoad } from "../../upgrade/upgrade-load.ts";
import { check } from "../checker.ts";

const BUILD_LIMIT_MS = 280_000;

const missing = await previousMissing();
// A skip that nobody reads would let a release out untested.
if (missing !== null && process.env.CI === "true") throw new Error(missing);
if (missing !== null) {
  console.error(`SKIPPED: upgrades from the previous release: ${missing}`);
}

describe.skipIf(missing !== null)("from the previous release", () => {
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
    test("people enrol on old nodes after the migration, and nothing that was acknowledged is lost", async () => {
      const load = await upgradeLoad({ previous });
      console.log(told(load));
      expect(load.failures).toEqual([]);
      expect(check(load.operations)).toEqual([]);
      // Of four migrations at once, one changes the schema.
      expect(load.migrations.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
      const changed = load.migrations.filter(({ stderr }) => stderr.includes("operator change"));
      expect(changed).toHaveLength(1);
      for (const phase of ["before", "old nodes", "both", "new node"] as const) {
        expect([phase, load.enrolled[phase]]).not.toEqual([phase, 0]);
      }
    });

    test("a new column without a default stops enrolments on old nodes, and this check says so", async () => {
      const load = await upgradeLoad({
        previous,
        planted: [
          "ALTER TABLE accounts ADD COLUMN planted BIGINT NOT NULL DEFAULT 0",
          "ALTER TABLE accounts ALTER COLUMN planted DROP DEFAULT",
        ],
      });
      expect(load.failures).toContainEqual(expect.stringContaining("(500)"));
      expect(load.enrolled["old nodes"]).toBe(0);
    });
  });
});
