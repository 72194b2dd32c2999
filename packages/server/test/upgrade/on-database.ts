// One statement on the database of a test, on a connection of its own.

import { Client } from "pg";

/** The rows. */
export async function onDatabase(
  database: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: database });
  await client.connect();
  try {
    return (await client.query(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}
