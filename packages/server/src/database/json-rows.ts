// Rows of SQLite as JSON: to read a column by the library takes longer than SQLite takes to find the row.

import type { SqlRow, SqlValue } from "./engine.ts";

/** A statement whose rows have one column, `row`: a JSON array. */
export interface JsonRows {
  readonly sql: string;
  /** Of the array. The first is the key of the row. */
  readonly columns: readonly string[];
}

/** One row, from its JSON. */
export function rowOf({ columns }: JsonRows, values: readonly SqlValue[]): SqlRow {
  const row: Record<string, SqlValue> = {};
  for (const [index, column] of columns.entries()) row[column] = values[index] ?? null;
  return row;
}
