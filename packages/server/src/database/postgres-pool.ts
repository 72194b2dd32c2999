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
import type { Liveness, Octets } from "./postgres-liveness.ts";
import { type Settle, settledWithin, type Wait, type Waits } from "./waits.ts";

interface PoolLimits {
  /** Maximum number of connections, without the spare one. */
  readonly connections: number;
  /** Milliseconds to open a connection. */
  readonly connectTimeout: number;
  /** Milliseconds to complete a statement. */
  readonly deadline: number;
}

interface OpenPool {
  readonly pool: Pool;
  /** Its connections that have been checked, lent or not. */
  readonly ready: Set<Client>;
}

/** A connection was not opened in time: the server, or what is on the way to it, may be slow. */
class SlowConnectError extends UnavailableError {
  override name = "SlowConnectError";
}

/** An attempt to connect that is not needed any more. */
class AbandonedError extends UnavailableError {
  override name = "AbandonedError";
}

/** Milliseconds after a failure in which no further connection is opened: a server may be at its connection limit. */
const PAUSE_MS = 5000;

/** Attempts at a time to open a connection during an outage. */
const MAX_ATTEMPTS = 6;

/** Milliseconds for an orderly close before a connection is cut. */
const FAREWELL_MS = 1000;

export function createPool(
  url: string,
  limits: PoolLimits,
  { waits, server }: { readonly waits: Waits; readonly server: Liveness },
) {
  /** All clients that are open or connecting, each with the ready clients of its pool. */
  const clients = new Map<Client, ReadonlySet<Client>>();
  const waiters = new Set<Settle<PoolClient | Error | null>>();
  let main = openPool(limits.connections);
  let spare = openPool(1);
  /** The pools that open a connection during an outage. */
  const attempts: OpenPool[] = [];
  let pausedUntil = 0;
  const octetsOfEnded: Octets = { all: 0, ready: 0 };
  let closing: Promise<void> | undefined;
  let emptied = () => {};

  function openPool(max: number): OpenPool {
    const ready = new Set<Client>();
    // The pool makes its clients by itself. Without this, an attempt to connect could not be cut.
    class PooledClient extends Client {
      constructor(config?: ClientConfig) {
        super(config);
        watch(this, ready);
      }
    }
    const pool = new Pool({
      ...configOf(url),
      Client: PooledClient,
      max,
      idleTimeoutMillis: 0,
      onConnect: (client) => checkServer(client, limits.deadline),
    });
    pool.on("connect", (client) => {
      ready.add(client);
      pausedUntil = 0;
      server.connected();
    });
    // A connection ended while it was idle. The pool has dropped it.
    pool.on("error", () => {});
    return { pool, ready };
  }

  /** From before the client connects until it has ended. */
  function watch(client: Client, ready: Set<Client>): void {
    clients.set(client, ready);
    const seconds = limits.connectTimeout / 1000;
    const message = `cannot connect to the database: no connection within ${seconds} s`;
    const takeBack = waits.after(limits.connectTimeout, () => {
      if (!ready.has(client)) client.connection.stream.destroy(new SlowConnectError(message));
    });
    client.once("end", () => {
      takeBack();
      clients.delete(client);
      addOctets(octetsOfEnded, client, ready.delete(client));
      if (clients.size === 0) emptied();
    });
    // Without a listener, an error would end the process. A pending statement reports it by itself.
    client.on("error", () => {});
  }

  async function acquire(wait: Wait): Promise<PoolClient> {
    for (;;) {
      if (closing !== undefined) throw closedError();
      const responsive = server.whenResponsive(wait);
      if (responsive !== null) await responsive;
      const outcome = await waitFor(choose(), wait);
      if (outcome === null) continue;
      if (!(outcome instanceof Error)) return outcome;
      pausedUntil = performance.now() + PAUSE_MS;
      // If others are connected, this task gets one of their connections.
      if (isAlone()) refused(outcome);
    }
  }

  const isAlone = () => main.ready.size + spare.ready.size === 0;

  function refused(cause: Error): void {
    if (cause instanceof SlowConnectError) return;
    server.refused(cause);
    // Without this, each task that waits would try to connect.
    if (waiters.size > 0) renewMain();
  }

  function renewMain(): void {
    const replaced = main;
    main = openPool(limits.connections);
    moveWaiters();
    abandon(replaced, new AbandonedError("connections come from another pool"));
    end(replaced);
  }

  function choose(): Pool {
    const isPaused = performance.now() < pausedUntil;
    main.pool.options.max = isPaused ? 1 : limits.connections;
    const needsSpare = isPaused && main.ready.size === 0 && spare.ready.size > 0;
    return (needsSpare ? spare : main).pool;
  }

  /**
   * Resolves to an error if no connection could be opened, and to null if it has to come from another pool. Rejects
   * when the time is over, and when all is closed.
   */
  function waitFor(pool: Pool, wait: Wait): Promise<PoolClient | Error | null> {
    return settledWithin(wait, "no database connection was free", waiters, (waiter) => {
      pool.connect().then(
        (client) => {
          if (waiters.has(waiter)) waiter.resolve(client);
          else client.release();
        },
        (cause: unknown) => waiter.resolve(connectFailureOf(cause)),
      );
    });
  }

  function openSpareIfNone(): void {
    const isPaused = performance.now() < pausedUntil;
    if (closing !== undefined || spare.pool.totalCount > 0 || isPaused) return;
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
    const connection = connectionOf(client, waits);
    try {
      return await task(connection);
    } finally {
      client.release(!connection.isUsable());
    }
  }

  /** Cuts connections that are not ready yet: tasks that wait for them then wait for another pool. */
  function abandon({ ready }: OpenPool, cause: Error): void {
    for (const [client, others] of clients) {
      if (others === ready && !ready.has(client)) client.connection.stream.destroy(cause);
    }
  }

  function moveWaiters(): void {
    for (const waiter of waiters) waiter.resolve(null);
  }

  async function endAll(): Promise<void> {
    for (const waiter of waiters) waiter.reject(closedError());
    for (const [client, ready] of clients) {
      if (!ready.has(client)) client.connection.stream.destroy(closedError());
    }
    await Promise.all([main.pool.end(), spare.pool.end()]);
    if (clients.size === 0) return;
    const timer = setTimeout(() => {
      for (const client of clients.keys()) client.connection.stream.destroy();
    }, FAREWELL_MS);
    await new Promise<void>((resolve) => {
      emptied = resolve;
    });
    clearTimeout(timer);
  }

  return {
    /** Runs the task with a connection. Rejects with `NotBegunError` if none is free in time. */
    async use<T>(task: (connection: PostgresConnection) => Promise<T>, wait: Wait): Promise<T> {
      const client = await acquire(wait);
      openSpareIfNone();
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
      const [, second] = attempts;
      // The first may finish, however slow the server is.
      if (second !== undefined && attempts.length === MAX_ATTEMPTS) {
        abandon(second, new AbandonedError("another attempt has begun"));
      }
      attempts.push(fresh);
      const done = () => void attempts.splice(attempts.indexOf(fresh), 1);
      fresh.pool.connect().then(
        (client) => {
          done();
          client.release();
          const replaced = closing === undefined ? spare : fresh;
          if (closing === undefined) spare = fresh;
          end(replaced);
        },
        (cause: unknown) => {
          done();
          end(fresh);
          const failure = connectFailureOf(cause);
          if (failure instanceof AbandonedError || closing !== undefined) return;
          if (isAlone()) refused(failure);
        },
      );
    },
    octets(): Octets {
      const sum = { ...octetsOfEnded };
      for (const [client, ready] of clients) addOctets(sum, client, ready.has(client));
      return sum;
    },
    /** The next tasks open new connections. Lent connections end with their tasks. */
    renew(): void {
      // Connections that were replaced before are still lent: there must not be more and more.
      let count = 0;
      for (const [client, ready] of clients) if (ready.has(client)) count++;
      if (count <= 2 * (limits.connections + 1)) renewMain();
    },
    /** Cuts all connections, which fails running tasks. The next tasks open new connections. */
    cut(cause: Error): void {
      const replaced = [main, spare];
      main = openPool(limits.connections);
      spare = openPool(1);
      moveWaiters();
      for (const client of clients.keys()) client.connection.stream.destroy(cause);
      for (const pool of replaced) end(pool);
    },
    /** Rejects new tasks, and resolves when the last connection has ended. */
    close(): Promise<void> {
      closing ??= endAll();
      return closing;
    },
  };
}

/** Without a socket of Node, for example on a platform where the library has another, nothing counts as received. */
function addOctets(sum: Octets, { connection: { stream } }: Client, isReady: boolean): void {
  const octets = stream instanceof Socket ? stream.bytesRead : 0;
  sum.all += octets;
  if (isReady) sum.ready += octets;
}

/** Closes idle connections now, and lent connections when they come back. */
function end({ pool }: OpenPool): void {
  pool.end().catch(() => {});
}

function closedError(): UnavailableError {
  return new UnavailableError("the database is closed");
}
