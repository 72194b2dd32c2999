// Runs writes of one kind on PostgreSQL as one statement: they share a round trip and a commit.

import { UnavailableError } from "../lib/errors.ts";
import { memoize } from "../lib/memoize.ts";
import type { SqlRow, SqlValue } from "./engine.ts";
import { type GroupedForPostgres, groupedForPostgres } from "./given.ts";
import { UndoneError } from "./postgres-connection.ts";
import { createTurns } from "./turns.ts";
import { createWriteQueue, type Write, type WriteQueue, type Written } from "./write-queue.ts";

/**
 * So many statements of a kind run at once. With one, all would wait while its connection is silently dropped by a
 * firewall, or the server is slow to commit.
 */
const FLUSHES = 2;

/** `run` commits one statement. A write waits for others of its row for `waitMs`. */
export function groupPostgresWrites(
  run: (sql: string, parameters: readonly SqlValue[]) => Promise<readonly SqlRow[]>,
  waitMs: number,
) {
  const turns = createTurns(waitMs);
  const queues: WriteQueue[] = [];
  const queueOf = memoize((sql) => {
    const statement = groupedForPostgres(sql);
    if (statement === null) return null;
    const queue = createWriteQueue((batch) => flush(statement, batch), {
      flushes: FLUSHES,
      begin: setImmediate,
    });
    queues.push(queue);
    return queue;
  });

  /** Commits the write by itself, after those of its kind with the same first value: probably that of a key. */
  function alone(write: Write): Promise<readonly SqlRow[]> {
    const { sql, parameters } = write;
    return turns.take(`${keyOf(write)} ${sql}`, () => run(sql, parameters));
  }

  async function flush(
    statement: GroupedForPostgres,
    batch: readonly Write[],
  ): Promise<readonly Written[]> {
    // Of two writes with one key, the second must see the row as the first has left it.
    const group = new Map<SqlValue, Write>();
    for (const write of batch) if (!group.has(keyOf(write))) group.set(keyOf(write), write);
    const rows = await runGroup(statement, Array.from(group.values()));
    return batch.map((write) => {
      const row = group.get(keyOf(write)) === write ? rows.get(keyOf(write)) : undefined;
      // No other row waits for one that is locked.
      return row === undefined ? alone(write) : [row];
    });
  }

  /** By key: the rows that were changed. None if the server refused the statement, maybe because of one write. */
  async function runGroup(
    { sql, key }: GroupedForPostgres,
    group: readonly Write[],
  ): Promise<ReadonlyMap<SqlValue, SqlRow>> {
    const values = JSON.stringify(group.map(({ parameters }) => parameters));
    try {
      const rows = await run(sql, [values]);
      return new Map(rows.map((row) => [row[key] ?? null, row]));
    } catch (cause) {
      if (!isRefusal(cause)) throw cause;
      return new Map();
    }
  }

  return {
    /** The queue of a statement; null for one that is not grouped. */
    queueOf,
    /** Commits a write that is not grouped. */
    alone,
    /** Resolves when nothing waits. */
    async drain(): Promise<void> {
      await Promise.all(queues.map((queue) => queue.drain()));
      await turns.drain();
    },
  };
}

/** The key of a write is its first value. */
function keyOf({ parameters }: Write): SqlValue {
  return parameters[0] ?? null;
}

/** Whether the statement certainly had no effect. A `TypeError` is about the rows that it returned. */
function isRefusal(cause: unknown): boolean {
  if (cause instanceof UndoneError) return true;
  return !(cause instanceof UnavailableError || cause instanceof TypeError);
}
