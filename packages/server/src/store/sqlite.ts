// SQLite as an engine: `node:sqlite` where Node has it, else `libsql`.

import { accessSync, closeSync, constants, existsSync, openSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, OperatorError, UnavailableError } from "../lib/errors.ts";
import {
  checkedValue,
  type SqlEngine,
  type SqlRow,
  type SqlValue,
  UniqueViolationError,
} from "./engine.ts";

/** The part of both libraries that is used. Only `all()`, because libsql confuses bindings otherwise. */
export interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...parameters: (string | bigint | null)[]): SqlRow[] };
  close(): unknown;
}

/**
 * A statement waits for this long while another process holds the lock, so that a request gets 503 within
 * a second. Each statement is a transaction, so one that fails because of a lock can be run again.
 */
const LOCK_TIMEOUT_MS = 750;
const LOCK_RETRY_INTERVAL_MS = 10;
/** A file that was deleted or replaced is noticed after this long. */
const FILE_CHECK_INTERVAL_MS = 1000;
/**
 * How long SQLite itself waits for a lock, which blocks the process: never while requests are served, but
 * long during a start, when another process may be starting too.
 */
const BUSY_TIMEOUT_MS = { serving: 0, starting: 5000 } as const;

const { R_OK, W_OK, X_OK } = constants;

const require = createRequire(import.meta.url);

/** A connection to the file, which is created with the first statement if it does not exist. */
export function openLibrary(path: string): Database {
  let library: { DatabaseSync: new (path: string) => Database };
  const { emitWarning } = process;
  try {
    // Suppresses the warning of Node 22 that the module is experimental.
    process.emitWarning = () => {};
    library = require("node:sqlite");
  } catch {
    const Libsql = require("libsql");
    return new Libsql(path);
  } finally {
    process.emitWarning = emitWarning;
  }
  return new library.DatabaseSync(path);
}

/**
 * Opens the database file at `path`, or `:memory:`. An acknowledged write survives power loss. `alone`:
 * nobody else can use the file until it is closed. Throws `OperatorError` if somebody does.
 */
export function openSqlite(path: string, { alone = false } = {}): SqlEngine {
  const isFile = path !== ":memory:";
  let database: Database;
  try {
    if (isFile) makeDatabaseFile(path);
    database = openLibrary(path);
    waitBlocking(database, "starting");
    if (alone) excludeOthers(database, path);
    else if (isFile) makeDurable(database);
    waitBlocking(database, "serving");
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    const problem = isFile ? openProblem(path) : null;
    throw new OperatorError(`cannot open the database ${path}: ${problem ?? messageOf(cause)}`);
  }
  const problem = isFile ? watchFile(path) : () => null;
  let closed = false;
  const statements = new Map<string, ReturnType<Database["prepare"]>>();

  function run(sql: string, parameters: readonly SqlValue[]): readonly SqlRow[] {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement.all(...parameters.map(bind));
  }

  function migrateNow(steps: Parameters<SqlEngine["migrate"]>[0]): void {
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)");
      const [newest] = run("SELECT max(version) AS version FROM schema_version", []);
      for (const { version, statements } of steps(Number(newest?.version))) {
        for (const statement of statements) database.exec(statement);
        run("INSERT INTO schema_version (version) VALUES (?1)", [version]);
      }
      database.exec("COMMIT");
    } catch (cause) {
      database.exec("ROLLBACK");
      throw cause;
    }
  }

  return {
    async execute(sql, parameters) {
      const begun = performance.now();
      const gone = problem(begun);
      if (gone !== null) throw new UnavailableError(gone);
      for (;;) {
        try {
          return run(sql, parameters);
        } catch (cause) {
          const waited = performance.now() - begun;
          if (!isLocked(cause) || waited >= LOCK_TIMEOUT_MS) throw translate(cause);
        }
        await sleep(LOCK_RETRY_INTERVAL_MS);
      }
    },
    async migrate(steps) {
      waitBlocking(database, "starting");
      try {
        migrateNow(steps);
      } finally {
        waitBlocking(database, "serving");
      }
    },
    problem: () => problem(),
    async close() {
      if (closed) return;
      closed = true;
      statements.clear();
      if (alone) admitOthers(database);
      database.close();
    },
  };
}

