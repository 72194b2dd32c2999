// The guard of a SQLite file: while a process holds it, no other process serves or replaces the database.

import { chownSync, existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { messageOf, OperatorError } from "../lib/errors.ts";
import { makeDatabaseFile, openProblem } from "./sqlite.ts";
import { openLibrary } from "./sqlite-library.ts";

export interface Guard {
  /** Can be called again, which does nothing. */
  release(): void;
}

/** Two processes that try at the same moment could refuse each other, so each waits a little. */
const WAIT_MS = 500;

interface Held {
  holders: number;
  unlock(): void;
}

/** By lock file. The services of one process share a guard. */
const heldHere = new Map<string, Held>();

/**
 * Takes the guard of the SQLite file at `path`, which need not exist yet. Null if another process has it.
 * The lock is a lock of the kernel on the file `<path>-lock`, so it ends with the process, however that ends.
 * The lock file stays: if it were removed, two processes could each lock a file of that name.
 */
export function guardFile(path: string): Guard | null {
  if (path === ":memory:") return { release() {} };
  const problem = openProblem(path);
  if (problem !== null) throw new OperatorError(`cannot open the database ${path}: ${problem}`);
  const lock = `${realPath(path)}-lock`;
  const held = heldHere.get(lock) ?? lockFile(lock);
  if (held === null) return null;
  heldHere.set(lock, held);
  held.holders++;
  let isReleased = false;
  return {
    release() {
      if (isReleased) return;
      isReleased = true;
      held.holders--;
      if (held.holders > 0) return;
      heldHere.delete(lock);
      held.unlock();
    },
  };
}

/** Null if another process has the lock. */
function lockFile(lock: string): Held | null {
  makeDatabaseFile(lock);
  const database = openLibrary(lock);
  try {
    database.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
    database.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    if (/locked|busy/i.test(messageOf(cause))) return null;
    throw new OperatorError(`cannot lock ${lock}: ${openProblem(lock) ?? messageOf(cause)}`);
  }
  giveToOwner(lock, dirname(lock));
  return {
    holders: 0,
    unlock() {
      // First, because libsql may close a connection later than it says.
      database.exec("ROLLBACK");
      database.close();
    },
  };
}

/** If this process is root, gives a file that it has made for the service to the owner of `like`. */
export function giveToOwner(path: string, like: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(like);
  if (statSync(path).uid !== uid) chownSync(path, uid, gid);
}

/** The path without symbolic links, so that two paths to one file share a lock. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  return join(realpathSync(resolve(dirname(path))), basename(path));
}
