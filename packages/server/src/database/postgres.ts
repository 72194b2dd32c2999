// PostgreSQL as a database engine.

import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, OperatorError, UnavailableError } from "../lib/errors.ts";
import { memoize } from "../lib/memoize.ts";
import { withinOwnTime } from "../lib/own-time.ts";
import { sha256 } from "../lib/random.ts";
import {
  checkedCall,
  checkedValue,
  isRead,
  type JoinedWrite,
  type MigrationSteps,
  type OnWait,
  PEOPLE_WAIT_MS,
  POSTGRES_STATEMENT_TIME,
  type SqlEngine,
  type SqlExecutor,
  type SqlRow,
  type SqlValue,
  type StatementOptions,
  TOKEN_WAIT_MS,
  textOf,
} from "./engine.ts";
import { groupReads, rowsByKey } from "./grouped.ts";
import { commitOn, type Preparing } from "./postgres-commit.ts";
import {
  clientOf,
  LockTimeoutError,
  OutdatedStatementError,
  type PostgresConnection,
  UndoneError,
} from "./postgres-connection.ts";
import { groupPostgresWrites, type Sending, sendingOf } from "./postgres-groups.ts";
import { createLiveness } from "./postgres-liveness.ts";
import { createPool } from "./postgres-pool.ts";
import { openProbe, sharesSessions } from "./postgres-sessions.ts";
import { asLongAsItTakes, createWaits, type Wait, whileWaiting } from "./waits.ts";

const DEFAULTS = {
  /** Maximum number of connections. */
  connections: 10,
  /** Milliseconds to open a connection; after that, another attempt begins. */
  connectTimeout: 10_000,
  /** Milliseconds to complete a statement that was sent. */
  deadline: 20_000,
  /** Milliseconds before a migration that met a locked table is tried again: delayed statements have time to run. */
  migrationPauses: [5000, 5000, 5000, 5000, 5000],
  /**
   * Milliseconds that a migration waits for a table lock. Meanwhile all later statements on the table wait too. Waiting
   * for two tables in turn stays within the deadline of a statement.
   */
  tableLockTimeout: 2000,
};

export interface PostgresOptions extends Readonly<Partial<typeof DEFAULTS>> {
  /** Milliseconds that a statement waits before it begins, if its own options have none. For commands: `Infinity`. */
  readonly waitMs?: number;
  /** Whether statements wait as long as it takes, whatever their options say. */
  readonly isPatient?: () => boolean;
  /** Called after each ten seconds that a start or a migration waits, with a sentence that says for what. */
  readonly onWait?: OnWait | undefined;
}

export interface PostgresEngine extends SqlEngine {
  /** The version of the schema that the database has; 0 when it has none. Read through `by`, if that is given. */
  schemaVersion(by?: SqlExecutor): Promise<number>;
  now(): Promise<number>;
  /** Rejects with `OperatorError` if a connection pooler shares sessions of the server between connections. */
  requireOwnSessions(): Promise<void>;
  /** Runs a task that only reads. Its statements wait without limit, and the task runs again if an answer is lost. */
  patiently<T>(task: (engine: SqlExecutor) => Promise<T>): Promise<T>;
}

/** An arbitrary number, which must be the same in every version of this program. */
const MIGRATION_LOCK = 7_236_452_891;

/** Milliseconds before a statement is run again: without a pause, the loser of a deadlock can overtake the winner. */
const PAUSES = [20, 100];

/** Not the time at which the transaction began. */
const NOW = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS milliseconds";

const NEWEST_VERSION = "SELECT max(version) AS version FROM schema_version";

