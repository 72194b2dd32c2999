// The form of a statement that returns its rows as JSON.

import { expect, test } from "vitest";
import { jsonRowsByKey, rowOf } from "./json-rows.ts";

const LIST = "a.id, b, c, d,\n    e, f, g.h AS x__h, i";
const SQL = `
  SELECT ${LIST}
  FROM a JOIN g ON g.id = a.id WHERE a.id = ?1`;

test("rows by the first column are found for any number of keys, each row as one array", () => {
  expect(jsonRowsByKey(SQL)).toEqual({
    sql: `
  SELECT json_array(a.id, b, c, d, e, f, g.h, i) AS row
  FROM a JOIN g ON g.id = a.id WHERE a.id IN (SELECT value FROM json_each(?1))`,
    columns: ["id", "b", "c", "d", "e", "f", "x__h", "i"],
  });
});

test.each([
  ["few columns", SQL.replace(LIST, "a.id, b")],
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
  expect(jsonRowsByKey(sql)).toBeNull();
});

test("a row has its columns, and NULL where there is nothing", () => {
  const row = rowOf({ sql: "", columns: ["id", "name", "size"] }, ["a", null, 7]);
  expect(row).toEqual({ id: "a", name: null, size: 7 });
});
