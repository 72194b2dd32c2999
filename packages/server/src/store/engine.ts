// What a database engine must offer: numbered parameters in, plain rows out.

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface SqlEngine {
  /**
   * Runs one statement and gives back its rows. Parameters are numbered `?1`, `?2` …, integers and
   * text only. Rejects with `UnavailableError` when the outcome is unknown, with
   * `UniqueViolationError` when a unique index refused the statement.
   */
  execute(sql: string, parameters: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** Runs statements without parameters as one transaction, alone among all processes. */
  migrate(steps: (appliedVersion: number) => readonly Migration[]): Promise<void>;
  close(): Promise<void>;
}

export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
  /** Run besides on PostgreSQL: what has no counterpart in SQLite. */
  readonly postgres?: readonly string[];
}

export class UniqueViolationError extends Error {
  override name = "UniqueViolationError";
}
