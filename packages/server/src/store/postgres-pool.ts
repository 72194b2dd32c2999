// A bounded pool of connections: whoever waits for one waits for a limited time.
//
// Beyond its limit it keeps a witness: a connection that is not lent, so that there is one to ask
// while all others wait. To open one only then may take longer than a silence may last.

import { UnavailableError } from "../lib/errors.ts";

export interface Pooled {
  /** False from the moment that the connection is cut or told to close. */
  isUsable(): boolean;
  /** Ends it at once: whoever waits for an answer through it is given the cause. */
  cut(cause: Error): void;
  /** Says goodbye and closes. */
  close(): void;
  /** Resolves once the connection is gone, whoever ended it. */
  readonly ended: Promise<void>;
}

export interface Pool<C extends Pooled> {
  /** Lends a connection to the task. Rejects with `UnavailableError` when none can be had in time. */
  use<T>(task: (connection: C) => Promise<T>): Promise<T>;
  /** Closes the connections that nobody uses; the next tasks open fresh ones. */
  closeIdle(): void;
  /** Runs the task on a connection that nobody uses, or on the witness; its outcome is dropped. */
  ask(task: (connection: C) => Promise<unknown>): void;
  /** Opens one more connection, beyond the limit if need be. */
  connect(): void;
  /** Cuts every connection and fails whoever waits for one. The next tasks open fresh ones. */
  cut(cause: Error): void;
  /** Lends no more, and resolves when the last connection is gone. */
  close(): Promise<void>;
}

interface Waiter<C> {
  resolve(connection: C): void;
  reject(reason: unknown): void;
}

/**
 * Milliseconds after a failure, or after a witness was had, in which no other is sought: a server
 * that has too many connections is not asked for one again and again.
 */
const WITNESS_PAUSE = 5000;

/** `open` rejects when its signal is aborted. */
export function createPool<C extends Pooled>(
  open: (signal: AbortSignal) => Promise<C>,
  limits: { connections: number; acquireTimeout: number },
): Pool<C> {
  const idle: C[] = [];
  const waiters = new Set<Waiter<C>>();
  /** Those that are there: lent, idle, taking their leave, or the witness. */
  const connections = new Set<C>();
  let witness: C | undefined;
  let noWitnessBefore = 0;
  const attempts = new Set<AbortController>();
  let closed = false;
  let emptied = () => {};

  function acquire(): Promise<C> {
    if (closed) return Promise.reject(closedError());
    const ready = takeIdle();
    if (ready !== undefined) return Promise.resolve(ready);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiters.delete(waiter);
        const waited = `${limits.acquireTimeout} ms`;
        reject(new UnavailableError(`no database connection was free within ${waited}`));
      }, limits.acquireTimeout);
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
        // As long as another connection is at work, those who wait can have it afterwards; and a
        // server that has too many connections is not asked for one again and again.
        if (lendable() > 0) return;
        if (lendWitness()) return;
        nextWaiter()?.reject(reason);
        grow();
      },
    );
  }

  /** Whether the connection that has just come can be the witness, rather than be lent. */
  function isSpare(): boolean {
    if (closed || witness !== undefined) return false;
    const isWanted = waiters.size > 0 || connections.size === 1;
    return !isWanted || lendable() > limits.connections;
  }

  function keepAsWitness(connection: C): void {
    witness = connection;
    noWitnessBefore = performance.now() + WITNESS_PAUSE;
  }

  /** It may be the only connection that the server allows. */
  function lendWitness(): boolean {
    const last = witness;
    if (last?.isUsable() !== true) return false;
    witness = undefined;
    release(last);
    return true;
  }

  function release(connection: C): void {
    if (!connection.isUsable()) return;
    // Beyond the limit it was of use by being opened.
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
    async use(task) {
      const connection = await acquire();
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
