// A bounded pool of connections, with a time limit for acquiring one.
//
// In addition to its limit it keeps a witness: a connection that is not lent, to query the server while
// all others are busy. Opening one at that moment could take longer than the outage detection waits.

import { UnavailableError } from "../lib/errors.ts";

export interface Pooled {
  /** False after the connection was cut or `close` was called. */
  isUsable(): boolean;
  /** Ends the connection immediately. A pending statement fails, with `cause` if given; its outcome is unknown. */
  cut(cause?: Error): void;
  /** Closes in an orderly way. */
  close(): void;
  /** Resolves when the connection has ended, from either side. */
  readonly ended: Promise<void>;
}

interface Pool<C extends Pooled> {
  /** Runs the task with a connection. Rejects with `UnavailableError` if none is free in time (milliseconds). */
  use<T>(task: (connection: C) => Promise<T>, acquireTimeout?: number): Promise<T>;
  /** Closes idle connections; the next tasks open new ones. */
  closeIdle(): void;
  /** Runs the task on an idle connection or on the witness, and ignores its outcome. */
  ask(task: (connection: C) => Promise<unknown>): void;
  /** Opens one more connection, even beyond the limit. */
  connect(): void;
  /** Cuts all connections and fails all waiting tasks. The next tasks open new connections. */
  cut(cause: Error): void;
  /** Rejects new tasks, and resolves when the last connection has ended. */
  close(): Promise<void>;
}

interface Waiter<C> {
  resolve(connection: C): void;
  reject(reason: unknown): void;
}

/**
 * Milliseconds after a failure, or after the last witness was found, before another one is opened: a server
 * at its connection limit must not get constant attempts.
 */
const WITNESS_PAUSE = 5000;

/** `open` rejects when its signal is aborted. */
export function createPool<C extends Pooled>(
  open: (signal: AbortSignal) => Promise<C>,
  limits: { connections: number; acquireTimeout: number },
): Pool<C> {
  const idle: C[] = [];
  const waiters = new Set<Waiter<C>>();
  /** All open connections: lent, idle, closing, or the witness. */
  const connections = new Set<C>();
  let witness: C | undefined;
  let noWitnessBefore = 0;
  const attempts = new Set<AbortController>();
  let closed = false;
  let emptied = () => {};

  function acquire(timeout: number): Promise<C> {
    if (closed) return Promise.reject(closedError());
    const ready = takeIdle();
    if (ready !== undefined) return Promise.resolve(ready);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiters.delete(waiter);
        reject(new UnavailableError(`no database connection was free within ${timeout} ms`));
      }, timeout);
      const waiter: Waiter<C> = {
        resolve(connection) {
          clearTimeout(timer);
          resolve(connection);
        },
        reject(reason) {
          clearTimeout(timer);
          reject(reason);
        },
      };
      waiters.add(waiter);
      grow();
    });
  }

  function takeIdle(): C | undefined {
    let ready = idle.pop();
    while (ready?.isUsable() === false) ready = idle.pop();
    return ready;
  }

  function isEmpty(): boolean {
    return connections.size + attempts.size === 0;
  }

  /** How many of the connections count towards the limit. */
  function lendable(): number {
    return connections.size - (witness === undefined ? 0 : 1);
  }

  function grow(): void {
    if (closed || attempts.size >= waiters.size) return;
    if (lendable() + attempts.size < limits.connections) add();
  }

  function seekWitness(): void {
    if (closed || witness !== undefined || attempts.size > 0) return;
    if (performance.now() >= noWitnessBefore) add();
  }

  function add(): void {
    const attempt = new AbortController();
    attempts.add(attempt);
    open(attempt.signal).then(
      (connection) => {
        attempts.delete(attempt);
        connections.add(connection);
        connection.ended.then(() => forget(connection)).catch(() => {});
        noWitnessBefore = 0;
        if (isSpare()) keepAsWitness(connection);
        else release(connection);
      },
      (reason: unknown) => {
        attempts.delete(attempt);
        noWitnessBefore = performance.now() + WITNESS_PAUSE;
        if (isEmpty()) emptied();
        // While another connection is in use, waiting tasks get it afterwards, and a server at its
        // connection limit does not get constant attempts.
        if (lendable() > 0) return;
        if (lendWitness()) return;
        nextWaiter()?.reject(reason);
        grow();
      },
    );
  }

  /** Whether a new connection becomes the witness instead of being lent. */
  function isSpare(): boolean {
    if (closed || witness !== undefined) return false;
    const isWanted = waiters.size > 0 || connections.size === 1;
    return !isWanted || lendable() > limits.connections;
  }

  function keepAsWitness(connection: C): void {
    witness = connection;
    noWitnessBefore = performance.now() + WITNESS_PAUSE;
  }

  /** Lends the witness, which may be the only connection that the server allows. */
  function lendWitness(): boolean {
    const last = witness;
    if (last?.isUsable() !== true) return false;
    witness = undefined;
    release(last);
    return true;
  }

  function release(connection: C): void {
    if (!connection.isUsable()) return;
    // A connection beyond the limit has served its purpose by being opened.
    const isSurplus = closed || lendable() > limits.connections;
    const waiter = isSurplus ? undefined : nextWaiter();
    if (isSurplus) connection.close();
    else if (waiter === undefined) idle.push(connection);
    else waiter.resolve(connection);
  }

  function forget(connection: C): void {
    const place = idle.indexOf(connection);
    if (place >= 0) idle.splice(place, 1);
    connections.delete(connection);
    if (connection === witness) witness = undefined;
    if (isEmpty()) emptied();
    grow();
  }

  function nextWaiter(): Waiter<C> | undefined {
    const [first] = waiters;
    if (first !== undefined) waiters.delete(first);
    return first;
  }

  function rejectWaiters(cause: Error): void {
    for (let waiter = nextWaiter(); waiter; waiter = nextWaiter()) waiter.reject(cause);
  }

  function closeIdle(): void {
    for (const connection of idle.splice(0)) connection.close();
  }

  function abandonAttempts(cause: Error): void {
    for (const attempt of attempts) attempt.abort(cause);
  }

  return {
    async use(task, acquireTimeout = limits.acquireTimeout) {
      const connection = await acquire(acquireTimeout);
      seekWitness();
      try {
        return await task(connection);
      } finally {
        release(connection);
      }
    },
    closeIdle,
    ask(task) {
      const connection = takeIdle();
      if (connection !== undefined) {
        const done = () => release(connection);
        task(connection).then(done, done);
      } else if (witness?.isUsable()) task(witness).catch(() => {});
    },
    connect() {
      if (!closed) add();
    },
    cut(cause) {
      rejectWaiters(cause);
      abandonAttempts(cause);
      for (const connection of connections) connection.cut(cause);
    },
    async close() {
      closed = true;
      rejectWaiters(closedError());
      abandonAttempts(closedError());
      closeIdle();
      witness?.close();
      if (!isEmpty()) {
        await new Promise<void>((resolve) => {
          emptied = resolve;
        });
      }
    },
  };
}

function closedError(): UnavailableError {
  return new UnavailableError("the database is closed");
}
