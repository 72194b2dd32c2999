// Opens the engine that a database's address names.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { OperatorError } from "../lib/errors.ts";
import type { SqlEngine } from "./engine.ts";
import { migrate, requireSchema } from "./migrations.ts";
import type { PostgresEngine } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

export interface OpenDatabase {
  readonly engine: SqlEngine;
  /** Resolves when the schema is this version's. */
  ready(): Promise<unknown>;
}

/** A file is brought up to date by whoever opens it; a database that others use too is not. */
export function openDatabase(address: string): OpenDatabase {
  const path = pathIn(address);
  if (path === null) {
    const engine = loadedPostgres(address);
    return { engine, ready: async () => requireSchema(await engine.schemaVersion()) };
  }
  const engine = openSqlite(path);
  return { engine, ready: () => migrate(engine) };
}

/** Rejects a file that is not there: whoever looks into a database does not want a new one. */
export function requireDatabase(address: string): void {
  if (isThere(address)) return;
  throw new OperatorError(
    `there is no database ${resolve(pathIn(address) ?? "")}: run this in the folder of the service, ` +
      "or name its database with --database or DOMAIN_SIGNIN_DATABASE",
  );
}

/** False for a file that is not there alone: of a server that is told by asking it. */
export function isThere(address: string): boolean {
  const path = pathIn(address);
  return path === null || path === ":memory:" || existsSync(path);
}

/** What an operator knows the database by: a path, or a URL without its password. */
export function databaseName(address: string): string {
  const path = pathIn(address);
  if (path !== null) return path;
  if (!URL.canParse(address)) return "PostgreSQL";
  const url = new URL(address);
  // Its parameters may hold one as well.
  return Object.assign(url, { password: "", search: "", hash: "" }).href;
}

/** Null for a server. */
function pathIn(address: string): string | null {
  return /^postgres(ql)?:/.test(address) ? null : address.replace(/^sqlite:/, "");
}

/** Its library is loaded only by those who use it: everybody else starts without. */
function loadedPostgres(address: string): PostgresEngine {
  const opened = import("./postgres.ts").then(({ openPostgres }) => openPostgres(address));
  // What fails is told to whoever uses it.
  opened.catch(() => {});
  return {
    execute: async (sql, parameters) => (await opened).execute(sql, parameters),
    migrate: async (steps) => (await opened).migrate(steps),
    schemaVersion: async () => (await opened).schemaVersion(),
    close: async () => (await opened.catch(() => null))?.close(),
  };
}
