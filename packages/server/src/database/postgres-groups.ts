// Runs writes of one kind on PostgreSQL as one statement: they share a round trip and a commit.

import { NotBegunError, UnavailableError } from "../lib/errors.ts";
import { memoize } from "../lib/memoize.ts";
import type { SqlRow, SqlValue } from "./engine.ts";
import { type GroupedForPostgres, groupedForPostgres } from "./given.ts";
import { UndoneError } from "./postgres-connection.ts";
import { createTurns } from "./turns.ts";
import { lastOf, type Wait, type Waits } from "./waits.ts";
import { createWriteQueue, type Write, type WriteQueue, type Written } from "./write-queue.ts";

/**
 * So many statements of a kind run at once. With one, all would wait while its connection is silently dropped by a
 * firewall, or the server is slow to commit.
 */
const FLUSHES = 2;

/** What a statement is sent with, and until when it waits for that. */
export interface Sending {
  /** For each attempt. */
  wait(): Wait;
  /** Its values, once it can be sent. Null if the time is over. */
  begin(): readonly SqlValue[] | null;
}

type Run = (sql: string, sending: Sending) => Promise<readonly SqlRow[]>;

export function sendingOf(values: readonly SqlValue[], wait: Wait): Sending {
  let current = wait;
  return {
    wait() {
      current = current.again();
      return current;
    },
    begin: () => (current.begin() ? values : null),
  };
}

/** `run` commits one statement. */
export function groupPostgresWrites(run: Run, waits: Waits) {
  const turns = createTurns();
  const queues: WriteQueue[] = [];
  const waitOf = (write: Write): Wait => (isWaiting(write) ? write.waiting.wait : waits.of(0));
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
  function alone(write: Write, wait: Wait): Promise<readonly SqlRow[]> {
    const { sql, parameters } = write;
    const task = () => run(sql, sendingOf(parameters, wait));
    return turns.take(`${keyOf(write)} ${sql}`, task, wait).finally(wait.end);
  }

  async function flush(
    statement: GroupedForPostgres,
    batch: readonly Write[],
  ): Promise<readonly Written[]> {
    // Of two writes with one key, the second must see the row as the first has left it.
    const group = new Map<SqlValue, Write>();
    for (const write of batch) {
      if (!group.has(keyOf(write)) && !waitOf(write).isOver()) group.set(keyOf(write), write);
    }
    const rows = await runGroup(statement, Array.from(group.values()));
    return batch.map((write) => {
      const row = group.get(keyOf(write)) === write ? rows.get(keyOf(write)) : undefined;
      if (row !== undefined) return [row];
      // No other row waits for one that is locked.
      const wait = waitOf(write).again();
      return wait.isOver() ? lateError(wait) : alone(write, wait);
    });
  }

  /** By key: the rows that were changed. None if the statement had no effect, maybe because of one write. */
  async function runGroup(
    { sql, key }: GroupedForPostgres,
    group: readonly Write[],
  ): Promise<ReadonlyMap<SqlValue, SqlRow>> {
    const sending: Sending = {
      wait() {
        for (const write of group) {
          if (isWaiting(write)) write.waiting.wait = write.waiting.wait.again();
        }
        return lastOf(group.map(waitOf)) ?? waits.of(0);
      },
      begin() {
        const begun = group.filter((write) => waitOf(write).begin());
        const values = begun.map(({ parameters }) => parameters);
        return begun.length === 0 ? null : [JSON.stringify(values)];
      },
    };
    try {
      const rows = await run(sql, sending);
      return new Map(rows.map((row) => [row[key] ?? null, row]));
    } catch (cause) {
      if (!hadNoEffect(cause)) throw cause;
      return new Map();
    }
  }

  /** The caller is told in time, even if the write is in the queue or in a group with others. */
  function inQueue(queue: WriteQueue, write: Write, options: WriteOptions) {
    const wait = waits.of(options.waitMs);
    const waiting: WaitingWrite = { ...write, waiting: { wait } };
    return new Promise<readonly SqlRow[]>((resolve, reject) => {
      wait.onOver(() => reject(lateError(wait)));
      // The wait ends this, not the queue.
      queue.add(waiting, { ...options, waitMs: Number.POSITIVE_INFINITY }).then(
        (rows) => {
          wait.end();
          resolve(rows);
        },
        (cause: unknown) => {
          wait.end();
          reject(cause);
        },
      );
    });
  }

  return {
    /** Commits the write. */
    add(write: Write, options: WriteOptions): Promise<readonly SqlRow[]> {
      const queue = queueOf(write.sql);
      return queue === null
        ? alone(write, waits.of(options.waitMs))
        : inQueue(queue, write, options);
    },
    /** Resolves when nothing waits. */
    async drain(): Promise<void> {
      await Promise.all(queues.map((queue) => queue.drain()));
      await turns.drain();
    },
  };
}

/** In a queue. A map of writes would make the garbage collector keep them for long. */
interface WaitingWrite extends Write {
  readonly waiting: { wait: Wait };
}

function isWaiting(write: Write): write is WaitingWrite {
  return "waiting" in write;
}

interface WriteOptions {
  readonly isUrgent: boolean;
  readonly isFirst: boolean;
  /** How many milliseconds it may wait before it is sent. */
  readonly waitMs: number;
}

function lateError(wait: Wait): NotBegunError {
  return wait.late("the database did not begin the write");
}

/** The key of a write is its first value. */
function keyOf({ parameters }: Write): SqlValue {
  return parameters[0] ?? null;
}

/** Whether the statement certainly had no effect. A `TypeError` is about the rows that it returned. */
function hadNoEffect(cause: unknown): boolean {
  if (cause instanceof UndoneError || cause instanceof NotBegunError) return true;
  return !(cause instanceof UnavailableError || cause instanceof TypeError);
}
