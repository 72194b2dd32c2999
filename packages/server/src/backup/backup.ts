// A backup: a consistent copy of a SQLite database that others may be using.

import { existsSync } from "node:fs";
import { sqlitePath } from "../database/open.ts";
import { copyDatabase, openAsItIs, problemsIn } from "../database/sqlite-file.ts";
import { messageOf, OperatorError, UnavailableError } from "../lib/errors.ts";
import { type Contents, contentsOf } from "./contents.ts";
import { makePartialFile } from "./files.ts";

/** While a backup is being made it has this ending. The next backup to the same file replaces it. */
const PARTIAL = ".partial";

/**
 * Copies the database into the new file `to`, which is there only once it is whole and verified. The
 * database is not changed, and may be in use and of an older schema. Rejects with `OperatorError` for what
 * the operator must correct, and with `UnavailableError` if the disk is full.
 */
export async function backUp(address: string, to: string): Promise<Contents> {
  const path = sqliteFile(address);
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

function sqliteFile(address: string): string {
  const path = sqlitePath(address);
  if (path === null) {
    throw new OperatorError(
      "domain-signin backup copies SQLite files: back up PostgreSQL with pg_dump or pg_basebackup (see " +
        '"Backup" in docs/operations.md)',
    );
  }
  if (path === ":memory:") throw new OperatorError("a database in memory cannot be backed up");
  return path;
}