/**
 * Returns why the file at `path` is no longer the one that was opened, or null: SQLite goes on in a file
 * that was deleted, and what it writes is lost. At a time `now`, what was found up to a second before still
 * counts, so that statements do not wait for the file system.
 */
function watchFile(path: string): (now?: number) => string | null {
  const opened = identityOf(path);
  let checkedAt = performance.now();
  let found: string | null = null;
  return (now) => {
    if (now !== undefined && now - checkedAt < FILE_CHECK_INTERVAL_MS) return found;
    checkedAt = performance.now();
    const present = identityOf(path);
    const what = present === null ? "deleted" : "replaced";
    found = present === opened ? null : `the database file ${path} was ${what} while it was in use`;
    return found;
  };
}

/** Null if there is no file. */
function identityOf(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev}/${stat.ino}`;
}

function waitBlocking(database: Database, when: keyof typeof BUSY_TIMEOUT_MS): void {
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS[when]}`);
}

/** Enables durable writes, and checks the result: some file systems do not support WAL. */
function makeDurable(database: Database): void {
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");
  const [journal] = database.prepare("PRAGMA journal_mode").all();
  const [sync] = database.prepare("PRAGMA synchronous").all();
  if (journal?.journal_mode !== "wal" || Number(sync?.synchronous) !== 2) {
    throw new OperatorError("the database file does not support WAL with synchronous=FULL");
  }
}

/**
 * While a process has the file open in WAL mode, no other one can end that mode. Without it, the lock of a
 * transaction lasts until the file is closed.
 */
function excludeOthers(database: Database, path: string): void {
  waitBlocking(database, "serving");
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec("PRAGMA journal_mode = DELETE");
    // Without WAL, a commit survives power loss only if the removal of its journal does.
    database.exec("PRAGMA synchronous = EXTRA");
    database.exec("BEGIN EXCLUSIVE");
    database.exec("COMMIT");
  } catch (cause) {
    database.close();
    if (!isLocked(cause)) throw cause;
    throw new OperatorError(
      `the database ${path} is in use: stop \`serve\` and every other program that has it open`,
    );
  }
}

/** libsql closes the file only when it has forgotten all statements. */
function admitOthers(database: Database): void {
  database.exec("PRAGMA locking_mode = NORMAL");
  // Uses the file, which gives up the lock.
  database.exec("PRAGMA journal_mode = WAL");
}

/** libsql would bind a number as REAL. */
export function bind(value: SqlValue): string | bigint | null {
  const checked = checkedValue(value);
  return typeof checked === "number" ? BigInt(checked) : checked;
}

/** Another process holds the lock (SQLITE_BUSY). Neither library has an error code for it. */
function isLocked(cause: unknown): boolean {
  return /database is locked/.test(messageOf(cause));
}

/** The error to throw for one of a library. */
export function translate(cause: unknown): unknown {
  const message = messageOf(cause);
  if (/UNIQUE constraint failed/.test(message)) return new UniqueViolationError(message);
  // Problems of the database or the disk, not of the statement.
  if (/locked|busy|disk|full|readonly|unable to open|I\/O|not open|closed/i.test(message)) {
    return new UnavailableError(message, { cause });
  }
  return cause;
}

/**
 * Creates the file if it does not exist, readable only by its owner. SQLite gives its additional files the
 * same mode. An existing file is not opened, because closing it would release the locks of this process.
 */
export function makeDatabaseFile(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch {
    // The library will fail too, and `openProblem` finds the reason.
  }
}

/** Why the file cannot be opened, or null if the file system shows no reason. */
export function openProblem(path: string): string | null {
  const folder = resolve(dirname(path));
  const kind = kindOf(folder);
  if (kind === "absent") return `the folder ${folder} does not exist`;
  if (kind === "file") return `${folder} is not a folder`;
  if (kindOf(path) === "folder") return "it is a folder";
  // SQLite creates two more files in the folder.
  const isUsable = kind === "folder" && isAllowed(folder, R_OK | W_OK | X_OK);
  if (!isUsable) return `permission denied for the folder ${folder}`;
  return existsSync(path) && !isAllowed(path, R_OK | W_OK) ? "permission denied" : null;
}

function kindOf(path: string): "folder" | "file" | "absent" | "hidden" {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EACCES" ? "hidden" : "absent";
  }
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
