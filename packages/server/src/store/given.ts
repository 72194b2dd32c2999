// Statements that an engine can run for many rows at once: all their values come from one table, `given`.

import type { JsonRows } from "./json-rows.ts";

/**
 * The table `given` with one row of parameters. The first column is the key of the row that the statement changes, and
 * the first column that the statement returns.
 *
 * @example
 * const RENAME = `
 *   UPDATE things SET name = given.new_name
 *   FROM ${given({ thing_id: "TEXT", new_name: "TEXT" })} WHERE id = given.thing_id
 *   RETURNING id, name`;
 */
export function given(columns: Readonly<Record<string, "TEXT" | "BIGINT">>): string {
  const values = Object.entries(columns).map(
    // PostgreSQL cannot infer the types.
    ([name, type], index) => `CAST(?${index + 1} AS ${type}) AS ${name}`,
  );
  return `(SELECT ${values.join(", ")}) AS given`;
}

const GIVEN = /\(SELECT (CAST\(\?1 AS \w+\) AS .*)\) AS given\b/;
const RETURNED = /\bRETURNING (\w+(?:, \w+)*)\s*$/;

/** A statement for many rows at once: its only parameter is a JSON array of arrays of values. */
export type GroupedStatement = JsonRows;

/**
 * The statement for SQLite with any number of given rows; null if not all its values come from `given`. To bind seven
 * parameters, and to read as many columns, takes the library longer than SQLite takes for the rest.
 */
export function groupedStatement(sql: string): GroupedStatement | null {
  const [oneRow = "", values = ""] = GIVEN.exec(sql) ?? [];
  const [returning = "", returned = ""] = RETURNED.exec(sql) ?? [];
  const rest = sql.replace(oneRow, "").replace(returning, "");
  if (oneRow === "" || returning === "" || rest.includes("?")) return null;
  const names = values.split(", ").map((value) => value.split(" AS ").at(-1));
  const columns = names.map((name, index) => `value ->> ${index} AS ${name}`).join(", ");
  return {
    sql: sql
      .replace(oneRow, `(SELECT ${columns} FROM json_each(?1)) AS given`)
      .replace(returning, `RETURNING json_array(${returned}) AS row`),
    columns: returned.split(", "),
  };
}
