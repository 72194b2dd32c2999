// A restore: replaces a SQLite database with a backup in one step.

import { createReadStream, createWriteStream, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { SqlEngine } from "../database/engine.ts";
import { giveToOwner, guardFile } from "../database/guard.ts";
import { refuseNewer } from "../database/migrations.ts";
import { openDatabase } from "../database/open.ts";
import { problemsIn } from "../database/sqlite-file.ts";
import { messageOf, OperatorError, UnavailableError } from "../lib/errors.ts";
import { contentsOf, sqliteFileOf } from "./backup.ts";
import {
  companionsOf,
  isSameFile,
  keepFormer,
  makePartialFile,
  moveCompanions,
  nameForFormer,
  sync,
  translated,
} from "./files.ts";

/** The ending of an unfinished restore. The next restore replaces it. */
const PARTIAL = ".restoring";
const NOT_A_FILE =
  "domain-signin restore replaces SQLite files: restore PostgreSQL with pg_restore or from its base " +
  'backup, then run domain-signin restored (see "Backup" in docs/operations.md)';

interface RestoreDeps<T> {
  /** The last step on the copy, before it gets the name of the database. */
  readonly lastStep: (engine: SqlEngine) => Promise<T>;
  /** The time in the name of the database that was there before. */
  readonly now: Date;
}

/**
 * Replaces the database by one last rename; the backup `from` is not changed. Rejects with `OperatorError` for what
 * the operator must correct, with `UnavailableError` if the database is served or the disk is full.
 */
export async function restoreBackup<T>(
  address: string,
  from: string,
  { lastStep, now }: RestoreDeps<T>,
) {
  const path = sqliteFileOf(address, "restored", NOT_A_FILE);
  requireWhole(from, path);
  const guard = guardFile(path);
  if (guard === null) {
    throw new UnavailableError(
      `another process serves the database ${resolve(path)}: stop it first`,
    );
  }
  try {
    const partial = await makePartialFile(path + PARTIAL);
    try {
      await copy(from, partial.path);
      const { contents, done } = await prepare(partial.path, from, lastStep);
      giveToOwner(partial.path, existsSync(path) ? path : dirname(resolve(path)));
      const hadDatabase = existsSync(path);
      const kept = nameForFormer(path, now);
      await keepFormer(path, kept);
      // Now, so that the database is without its log for as short as possible before it is replaced.
      await sync(partial.path);
      await moveCompanions(path, kept);
      await partial.finish(path);
      const previous = hadDatabase ? kept : null;
      return { ...contents, database: resolve(path), previous, lastStep: done };
    } finally {
      await partial.remove();
    }
  } finally {
    guard.release();
  }
}

function requireWhole(from: string, path: string): void {
  const stat = statSync(from, { throwIfNoEntry: false });
  if (stat === undefined) throw new OperatorError(`there is no file ${resolve(from)}`);
  if (!stat.isFile()) throw new OperatorError(`${from} is not a file`);
  if (isSameFile(from, path)) throw new OperatorError(`${from} is the database itself`);
  const [companion] = companionsOf(from);
  if (companion === undefined) return;
  throw new OperatorError(
    `${companion} is beside ${from}, so that is a database in use and not a backup: copy it with ` +
      "domain-signin backup",
  );
}

/** Not by `copyFile`, which would give the copy the mode of the backup. */
async function copy(from: string, to: string): Promise<void> {
  try {
    await pipeline(createReadStream(from), createWriteStream(to, { flags: "r+" }));
  } catch (cause) {
    throw translated(cause, `cannot copy ${from} to ${to}`);
  }
}

/** Checks the copy, updates its schema, and runs the last step on it. The backup itself is never opened. */
async function prepare<T>(
  copied: string,
  from: string,
  lastStep: (engine: SqlEngine) => Promise<T>,
) {
  const { engine, ready } = openCopy(copied, from);
  try {
    const [problem] = await problemsIn(engine, "integrity_check(1)");
    if (problem !== undefined) throw new OperatorError(damaged(from, problem));
    refuseNewer((await contentsOf(engine, from)).schema);
    await ready();
    const done = await lastStep(engine);
    const contents = await contentsOf(engine, from);
    // All of it in one file, which is then renamed.
    const [row] = await engine.execute("PRAGMA journal_mode = DELETE", []);
    if (row?.journal_mode !== "delete") throw new UnavailableError(`${copied} is in use`);
    return { contents, done };
  } finally {
    await engine.close();
  }
}

function openCopy(copied: string, from: string) {
  try {
    return openDatabase(copied);
  } catch (cause) {
    throw new OperatorError(damaged(from, messageOf(cause)));
  }
}

function damaged(from: string, problem: string): string {
  return `${from} is damaged or cut short, and is not restored: ${problem}`;
}
