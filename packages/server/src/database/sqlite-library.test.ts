// Tests of which library opens SQLite files.

import { createRequire, isBuiltin } from "node:module";
import { expect, test } from "vitest";
import { openLibrary } from "./sqlite-library.ts";

const require = createRequire(import.meta.url);

test("`node:sqlite` opens a file where Node has it, else libsql does", () => {
  const library = isBuiltin("node:sqlite")
    ? require("node:sqlite").DatabaseSync
    : require("libsql");
  const database = openLibrary(":memory:");
  expect(database).toBeInstanceOf(library);
  database.close();
});
