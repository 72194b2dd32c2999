// One connection to PostgreSQL: checked when it is opened, and cut when an answer takes too long.

import { Client, DatabaseError } from "pg";
import { OperatorError, UnavailableError } from "../lib/errors.ts";
import { type SqlRow, UniqueViolationError } from "./engine.ts";

export interface Statement {
  readonly text: string;
  /** Under a name a statement is parsed and planned once per connection. */
  readonly name?: string;
  readonly values?: (string | null)[];
}

export interface PostgresConnection {
  /** `deadline` in milliseconds; null waits as long as it takes. */
  run(statement: Statement, deadline: number | null): Promise<readonly SqlRow[]>;
  isUsable(): boolean;
  /** Cuts it: what is under way has an unknown outcome, and fails with the cause if there is one. */
  cut(cause?: Error): void;
  close(): void;
  readonly ended: Promise<void>;
}

export interface Limits {
  /** Milliseconds until a connection must be ready. */
  readonly connectTimeout: number;
  /** Milliseconds until a statement must be answered. */
  readonly deadline: number;
}

/** The server has undone the statement, or never began it: it may be run again. */
export class UndoneError extends UnavailableError {
  override name = "UndoneError";
}

/** A statement that was prepared before somebody changed the schema. */
export class OutdatedStatementError extends UndoneError {
  override name = "OutdatedStatementError";
}

/** No lock within the time that was set for it: the statement was undone, and its transaction is. */
export class LockTimeoutError extends UnavailableError {
  override name = "LockTimeoutError";
}

/**
 * Milliseconds without a word until the kernel looks whether the other side is there. Firewalls and
 * balancers forget a connection that says nothing for some minutes, and tell nobody.
 */
const KEEP_ALIVE = 60_000;

/** Milliseconds that a server has to take our leave before the line is cut. */
const FAREWELL = 1000;

/** The isolation is what the verbs' promises were proven under, whatever the operator's default. */
const SET_UP = `
  SELECT set_config('default_transaction_isolation', 'read committed', false) AS isolation,
    set_config('statement_timeout', $1, false) AS statement_timeout,
    current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('transaction_read_only') AS read_only,
    current_setting('server_encoding') AS encoding`;

/**
 * Rejects with `OperatorError` when the server is not one that keeps the store's promises. `heard`
 * is called whenever anything comes from the server.
 */
export async function openConnection(
  url: string,
  limits: Limits,
  { signal, heard }: { signal: AbortSignal; heard: () => void },
): Promise<PostgresConnection> {
  const client = clientOf(url, limits.connectTimeout);
  let usable = true;
  let warning: string | null = null;
  signal.addEventListener("abort", () => cut(signal.reason));
  for (const word of ["sslconnect", "message"]) client.connection.on(word, heard);
  // Nobody may be waiting for this connection; what waits is told by its own statement.
  client.on("error", cut);
  client.on("notice", (notice) => {
    // "Committed locally, but might not have been replicated" comes as this and nothing else.
    if (notice.code === "01000") warning = notice.message ?? "without a message";
  });
  const ended = new Promise<void>((resolve) => {
    client.on("end", () => {
      usable = false;
      resolve();
    });
  });

  function cut(cause?: Error): void {
    usable = false;
    client.connection.stream.destroy(cause);
  }

  async function run(statement: Statement, deadline: number | null): Promise<readonly SqlRow[]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      if (deadline === null) return;
      timer = setTimeout(() => {
        cut();
        reject(new UnavailableError(`the database gave no answer within ${deadline} ms`));
      }, deadline);
    });
    // What came with the connection itself, such as a note on collations, is not about a statement.
    warning = null;
    try {
      const { rows } = await Promise.race([client.query<SqlRow>({ ...statement }), late]);
      if (warning !== null) throw new UnavailableError(`the database warned: ${warning}`);
      return rows;
    } catch (cause) {
      // A server that goes away or has become a standby: the next statement needs another one.
      if (cause instanceof DatabaseError && /^(08|57P|25006)/.test(cause.code ?? "")) cut();
      throw failureOf(cause);
    } finally {
      clearTimeout(timer);
    }
  }

  try {
    await client.connect();
  } catch (cause) {
    cut();
    throw connectFailureOf(cause);
  }
  try {
    // The server ends what this side gave up on long ago. It cannot replace the deadline here: it
    // does not fire while a commit waits for a standby.
    const values = [String(limits.deadline * 2)];
    requireSound((await run({ text: SET_UP, values }, limits.connectTimeout))[0]);
  } catch (cause) {
    cut();
    throw cause;
  }
  return {
    isUsable: () => usable,
    ended,
    cut,
    run,
    close() {
      usable = false;
      client.end().catch(() => {});
      setTimeout(cut, FAREWELL).unref();
    },
  };
}

