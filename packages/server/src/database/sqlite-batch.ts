// Runs statements in groups: each group is one transaction, and one wait for the disk.

import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, NotBegunError } from "../lib/errors.ts";
import { memoize } from "../lib/memoize.ts";
import type { JoinedRows, SqlRow, SqlValue } from "./engine.ts";
import { bind, type Database, isConstraintFailure, isLocked } from "./sqlite-library.ts";

export interface BatchStatement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  /** The JSON of a statement for many keys, which is its first parameter. */
  readonly rows?: string | undefined;
}

/** Writes that take effect together or not at all. */
export interface BatchJoin {
  readonly joined: readonly {
    readonly sql: string;
    readonly parameters: readonly SqlValue[];
    readonly when: boolean;
  }[];
}

export type BatchItem = BatchStatement | BatchJoin;

/** The rows of a statement for many keys are the text of a JSON array. */
type Rows = readonly SqlRow[] | string;

/** The rows of a statement or of each joined write, or what the library said of the failure. */
export type Outcome = Rows | { readonly joined: JoinedRows } | { readonly failure: string };

/** Milliseconds between two attempts to get a lock that another process holds. */
const LOCK_RETRY_INTERVAL_MS = 10;
/** A group is given back after so many attempts, so that its queue can refuse what has waited for long enough. */
const LOCK_ATTEMPTS = 20;

/** Statements that SQLite refuses in a transaction, and transactions themselves. */
const OUTSIDE_TRANSACTIONS = /^\s*(?:PRAGMA|VACUUM|BEGIN|COMMIT|ROLLBACK)\b/i;

const UNDO_JOINED = "ROLLBACK TO joined; RELEASE joined";

export type BatchRunner = ReturnType<typeof createBatchRunner>;

export function createBatchRunner(database: Database) {
  const noStatements = () => memoize((sql) => database.prepare(sql));
  let prepared = noStatements();
  /** A read that failed because of a lock, and that libsql has left in progress. */
  let leftOver: (() => unknown) | null = null;

  const rowsOf = (sql: string, values: readonly SqlValue[]) =>
    prepared(sql).all(...values.map(bind));
  const jsonOf = (sql: string, json: string, shared: readonly SqlValue[] = []) => {
    const rows = prepared(sql).all(json, ...shared.map(bind));
    return `[${rows.map(({ row }) => row)}]`;
  };
  const run = ({ sql, parameters, rows }: BatchStatement): Rows =>
    rows === undefined ? rowsOf(sql, parameters) : jsonOf(sql, rows, parameters);

  /** Throws if another process has locked the file. */
  function readNow<T>(read: () => T): T {
    try {
      // Until the failed read is run again, every read would see the database as it was then.
      leftOver?.();
      leftOver = null;
      return read();
    } catch (cause) {
      if (isLocked(cause)) leftOver ??= read;
      throw cause;
    }
  }

  /** Throws if the transaction is no longer certain to be open: SQLite has then undone it, or must. */
  function runInTransaction(item: BatchItem): Outcome {
    try {
      return "joined" in item ? { joined: runJoined(item) } : run(item);
    } catch (cause) {
      if (isConstraintFailure(cause)) return { failure: messageOf(cause) };
      throw cause;
    }
  }

  /** Throws if a write fails. Then, and if it returns null, none of the writes has had an effect. */
  function runJoined({ joined }: BatchJoin): JoinedRows {
    database.exec("SAVEPOINT joined");
    try {
      const rows: (readonly SqlRow[])[] = [];
      for (const { sql, parameters, when } of joined) {
        const found = rowsOf(sql, parameters);
        if (when && found.length === 0) {
          database.exec(UNDO_JOINED);
          return null;
        }
        rows.push(found);
      }
      database.exec("RELEASE joined");
      return rows;
    } catch (cause) {
      // Any other failure ends the whole transaction.
      if (isConstraintFailure(cause)) database.exec(UNDO_JOINED);
      throw cause;
    }
  }

  /**
   * Throws if none has taken effect. A lock only ever fails `BEGIN`, which is not a prepared statement: libsql leaves one
   * that a lock has failed in progress, and until it is run again SQLite commits nothing.
   */
  function runTransaction(batch: readonly BatchItem[]): Outcome[] {
    database.exec("BEGIN IMMEDIATE");
    try {
      const outcomes = batch.map(runInTransaction);
      database.exec("COMMIT");
      return outcomes;
    } catch (cause) {
      rollBack();
      throw cause;
    }
  }

  function rollBack(): void {
    try {
      database.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself, as it does when the disk is full.
    }
  }

  function runAlone(item: BatchItem): Outcome {
    try {
      if (!("joined" in item) && OUTSIDE_TRANSACTIONS.test(item.sql)) return run(item);
      return runTransaction([item])[0] ?? [];
    } catch (cause) {
      return { failure: messageOf(cause) };
    }
  }

  /** All of the statements have an outcome that is on the disk, or this throws, and none has taken effect. */
  function runBatchNow(batch: readonly BatchItem[]): Outcome[] {
    const isOutside = (item: BatchItem) =>
      !("joined" in item) && OUTSIDE_TRANSACTIONS.test(item.sql);
    if (batch.some(isOutside)) return batch.map(runAlone);
    try {
      return runTransaction(batch);
    } catch (cause) {
      if (isLocked(cause)) throw cause;
    }
    // One bad statement, or a disk that is nearly full, must fail nobody else.
    return batch.map(runAlone);
  }

  return {
    read: (sql: string, values: readonly SqlValue[]) => readNow(() => rowsOf(sql, values)),
    /** Reads by many keys, which are JSON. */
    readOfMany: (sql: string, keys: string) => readNow(() => jsonOf(sql, keys)),
    /**
     * Runs the items in their order, each seeing the effects of those before it. Resolves to the outcome of each when
     * all of them are on the disk. Rejects with `NotBegunError` if another process keeps the lock.
     */
    runBatch: (batch: readonly BatchItem[], hooks?: LockHooks) =>
      whenUnlocked(() => runBatchNow(batch), LOCK_ATTEMPTS, hooks),
    /** libsql closes the file only when it has forgotten all statements. */
    forget() {
      prepared = noStatements();
    },
  };
}

export interface LockHooks {
  /** Called before each attempt. */
  onTry?(): void;
  /** Called before each pause. */
  onLocked?(): void;
  /** Whether another attempt makes sense. */
  mayWait?(): boolean;
}

/**
 * Runs the task, which a lock fails before it has any effect, as soon as another process gives up the lock. Rejects with
 * `NotBegunError` after so many attempts.
 */
export async function whenUnlocked<T>(
  task: () => T,
  attempts: number,
  { onTry = () => {}, onLocked = () => {}, mayWait = () => true }: LockHooks = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    onTry();
    try {
      return task();
    } catch (cause) {
      if (!isLocked(cause)) throw cause;
      if (attempt >= attempts || !mayWait()) throw new NotBegunError(messageOf(cause), { cause });
    }
    onLocked();
    await sleep(LOCK_RETRY_INTERVAL_MS);
    // Closed meanwhile.
    if (!mayWait()) throw new NotBegunError("the database is closed");
  }
}

/** So many attempts take about this time, in milliseconds. A stop of this process is one of them. */
export function attemptsIn(milliseconds: number): number {
  return Math.ceil(milliseconds / LOCK_RETRY_INTERVAL_MS);
}
