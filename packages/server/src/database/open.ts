// Opens the database engine for an address.

import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { OperatorError } from "../lib/errors.ts";
import { type OnWait, POSTGRES_STATEMENT_TIME, type SqlEngine } from "./engine.ts";
import { type Guard, guardFile } from "./guard.ts";
import { migrate, requireSchema } from "./migrations.ts";
import { requireNoMove, requireNotMoved } from "./moved.ts";
import type { PostgresEngine, PostgresOptions } from "./postgres.ts";
import { openSqlite, type SqliteOptions } from "./sqlite.ts";
import { problemsIn } from "./sqlite-file.ts";

/** A start first checks a file of up to this size: two million grants, in 1 s if cached, in 10 s from a slow disk. */
const CHECKED_AT_START_BYTES = 512 * 2 ** 20;

/**
 * For a command: its statements wait for the database as long as it takes. `ready` resolves when the schema is that of
 * this version and rejects otherwise. It migrates SQLite files; PostgreSQL is migrated only by `domain-signin migrate`.
 */
export function openDatabase(address: string, options: PostgresOptions & SqliteOptions = {}) {
  return openEngine(address, { ...options, isPatient: () => true });
}

function openEngine(address: string, options: PostgresOptions & SqliteOptions) {
  const path = sqlitePath(address);
  if (path === null) {
    const engine = loadedPostgres(address, options);
    const ready = () =>
      engine.patiently(async (patient) => {
        await engine.requireOwnSessions();
        requireSchema(await engine.schemaVersion(patient));
        await requireNoMove(patient);
      });
    return { engine, ready };
  }
  const engine = openSqlite(path, options);
  const ready = async () => {
    await migrate(engine);
    await requireNotMoved(engine);
  };
  return { engine, ready };
}

/** Opens an existing SQLite file that nobody else uses. Throws `OperatorError` if that is impossible. */
export function openSourceOfMove(address: string): SqlEngine {
  const path = sqlitePath(address);
  if (path === null || path === ":memory:") {
    throw new OperatorError("--from must be a SQLite file: sqlite:PATH");
  }
  requireDatabase(address);
  // Nobody may put another file in its place either.
  return openGuarded(address, () => ({ engine: openSqlite(path, { alone: true }) })).engine;
}

/** Throws `OperatorError` for any other database than PostgreSQL. */
export function openTargetOfMove(address: string): PostgresEngine {
  if (sqlitePath(address) === null) return loadedPostgres(address, { waitMs: Infinity });
  throw new OperatorError("--to must be a PostgreSQL database: postgres://USER@HOST:PORT/NAME");
}

/**
 * For a service: as `openDatabase`, but statements wait for a limited time once `started` was called. Throws
 * `OperatorError` if another process serves the SQLite file, and `ready` rejects if the file is malformed.
 */
export function openServedDatabase(address: string, onWait: OnWait) {
  let isStarting = true;
  const options = { withThread: true, onWait, isPatient: () => isStarting };
  const { engine, ready } = openGuarded(address, () => openEngine(address, options));
  return {
    engine,
    async ready() {
      await requireSound(engine, sqlitePath(address));
      return ready();
    },
    isStarting: () => isStarting,
    started() {
      isStarting = false;
    },
  };
}

/** The engine gives up the guard when it is closed. */
function openGuarded<Opened extends { readonly engine: SqlEngine }>(
  address: string,
  open: () => Opened,
): Omit<Opened, "engine"> & { readonly engine: SqlEngine } {
  const guard = guardForService(address);
  try {
    const opened = open();
    const close = async () => {
      await opened.engine.close();
      guard.release();
    };
    return { ...opened, engine: { ...opened.engine, close } };
  } catch (cause) {
    guard.release();
    throw cause;
  }
}

/** Throws `OperatorError` if another process serves the SQLite file. PostgreSQL has any number of nodes. */
export function guardForService(address: string): Guard {
  const path = sqlitePath(address);
  const guard = path === null ? { release() {} } : guardFile(path);
  if (guard !== null) return guard;
  throw new OperatorError(
    `another process already serves the database ${resolve(path ?? "")}: a SQLite file has one service at ` +
      "a time (stop the other one, or use PostgreSQL for several nodes)",
  );
}

async function requireSound(engine: SqlEngine, path: string | null): Promise<void> {
  if (path === null || path === ":memory:") return;
  if (statSync(path).size > CHECKED_AT_START_BYTES) return;
  const [found] = await problemsIn(engine, "quick_check(1)");
  if (found === undefined) return;
  throw new OperatorError(
    `the database ${resolve(path)} is damaged and is not served: restore a backup ` +
      `(domain-signin restore), or see what is wrong (domain-signin verify). SQLite reports: ${found}`,
  );
}

/** Throws `OperatorError` if a SQLite file does not exist, for commands that must not create one. */
export function requireDatabase(address: string): void {
  if (databaseExists(address)) return;
  throw new OperatorError(
    `there is no database ${resolve(sqlitePath(address) ?? "")}: run this command in the directory of the ` +
      "service, or set --database or DOMAIN_SIGNIN_DATABASE",
  );
}

/** False only for a missing SQLite file; a PostgreSQL server is not contacted. */
export function databaseExists(address: string): boolean {
  const path = sqlitePath(address);
  return path === null || path === ":memory:" || existsSync(path);
}

export function databaseKind(address: string): "file" | "memory" | "server" {
  const path = sqlitePath(address);
  if (path === null) return "server";
  return path === ":memory:" ? "memory" : "file";
}

/** The name shown to the operator: a path, or a URL without its password. */
export function databaseName(address: string): string {
  const path = sqlitePath(address);
  if (path !== null) return path;
  if (!URL.canParse(address)) return "PostgreSQL";
  const url = new URL(address);
  // Parameters can contain a password too.
  return Object.assign(url, { password: "", search: "", hash: "" }).href;
}

/** The path of a SQLite file, or `:memory:`; null for PostgreSQL. */
export function sqlitePath(address: string): string | null {
  return /^postgres(ql)?:/.test(address) ? null : address.replace(/^sqlite:/, "");
}

/** Loads the library only if PostgreSQL is used. */
function loadedPostgres(address: string, options: PostgresOptions): PostgresEngine {
  const opened = import("./postgres.ts").then(({ openPostgres }) => openPostgres(address, options));
  // A failure is reported by each method below.
  opened.catch(() => {});
  return {
    execute: async (...statement) => (await opened).execute(...statement),
    commit: async (...writes) => (await opened).commit(...writes),
    statementTime: POSTGRES_STATEMENT_TIME,
    migrate: async (steps) => (await opened).migrate(steps),
    schemaVersion: async (by) => (await opened).schemaVersion(by),
    now: async () => (await opened).now(),
    requireOwnSessions: async () => (await opened).requireOwnSessions(),
    patiently: async (task) => (await opened).patiently(task),
    settle: async () => (await opened.catch(() => null))?.settle?.(),
    close: async () => (await opened.catch(() => null))?.close(),
  };
}
