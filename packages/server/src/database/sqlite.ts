// SQLite as an engine: reads on a connection of their own, writes in groups.

import { accessSync, closeSync, constants, existsSync, openSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { messageOf, NotBegunError, OperatorError, UnavailableError } from "../lib/errors.ts";
import { withinOwnTime } from "../lib/own-time.ts";
import {
  checkedCall,
  isRead,
  type MigrationSteps,
  type OnWait,
  type SqlEngine,
  type StatementCall,
  type StatementOptions,
  textOf,
  waitOf,
} from "./engine.ts";
import { groupReads, rowsInJson } from "./grouped.ts";
import { attemptsIn, type BatchRunner, createBatchRunner, whenUnlocked } from "./sqlite-batch.ts";
import { groupWrites } from "./sqlite-groups.ts";
import {
  type Database,
  isLocked,
  openLibrary,
  requireLibrary,
  translate,
} from "./sqlite-library.ts";
import { lockedBy, openDurably, whenFree } from "./sqlite-lock.ts";
import { createWriterThread } from "./sqlite-thread.ts";
import { createWriteQueue, WRITE_LIMITS } from "./write-queue.ts";

/** A file that was deleted or replaced is noticed after this long. */
const FILE_CHECK_INTERVAL_MS = 1000;

const NEWEST_VERSION = "SELECT max(version) AS version FROM schema_version";

const { R_OK, W_OK, X_OK } = constants;

export interface SqliteOptions {
  /** Excludes all others until the file is closed. Throws `OperatorError` if another process uses the file. */
  readonly alone?: boolean;
  /** For a service: only writes wait for the disk. To start the thread takes longer than the writes of a command. */
  readonly withThread?: boolean;
  readonly onWait?: OnWait | undefined;
  /** Whether statements wait as long as it takes, whatever their options say. */
  readonly isPatient?: () => boolean;
}

/**
 * Opens the database file at `path`, or `:memory:`. An acknowledged write survives power loss. If another process has
 * locked the file, statements wait for the lock before the first of them runs.
 */
export function openSqlite(path: string, settings: SqliteOptions = {}): SqlEngine {
  const { alone = false, withThread = false, onWait = () => {} } = settings;
  const { isPatient = () => false } = settings;
  const isFile = path !== ":memory:";
  let closed = false;
  let database: Database;
  let opening: () => Promise<void> | null = () => null;
  try {
    if (isFile) makeDatabaseFile(path);
    database = openLibrary(path);
    if (alone) excludeOthers(database, path);
    else if (isFile) opening = openDurably(database, path, { onWait, mayWait: () => !closed });
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    const problem = isFile ? openProblem(path) : null;
    throw new OperatorError(`cannot open the database ${path}: ${problem ?? messageOf(cause)}`);
  }
  const problem = isFile ? watchFile(path) : () => null;
  const runner = createBatchRunner(database);
  const read = readerOf(runner);
  const writer =
    isFile && withThread ? writeInThread(path, onWait) : writeHere(path, runner, onWait);

  const waitsAs = (usual?: StatementOptions) =>
    isPatient() ? { ...usual, waitMs: Infinity } : usual;

  /** Null if statements can run at once. */
  function whenOpen(): Promise<void> | null {
    const gone = problem(performance.now());
    if (gone !== null) throw new UnavailableError(gone);
    if (closed) throw new UnavailableError("the database is closed");
    return opening();
  }

  return {
    async execute(statement, parameters, usual) {
      const options = waitsAs(usual);
      const call = checkedCall({ statement, parameters });
      const opened = whenOpen();
      if (opened !== null) await opened;
      if (!isRead(statement)) {
        const written = await writer.add(call, options);
        return "joined" in written ? [] : written;
      }
      try {
        return await read(call);
      } catch (cause) {
        if (!isLocked(cause)) failWith(cause);
      }
      // Waits while another process recovers the file, which nobody can read meanwhile.
      const again = () => runner.read(textOf(statement), call.parameters);
      return await whenUnlocked(again, attemptsIn(waitOf(options))).catch(failWith);
    },
    async commit(writes, usual) {
      const joined = writes.map(checkedCall);
      const opened = whenOpen();
      if (opened !== null) await opened;
      const written = await writer.add({ joined }, waitsAs(usual));
      return "joined" in written ? written.joined : null;
    },
    async migrate(steps) {
      await opening();
      const hooks = { onWait, mayWait: () => !closed };
      await whenFree(path, () => migrateNow(database, steps), hooks);
    },
    problem: () => problem(),
    oldestWaitMs: writer.oldestWaitMs,
    settle: writer.settle,
    async close() {
      if (closed) return;
      closed = true;
      await writer.close();
      runner.forget();
      if (alone) admitOthers(database);
      database.close();
    },
  };
}

/** Throws if another process has locked the file. */
function migrateNow(database: Database, steps: MigrationSteps): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    database.exec("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)");
    const [newest] = database.prepare(NEWEST_VERSION).all();
    for (const { version, statements } of steps(Number(newest?.version))) {
      for (const statement of statements) database.exec(statement);
      database.exec(`INSERT INTO schema_version (version) VALUES (${version})`);
    }
    database.exec("COMMIT");
  } catch (cause) {
    database.exec("ROLLBACK");
    throw cause;
  }
}

