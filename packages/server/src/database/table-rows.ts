// The rows of any table, read in the order of its primary key.

import { setImmediate as nextTurn } from "node:timers/promises";
import { OperatorError } from "../lib/errors.ts";
import type { SqlEngine, SqlRow, SqlValue } from "./engine.ts";
import type { Column, Table } from "./schema-tables.ts";

/** The values of a row, in the order of the columns of its table. */
export type TableRow = readonly SqlValue[];

/** Approximate octets of a batch. A single row may be larger. */
const BATCH_SIZE = 500_000;
const FIRST_BATCH_ROWS = 100;
const MAX_BATCH_ROWS = 2000;

/**
 * Yields all rows whose key is after `key` (null: all rows). Both engines have the same order, because text
 * is compared by its octets. Rejects with `OperatorError` for a value that the schema does not permit.
 */
export async function* rowsInKeyOrder(
  engine: SqlEngine,
  table: Table,
  key: TableRow | null = null,
): AsyncGenerator<readonly TableRow[]> {
  let after = key;
  let limit = FIRST_BATCH_ROWS;
  for (;;) {
    const found = await engine
      .execute(select(table, after), [...(after ?? []), limit])
      .catch(tooLarge(table));
    const rows = found.map((row) => table.columns.map((column) => valueIn(row, column, table)));
    const last = rows.at(-1);
    if (last === undefined) return;
    const size = rows.reduce((sum, row) => sum + sizeOf(row), 0);
    yield rows;
    // SQLite answers in the same turn of the event loop, so answers of PostgreSQL could not be processed meanwhile.
    await nextTurn();
    after = keyOf(last, table);
    const fitting = Math.ceil((BATCH_SIZE * rows.length) / size);
    limit = Math.min(fitting, limit * 2, MAX_BATCH_ROWS);
  }
}

/** `node:sqlite` does not return an integer that is too large, and does not name its column. */
function tooLarge({ name }: Table): (cause: unknown) => never {
  return (cause) => {
    if (!(cause instanceof RangeError)) throw cause;
    throw new OperatorError(
      `a row of the table ${name} has a value that is not an integer below 2^53`,
    );
  };
}

export function keyOf(row: TableRow, { columns, key }: Table): TableRow {
  return key.map((column) => row[columns.indexOf(column)] ?? null);
}

/** Splits rows into parts of about the size of a batch. */
export function inParts(rows: readonly TableRow[]): readonly (readonly TableRow[])[] {
  const parts: TableRow[][] = [];
  let size = Infinity;
  for (const row of rows) {
    if (size >= BATCH_SIZE) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(row);
    size += sizeOf(row);
  }
  return parts;
}

/** Rejects with `OperatorError` if a row has no key, which SQLite permits: an order of keys leaves it out. */
export async function requireKeys(engine: SqlEngine, { name, key }: Table): Promise<void> {
  const missing = key.map((column) => `${column.name} IS NULL`).join(" OR ");
  const found = await engine.execute(`SELECT 1 AS found FROM ${name} WHERE ${missing} LIMIT 1`, []);
  if (found.length > 0) throw new OperatorError(`a row of the table ${name} has no key`);
}

function select({ name, columns, key }: Table, after: TableRow | null): string {
  const names = (some: readonly Column[]) => some.map((column) => column.name).join(", ");
  const places = key.map((_, index) => `?${index + 1}`).join(", ");
  const where = after === null ? "" : `WHERE (${names(key)}) > (${places})`;
  const limit = `?${after === null ? 1 : key.length + 1}`;
  return `SELECT ${names(columns)} FROM ${name} ${where} ORDER BY ${names(key)} LIMIT ${limit}`;
}

/** SQLite permits any value in any column; the service writes only those that are accepted here. */
function valueIn(row: SqlRow, { name, type }: Column, table: Table): SqlValue {
  const value = row[name] ?? null;
  if (value === null) return null;
  const isValid =
    type === "TEXT"
      ? typeof value === "string" && !value.includes("\0")
      : Number.isSafeInteger(value);
  if (isValid) return value;
  const expected = type === "TEXT" ? "a text without NUL" : "an integer below 2^53";
  throw new OperatorError(`a row of the table ${table.name} has a ${name} that is not ${expected}`);
}

function sizeOf(row: TableRow): number {
  return row.reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? value.length : 8),
    0,
  );
}
