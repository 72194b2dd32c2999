// Which schemas a service that must not change the database accepts.

import { expect, test } from "vitest";
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
