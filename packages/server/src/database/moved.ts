// What a move notes in its databases: where the data was moved, and how far the move has come.

import { OperatorError } from "../lib/errors.ts";
import type { SqlEngine, SqlExecutor, SqlValue } from "./engine.ts";
import { sqlOf } from "./rows.ts";
import type { Table } from "./schema-tables.ts";
import { keyOf, type TableRow } from "./table-rows.ts";

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
    async movedTo(): Promise<string | null> {
      const read = "SELECT moved_to FROM installation WHERE id = 1";
      return (await sql.first<{ movedTo: string | null }>(read))?.movedTo ?? null;
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

// How far a move has come is kept in its target, which is PostgreSQL.

/** Tables with a row in every new database. A target with no other rows is empty. */
const OF_THE_DATABASE = ["high_water", "time_floor", "installation"];

async function hasProgress(engine: SqlExecutor): Promise<boolean> {
  const table = "SELECT to_regclass('move_progress')::text AS name";
  const [found] = await engine.execute(table, []);
  return found?.name !== null;
}

/** Rejects with `OperatorError` if a move to this database has begun and not finished. */
export async function requireNoMove(engine: SqlExecutor): Promise<void> {
  if (!(await hasProgress(engine))) return;
  throw new OperatorError(
    "a move to this database has not finished: repeat `domain-signin move` with the same --from and --to",
  );
}

/** The first of the tables that has rows, or null. */
export async function firstFilled(
  engine: SqlEngine,
  tables: readonly Table[],
): Promise<string | null> {
  for (const { name } of tables) {
    if (OF_THE_DATABASE.includes(name)) continue;
    const found = await engine.execute(`SELECT 1 AS found FROM ${name} LIMIT 1`, []);
    if (found.length > 0) return name;
  }
  return null;
}

export function moveProgressStore(engine: SqlEngine) {
  const sql = sqlOf(engine);
  return {
    /** The `database_id` of the source whose move has begun here and not finished; null if there is none. */
    async unfinishedSource(): Promise<string | null> {
      if (!(await hasProgress(engine))) return null;
      const [progress] = await sql.rows("SELECT source FROM move_progress LIMIT 1");
      return progress === undefined ? null : String(progress.source);
    },

    /** Of concurrent callers with different sources, all but one leave no trace. */
    async begin(source: string, tables: readonly Table[]): Promise<void> {
      await sql.run(`CREATE TABLE IF NOT EXISTS move_progress (
        table_name TEXT COLLATE "C" PRIMARY KEY, source TEXT NOT NULL, last_key TEXT,
        row_count BIGINT NOT NULL)`);
      await sql.run(
        `INSERT INTO move_progress (table_name, source, row_count)
         SELECT name, ?1, 0 FROM unnest(?2::text[]) AS name ORDER BY name
         ON CONFLICT (table_name) DO NOTHING`,
        source,
        arrayOf(tables.map(({ name }) => name)),
      );
    },

    /** The key of the last row that was copied, as `copyRows` expects it, and how many were. */
    async progressOf({ name }: Table) {
      const read = "SELECT last_key, row_count FROM move_progress WHERE table_name = ?1";
      const progress = await sql.first<{ lastKey: string | null; rowCount: number }>(read, name);
      if (progress !== null) return progress;
      throw new OperatorError(`the unfinished move in the target lacks the table ${name}`);
    },

    /** Deletes the rows that a new database has, unless they are already those of the source. */
    async clear({ name }: Table): Promise<void> {
      if (!OF_THE_DATABASE.includes(name)) return;
      await sql.run(
        `DELETE FROM ${name} WHERE EXISTS
           (SELECT 1 FROM move_progress WHERE table_name = ?1 AND last_key IS NULL)`,
        name,
      );
    },

    /**
     * Copies the rows that follow `lastKey`, and notes that in the same statement. Returns the new last
     * key. Of concurrent callers with the same `lastKey` one copies, and all others get null.
     */
    async copyRows(
      table: Table,
      lastKey: string | null,
      rows: readonly TableRow[],
    ): Promise<string | null> {
      const last = rows.at(-1);
      const next = JSON.stringify(last === undefined ? null : keyOf(last, table));
      const names = table.columns.map(({ name }) => name).join(", ");
      const arrays = table.columns.map(({ type }, index) => `?${index + 5}::${type}[]`).join(", ");
      const claimed = await sql.returnsRow(
        `WITH claimed AS (
           UPDATE move_progress SET last_key = ?3, row_count = row_count + ?4::bigint
            WHERE table_name = ?1 AND last_key IS NOT DISTINCT FROM ?2
           RETURNING row_count
         ), copied AS (
           INSERT INTO ${table.name} (${names})
           SELECT copy.* FROM unnest(${arrays}) AS copy WHERE EXISTS (SELECT 1 FROM claimed)
         )
         SELECT row_count FROM claimed`,
        table.name,
        lastKey,
        next,
        rows.length,
        ...table.columns.map((_, index) => arrayOf(rows.map((row) => row[index] ?? null))),
      );
      return claimed ? next : null;
    },

    /** From now on the database can be served. */
    finish: () => sql.run("DROP TABLE move_progress"),
  };
}

/** An array as PostgreSQL reads it from text. */
function arrayOf(values: readonly SqlValue[]): string {
  const items = values.map((value) => {
    if (typeof value !== "string") return value ?? "NULL";
    return `"${value.replace(/["\\]/g, "\\$&")}"`;
  });
  return `{${items.join(",")}}`;
}
