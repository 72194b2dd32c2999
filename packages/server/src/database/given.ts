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
const TABLE = /^\s*UPDATE (\w+) SET\b/;
const RETURNED = /\bRETURNING (\w+(?:, \w+)*)\s*$/;

/** The parts of a statement whose values all come from `given`. */
interface Parts {
  /** `(SELECT …) AS given`. */
  readonly oneRow: string;
  /** `CAST(?1 AS TEXT) AS thing_id` for each column. */
  readonly values: readonly string[];
  /** `thing_id` for each column. */
  readonly names: readonly string[];
  readonly table: string;
  /** `RETURNING id, name`. */
  readonly returning: string;
  readonly columns: readonly [string, ...string[]];
}

function partsOf(sql: string): Parts | null {
  const [oneRow = "", values = ""] = GIVEN.exec(sql) ?? [];
  const [returning = "", returned = ""] = RETURNED.exec(sql) ?? [];
  const [, table = ""] = TABLE.exec(sql) ?? [];
  const [key = "", ...others] = returned.split(", ");
  const rest = sql.replace(oneRow, "").replace(returning, "");
  if (oneRow === "" || key === "" || table === "" || rest.includes("?")) return null;
  const all = values.split(", ");
  const names = all.map((value) => value.replace(/.* AS /, ""));
  return { oneRow, values: all, names, table, returning, columns: [key, ...others] };
}

/** A statement for many rows at once: its only parameter is a JSON array of arrays of values. */
export type GroupedStatement = JsonRows;

/**
 * The statement for SQLite with any number of given rows; null if not all its values come from `given`. To bind seven
 * parameters, and to read as many columns, takes the library longer than SQLite takes for the rest.
 */
export function groupedForSqlite(sql: string): GroupedStatement | null {
  const parts = partsOf(sql);
  if (parts === null) return null;
  const { oneRow, names, returning, columns } = parts;
  const given = names.map((name, index) => `value ->> ${index} AS ${name}`).join(", ");
  return {
    sql: sql
      .replace(oneRow, `(SELECT ${given} FROM json_each(?1)) AS given`)
      .replace(returning, `RETURNING json_array(${columns.join(", ")}) AS row`),
    columns,
  };
}

/** A statement for many rows at once on PostgreSQL, with a parameter as above. Its rows are those of the statement. */
export interface GroupedForPostgres {
  readonly sql: string;
  /** The column that holds the key of a row. */
  readonly key: string;
}

/**
 * The statement for PostgreSQL with any number of given rows; null if not all its values come from `given`. It leaves
 * out rows that another transaction has locked. So it never waits for one of them while it holds others, which delays
 * nobody and excludes deadlocks. For a row that it does not return, the statement of one row decides.
 */
export function groupedForPostgres(sql: string): GroupedForPostgres | null {
  const parts = partsOf(sql);
  if (parts === null) return null;
  const { oneRow, values, names, table, columns } = parts;
  const [key] = columns;
  const rows = "jsonb_array_elements(CAST(?1 AS jsonb))";
  const given = values.map((value, index) => value.replace(/\?\d+/, `value ->> ${index}`));
  return {
    key,
    sql: `
  WITH free AS (
    SELECT ${key} AS free_key FROM ${table} WHERE ${key} = ANY(ARRAY(SELECT value ->> 0 FROM ${rows}))
    FOR NO KEY UPDATE SKIP LOCKED)
  ${sql.trim().replace(
    oneRow,
    `(SELECT ${given.join(", ")} FROM ${rows}) AS given
    JOIN free ON free_key = given.${names[0]}`,
  )}`,
  };
}
