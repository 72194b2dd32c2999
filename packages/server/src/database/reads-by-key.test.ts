// Reads by one key, and their forms for many keys.

import { expect, test } from "vitest";
import { readByKeysOnPostgres, readByKeysOnSqlite } from "./reads-by-key.ts";

const LIST = "a.id, b, c, d,\n    e, f, g.h AS x__h, i";
const SQL = `
  SELECT ${LIST}
  FROM a JOIN g ON g.id = a.id WHERE a.id = ?1`;

test("SQLite finds rows by any number of keys, each row as one array", () => {
  const read = readByKeysOnSqlite(SQL);
  expect(read?.sql).toBe(`
  SELECT json_array(a.id, b, c, d, e, f, g.h, i) AS row
  FROM a JOIN g ON g.id = a.id WHERE a.id IN (SELECT value FROM json_each(?1))`);
  expect(read?.toKeyed({ row: '["x",1,2,3,null,5,"h"]' })).toEqual([
    "x",
    { id: "x", b: 1, c: 2, d: 3, e: null, f: 5, x__h: "h", i: null },
  ]);
});

test("PostgreSQL finds rows by any number of keys, each as it is", () => {
  const read = readByKeysOnPostgres("SELECT a.id, b FROM a WHERE a.id = ?1 AND b > 0");
  expect(read?.sql).toBe(
    "SELECT a.id, b FROM a WHERE a.id = ANY(ARRAY(SELECT jsonb_array_elements_text(CAST(?1 AS jsonb)))) AND b > 0",
  );
  expect(read?.toKeyed({ id: "x", b: 1 })).toEqual(["x", { id: "x", b: 1 }]);
  const named = readByKeysOnPostgres("SELECT a.id AS key, b FROM a WHERE a.id = ?1");
  expect(named?.toKeyed({ key: "x", b: 1 })).toEqual(["x", { key: "x", b: 1 }]);
});

test("a few columns are not read as JSON, which would gain little", () => {
  expect(readByKeysOnSqlite(SQL.replace(LIST, "a.id, b"))).toBeNull();
});

test.each([
  ["all columns", SQL.replace(LIST, "a.*, b.*")],
  ["an expression", SQL.replace(" i\n", " i + 1 AS i\n")],
  ["an order", `${SQL} ORDER BY x__h`],
  ["a limit", `${SQL} LIMIT 1`],
  ["other rows", `${SQL} UNION ${SQL.replace("?1", "'a'")}`],
  ["one row of each", SQL.replace("SELECT", "SELECT DISTINCT")],
  ["another column", SQL.replace("a.id = ?1", "b = ?1")],
  ["a column whose name begins so", SQL.replace("WHERE a.id = ?1", "WHERE a.i = ?1")],
  ["more than the key", `${SQL} AND b > ?2`],
  ["something instead of the key", `${SQL} OR b = 1`],
  ["a write", "UPDATE a SET b = 1 WHERE a.id = ?1"],
])("a statement with %s stays as it is", (_, sql) => {
  expect(readByKeysOnSqlite(sql)).toBeNull();
  expect(readByKeysOnPostgres(sql)).toBeNull();
});
