// Statements that an engine can run for many rows at once: all their values come from one table, `given`.

import type { SqlRow, SqlValue } from "./engine.ts";

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

/** A statement for many rows at once. */
export interface GroupedStatement {
  /** Its only parameter is a JSON array of arrays of values. Each row that it returns is a JSON array, the column `row`. */
  readonly sql: string;
  /** The columns of the JSON array. */
  readonly columns: readonly string[];
}

/**
 * The statement for SQLite with any number of given rows; null if not all its values come from `given`. To bind seven
 * parameters, and to read as many columns, takes the library longer than SQLite takes for the rest.
 */
export function groupedStatement(sql: string): GroupedStatement | null {
  const [ofOne = "", values = ""] = GIVEN.exec(sql) ?? [];
  const [returning = "", returned = ""] = RETURNED.exec(sql) ?? [];
  const rest = sql.replace(ofOne, "").replace(returning, "");
  if (ofOne === "" || returning === "" || rest.includes("?")) return null;
  const names = values.split(", ").map((value) => value.split(" AS ").at(-1));
  const ofMany = names.map((name, index) => `value ->> ${index} AS ${name}`).join(", ");
  return {
    sql: sql
      .replace(ofOne, `(SELECT ${ofMany} FROM json_each(?1)) AS given`)
      .replace(returning, `RETURNING json_array(${returned}) AS row`),
    columns: returned.split(", "),
  };
}

/** The rows that a grouped statement has returned as JSON, by their keys. */
export function rowsByKey({ columns }: GroupedStatement, json: string): Map<SqlValue, SqlRow> {
  const rows = new Map<SqlValue, SqlRow>();
  for (const values of JSON.parse(json) as SqlValue[][]) {
    const row: Record<string, SqlValue> = {};
    for (const [index, column] of columns.entries()) row[column] = values[index] ?? null;
    rows.set(values[0] ?? null, row);
  }
  return rows;
}
