// A backup: a consistent copy of a SQLite database that others may be using.

import { existsSync } from "node:fs";
import type { SqlEngine } from "../database/engine.ts";
import { sqlitePath } from "../database/open.ts";
import { copyDatabase, openAsItIs, problemsIn } from "../database/sqlite-file.ts";
import { messageOf, OperatorError, UnavailableError } from "../lib/errors.ts";
import { makePartialFile } from "./files.ts";

/** The ending of an unfinished backup. The next backup to the same file replaces it. */
const PARTIAL = ".partial";
const NOT_A_FILE =
  "domain-signin backup copies SQLite files: back up PostgreSQL with pg_dump or pg_basebackup (see " +
  '"Backup" in docs/operations.md)';

/**
 * Copies the database, which may be in use or of an older schema, into the new file `to`, which appears once verified.
 * Rejects with `OperatorError` for what the operator must correct, with `UnavailableError` if the disk is full.
 */
export async function backUp(address: string, to: string): Promise<Contents> {
  const path = sqliteFileOf(address, "backed up", NOT_A_FILE);
  if (existsSync(to)) throw new OperatorError(`${to} exists already, and was left as it is`);
  const partial = await makePartialFile(to + PARTIAL);
  try {
    copyTo(partial.path, { path, to });
    partial.check();
    const contents = await verified(partial.path, to);
    if (existsSync(to)) throw new OperatorError(`${to} exists already, and was left as it is`);
    await partial.finish(to);
    return contents;
  } finally {
    await partial.remove();
  }
}

function copyTo(copy: string, { path, to }: { path: string; to: string }): void {
  try {
    copyDatabase(path, copy);
  } catch (cause) {
    if (!(cause instanceof UnavailableError)) throw cause;
    throw new UnavailableError(`cannot write the backup ${to}: ${messageOf(cause)}`, { cause });
  }
}

async function verified(copy: string, to: string): Promise<Contents> {
  const file = openAsItIs(copy);
  try {
    const [problem] = await problemsIn(file, "integrity_check(1)");
    if (problem !== undefined) {
      throw new UnavailableError(`the backup ${to} was not written correctly: ${problem}`);
    }
    return await contentsOf(file, "it");
  } finally {
    file.close();
  }
}

/** The path of the file. Throws `OperatorError` for a database in memory, and with `notAFile` for PostgreSQL. */
export function sqliteFileOf(address: string, done: string, notAFile: string): string {
  const path = sqlitePath(address);
  if (path === null) throw new OperatorError(notAFile);
  if (path === ":memory:") throw new OperatorError(`a database in memory cannot be ${done}`);
  return path;
}

/** These tables are in every schema, so that backups of older versions can be counted. */
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
