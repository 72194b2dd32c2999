// Which schemas a service that must not change the database accepts.

import { describe, expect, test } from "vitest";
import { destructiveSteps } from "../../test/support/additive.ts";
import { OperatorError } from "../lib/errors.ts";
import { MIGRATIONS, requireSchema } from "./migrations.ts";

const newest = MIGRATIONS.length;

test("the schema of this version is accepted, and any other is refused in words for the operator", () => {
  expect(() => requireSchema(newest)).not.toThrow();
  expect(() => requireSchema(newest + 1)).toThrow(OperatorError);
  for (const [applied, words] of [
    [0, "the database has no schema yet: run `domain-signin migrate` first"],
    [
      newest - 1,
      `the database has schema ${newest - 1}, this version needs ${newest}: run \`domain-signin migrate\` first`,
    ],
    [
      newest + 1,
      `the database has schema ${newest + 1} of a newer domain-signin; this version supports up to ${newest}`,
    ],
  ] as const) {
    expect(() => requireSchema(applied)).toThrow(new OperatorError(words));
  }
});

test("the versions count up by one, so that the newest is their number", () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(
    Array.from(MIGRATIONS, (_, index) => index + 1),
  );
});

describe("a migration leaves the nodes of the previous version running", () => {
  // Version 17 is the first that was released.
  test.each(MIGRATIONS.filter(({ version }) => version > 17))("$version is additive", (step) => {
    expect(destructiveSteps(step)).toEqual([]);
  });

  test.each([
    "ALTER TABLE accounts ADD COLUMN a TEXT NOT NULL",
    "ALTER TABLE accounts ADD COLUMN a TEXT UNIQUE",
    "ALTER TABLE accounts ADD COLUMN a BIGINT NOT NULL DEFAULT 0 CHECK (a > 0)",
    "ALTER TABLE accounts DROP COLUMN acct",
    "ALTER TABLE accounts RENAME COLUMN acct TO name",
    "ALTER TABLE accounts RENAME TO owners",
    "DROP TABLE accounts",
    "DROP INDEX one_account_per_record",
    "DELETE FROM accounts",
    "UPDATE accounts SET acct = ''",
    "INSERT INTO accounts (id) VALUES ('a')",
    "CREATE UNIQUE INDEX one ON accounts (acct)",
    "CREATE UNIQUE INDEX one ON accounts (acct) WHERE acct IS NOT NULL",
    "CREATE TRIGGER t AFTER INSERT ON accounts BEGIN SELECT 1; END",
  ])("%s is not", (statement) => {
    expect(destructiveSteps({ version: 1000, statements: [statement] })).toEqual([statement]);
    const elsewhere = { version: 1000, statements: [], postgres: [statement] };
    expect(destructiveSteps(elsewhere)).toEqual([statement]);
  });

  test("new columns that can be left out, new tables and indexes are", () => {
    const statements = [
      "ALTER TABLE accounts ADD COLUMN a TEXT",
      "ALTER TABLE accounts ADD COLUMN b BIGINT NOT NULL DEFAULT 0",
      "CREATE UNIQUE INDEX one ON accounts (domain, a) WHERE a IS NOT NULL",
      "CREATE INDEX more ON accounts (b)",
      "CREATE TABLE c (d TEXT NOT NULL UNIQUE)",
      "CREATE UNIQUE INDEX other ON c (d)",
      "INSERT INTO c (d) VALUES ('e')",
    ];
    expect(destructiveSteps({ version: 1000, statements })).toEqual([]);
  });
});