/** Reads at once, or together with other requests. Throws or rejects if another process has locked the file. */
function readerOf(runner: BatchRunner) {
  const readTogether = groupReads((statement, keys) => {
    return rowsInJson(statement, runner.readOfMany(statement.ofMany.sqlite ?? "", keys));
  });
  return ({ statement, parameters }: StatementCall) => {
    const [key] = parameters;
    // A number may equal a text in SQL, but not in JSON.
    const isShared =
      typeof statement !== "string" && statement.ofMany.sqlite !== null && typeof key === "string";
    return isShared ? readTogether(statement, key) : runner.read(textOf(statement), parameters);
  };
}

/** Writes on the connection that reads too. */
function writeHere(path: string, runner: BatchRunner, onWait: OnWait) {
  let isClosing = false;
  const { add, oldestWaitMs, close } = createWriteQueue(
    groupWrites((batch) => runner.runBatch(batch, { mayWait: () => !isClosing }).catch(failWith)),
    { describe: () => lockedBy(path), onWait },
  );
  const settle = () => {
    isClosing = true;
    return close();
  };
  return { add, oldestWaitMs, settle, close: settle };
}

function writeInThread(path: string, onWait: OnWait) {
  const thread = createWriterThread(path);
  const { whenReady, describe } = thread;
  const { flushMs, closingMs } = WRITE_LIMITS;
  const options = { begin: setImmediate, whenReady, flushMs, describe, onWait };
  const { add, oldestWaitMs, stop, close } = createWriteQueue(groupWrites(thread.flush), options);
  let lastsMs: number = flushMs;
  // A disk that hangs for good must not keep the process from ending.
  async function settle(): Promise<void> {
    await withinOwnTime(lastsMs, close());
    lastsMs = closingMs;
  }
  return {
    add,
    oldestWaitMs,
    settle,
    async close() {
      await settle();
      stop();
      await thread.close();
    },
  };
}

function failWith(cause: unknown): never {
  throw cause instanceof NotBegunError ? cause : translate(cause);
}

/**
 * Returns why the file at `path` is no longer the one that was opened, or null: SQLite goes on in a file that was
 * deleted. At a time `now`, what was found up to a second before still counts: statements do not wait for the file system.
 */
function watchFile(path: string): (now?: number) => string | null {
  const opened = identityOf(path);
  let checkedAt = performance.now();
  let found: string | null = null;
  return (now) => {
    if (now !== undefined && now - checkedAt < FILE_CHECK_INTERVAL_MS) return found;
    checkedAt = performance.now();
    const present = identityOf(path);
    const what = present === null ? "deleted" : "replaced";
    found = present === opened ? null : `the database file ${path} was ${what} while it was in use`;
    return found;
  };
}

/** Null if there is no file. */
function identityOf(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev}/${stat.ino}`;
}

/**
 * While a process has the file open in WAL mode, no other one can end that mode. Without it, the lock of a
 * transaction lasts until the file is closed.
 */
function excludeOthers(database: Database, path: string): void {
  try {
    database.exec("PRAGMA busy_timeout = 0");
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec("PRAGMA journal_mode = DELETE");
    // Without WAL, a commit survives power loss only if the removal of its journal does.
    database.exec("PRAGMA synchronous = EXTRA");
    database.exec("BEGIN EXCLUSIVE");
    database.exec("COMMIT");
  } catch (cause) {
    database.close();
    if (!isLocked(cause)) throw cause;
    throw new OperatorError(
      `the database ${path} is in use: stop \`serve\` and every other program that has it open`,
    );
  }
}

function admitOthers(database: Database): void {
  database.exec("PRAGMA locking_mode = NORMAL");
  // Uses the file, which gives up the lock.
  database.exec("PRAGMA journal_mode = WAL");
}

/**
 * Creates the file if it does not exist, readable only by its owner. SQLite gives its additional files the
 * same mode. An existing file is not opened, because closing it would release the locks of this process.
 * Throws `OperatorError`, and leaves no file, if there is no library that would open it.
 */
export function makeDatabaseFile(path: string): void {
  if (existsSync(path)) return;
  requireLibrary();
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch {
    // The library will fail too, and `openProblem` finds the reason.
  }
}

/** Why the file cannot be opened, or null if the file system shows no reason. */
export function openProblem(path: string): string | null {
  const folder = resolve(dirname(path));
  const kind = kindOf(folder);
  if (kind === "absent") return `the folder ${folder} does not exist`;
  if (kind === "file") return `${folder} is not a folder`;
  if (kindOf(path) === "folder") return "it is a folder";
  // SQLite creates two more files in the folder.
  const isUsable = kind === "folder" && isAllowed(folder, R_OK | W_OK | X_OK);
  if (!isUsable) return `permission denied for the folder ${folder}`;
  return existsSync(path) && !isAllowed(path, R_OK | W_OK) ? "permission denied" : null;
}

function kindOf(path: string): "folder" | "file" | "absent" | "hidden" {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EACCES" ? "hidden" : "absent";
  }
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
