// The contents of a database: its schema, and the number of rows in the main tables.

import type { SqlEngine } from "../database/engine.ts";
import { messageOf, OperatorError } from "../lib/errors.ts";

/** In every schema, so that the backup of an older version can be counted too. */
const COUNTED = ["accounts", "clients", "consents", "grants", "keys", "recovery_codes", "sessions"];

export interface Contents {
  readonly schema: number;
  /** By table. */
  readonly rows: Readonly<Record<string, number>>;
}

/** Rejects with `OperatorError` if it is not a database of domain-signin. `name` is shown to the operator. */
export async function contentsOf(
  { execute }: { readonly execute: SqlEngine["execute"] },
  name: string,
): Promise<Contents> {
  try {
    const schema = await numberFrom(execute, "SELECT max(version) AS value FROM schema_version");
    const rows: Record<string, number> = {};
    for (const table of COUNTED) {
      rows[table] = await numberFrom(execute, `SELECT count(*) AS value FROM ${table}`);
    }
    if (schema > 0) return { schema, rows };
  } catch (cause) {
    if (!/no such table/.test(messageOf(cause))) throw cause;
  }
  throw new OperatorError(`${name} is not a database of domain-signin`);
}

async function numberFrom(execute: SqlEngine["execute"], sql: string): Promise<number> {
  const [row] = await execute(sql, []);
  return Number(row?.value);
}