/** Connects on first use. An acknowledged write survives power loss. */
export function openPostgres(url: string, options: PostgresOptions = {}): PostgresEngine {
  const settings = { ...DEFAULTS, ...options };
  const { deadline, migrationPauses, onWait, isPatient = () => false } = settings;
  // Reports a malformed URL immediately.
  const { host } = clientOf(url);

  const waits = createWaits(() => liveness.outage());
  const liveness = createLiveness({
    ask: () => pool.ask((connection) => connection.run({ text: "SELECT 1 AS alive" }, deadline)),
    connect: () => pool.connect(),
    giveUp: (cause) => pool.cut(cause),
    renew: () => pool.renew(),
    octets: () => pool.octets(),
  });
  const pool = createPool(url, settings, { waits, server: liveness });

  const texts = memoize((sql) => {
    const text = sql.replace(/\?(\d+)/g, "$$$1");
    // Preparing by its hash: behind a proxy, another version of this program may have prepared other statements.
    return { text, name: `s${sha256(text)}` };
  });
  /** How often the schema was changed under prepared statements. With new names, they are prepared anew. */
  let generation = 0;

  /** Lends a connection to the task. `named` gives the name under which a text is prepared. */
  function lend<T>(
    sending: Sending,
    task: (
      connection: PostgresConnection,
      values: readonly SqlValue[],
      named: Preparing,
    ) => Promise<T>,
  ): Promise<T> {
    async function lendOnce(): Promise<T> {
      const preparedIn = generation;
      const named: Preparing = (sql) => {
        const { text, name } = texts(sql);
        return { text, name: preparedIn === 0 ? name : `${name}_${preparedIn}` };
      };
      const wait = sending.wait();
      try {
        return await pool.use((connection) => {
          const values = sending.begin();
          if (values === null) throw wait.late("the database did not begin the statement");
          return task(connection, values, named);
        }, wait);
      } catch (cause) {
        if (cause instanceof OutdatedStatementError) {
          generation = Math.max(generation, preparedIn + 1);
        }
        throw cause;
      }
    }
    // Only what certainly had no effect is run again.
    return retry(PAUSES, UndoneError, () => liveness.watch(lendOnce));
  }

  const run = (sql: string, sending: Sending, leftMs = () => Infinity) =>
    lend(sending, (connection, values, named) =>
      connection.run({ ...named(sql), values }, Math.min(deadline, leftMs())),
    );

  const commit = (joined: readonly JoinedWrite[], sending: Sending) =>
    lend(sending, (connection, _, named) => commitOn(connection, { joined, named, deadline }));

  const writes = groupPostgresWrites({ run, commit }, waits);

  /** Rejects in time if the server is silent. If the server only takes long, the deadline of a statement applies. */
  function read(sql: string, values: readonly SqlValue[], waitMs: number) {
    const wait = waits.of(waitMs);
    return new Promise<readonly SqlRow[]>((resolve, reject) => {
      wait.onOver(() => {
        if (liveness.outage() !== null) reject(wait.late("the database did not answer"));
      });
      run(sql, { wait: () => wait, begin: () => (wait.isOver() ? null : values) })
        .then(resolve, reject)
        .finally(wait.end);
    });
  }

  /** Reads that wait for the same time are grouped, by that time. */
  const readsOf = new Map(
    [settings.waitMs ?? PEOPLE_WAIT_MS, settings.waitMs ?? TOKEN_WAIT_MS].map((waitMs) => [
      waitMs,
      groupReads(async (statement, keys) =>
        rowsByKey(statement, await read(statement.ofMany.postgres, [keys], waitMs)),
      ),
    ]),
  );

  function runWithin(withinMs: number, sql: string, values: readonly SqlValue[], waitMs: number) {
    const until = performance.now() + withinMs;
    const leftMs = () => Math.max(1, Math.ceil(until - performance.now()));
    const wait = waits.of(Math.min(waitMs, withinMs));
    return run(sql, sendingOf(values, wait), leftMs).finally(wait.end);
  }

  function waitAs({ isUrgent = false, waitMs }: StatementOptions): number {
    const usual = isUrgent ? TOKEN_WAIT_MS : PEOPLE_WAIT_MS;
    return isPatient() ? Infinity : (waitMs ?? settings.waitMs ?? usual);
  }

  const execute: SqlEngine["execute"] = async (statement, values, options = {}) => {
    const { withinMs, isUrgent = false, isFirst = false } = options;
    const waitMs = waitAs(options);
    const parameters = values.map(checkedValue);
    const sql = textOf(statement);
    // A read with a shorter limit cannot wait for the others.
    if (withinMs !== undefined) return runWithin(withinMs, sql, parameters, waitMs);
    if (!isRead(statement)) {
      return writes.add({ statement, parameters }, { isUrgent, isFirst, waitMs });
    }
    const [key] = parameters;
    const readTogether = readsOf.get(waitMs);
    // A number may equal a text in SQL, but not in JSON.
    const isShared = typeof statement !== "string" && typeof key === "string";
    return isShared && readTogether !== undefined
      ? readTogether(statement, key)
      : read(sql, parameters, waitMs);
  };

  const asLongAsNeeded = (): Wait => waits.of(Infinity);
  /** What the server does while a start or a migration waits. */
  let doing = "";

  function reporting<T>(task: () => Promise<T>): Promise<T> {
    doing = "does not answer yet";
    return whileWaiting(() => `the database server at ${host} ${doing}`, onWait, task);
  }

  async function requireOwnSessions(): Promise<void> {
    const isDirect = await asLongAsItTakes(() =>
      pool.use((connection) => connection.isDirect(deadline), asLongAsNeeded()),
    );
    if (isDirect || !(await sharesSessions(() => openProbe(url, settings.connectTimeout)))) return;
    throw new OperatorError(
      "the database is behind a connection pooler that shares sessions between connections, but settings and " +
        "prepared statements belong to a session: with PgBouncer, set pool_mode=session, or connect to PostgreSQL directly",
    );
  }

  function migrateOnce(steps: MigrationSteps): Promise<void> {
    return pool.use(async (connection) => {
      const run = (text: string) => connection.run({ text }, null);
      try {
        await run("BEGIN");
        await run("SET LOCAL statement_timeout = 0");
        // Waiting for another migration blocks no other statements.
        await run("SET LOCAL lock_timeout = 0");
        doing = "has not ended another migration yet";
        await run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
        doing = "has not finished the migration yet";
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
    }, asLongAsNeeded());
  }

  async function migrate(steps: MigrationSteps): Promise<void> {
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
  }

  return {
    execute,
    commit: async (joined, options = {}) => writes.commit(joined.map(checkedCall), waitAs(options)),
    statementTime: POSTGRES_STATEMENT_TIME,
    async schemaVersion(by = { execute }) {
      // The service may not be allowed to create the table, and selecting from a missing one is an error.
      const table = await by.execute("SELECT to_regclass('schema_version')::text AS name", []);
      return table[0]?.name === null ? 0 : versionIn(await by.execute(NEWEST_VERSION, []));
    },
    requireOwnSessions,
    patiently(task) {
      const patiently: SqlEngine["execute"] = (statement, values, options) =>
        execute(statement, values, { ...options, waitMs: Infinity });
      return reporting(() => asLongAsItTakes(() => task({ execute: patiently })));
    },
    // Within its time also where others wait without one: a reading that waited says little about the present.
    async now() {
      const [row] = await read(NOW, [], settings.waitMs ?? PEOPLE_WAIT_MS);
      return Number(row?.milliseconds);
    },
    migrate: (steps) => reporting(() => migrate(steps)),
    async settle() {
      if (liveness.outage() === null) await withinOwnTime(settings.deadline, writes.drain());
    },
    async close() {
      liveness.close(new UnavailableError("the database is closed"));
      await writes.drain();
      const outage = liveness.outage();
      liveness.stop();
      // What only reads has no answer to wait for.
      if (outage !== null) pool.cut(new UnavailableError(outage.message));
      await pool.close();
      waits.stop();
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

const versionIn = (rows: readonly SqlRow[]) => Number(rows[0]?.version);

/** By bytes, as SQLite does: both engines have one order, and an update of collations cannot corrupt an index. */
function comparedByBytes(statement: string): string {
  return statement.replace(/\bTEXT\b/g, 'TEXT COLLATE "C"');
}