/** Throws `OperatorError` if the URL cannot be read; never with the URL, which holds a password. */
export function clientOf(url: string, connectTimeout: number): Client {
  try {
    return new Client({
      connectionString: url,
      connectionTimeoutMillis: connectTimeout,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE,
      fallback_application_name: "domain-signin",
      types: { getTypeParser: readerOf },
    });
  } catch {
    throw new OperatorError(
      "the database URL cannot be read: it has the form postgres://USER:PASSWORD@HOST:PORT/NAME, " +
        "with reserved characters percent-encoded",
    );
  }
}

function requireSound(settings: SqlRow | undefined): void {
  if (settings?.synchronous_commit === "off") {
    throw new OperatorError(
      "synchronous_commit is off in the database: a power cut would make used codes valid again",
    );
  }
  if (settings?.encoding !== "UTF8") {
    throw new OperatorError(
      `the database's encoding is ${settings?.encoding}, it must be UTF8 ` +
        "(createdb -E UTF8 -T template0 NAME)",
    );
  }
  // A standby answers too, from the past. It may be the primary again in a moment.
  if (settings.read_only !== "off") throw new UnavailableError("the database is read-only");
}

/** Integers, text and nothing else. A reader may throw, this function may not: nobody catches it. */
function readerOf(type: number): (value: string) => string | number {
  switch (type) {
    case 20: // int8, which the library would give back as text
    case 21: // int2
    case 23: // int4
      return readInteger;
    case 19: // name
    case 25: // text
    case 1043: // varchar
    case 2278: // void, what a lock answers with
      return (value) => value;
    default:
      return () => {
        throw new TypeError(`a column is neither integer nor text but of type ${type}`);
      };
  }
}

function readInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new TypeError("an integer of a row is not a safe one");
  return value;
}

/** The server's `detail` and `where` hold values of rows: they go into no error and no log. */
function failureOf(cause: unknown): Error {
  if (cause instanceof UnavailableError || cause instanceof TypeError) return cause;
  // All else that the library throws is about the connection.
  if (!(cause instanceof DatabaseError)) return new UnavailableError(messageOf(cause));
  const { code = "", routine } = cause;
  const message = `${cause.message} (SQLSTATE ${code})`;
  if (code === "23505") return new UniqueViolationError(message);
  // A deadlock, or a transaction that could not be put in order with others: rolled back.
  if (code === "40P01" || code === "40001") return new UndoneError(message);
  // The code means any unsupported feature, and the text is translated: the routine is neither.
  if (code === "26000" || (code === "0A000" && routine === "RevalidateCachedQuery")) {
    return new OutdatedStatementError(message);
  }
  if (code === "55P03") return new LockTimeoutError(message);
  return isOutage(code) ? new UnavailableError(message) : new Error(message);
}

/**
 * Connection lost (08), resources short (53), shut down or cancelled (57), disk failed (58), or a
 * primary that has become a standby (25006).
 */
function isOutage(code: string): boolean {
  return /^(08|53|57|58)/.test(code) || code === "25006";
}

/** Who may not log in, or into what does not exist, has a wrong setting; all else may pass. */
function connectFailureOf(cause: unknown): Error {
  const message = `cannot connect to the database: ${messageOf(cause)}`;
  const isMistake = cause instanceof DatabaseError && /^(28|3D)/.test(cause.code ?? "");
  return isMistake ? new OperatorError(message) : new UnavailableError(message);
}

function messageOf(cause: unknown): string {
  // Where a name has several addresses, Node tells of their failures without a message.
  const errors = cause instanceof AggregateError ? cause.errors : [cause];
  return errors.map((error) => (error instanceof Error ? error.message : String(error))).join(", ");
}
