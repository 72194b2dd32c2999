// The libraries for SQLite: `node:sqlite`, and `libsql` before Node 22.13. What both do alike is in one place.

import { createRequire } from "node:module";
import { messageOf, OperatorError, UnavailableError } from "../lib/errors.ts";
import { checkedValue, type SqlRow, type SqlValue, UniqueViolationError } from "./engine.ts";

/** The part of both libraries that is used. Only `all()`, because libsql confuses bindings otherwise. */
export interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): PreparedStatement;
  close(): unknown;
}

export interface PreparedStatement {
  all(...parameters: (string | bigint | null)[]): SqlRow[];
}

/** Of each connection. SQLite's default of 2 MB holds the inner pages of some ten thousand grants. */
const CACHE_KIB = 16_384;

type LoadPackage = (name: string) => unknown;

const require: LoadPackage = createRequire(import.meta.url);

/** A connection to the file, which is created with the first statement if it does not exist. */
export function openLibrary(path: string, load = require): Database {
  const DatabaseOfLibrary = requireLibrary(load);
  return new DatabaseOfLibrary(path);
}

/** Throws `OperatorError` if there is no library. To be called before files are made. */
export function requireLibrary(load = require): new (path: string) => Database {
  return ofNode(load) ?? libsql(load);
}

/** Null before Node 22.13. */
function ofNode(load: LoadPackage): (new (path: string) => Database) | null {
  const { emitWarning } = process;
  try {
    // Suppresses the warning of Node 22 that the module is experimental.
    process.emitWarning = () => {};
    const library = load("node:sqlite") as { DatabaseSync: new (path: string) => Database };
    return library.DatabaseSync;
  } catch {
    return null;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** An optional peer dependency: it is 19 MB, and newer versions of Node do not need it. */
function libsql(load: LoadPackage): new (path: string) => Database {
  try {
    return load("libsql") as new (
      path: string,
    ) => Database;
  } catch (cause) {
    throw new OperatorError(
      `Node ${process.versions.node} needs the package libsql for SQLite files: run \`npm i libsql\`, or use Node 22.13 or newer (${messageOf(cause).split("\n")[0]})`,
    );
  }
}

/**
 * Enables durable writes, and checks the result: some file systems do not support WAL. The returned function throws if
 * another process has locked the file, and can then be called again.
 */
export function durabilityOf(database: Database): () => void {
  // SQLite itself must not wait for a lock: it would block the thread.
  database.exec("PRAGMA busy_timeout = 0");
  // Kept, because libsql commits nothing while a statement that a lock has failed is not run again.
  const journalMode = database.prepare("PRAGMA journal_mode");
  const synchronous = database.prepare("PRAGMA synchronous");
  return () => {
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = FULL");
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    const [journal] = journalMode.all();
    const [sync] = synchronous.all();
    if (journal?.journal_mode === "wal" && Number(sync?.synchronous) === 2) return;
    throw new OperatorError("the database file does not support WAL with synchronous=FULL");
  };
}

/** libsql would bind a number as REAL. */
export function bind(value: SqlValue): string | bigint | null {
  const checked = checkedValue(value);
  return typeof checked === "number" ? BigInt(checked) : checked;
}

/** Another connection holds the lock (SQLITE_BUSY). Neither library has an error code for it. */
export function isLocked(cause: unknown): boolean {
  return /database is locked/.test(messageOf(cause));
}

/** Only the statement has failed: the transaction that it belongs to is as it was before. */
export function isConstraintFailure(cause: unknown): boolean {
  return /constraint failed/.test(messageOf(cause));
}

/** The error to throw for one of a library. */
export function translate(cause: unknown): unknown {
  if (cause instanceof OperatorError) return cause;
  const message = messageOf(cause);
  if (/UNIQUE constraint failed/.test(message)) return new UniqueViolationError(message);
  // Problems of the database or the disk, not of the statement.
  if (/locked|busy|disk|full|readonly|unable to open|I\/O|not open|closed/i.test(message)) {
    return new UnavailableError(message, { cause });
  }
  return cause;
}
