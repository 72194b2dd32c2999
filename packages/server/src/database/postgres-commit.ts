// Several writes as one transaction of a connection to PostgreSQL.

import { UnavailableError, UnknownOutcomeError } from "../lib/errors.ts";
import { type JoinedRows, type JoinedWrite, type SqlRow, textOf } from "./engine.ts";
import type { PostgresConnection, Statement } from "./postgres-connection.ts";

/** The statement of a text, with the name under which it is prepared. */
export type Preparing = (sql: string) => Statement;

/**
 * Runs the writes in their order, and commits all of them or none. Null if one that is marked `when` returned no row.
 * `deadline`: milliseconds for each statement. Rejects with `UnknownOutcomeError` only if the commit was sent.
 */
export async function commitOn(
  connection: PostgresConnection,
  {
    joined,
    named,
    deadline,
  }: {
    readonly joined: readonly JoinedWrite[];
    readonly named: Preparing;
    readonly deadline: number;
  },
): Promise<JoinedRows> {
  const rows: (readonly SqlRow[])[] = [];
  try {
    await connection.run({ text: "BEGIN" }, deadline);
    for (const { statement, parameters: values, when = false } of joined) {
      const found = await connection.run({ ...named(textOf(statement)), values }, deadline);
      rows.push(found);
      if (!when || found.length > 0) continue;
      await connection.run({ text: "ROLLBACK" }, deadline);
      return null;
    }
  } catch (cause) {
    await rollBack(connection, deadline);
    // Whatever became of a statement, nothing was committed.
    throw cause instanceof UnknownOutcomeError
      ? new UnavailableError(cause.message, { cause })
      : cause;
  }
  await connection.run({ text: "COMMIT" }, deadline);
  return rows;
}

/** The connection must not be used again within the transaction: if it cannot be ended, the connection is. */
async function rollBack(connection: PostgresConnection, deadline: number): Promise<void> {
  if (!connection.isUsable()) return;
  await connection.run({ text: "ROLLBACK" }, deadline).catch(() => connection.cut());
}
