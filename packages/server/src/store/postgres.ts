// PostgreSQL as a database engine.

import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, OperatorError, UnavailableError } from "../lib/errors.ts";
import { memoize } from "../lib/memoize.ts";
import { sha256 } from "../lib/random.ts";
import { checkedValue, isRead, type SqlEngine, type SqlRow, type SqlValue } from "./engine.ts";
import { groupReads } from "./grouped-reads.ts";
import {
  clientOf,
  LockTimeoutError,
  OutdatedStatementError,
  type Statement,
  UndoneError,
} from "./postgres-connection.ts";
import { groupPostgresWrites } from "./postgres-groups.ts";
import { createLiveness } from "./postgres-liveness.ts";
import { createPool } from "./postgres-pool.ts";
import { openProbe, sharesSessions } from "./postgres-sessions.ts";
import { readByKeysOnPostgres } from "./reads-by-key.ts";

const DEFAULTS = {
  /** Maximum number of connections. */
  connections: 10,
  /** Milliseconds to acquire a connection. */
  acquireTimeout: 3000,
  /** Milliseconds to complete a statement. */
  deadline: 5000,
  /**
   * Milliseconds before each further attempt of a migration that met a locked table. They give delayed
   * statements time to run. A lock that lasts longer needs the operator.
   */
  migrationPauses: [5000, 5000, 5000, 5000, 5000],
  /**
   * Milliseconds that a migration waits for a table lock. Meanwhile all later statements on the table wait
   * too, even those that only read. Waiting for two tables in turn stays within the deadline of a statement.
   */
  tableLockTimeout: 2000,
};
export type PostgresOptions = Readonly<Partial<typeof DEFAULTS>>;

export interface PostgresEngine extends SqlEngine {
  /** The version of the schema that the database has; 0 when it has none. */
  schemaVersion(): Promise<number>;
  now(): Promise<number>;
  /** Rejects with `OperatorError` if a connection pooler shares sessions of the server between connections. */
  requireOwnSessions(): Promise<void>;
}

/** An arbitrary number, which must be the same in every version of this program. */
const MIGRATION_LOCK = 7_236_452_891;

/**
 * Milliseconds before each further attempt of a statement that was rolled back. Without a pause, the loser
 * of a deadlock can overtake the winner, which is only just resuming, and deadlock again.
 */
const PAUSES = [20, 100];

/** Only checks that the server responds. */
const ALIVE: Statement = { text: "SELECT 1 AS alive" };

/** Not the time at which the transaction began. */
const NOW = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS milliseconds";

const NEWEST_VERSION = "SELECT max(version) AS version FROM schema_version";

