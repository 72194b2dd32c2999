// Turns rows of the database into the store's types: the columns are their fields in snake case.

import type { SqlRow } from "./engine.ts";

const fieldNames = new Map<string, string>();

function fieldName(column: string): string {
  let name = fieldNames.get(column);
  if (name === undefined) {
    name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    fieldNames.set(column, name);
  }
  return name;
}

/** Reads a row as `T`; columns that begin with `prefix` only, when one is given. */
export function toRecord<T>(row: SqlRow, prefix = ""): T {
  const record: Record<string, unknown> = {};
  for (const column in row) {
    if (column.startsWith(prefix)) record[fieldName(column.slice(prefix.length))] = row[column];
  }
  return record as T;
}

/** The first row as `T`, or null. */
export function firstRecord<T>(rows: readonly SqlRow[]): T | null {
  const row = rows[0];
  return row === undefined ? null : toRecord<T>(row);
}
