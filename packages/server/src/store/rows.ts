// Converts database rows to the types of the store: columns in snake case to fields in camel case.

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

/**
 * Reads a row as `T`. Columns of a joined table have a prefix that ends in `__`; they are read only with
 * that `prefix`.
 */
export function toRecord<T>(row: SqlRow, prefix = ""): T {
  const record: Record<string, unknown> = {};
  for (const column in row) {
    const own = column.slice(prefix.length);
    if (column.startsWith(prefix) && !own.includes("__")) record[fieldName(own)] = row[column];
  }
  return record as T;
}

/** The first row as `T`, or null. */
export function firstRecord<T>(rows: readonly SqlRow[]): T | null {
  const row = rows[0];
  return row === undefined ? null : toRecord<T>(row);
}
