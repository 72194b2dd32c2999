// SQLite files as wholes: copies of a database that is in use, and what SQLite finds wrong in a file.

import { messageOf, OperatorError } from "../lib/errors.ts";
import { type SqlExecutor, type SqlRow, textOf } from "./engine.ts";
import { bind, type Database, openLibrary, translate } from "./sqlite-library.ts";

/** Milliseconds, the most that SQLite knows: a read waits for moments until a writer has put the files in order. */
const WAIT_MS = 2 ** 31 - 1;

/**
 * Copies the database at `path` into the empty file `copy`, as it is at one moment and without changing it.
 * Others go on writing meanwhile. Throws `UnavailableError` if the disk is full or cannot be read, and
 * `OperatorError` if the database is damaged.
 */
export function copyDatabase(path: string, copy: string): void {
  let database: Database | undefined;
  try {
    database = openLibrary(path);
    // Only `exec`: libsql would keep a connection open for as long as a statement of it exists.
    database.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
    database.exec(`VACUUM INTO '${copy.replaceAll("'", "''")}'`);
  } catch (cause) {
    if (isDamage(cause))
      throw new OperatorError(`the database ${path} is damaged: ${messageOf(cause)}`);
    throw translate(cause);
  } finally {
    database?.close();
  }
}

/** Opens a file that must not be changed, such as a backup: with its journal mode and its schema. */
export function openAsItIs(path: string) {
  const database = openLibrary(path);
  database.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
  const execute: SqlExecutor["execute"] = async (statement, parameters) =>
    database.prepare(textOf(statement)).all(...parameters.map(bind));
  return { execute, close: () => database.close() };
}

/** What the check finds, empty if the file is sound. Rejects with `UnavailableError` if the file cannot be read. */
export async function problemsIn(
  { execute }: SqlExecutor,
  check: `${"quick" | "integrity"}_check(${number})`,
): Promise<string[]> {
  let rows: readonly SqlRow[];
  try {
    rows = await execute(`PRAGMA ${check}`, []);
  } catch (cause) {
    if (isDamage(cause)) return [messageOf(cause)];
    throw translate(cause);
  }
  return rows.flatMap((row) => Object.values(row).map(String)).filter((found) => found !== "ok");
}

function isDamage(cause: unknown): boolean {
  return /malformed|not a database/.test(messageOf(cause));
}
