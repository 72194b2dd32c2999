// Tests of the warning of a password in the arguments of a command.

import { expect, test } from "vitest";
import { passwordInOptions } from "./password-warning.ts";

const WORD = "hunter2";

test.each([
  `postgres://me:${WORD}@db.example.com/name`,
  `postgresql://:${WORD}@db.example.com/name`,
  `postgres://db.example.com/name?sslmode=require&password=${WORD}`,
  `postgres://me:${WORD}@db.example.com:port/name`,
  `postgres://db.example.com:port/name?password=${WORD}`,
])("%s has one, and the warning does not repeat it", (database) => {
  const found = passwordInOptions({ database });
  expect(found).toEqual({
    option: "--database",
    hint: "other users of this machine can read the password: use DOMAIN_SIGNIN_DATABASE, DOMAIN_SIGNIN_DATABASE_FILE or ~/.pgpass instead",
  });
  expect(JSON.stringify(found)).not.toContain(WORD);
  expect(passwordInOptions({ from: "sqlite:a", to: database })).toMatchObject({ option: "--to" });
});

test.each([
  "postgres://me@db.example.com/name",
  "postgres://me:@db.example.com/name",
  "postgres://db.example.com/name?password=",
  "postgres://db.example.com:port/name@x",
  "sqlite:a:b@c",
  undefined,
])("%s has none", (database) => {
  expect(passwordInOptions({ database })).toBeNull();
});
