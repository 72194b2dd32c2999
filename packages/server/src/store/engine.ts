// The interface of a database engine.

import { toUSVString } from "node:util";
import { UnavailableError } from "../lib/errors.ts";

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface SqlEngine {
  /**
   * Runs one statement and returns its rows. Parameters are numbered `?1`, `?2` …; only integers and text
   * are supported. Rejects with
   * `UnavailableError` if the database does not answer, with `UnknownOutcomeError` if the statement may have
   * taken effect, and with `UniqueViolationError` if a unique index is violated.
   */
  execute(
    sql: string,
    parameters: readonly SqlValue[],
    options?: StatementOptions,
  ): Promise<readonly SqlRow[]>;
  /** Runs migrations in one transaction, which excludes those of other processes. */
  migrate(steps: (appliedVersion: number) => readonly Migration[]): Promise<void>;
  /** The time of the database in epoch milliseconds. Missing if the database has no clock of its own. */
  now?(): Promise<number>;
  /** Why nothing can be read or written until the service is started again, or null. */
  problem?(): string | null;
  close(): Promise<void>;
}

export interface StatementOptions {
  /** How many milliseconds the statement may take, if that is less than usual. */
  readonly withinMs?: number | undefined;
  /** Whether it goes before other statements that wait to write. */
  readonly isUrgent?: boolean;
}

export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
  /** Additional statements for PostgreSQL, without an equivalent in SQLite. */
  readonly postgres?: readonly string[];
}

/** The statement was sent and its answer was lost, while the server may still respond on other connections. */
export class UnknownOutcomeError extends UnavailableError {
  override name = "UnknownOutcomeError";
}

export class UniqueViolationError extends Error {
  override name = "UniqueViolationError";
}

/**
 * Throws `TypeError` for a value that libsql cannot store: it aborts on booleans and truncates text at NUL. Half of a
 * surrogate pair becomes U+FFFD: from JSON, SQLite would make octets of it that libsql aborts on.
 */
export function checkedValue(value: SqlValue): SqlValue {
  if (value === null) return value;
  if (typeof value === "string" && !value.includes("\0")) return toUSVString(value);
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  throw new TypeError("a SQL parameter is an integer, a text without NUL, or null");
}

/** Whether a statement only reads. Everything else waits for its turn to write. */
export function isRead(sql: string): boolean {
  return /^\s*(?:SELECT\b|PRAGMA\b[^=]*$)/i.test(sql);
}
