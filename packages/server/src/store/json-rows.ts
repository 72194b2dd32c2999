// Rows of SQLite as JSON: to read a column by the library takes longer than SQLite takes to find the row.

import type { SqlRow, SqlValue } from "./engine.ts";

/** A statement whose rows have one column, `row`: a JSON array. */
export interface JsonRows {
  readonly sql: string;
  /** Of the array. */
  readonly columns: readonly string[];
}

const LIST = /(?<=^\s*SELECT )[\w.]+(?: AS \w+)?(?:,\s+[\w.]+(?: AS \w+)?)*(?=\s+FROM\b)/;
/** Clauses that refer to result columns or to the whole result, or find rows without the key. */
const OTHER = /\b(?:DISTINCT|ORDER|GROUP|LIMIT|UNION|EXCEPT|INTERSECT|OR)\b/;
/** With fewer columns, it gains little. */
const MIN_COLUMNS = 8;

/**
 * The same statement for any number of keys, which are a JSON array, with its rows as JSON. Null for one that does not
 * just list columns, or only a few, or whose only parameter is not the value of the first column, which is the key.
 */
export function jsonRowsByKey(sql: string): JsonRows | null {
  const columns = LIST.exec(sql)?.[0].split(/,\s+/) ?? [];
  const values = columns.map(columnOf);
  const singleKey = `WHERE ${values[0]} = ?1`;
  if (columns.length < MIN_COLUMNS || OTHER.test(sql)) return null;
  if (!sql.includes(singleKey) || sql.split("?").length > 2) return null;
  return {
    sql: sql
      .replace(LIST, `json_array(${values.join(", ")}) AS row`)
      .replace(singleKey, `WHERE ${values[0]} IN (SELECT value FROM json_each(?1))`),
    columns: columns.map(nameOf),
  };
}

/** `a.b` of `a.b AS c`. */
function columnOf(column: string): string {
  return column.replace(/ AS .*/, "");
}

/** `c` of `a.b AS c`, and `b` of `a.b`. */
function nameOf(column: string): string {
  return column.replace(/.*[ .]/, "");
}

/** One row, from its JSON. */
export function rowOf({ columns }: JsonRows, values: readonly SqlValue[]): SqlRow {
  const row: Record<string, SqlValue> = {};
  for (const [index, column] of columns.entries()) row[column] = values[index] ?? null;
  return row;
}
