// SQLite as an engine: `node:sqlite` where Node has it, else `libsql`.

import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError, UnavailableError } from "../lib/errors.ts";
import { type SqlEngine, type SqlRow, type SqlValue, UniqueViolationError } from "./engine.ts";
import { makeDatabaseFile, troubleWith } from "./sqlite-file.ts";

/** As much of both libraries as is used: `all()` alone, since libsql mixes up bindings otherwise. */
interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...parameters: (string | bigint | null)[]): unknown[] };
  close(): unknown;
}

/**
 * Milliseconds that a statement waits for another process to give up the file: a request is
 * answered with 503 within a second. Each statement is a transaction of its own, so one that found
 * the file locked had no effect and may be run again.
 */
const PATIENCE = 750;
/** Milliseconds between two attempts. */
const PAUSE = 10;
/**
 * Milliseconds that SQLite waits by itself, which blocks the process: not at all when requests are
 * served, long when a start meets that of another process.
 */
const BUSY_TIMEOUT = { serving: 0, starting: 5000 } as const;

const require = createRequire(import.meta.url);

function openDatabase(path: string): Database {
  let library: { DatabaseSync: new (path: string) => Database };
  const { emitWarning } = process;
  try {
    // Node 22 warns that the module is experimental: nothing an operator could act on.
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
    const trouble = isFile ? troubleWith(path) : null;
    throw new OperatorError(`cannot open the database ${path}: ${trouble ?? messageOf(cause)}`);
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
          if (!isLocked(cause) || waited >= PATIENCE) throw translate(cause);
        }
        await sleep(PAUSE);
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

function waitBlocking(database: Database, when: keyof typeof BUSY_TIMEOUT): void {
  database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT[when]}`);
}

/** Sets what durability needs, and reads it back: a file system may refuse write-ahead logging. */
function makeDurable(database: Database): void {
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");
  const journal = database.prepare("PRAGMA journal_mode").all()[0] as { journal_mode?: unknown };
  const synchronous = database.prepare("PRAGMA synchronous").all()[0] as { synchronous?: unknown };
  if (journal?.journal_mode !== "wal" || Number(synchronous?.synchronous) !== 2) {
    throw new OperatorError("the database file does not support WAL with synchronous=FULL");
  }
}

/** libsql binds numbers as REAL, aborts on booleans and cuts text at NUL: nothing of it gets there. */
function bind(value: SqlValue): string | bigint | null {
  if (value === null) return null;
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === "string" && !value.includes("\0")) return value;
  throw new TypeError("a SQL parameter is an integer, a text without NUL, or null");
}

/** Another process holds the file: SQLITE_BUSY, and neither library's error tells it otherwise. */
function isLocked(cause: unknown): boolean {
  return /database is locked/.test(messageOf(cause));
}

function translate(cause: unknown): unknown {
  const message = messageOf(cause);
  if (/UNIQUE constraint failed/.test(message)) return new UniqueViolationError(message);
  // Locked, full, failing disk: the database's trouble, not the caller's.
  if (/locked|busy|disk|full|readonly|unable to open|I\/O|not open|closed/i.test(message)) {
    return new UnavailableError(message, { cause });
  }
  return cause;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
