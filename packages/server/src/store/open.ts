// Opens the database engine for an address.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { OperatorError } from "../lib/errors.ts";
import type { SqlEngine } from "./engine.ts";
import { migrate, requireSchema } from "./migrations.ts";
import { requireNoMove } from "./move-progress.ts";
import { requireNotMoved } from "./moved.ts";
import type { PostgresEngine } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/**
 * `ready` resolves when the schema is that of this version and rejects otherwise. It migrates SQLite files;
 * PostgreSQL is migrated only by `domain-signin migrate`.
 */
export function openDatabase(address: string) {
  const path = pathIn(address);
  if (path === null) {
    const engine = loadedPostgres(address);
    const ready = async () => {
      requireSchema(await engine.schemaVersion());
      await requireNoMove(engine);
    };
    return { engine, ready };
  }
  const engine = openSqlite(path);
  const ready = async () => {
    await migrate(engine);
    await requireNotMoved(engine);
  };
  return { engine, ready };
}

/** Opens an existing SQLite file that nobody else uses. Throws `OperatorError` if that is impossible. */
export function openSourceOfMove(address: string): SqlEngine {
  const path = pathIn(address);
  if (path === null || path === ":memory:") {
    throw new OperatorError("--from must be a SQLite file: sqlite:PATH");
  }
  requireDatabase(address);
  return openSqlite(path, { alone: true });
}

/** Throws `OperatorError` for any other database than PostgreSQL. */
export function openTargetOfMove(address: string): PostgresEngine {
  if (pathIn(address) === null) return loadedPostgres(address);
  throw new OperatorError("--to must be a PostgreSQL database: postgres://USER@HOST:PORT/NAME");
}

/** Throws `OperatorError` if a SQLite file does not exist, for commands that must not create one. */
export function requireDatabase(address: string): void {
  if (databaseExists(address)) return;
  throw new OperatorError(
    `there is no database ${resolve(pathIn(address) ?? "")}: run this command in the directory of the ` +
      "service, or set --database or DOMAIN_SIGNIN_DATABASE",
  );
}

/** False only for a missing SQLite file; a PostgreSQL server is not contacted. */
export function databaseExists(address: string): boolean {
  const path = pathIn(address);
  return path === null || path === ":memory:" || existsSync(path);
}

/** What is behind the address: a SQLite file, SQLite in memory, or PostgreSQL. */
export function databaseKind(address: string): "file" | "memory" | "server" {
  const path = pathIn(address);
  if (path === null) return "server";
  return path === ":memory:" ? "memory" : "file";
}

/** The name shown to the operator: a path, or a URL without its password. */
export function databaseName(address: string): string {
  const path = pathIn(address);
  if (path !== null) return path;
  if (!URL.canParse(address)) return "PostgreSQL";
  const url = new URL(address);
  // Parameters can contain a password too.
  return Object.assign(url, { password: "", search: "", hash: "" }).href;
}

/** Null for PostgreSQL. */
function pathIn(address: string): string | null {
  return /^postgres(ql)?:/.test(address) ? null : address.replace(/^sqlite:/, "");
}

/** Loads the library only if PostgreSQL is used. */
function loadedPostgres(address: string): PostgresEngine {
  const opened = import("./postgres.ts").then(({ openPostgres }) => openPostgres(address));
  // A failure is reported by each method below.
  opened.catch(() => {});
  return {
    execute: async (sql, parameters) => (await opened).execute(sql, parameters),
    migrate: async (steps) => (await opened).migrate(steps),
    schemaVersion: async () => (await opened).schemaVersion(),
    now: async () => (await opened).now(),
    close: async () => (await opened.catch(() => null))?.close(),
  };
}
