// The connections to PostgreSQL: a bounded pool, and a spare one beyond its limit.
//
// Through the spare connection, the server responds while all others are busy. Opening one at that moment could take
// longer than the detection of outages waits. It is lent only if the server allows no other.

import { Socket } from "node:net";
import { Client, type ClientConfig, Pool, type PoolClient } from "pg";
import { UnavailableError } from "../lib/errors.ts";
import {
  checkServer,
  configOf,
  connectFailureOf,
  connectionOf,
  type PostgresConnection,
} from "./postgres-connection.ts";

interface Limits {
  /** Maximum number of connections, without the spare one. */
  readonly connections: number;
  /** Milliseconds to acquire a connection, and to open one. */
  readonly acquireTimeout: number;
  /** Milliseconds to complete a statement. */
  readonly deadline: number;
}

interface OpenPool {
  readonly pool: Pool;
  /** Its connections that have been checked, lent or not. */
  readonly ready: Set<Client>;
}

/**
 * Milliseconds after a failure in which no connection is opened if there is one already: a server at its connection
 * limit must not get constant attempts.
 */
const PAUSE_MS = 5000;

/** Milliseconds for an orderly close before a connection is cut. */
const FAREWELL_MS = 1000;

export type PostgresPool = ReturnType<typeof createPool>;

