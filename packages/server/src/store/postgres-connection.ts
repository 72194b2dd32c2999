// One connection to PostgreSQL, which is checked when it is opened and cut after a deadline.

import { Client, DatabaseError } from "pg";
import { messageOf, OperatorError, UnavailableError } from "../lib/errors.ts";
import { type SqlRow, type SqlValue, UniqueViolationError, UnknownOutcomeError } from "./engine.ts";
import type { Pooled } from "./postgres-pool.ts";

export interface Statement {
  readonly text: string;
  /** A statement with a name is parsed and planned once per connection. */
  readonly name?: string;
  readonly values?: readonly SqlValue[];
}

export interface PostgresConnection extends Pooled {
  /** False if a connection pooler is between this process and the server. */
  readonly isDirect: boolean;
  /** `deadline` in milliseconds; null for none. */
  run(statement: Statement, deadline: number | null): Promise<readonly SqlRow[]>;
}

interface Limits {
  /** Milliseconds until a connection must be ready. */
  readonly connectTimeout: number;
  /** Milliseconds until a statement must be answered. */
  readonly deadline: number;
}

/** The server has rolled back the statement, or not begun it: it can be run again. */
export class UndoneError extends UnavailableError {
  override name = "UndoneError";
}

/** The statement was prepared before a change of the schema. */
export class OutdatedStatementError extends UndoneError {
  override name = "OutdatedStatementError";
}

/** The statement did not get a lock within `lock_timeout`. Its transaction is rolled back. */
export class LockTimeoutError extends UnavailableError {
  override name = "LockTimeoutError";
}

/**
 * Milliseconds of silence until TCP keep-alive. Firewalls and load balancers silently drop connections
 * that are idle for some minutes.
 */
const KEEP_ALIVE = 60_000;

/** Milliseconds for an orderly close before the connection is cut. */
const FAREWELL = 1000;

/** The guarantees of the store are tested with this isolation level, so it overrides the operator's default. */
const SET_UP = `
  SELECT set_config('default_transaction_isolation', 'read committed', false) AS isolation,
    set_config('statement_timeout', $1, false) AS statement_timeout,
    current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('transaction_read_only') AS read_only,
    current_setting('server_encoding') AS encoding,
    pg_backend_pid() AS backend`;

/**
 * Rejects with `OperatorError` if the settings of the server break the guarantees of the store. `heard` is
 * called whenever the server sends anything.
 */
export async function openConnection(
  url: string,
  limits: Limits,
  { signal, heard }: { signal: AbortSignal; heard: () => void },
): Promise<PostgresConnection> {
  const client = clientOf(url, limits.connectTimeout);
  let usable = true;
  let isDirect = false;
  let warning: string | null = null;
  signal.addEventListener("abort", () => cut(signal.reason));
  for (const word of ["sslconnect", "message"]) client.connection.on(word, heard);
  let announced: number | undefined;
  client.connection.once("backendKeyData", ({ processID }: { processID: number }) => {
    announced = processID;
  });
  // Without a listener an error would end the process. A pending statement reports it by itself.
  client.on("error", cut);
  client.on("notice", (notice) => {
    // The only sign that a commit "might not have been replicated".
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
        reject(new UnknownOutcomeError(`the database gave no answer within ${deadline} ms`));
      }, deadline);
    });
    // Drops warnings about the connection itself, for example about collations.
    warning = null;
    try {
      const { rows } = await Promise.race([client.query<SqlRow>({ ...statement }), late]);
      if (warning !== null) throw new UnknownOutcomeError(`the database warned: ${warning}`);
      return rows;
    } catch (cause) {
      // The server shuts down or has become a standby: the next statement needs a new connection.
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
    // The server's timeout ends abandoned statements. It cannot replace the deadline here, because it
    // does not apply while a commit waits for a standby.
    const values = [String(limits.deadline * 2)];
    const [settings] = await run({ text: SET_UP, values }, limits.connectTimeout);
    requireSound(settings);
    isDirect = settings?.backend === announced;
  } catch (cause) {
    cut();
    // The outcome of the caller's statement is known: it was not sent.
    if (cause instanceof UnknownOutcomeError) throw new UnavailableError(cause.message);
    throw cause;
  }
  return {
    isDirect,
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

/** Throws `OperatorError` if the URL is malformed. The message must not contain the URL with its password. */
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
  // A standby can return stale data. It may become the primary soon, so this is not an `OperatorError`.
  if (settings.read_only !== "off") throw new UnavailableError("the database is read-only");
}

/** Supports only integers and text. Errors are thrown by the reader, because those thrown here are not caught. */
function readerOf(type: number): (value: string) => string | number {
  switch (type) {
    case 20: // int8, which the library would return as text
    case 21: // int2
    case 23: // int4
      return readInteger;
    case 19: // name
    case 25: // text
    case 1043: // varchar
    case 2278: // void, the result of a lock function
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

/** Leaves out `detail` and `where` of the server's error, which contain values of rows. */
function failureOf(cause: unknown): Error {
  if (cause instanceof UnavailableError || cause instanceof TypeError) return cause;
  // All other errors of the library are about the connection.
  if (!(cause instanceof DatabaseError)) return new UnknownOutcomeError(messageOf(cause));
  const { code = "", routine } = cause;
  const message = `${cause.message} (SQLSTATE ${code})`;
  if (code === "23505") return new UniqueViolationError(message);
  // Deadlock or serialization failure: rolled back.
  if (code === "40P01" || code === "40001") return new UndoneError(message);
  // The code is that of any unsupported feature, and the text is localized; the routine is specific.
  if (code === "26000" || (code === "0A000" && routine === "RevalidateCachedQuery")) {
    return new OutdatedStatementError(message);
  }
  if (code === "55P03") return new LockTimeoutError(message);
  // The session ends, which can be after the commit.
  if (/^(08|57P)/.test(code)) return new UnknownOutcomeError(message);
  return isOutage(code) ? new UnavailableError(message) : new Error(message);
}

/**
 * Connection lost (08), insufficient resources (53), shutdown or cancellation (57), disk failure (58), or
 * a primary that has become a standby (25006).
 */
function isOutage(code: string): boolean {
  return /^(08|53|57|58)/.test(code) || code === "25006";
}

/** A failed login or an unknown database is a mistake of the operator; anything else may be temporary. */
function connectFailureOf(cause: unknown): Error {
  const message = `cannot connect to the database: ${messageOf(cause)}`;
  const isMistake = cause instanceof DatabaseError && /^(28|3D)/.test(cause.code ?? "");
  return isMistake ? new OperatorError(message) : new UnavailableError(message);
}
