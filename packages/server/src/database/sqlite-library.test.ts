// Tests of which library opens SQLite files.

import { createRequire, isBuiltin } from "node:module";
import { expect, test } from "vitest";
import { OperatorError } from "../lib/errors.ts";
import { openLibrary, requireLibrary, translate } from "./sqlite-library.ts";

const require = createRequire(import.meta.url);

test("`node:sqlite` opens a file where Node has it, else libsql does", () => {
  const library = isBuiltin("node:sqlite")
    ? require("node:sqlite").DatabaseSync
    : require("libsql");
  const database = openLibrary(":memory:");
  expect(database).toBeInstanceOf(library);
  database.close();
});

test("libsql is loaded only where Node has no `node:sqlite`", () => {
  const loadedBy = (present: readonly string[]) => {
    const asked: string[] = [];
    requireLibrary((name) => {
      asked.push(name);
      if (!present.includes(name)) throw new Error(`No such built-in module: ${name}`);
      return name === "libsql" ? Date : { DatabaseSync: Date };
    });
    return asked;
  };
  expect(loadedBy(["node:sqlite", "libsql"])).toEqual(["node:sqlite"]);
  expect(loadedBy(["node:sqlite"])).toEqual(["node:sqlite"]);
  expect(loadedBy(["libsql"])).toEqual(["node:sqlite", "libsql"]);
});

test("without both libraries, the error says what to install", () => {
  const neither = (name: string) => {
    throw new Error(`Cannot find module '${name}'\nRequire stack:\n- /opt`);
  };
  const error = thrownBy(() => openLibrary("data.db", neither));
  expect(error).toBeInstanceOf(OperatorError);
  expect((error as Error).message).toBe(
    `Node ${process.versions.node} needs the package libsql for SQLite files: run \`npm i libsql\`, or use Node 22.13 or newer (Cannot find module 'libsql')`,
  );
});

test("a libsql that cannot be loaded is no database that cannot be reached", () => {
  const broken = thrownBy(() =>
    openLibrary("data.db", () => {
      throw new Error("libc.musl-x86_64.so.1: cannot open shared object file");
    }),
  );
  expect(translate(broken)).toBe(broken);
});

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
