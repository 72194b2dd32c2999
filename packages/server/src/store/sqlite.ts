// SQLite as an engine: `node:sqlite` where Node has it, else `libsql`.

import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError, UnavailableError } from "../lib/errors.ts";
import { type SqlEngine, type SqlRow, type SqlValue, UniqueViolationError } from "./engine.ts";
import { makeDatabaseFile, openProblem } from "./sqlite-file.ts";

/** The part of both libraries that is used. Only `all()`, because libsql confuses bindings otherwise. */
interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...parameters: (string | bigint | null)[]): unknown[] };
  close(): unknown;
}

/**
 * A statement waits for this long while another process holds the lock, so that a request gets 503 within
 * a second. Each statement is a transaction, so one that fails because of a lock can be run again.
 */
const LOCK_TIMEOUT_MS = 750;
const LOCK_RETRY_INTERVAL_MS = 10;
/**
 * How long SQLite itself waits for a lock, which blocks the process: never while requests are served, but
 * long during a start, when another process may be starting too.
 */
const BUSY_TIMEOUT_MS = { serving: 0, starting: 5000 } as const;

const require = createRequire(import.meta.url);

function openDatabase(path: string): Database {
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

/** Opens the database file at `path`, or `:memory:`. An acknowledged write survives power loss. */
export function openSqlite(path: string): SqlEngine {
  const isFile = path !== ":memory:";
  let database: Database;
  try {
    if (isFile) makeDatabaseFile(path);
    database = openDatabase(path);
    waitBlocking(database, "starting");
    if (isFile) makeDurable(database);
    waitBlocking(database, "serving");
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    const problem = isFile ? openProblem(path) : null;
    throw new OperatorError(`cannot open the database ${path}: ${problem ?? messageOf(cause)}`);
  }
  let closed = false;
  const statements = new Map<string, ReturnType<Database["prepare"]>>();

  function run(sql: string, parameters: readonly SqlValue[]): readonly SqlRow[] {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement.all(...parameters.map(bind)) as SqlRow[];
  }

  function migrateNow(steps: Parameters<SqlEngine["migrate"]>[0]): void {
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)");
      const applied = Number(
        run("SELECT max(version) AS version FROM schema_version", [])[0]?.version,
      );
      for (const { version, statements } of steps(applied)) {
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
    async close() {
      if (closed) return;
      closed = true;
      statements.clear();
      database.close();
    },
  };
}

function waitBlocking(database: Database, when: keyof typeof BUSY_TIMEOUT_MS): void {
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS[when]}`);
}

/** Enables durable writes, and checks the result: some file systems do not support WAL. */
function makeDurable(database: Database): void {
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");
  const journal = database.prepare("PRAGMA journal_mode").all()[0] as { journal_mode?: unknown };
  const synchronous = database.prepare("PRAGMA synchronous").all()[0] as { synchronous?: unknown };
  if (journal?.journal_mode !== "wal" || Number(synchronous?.synchronous) !== 2) {
    throw new OperatorError("the database file does not support WAL with synchronous=FULL");
  }
}

/** libsql binds numbers as REAL, aborts on booleans and truncates text at NUL, so these are excluded. */
function bind(value: SqlValue): string | bigint | null {
  if (value === null) return null;
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === "string" && !value.includes("\0")) return value;
  throw new TypeError("a SQL parameter is an integer, a text without NUL, or null");
}

/** Another process holds the lock (SQLITE_BUSY). Neither library has an error code for it. */
function isLocked(cause: unknown): boolean {
  return /database is locked/.test(messageOf(cause));
}

function translate(cause: unknown): unknown {
  const message = messageOf(cause);
  if (/UNIQUE constraint failed/.test(message)) return new UniqueViolationError(message);
  // Problems of the database or the disk, not of the statement.
  if (/locked|busy|disk|full|readonly|unable to open|I\/O|not open|closed/i.test(message)) {
    return new UnavailableError(message, { cause });
  }
  return cause;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
