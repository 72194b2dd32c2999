// The interface of a database engine.

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface SqlEngine {
  /**
   * Runs one statement and returns its rows. Parameters are numbered `?1`, `?2` …; only integers and text
   * are supported. Rejects with `UnavailableError` if the outcome is unknown, and with
   * `UniqueViolationError` if a unique index is violated.
   */
  execute(sql: string, parameters: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** Runs migrations in one transaction, which excludes those of other processes. */
  migrate(steps: (appliedVersion: number) => readonly Migration[]): Promise<void>;
  close(): Promise<void>;
}

export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
  /** Additional statements for PostgreSQL, without an equivalent in SQLite. */
  readonly postgres?: readonly string[];
}

export class UniqueViolationError extends Error {
  override name = "UniqueViolationError";
}
