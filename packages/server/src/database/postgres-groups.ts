// Runs updates of one kind on PostgreSQL as one statement: they share a round trip and a commit.

import { NotBegunError, UnavailableError } from "../lib/errors.ts";
import { createLines } from "../lib/lines.ts";
import {
  type GroupedStatement,
  type JoinedRows,
  type JoinedWrite,
  keyOf,
  type SqlRow,
  type SqlValue,
  type StatementCall,
  textOf,
} from "./engine.ts";
import { type RowsByKey, rowsByKey } from "./grouped.ts";
import { UndoneError } from "./postgres-connection.ts";
import { lastOf, type Wait, type Waits } from "./waits.ts";
import { createWriteQueue, type WriteQueue, type Written } from "./write-queue.ts";

/** How many statements of a kind run at once. With one, all would wait for one connection, which may be dead. */
const FLUSHES = 2;

/** What a statement is sent with, and until when it waits for that. */
export interface Sending {
  /** For each attempt. */
  wait(): Wait;
  /** Its values, once it can be sent. Null if the time is over. */
  begin(): readonly SqlValue[] | null;
}

export interface Runner {
  /** Commits one statement. */
  run(sql: string, sending: Sending): Promise<readonly SqlRow[]>;
  /** Commits all of the writes or none, see `SqlEngine.commit`. */
  commit(joined: readonly JoinedWrite[], sending: Sending): Promise<JoinedRows>;
}

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

/** A write in a queue. A map of writes would make the garbage collector keep them for long. */
interface WaitingWrite extends StatementCall {
  wait: Wait;
}

interface WriteOptions {
  readonly isUrgent: boolean;
  readonly isFirst: boolean;
  /** How many milliseconds it may wait before it is sent. */
  readonly waitMs: number;
}

export function groupPostgresWrites({ run, commit }: Runner, waits: Waits) {
  /** A line of writes that wait for a locked row holds one connection, not the pool. */
  const lines = createLines({ maxWaiting: Infinity, refusalAfter });
  const queues = new Map<GroupedStatement, WriteQueue<WaitingWrite>>();

  function queueOf(statement: GroupedStatement): WriteQueue<WaitingWrite> {
    let queue = queues.get(statement);
    if (queue === undefined) {
      const options = { flushes: FLUSHES, begin: setImmediate };
      queue = createWriteQueue((batch) => flush(statement, batch), options);
      queues.set(statement, queue);
    }
    return queue;
  }

  /** Runs the task after those of writes of the same kind with the same first value: probably that of a key. */
  function inLine<T>(write: StatementCall, wait: Wait, task: () => Promise<T>): Promise<T> {
    const lateError = () => wait.late("other writes of the same row did not end");
    const patience = { onOver: wait.onOver, lateError };
    const line = `${keyOf(write)} ${textOf(write.statement)}`;
    return lines.run(line, task, patience).finally(wait.end);
  }

  const alone = (write: StatementCall, wait: Wait) =>
    inLine(write, wait, () => run(textOf(write.statement), sendingOf(write.parameters, wait)));

  async function flush(
    statement: GroupedStatement,
    batch: readonly WaitingWrite[],
  ): Promise<readonly Written[]> {
    // Of two writes with one key, the second must see the row as the first has left it.
    const group = new Map<SqlValue, WaitingWrite>();
    for (const write of batch) {
      if (!group.has(keyOf(write)) && !write.wait.isOver()) group.set(keyOf(write), write);
    }
    const rows = await runGroup(statement, Array.from(group.values()));
    return batch.map((write) => {
      const own = group.get(keyOf(write)) === write ? rows.get(keyOf(write)) : undefined;
      if (own !== undefined) return own;
      // Alone, because a locked row must not delay other rows.
      const wait = write.wait.again();
      return wait.isOver() ? lateError(wait) : alone(write, wait);
    });
  }

  /** The rows that were changed. None if the statement had no effect, maybe because of one write. */
  async function runGroup(
    statement: GroupedStatement,
    group: readonly WaitingWrite[],
  ): Promise<RowsByKey> {
    const sending: Sending = {
      wait() {
        for (const write of group) write.wait = write.wait.again();
        return lastOf(group.map(({ wait }) => wait)) ?? waits.of(0);
      },
      begin() {
        const begun = group.filter(({ wait }) => wait.begin());
        const values = begun.map(({ parameters }) => parameters);
        return begun.length === 0 ? null : [JSON.stringify(values)];
      },
    };
    try {
      return rowsByKey(statement, await run(statement.ofMany.postgres, sending));
    } catch (cause) {
      if (!hadNoEffect(cause)) throw cause;
      return new Map();
    }
  }

  /** The caller is told in time, even if the write is in the queue or in a group with others. */
  function inQueue(
    queue: WriteQueue<WaitingWrite>,
    { statement, parameters }: StatementCall,
    options: WriteOptions,
  ) {
    const wait = waits.of(options.waitMs);
    return new Promise<readonly SqlRow[]>((resolve, reject) => {
      wait.onOver(() => reject(lateError(wait)));
      // The wait limits only this promise: the queue goes on with the write.
      queue
        .add({ statement, parameters, wait }, { ...options, waitMs: Infinity })
        .then(resolve, reject)
        .finally(wait.end);
    });
  }

  return {
    add(write: StatementCall, options: WriteOptions): Promise<readonly SqlRow[]> {
      const { statement } = write;
      return typeof statement === "string"
        ? alone(write, waits.of(options.waitMs))
        : inQueue(queueOf(statement), write, options);
    },
    /** The first of the writes decides after which others they run. */
    async commit(joined: readonly JoinedWrite[], waitMs: number): Promise<JoinedRows> {
      const [first] = joined;
      if (first === undefined) return [];
      const wait = waits.of(waitMs);
      return inLine(first, wait, () => commit(joined, sendingOf([], wait)));
    },
    async drain(): Promise<void> {
      await Promise.all(Array.from(queues.values(), (queue) => queue.drain()));
      await lines.drain();
    },
  };
}

/** A write without an answer says that the row is locked. A write that was never sent says nothing about the row. */
function refusalAfter(error: unknown): NotBegunError | null {
  if (!(error instanceof UnavailableError) || error instanceof NotBegunError) return null;
  return new NotBegunError(`another write of the same row failed: ${error.message}`);
}

function lateError(wait: Wait): NotBegunError {
  return wait.late("the database did not begin the write");
}

/** Whether the statement certainly had no effect. A `TypeError` is about the rows that it returned. */
function hadNoEffect(cause: unknown): boolean {
  if (cause instanceof UndoneError || cause instanceof NotBegunError) return true;
  return !(cause instanceof UnavailableError || cause instanceof TypeError);
}
