// Walks a table along its primary key in bounded steps, so that no statement takes long.

import type { SqlValue } from "../database/engine.ts";
import type { Sql } from "../database/rows.ts";

const ROWS_PER_STEP = 2000;

/**
 * The rows with a key after `after` (null: from the start), as the condition `inStep`. A statement with it has the
 * parameters of `values`, to which `bind` adds one. `next` is the `after` of the next step, null at the end of the table.
 */
export async function stepThrough(
  { rows }: Sql,
  { table, keys }: { readonly table: string; readonly keys: readonly string[] },
  after: readonly string[] | null,
) {
  const columns = keys.join(", ");
  const values: SqlValue[] = [];
  const bind = (value: SqlValue) => `?${values.push(value)}`;
  const bound = (operator: string, key: readonly string[]) =>
    `(${columns}) ${operator} (${key.map(bind).join(", ")})`;
  const from = after === null ? "1 = 1" : bound(">", after);
  const [last] = await rows(
    `SELECT ${columns} FROM ${table} WHERE ${from}
     ORDER BY ${columns} LIMIT 1 OFFSET ${ROWS_PER_STEP - 1}`,
    ...values,
  );
  const next = last === undefined ? null : keys.map((key) => String(last[key]));
  const inStep = next === null ? from : `${from} AND ${bound("<=", next)}`;
  return { next, inStep, columns, values, bind };
}
