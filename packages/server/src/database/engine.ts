// The interface of a database engine.

import { toUSVString } from "node:util";

/** The time at which a statement runs on PostgreSQL. It is here because it is needed before that library is loaded. */
export const POSTGRES_STATEMENT_TIME =
  "CAST(floor(extract(epoch FROM clock_timestamp())) AS BIGINT)";

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Called after every ten seconds of own time in which something has waited: for what, and for how many seconds. */
export type OnWait = (what: string, seconds: number) => void;

/** A text, or a statement that many requests can share. */
export type SqlStatement = string | GroupedStatement;

/** A statement that can run for many keys at once, made by `defineRead` or `defineUpdate` in `grouped.ts`. */
export interface GroupedStatement {
  readonly isRead: boolean;
  /** For one key, which is its first parameter. */
  readonly sql: string;
  /** The columns of its rows. The first is the key. */
  readonly columns: readonly [string, ...string[]];
  /** For many keys, as one JSON array. On SQLite, each row is one JSON array, `row`; null if that is no faster. */
  readonly ofMany: { readonly sqlite: string | null; readonly postgres: string };
  /** How many of its last parameters are the same for all keys of the text for SQLite, and follow the JSON array. */
  readonly shared: number;
}

export interface StatementCall {
  readonly statement: SqlStatement;
  readonly parameters: readonly SqlValue[];
}

/** One of several writes that commit together. */
export interface JoinedWrite extends StatementCall {
  /** Whether none of the writes takes effect if this one returns no row. */
  readonly when?: boolean;
}

/** The rows of each write, in the order of the writes; null if one that is marked `when` returned none. */
export type JoinedRows = readonly (readonly SqlRow[])[] | null;

/** The key of a grouped statement is its first value. */
export function keyOf({ parameters }: StatementCall): SqlValue {
  return parameters[0] ?? null;
}

export interface SqlExecutor {
  /**
   * Runs one statement and returns its rows. Parameters are numbered `?1`, `?2` …; only integers and text
   * are supported. Rejects with `UnavailableError` if the database does not answer, with its subclass `NotBegunError`
   * if the statement was not begun in time, with `UnknownOutcomeError` if the statement may have taken effect, or may
   * do so later, and with `UniqueViolationError` if a unique index is violated.
   */
  execute(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    options?: StatementOptions,
  ): Promise<readonly SqlRow[]>;
}

export interface SqlEngine extends SqlExecutor {
  /**
   * Runs the writes in their order as one transaction: each sees the effects of those before it, and all of them are
   * committed or none. Null if a write that is marked `when` returned no row; then none has taken effect. Rejects as
   * `execute` does. `UniqueViolationError` also means that none has taken effect.
   *
   * @example
   * const rows = await engine.commit([
   *   { statement: "UPDATE codes SET used = 1 WHERE id = ?1 AND used = 0 RETURNING id", parameters: [id], when: true },
   *   { statement: "INSERT INTO uses (code) VALUES (?1)", parameters: [id] },
   * ]);
   * if (rows === null) throw new Error("the code was used before");
   */
  commit(writes: readonly JoinedWrite[], options?: StatementOptions): Promise<JoinedRows>;
  /** Runs migrations in one transaction, which excludes those of other processes. */
  migrate(steps: MigrationSteps): Promise<void>;
  /** The time of the database in epoch milliseconds. Missing if the database has no clock of its own. */
  now?(): Promise<number>;
  /** The time of the database at a statement, as SQL for whole epoch seconds. Missing if it has no clock of its own. */
  readonly statementTime?: string;
  /** Why nothing can be read or written until the service is started again, or null. */
  problem?(): string | null;
  /** For how many milliseconds of own time the oldest write has been waiting for the database; 0 if none waits. */
  oldestWaitMs?(): number;
  /** Refuses soon what has not begun, and resolves when everything else has its outcome. Called before `close`. */
  settle?(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds of own time (`lib/own-time`) that a request of a person waits for the database before it is refused. */
export const PEOPLE_WAIT_MS = 10_000;
/** The same for a request at the token endpoint, whose client can repeat it by itself. */
export const TOKEN_WAIT_MS = 2_000;

export interface StatementOptions {
  /** How many milliseconds the statement may take, if that is less than usual. */
  readonly withinMs?: number | undefined;
  /**
   * How many milliseconds of own time the statement may wait before it begins; it is refused with `NotBegunError`
   * afterwards. `Infinity` for as long as it takes. `PEOPLE_WAIT_MS`, or `TOKEN_WAIT_MS` if it is urgent, by default.
   */
  readonly waitMs?: number | undefined;
  /** Whether it goes before other statements that wait to write. */
  readonly isUrgent?: boolean;
  /** Whether it goes before urgent ones too, and beyond the limit of writes that may wait. */
  readonly isFirst?: boolean;
}

/** How long a statement with these options may wait before it begins, in milliseconds. */
export function waitOf({ withinMs, waitMs, isUrgent = false }: StatementOptions = {}): number {
  return Math.min(withinMs ?? Infinity, waitMs ?? (isUrgent ? TOKEN_WAIT_MS : PEOPLE_WAIT_MS));
}

export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
  /** Additional statements for PostgreSQL, without an equivalent in SQLite. */
  readonly postgres?: readonly string[];
}

/** The migrations that follow the version that the database has; 0 if it has none. */
export type MigrationSteps = (applied: number) => readonly Migration[];

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

/** The call with checked values. */
export function checkedCall<Call extends StatementCall>(call: Call): Call {
  return { ...call, parameters: call.parameters.map(checkedValue) };
}

/** The text for one key. */
export function textOf(statement: SqlStatement): string {
  return typeof statement === "string" ? statement : statement.sql;
}

/** Whether a statement only reads. Everything else waits for its turn to write. */
export function isRead(statement: SqlStatement): boolean {
  if (typeof statement !== "string") return statement.isRead;
  return /^\s*(?:SELECT\b|PRAGMA\b[^=]*$)/i.test(statement);
}