/** Connects on first use. An acknowledged write survives power loss. */
export function openPostgres(url: string, options: PostgresOptions = {}): PostgresEngine {
  const settings = { ...DEFAULTS, ...options };
  const { acquireTimeout, deadline, migrationPauses } = settings;
  // Reports a malformed URL immediately.
  clientOf(url, acquireTimeout);
  let wasReached = false;

  const liveness = createLiveness({
    ask: () => pool.ask((connection) => connection.run(ALIVE, deadline)),
    connect: () => pool.connect(),
    giveUp: (cause) => pool.cut(cause),
    octets: () => pool.octets(),
  });
  const pool = createPool(url, settings, () => {
    wasReached = true;
    liveness.connected();
  });

  const texts = memoize((sql) => {
    const text = sql.replace(/\?(\d+)/g, "$$$1");
    // Named by its hash, because behind a proxy that shares connections another version of this
    // program may have prepared other statements.
    return { text, name: `s${sha256(text)}` };
  });
  /** How often the schema was changed under prepared statements. With new names, they are prepared anew. */
  let generation = 0;

  async function runOnce(
    { text, name }: { text: string; name: string },
    values: readonly SqlValue[],
    within: number,
  ): Promise<readonly SqlRow[]> {
    const until = performance.now() + within;
    const preparedIn = generation;
    try {
      return await pool.use(
        (connection) => {
          const left = Math.ceil(until - performance.now());
          const statement = {
            text,
            name: preparedIn === 0 ? name : `${name}_${preparedIn}`,
            values,
          };
          return connection.run(statement, Math.min(deadline, left));
        },
        Math.min(acquireTimeout, within),
      );
    } catch (cause) {
      if (cause instanceof OutdatedStatementError)
        generation = Math.max(generation, preparedIn + 1);
      // Settings that were valid before are being changed: reported as an outage.
      if (!wasReached || !(cause instanceof OperatorError)) throw cause;
      throw new UnavailableError(cause.message, { cause });
    }
  }

  async function run(
    sql: string,
    values: readonly SqlValue[],
    withinMs = Infinity,
  ): Promise<readonly SqlRow[]> {
    const text = texts(sql);
    // Only a statement that certainly had no effect is run again.
    return retry(PAUSES, UndoneError, () => liveness.watch(() => runOnce(text, values, withinMs)));
  }

  const writes = groupPostgresWrites(run, acquireTimeout);
  const readTogether = groupReads(
    ({ sql, parameters }) => run(sql, parameters),
    readByKeysOnPostgres,
  );

  const execute: SqlEngine["execute"] = async (sql, parameters, options = {}) => {
    const { withinMs } = options;
    const statement = { sql, parameters: parameters.map(checkedValue) };
    // What has less time than others cannot wait for them.
    if (withinMs !== undefined) return run(sql, statement.parameters, withinMs);
    if (isRead(sql)) return readTogether(statement);
    const queue = writes.queueOf(sql);
    return queue === null ? writes.alone(statement) : queue.add(statement, options);
  };

  async function requireOwnSessions(): Promise<void> {
    const isDirect = await pool.use((connection) => connection.isDirect());
    if (isDirect || !(await sharesSessions(() => openProbe(url, acquireTimeout)))) return;
    throw new OperatorError(
      "the database is behind a connection pooler that shares sessions between connections, but settings and " +
        "prepared statements belong to a session: with PgBouncer, set pool_mode=session, or connect to PostgreSQL directly",
    );
  }

  function migrateOnce(steps: Parameters<SqlEngine["migrate"]>[0]): Promise<void> {
    return pool.use(async (connection) => {
      const run = (text: string) => connection.run({ text }, null);
      try {
        await run("BEGIN");
        await run("SET LOCAL statement_timeout = 0");
        // Waiting for another migration blocks no other statements.
        await run("SET LOCAL lock_timeout = 0");
        await run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
        await run(`SET LOCAL lock_timeout = ${settings.tableLockTimeout}`);
        await run("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)");
        for (const step of steps(versionIn(await run(NEWEST_VERSION)))) {
          for (const statement of step.statements) await run(comparedByBytes(statement));
          for (const statement of step.postgres ?? []) await run(statement);
          await run(`INSERT INTO schema_version (version) VALUES (${step.version})`);
        }
        await run("COMMIT");
      } catch (cause) {
        // The server rolls back the uncommitted transaction.
        connection.cut();
        if (cause instanceof OperatorError || cause instanceof UnavailableError) throw cause;
        throw new OperatorError(`the database refuses the schema: ${messageOf(cause)}`);
      }
    });
  }

  return {
    execute,
    async schemaVersion() {
      // The service may not be allowed to create the table, and selecting from a missing one is an error.
      const table = await execute("SELECT to_regclass('schema_version')::text AS name", []);
      return table[0]?.name === null ? 0 : versionIn(await execute(NEWEST_VERSION, []));
    },
    requireOwnSessions,
    now: async () => Number((await execute(NOW, []))[0]?.milliseconds),
    async migrate(steps) {
      await requireOwnSessions();
      try {
        await retry(migrationPauses, LockTimeoutError, () => migrateOnce(steps));
      } catch (cause) {
        if (!(cause instanceof LockTimeoutError)) throw cause;
        throw new OperatorError(
          "the schema was not changed: a long transaction or a backup kept a table locked, " +
            `at each of ${migrationPauses.length + 1} attempts; try again when it is over`,
        );
      }
    },
    async close() {
      await writes.drain();
      liveness.stop();
      await pool.close();
    },
  };
}

/** Runs the task again after each of the pauses (milliseconds), as long as it fails with `Retryable`. */
async function retry<T>(
  pauses: readonly number[],
  Retryable: typeof UnavailableError,
  task: () => Promise<T>,
): Promise<T> {
  for (const pause of pauses) {
    try {
      return await task();
    } catch (cause) {
      if (!(cause instanceof Retryable)) throw cause;
      await sleep(pause);
    }
  }
  return task();
}

function versionIn(rows: readonly SqlRow[]): number {
  return Number(rows[0]?.version);
}

/**
 * Compares text by bytes, as SQLite does. Both engines have the same order, and an update of the operating
 * system's collations cannot corrupt an index.
 */
function comparedByBytes(statement: string): string {
  return statement.replace(/\bTEXT\b/g, 'TEXT COLLATE "C"');
}
