// Upgrades under load: nodes of the previous release go on after the migration, and nothing is lost.

import { expect, test } from "vitest";
import { postgresTests } from "../../support/postgres.ts";
import { describeUpgrades } from "../../upgrade/describe-upgrades.ts";
import { summary, upgradeLoad } from "../../upgrade/upgrade-load.ts";
import { check } from "../checker.ts";

await describeUpgrades("from the previous release", (previous) => {
  postgresTests("on PostgreSQL", () => {
    test("people enrol on old nodes after the migration, and nothing that was acknowledged is lost", async () => {
      const load = await upgradeLoad({ previous: previous() });
      console.log(summary(load));
      expect(load.failures).toEqual([]);
      expect(check(load.operations)).toEqual([]);
      // Of four migrations at once, at most one changes the schema: none, if the previous release has the same.
      expect(load.migrations.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
      const changed = load.migrations.filter(({ stderr }) => stderr.includes("operator change"));
      expect(changed.length).toBeLessThanOrEqual(1);
      for (const phase of ["before", "old nodes", "both", "new node"] as const) {
        expect([phase, load.enrolled[phase]]).not.toEqual([phase, 0]);
      }
    });

    test("a new column without a default stops enrolments on old nodes, and this check says so", async () => {
      const load = await upgradeLoad({
        previous: previous(),
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