/** `connected` is called whenever a connection is ready for statements. */
export function createPool(url: string, limits: Limits, connected: () => void) {
  /** All that are open, or about to be. */
  const clients = new Set<Client>();
  const waiters = new Set<(cause: Error) => void>();
  let main = openPool(limits.connections);
  let spare = openPool(1);
  let pausedUntil = 0;
  let octetsOfEnded = 0;
  let closing: Promise<void> | undefined;
  let emptied = () => {};

  function openPool(max: number): OpenPool {
    const ready = new Set<Client>();
    // The pool makes its clients by itself. Without this, an attempt to connect could not be cut.
    class PooledClient extends Client {
      constructor(config?: ClientConfig) {
        super(config);
        clients.add(this);
        this.once("end", () => {
          ready.delete(this);
          forget(this);
        });
        // Without a listener, an error would end the process. A pending statement reports it by itself.
        this.on("error", () => {});
      }
    }
    const pool = new Pool({
      ...configOf(url, limits.acquireTimeout),
      Client: PooledClient,
      max,
      idleTimeoutMillis: 0,
      onConnect: (client) => checkServer(client, limits),
    });
    pool.on("connect", (client) => {
      ready.add(client);
      pausedUntil = 0;
      connected();
    });
    // A connection ended while it was idle. The pool has dropped it.
    pool.on("error", () => {});
    return { pool, ready };
  }

  function forget(client: Client): void {
    clients.delete(client);
    octetsOfEnded += octetsFrom(client);
    if (clients.size === 0) emptied();
  }

  async function acquire(timeoutMs: number): Promise<PoolClient> {
    if (closing !== undefined) throw closedError();
    const until = performance.now() + timeoutMs;
    for (;;) {
      const outcome = await waitFor(choose(), until - performance.now(), timeoutMs);
      if (!(outcome instanceof Error)) return outcome;
      pausedUntil = performance.now() + PAUSE_MS;
      // Others are connected, and this task gets one of theirs.
      const isAlone = main.ready.size + spare.ready.size === 0;
      if (isAlone || performance.now() >= until) throw outcome;
    }
  }

  function choose(): Pool {
    const isPaused = performance.now() < pausedUntil;
    main.pool.options.max = isPaused ? 1 : limits.connections;
    const needsSpare = isPaused && main.ready.size === 0 && spare.ready.size > 0;
    return (needsSpare ? spare : main).pool;
  }

  /** Resolves to an error if no connection could be opened. Rejects after the time, and when all is cut or closed. */
  function waitFor(pool: Pool, leftMs: number, timeoutMs: number): Promise<PoolClient | Error> {
    return new Promise((resolve, reject) => {
      const abandon = (cause: Error) => {
        if (settle()) reject(cause);
      };
      const late = new UnavailableError(`no database connection was free within ${timeoutMs} ms`);
      const timer = setTimeout(abandon, leftMs, late);
      waiters.add(abandon);
      /** True for the first outcome. */
      function settle(): boolean {
        clearTimeout(timer);
        return waiters.delete(abandon);
      }
      pool.connect().then(
        (client) => {
          if (settle()) resolve(client);
          else client.release();
        },
        (cause: unknown) => {
          if (settle()) resolve(connectFailureOf(cause));
        },
      );
    });
  }

  /** Opens the spare connection if there is none. */
  function openSpare(): void {
    if (closing !== undefined || spare.pool.totalCount > 0 || performance.now() < pausedUntil)
      return;
    spare.pool.connect().then(
      (client) => client.release(),
      () => {
        pausedUntil = performance.now() + PAUSE_MS;
      },
    );
  }

  async function lend<T>(
    client: PoolClient,
    task: (connection: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    const connection = connectionOf(client);
    try {
      return await task(connection);
    } finally {
      client.release(!connection.isUsable());
    }
  }

  function rejectWaiters(cause: Error): void {
    for (const abandon of waiters) abandon(cause);
  }

  async function endAll(): Promise<void> {
    rejectWaiters(closedError());
    for (const client of clients) {
      const isReady = main.ready.has(client) || spare.ready.has(client);
      if (!isReady) client.connection.stream.destroy(closedError());
    }
    await Promise.all([main.pool.end(), spare.pool.end()]);
    if (clients.size === 0) return;
    const timer = setTimeout(() => {
      for (const client of clients) client.connection.stream.destroy();
    }, FAREWELL_MS);
    await new Promise<void>((resolve) => {
      emptied = resolve;
    });
    clearTimeout(timer);
  }

  return {
    /** Runs the task with a connection. Rejects with `UnavailableError` if none is free in time (milliseconds). */
    async use<T>(
      task: (connection: PostgresConnection) => Promise<T>,
      acquireTimeout = limits.acquireTimeout,
    ): Promise<T> {
      const client = await acquire(acquireTimeout);
      openSpare();
      return lend(client, task);
    },
    /** Runs the task on a connection that is not in use, if there is one, and ignores its outcome. */
    ask(task: (connection: PostgresConnection) => Promise<unknown>): void {
      const free = [main, spare].find(({ pool }) => pool.idleCount > 0);
      free?.pool
        .connect()
        .then((client) => lend(client, task))
        .catch(() => {});
    },
    /** Opens one more connection, even beyond the limit. It replaces the spare one, which may be dead. */
    connect(): void {
      const fresh = openPool(1);
      fresh.pool.connect().then(
        (client) => {
          client.release();
          const replaced = closing === undefined ? spare : fresh;
          if (closing === undefined) spare = fresh;
          end(replaced);
        },
        () => end(fresh),
      );
    },
    /** How many octets have come from the server, on all connections together. */
    octets(): number {
      let sum = octetsOfEnded;
      for (const client of clients) sum += octetsFrom(client);
      return sum;
    },
    /** Cuts all connections and fails all waiting tasks. The next tasks open new connections. */
    cut(cause: Error): void {
      rejectWaiters(cause);
      for (const client of clients) client.connection.stream.destroy(cause);
      end(main);
      end(spare);
      main = openPool(limits.connections);
      spare = openPool(1);
    },
    /** Rejects new tasks, and resolves when the last connection has ended. */
    close(): Promise<void> {
      closing ??= endAll();
      return closing;
    },
  };
}

/** Without a socket of Node, for example on a platform where the library has another, nothing counts as received. */
function octetsFrom({ connection: { stream } }: Client): number {
  return stream instanceof Socket ? stream.bytesRead : 0;
}

/** Closes what is idle now, and what is lent when it comes back. */
function end({ pool }: OpenPool): void {
  pool.end().catch(() => {});
}

function closedError(): UnavailableError {
  return new UnavailableError("the database is closed");
}
