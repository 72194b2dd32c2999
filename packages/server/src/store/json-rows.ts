// Rows of SQLite as JSON: to read a column by the library takes longer than SQLite takes to find the row.

import type { SqlRow, SqlValue } from "./engine.ts";

/** A statement whose rows have one column, `row`: a JSON array. */
export interface JsonRows {
  readonly sql: string;
  /** Of the array. */
  readonly columns: readonly string[];
}

const LIST = /(?<=^\s*SELECT )[\w.]+(?: AS \w+)?(?:,\s+[\w.]+(?: AS \w+)?)*(?=\s+FROM\b)/;
/** Clauses that refer to result columns or to the whole result. */
const OTHER = /\b(?:DISTINCT|ORDER|GROUP|LIMIT|UNION|EXCEPT|INTERSECT)\b/;
/** With fewer columns, JSON gains nothing. */
const MIN_COLUMNS = 8;

/** The same statement with its rows as JSON; null for one that does not just list columns, or only a few. */
export function jsonRows(sql: string): JsonRows | null {
  const list = LIST.exec(sql);
  const columns = list?.[0].split(/,\s+/) ?? [];
  if (columns.length < MIN_COLUMNS || OTHER.test(sql)) return null;
  return {
    sql: sql.replace(LIST, `json_array(${columns.map(columnOf).join(", ")}) AS row`),
    columns: columns.map(nameOf),
  };
}

/**
 * The same statement for any number of keys, which are a JSON array; null if `jsonRows` is, or if its only parameter is
 * not the value of the first column, which is the key.
 */
export function jsonRowsByKey(sql: string): JsonRows | null {
  const rows = jsonRows(sql);
  const [, key] = /^\s*SELECT json_array\(([\w.]+),/.exec(rows?.sql ?? "") ?? [];
  const singleKey = `WHERE ${key} = ?1`;
  if (rows === null || !sql.includes(singleKey) || sql.split("?").length > 2) return null;
  // Rows that are found without the key belong to no request.
  if (/\bOR\b/.test(sql)) return null;
  const anyKey = `WHERE ${key} IN (SELECT value FROM json_each(?1))`;
  return { ...rows, sql: rows.sql.replace(singleKey, anyKey) };
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
