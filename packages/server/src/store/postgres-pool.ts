// A bounded pool of connections: whoever waits for one waits for a limited time.

import { UnavailableError } from "../lib/errors.ts";

export interface Pooled {
  /** False from the moment that the connection is cut or told to close. */
  isUsable(): boolean;
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
  /** Lends no more, and resolves when the last connection is gone. */
  close(): Promise<void>;
}

interface Waiter<C> {
  resolve(connection: C): void;
  reject(reason: unknown): void;
}

export function createPool<C extends Pooled>(
  open: () => Promise<C>,
  limits: { connections: number; acquireTimeout: number },
): Pool<C> {
  const idle: C[] = [];
  const waiters = new Set<Waiter<C>>();
  /** Connections that are open or being opened. */
  let size = 0;
  let opening = 0;
  let closed = false;
  let emptied = () => {};

  function acquire(): Promise<C> {
    if (closed) return Promise.reject(closedError());
    for (let ready = idle.pop(); ready !== undefined; ready = idle.pop()) {
      if (ready.isUsable()) return Promise.resolve(ready);
    }
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

  function grow(): void {
    if (closed || size >= limits.connections || opening >= waiters.size) return;
    size++;
    opening++;
    open().then(
      (connection) => {
        opening--;
        connection.ended.then(() => forget(connection)).catch(() => {});
        release(connection);
      },
      (reason: unknown) => {
        opening--;
        lessen();
        // As long as another connection is at work, those who wait can have it afterwards; and a
        // server that has too many connections is not asked for one again and again.
        if (size > opening) return;
        nextWaiter()?.reject(reason);
        grow();
      },
    );
  }

  function release(connection: C): void {
    if (!connection.isUsable()) return;
    const waiter = nextWaiter();
    if (closed) connection.close();
    else if (waiter === undefined) idle.push(connection);
    else waiter.resolve(connection);
  }

  function forget(connection: C): void {
    const place = idle.indexOf(connection);
    if (place >= 0) idle.splice(place, 1);
    lessen();
    grow();
  }

  function lessen(): void {
    size--;
    if (size === 0) emptied();
  }

  function nextWaiter(): Waiter<C> | undefined {
    const [first] = waiters;
    if (first !== undefined) waiters.delete(first);
    return first;
  }

  function closeIdle(): void {
    for (const connection of idle.splice(0)) connection.close();
  }

  return {
    async use(task) {
      const connection = await acquire();
      try {
        return await task(connection);
      } finally {
        release(connection);
      }
    },
    closeIdle,
    async close() {
      closed = true;
      for (let waiter = nextWaiter(); waiter; waiter = nextWaiter()) waiter.reject(closedError());
      closeIdle();
      if (size > 0) {
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
