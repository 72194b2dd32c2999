// What a move needs to know about a database: its id, and where its data was moved.

import { OperatorError } from "../lib/errors.ts";
import type { SqlEngine } from "./engine.ts";
import { sqlOf } from "./rows.ts";

/** Rejects with `OperatorError` if the data of this database was moved to another one. */
export async function requireNotMoved(engine: SqlEngine): Promise<void> {
  const movedTo = await movedStore(engine).movedTo();
  if (movedTo === null) return;
  throw new OperatorError(
    `the data of this database was moved to ${movedTo}, and is out of date here: use that database. ` +
      "If nothing has used it yet, `domain-signin move --undo --from …` makes this one usable again",
  );
}

export function movedStore(engine: SqlEngine) {
  const sql = sqlOf(engine);
  return {
    /** Gives the database `newId` if it has none yet. Concurrent callers get the same id. */
    async databaseId(newId: string): Promise<string> {
      await sql.run(
        `INSERT INTO installation (id, database_id, counter) VALUES (1, ?1, 0)
         ON CONFLICT (id) DO NOTHING`,
        newId,
      );
      const [row] = await sql.rows("SELECT database_id FROM installation WHERE id = 1");
      return String(row?.database_id);
    },
    /** Null if it has none. */
    async knownDatabaseId(): Promise<string | null> {
      const [row] = await sql.rows("SELECT database_id FROM installation WHERE id = 1");
      return row === undefined ? null : String(row.database_id);
    },
    async movedTo(): Promise<string | null> {
      const [row] = await sql.rows("SELECT moved_to FROM installation WHERE id = 1");
      return typeof row?.moved_to === "string" ? row.moved_to : null;
    },
    setMovedTo: (target: string) =>
      sql.run("UPDATE installation SET moved_to = ?1 WHERE id = 1", target),
    /** The database can be used again. False if its data was not moved. */
    clearMovedTo: () =>
      sql.returnsRow(
        `UPDATE installation SET moved_to = NULL WHERE id = 1 AND moved_to IS NOT NULL
         RETURNING id`,
      ),
  };
}
