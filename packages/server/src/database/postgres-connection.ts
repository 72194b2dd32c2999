// One connection to PostgreSQL: what is checked when it is opened, and what an answer that fails or is late means.

import { Client, type ClientBase, type ClientConfig, DatabaseError } from "pg";
import { messageOf, OperatorError, UnavailableError, UnknownOutcomeError } from "../lib/errors.ts";
import { type SqlRow, type SqlValue, UniqueViolationError } from "./engine.ts";
import type { Waits } from "./waits.ts";

export interface Statement {
  readonly text: string;
  /** A statement with a name is parsed and planned once per connection. */
  readonly name?: string;
  readonly values?: readonly SqlValue[];
}

export interface PostgresConnection {
  /** `deadline` in milliseconds; null for none. */
  run(statement: Statement, deadline: number | null): Promise<readonly SqlRow[]>;
  /** Ends the connection immediately. The outcome of a pending statement is unknown. */
  cut(): void;
  isUsable(): boolean;
  /** False if a connection pooler is between this process and the server. `deadline` as in `run`. */
  isDirect(deadline: number): Promise<boolean>;
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

/** Milliseconds of silence until TCP keep-alive. Firewalls silently drop connections that are idle for some minutes. */
const KEEP_ALIVE = 60_000;

/** The guarantees of the store are tested with this isolation level, so it overrides the operator's default. */
const SET_UP = `
  SELECT set_config('default_transaction_isolation', 'read committed', false) AS isolation,
    set_config('statement_timeout', $1, false) AS statement_timeout,
    set_config('idle_in_transaction_session_timeout', $2, false) AS idle_timeout,
    current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('transaction_read_only') AS read_only,
    current_setting('server_encoding') AS encoding`;

export function connectionOf(client: Client, { after }: Waits): PostgresConnection {
  let usable = true;

  function cut(): void {
    usable = false;
    client.connection.stream.destroy();
  }

  async function run(statement: Statement, deadline: number | null): Promise<readonly SqlRow[]> {
    let takeBack = () => {};
    const late = new Promise<never>((_, reject) => {
      if (deadline === null) return;
      takeBack = after(deadline, () => {
        cut();
        reject(new UnknownOutcomeError(`the database gave no answer within ${deadline} ms`));
      });
    });
    let warning: string | null = null;
    const listen = (notice: { code: string | undefined; message: string | undefined }) => {
      // The only sign that a commit "might not have been replicated".
      if (notice.code === "01000") warning = notice.message ?? "without a message";
    };
    client.on("notice", listen);
    try {
      const { rows } = await Promise.race([client.query<SqlRow>({ ...statement }), late]);
      if (warning !== null) throw new UnknownOutcomeError(`the database warned: ${warning}`);
      return rows;
    } catch (cause) {
      // The server shuts down, has become a standby, or has waited too long: the next statement needs a new connection.
      if (cause instanceof DatabaseError && /^(08|57P|25006|25P03)/.test(cause.code ?? "")) cut();
      throw failureOf(cause);
    } finally {
      takeBack();
      client.off("notice", listen);
    }
  }

  return {
    run,
    cut,
    isUsable: () => usable,
    async isDirect(deadline) {
      const [row] = await run({ text: "SELECT pg_backend_pid() AS backend" }, deadline);
      return "processID" in client && client.processID === row?.backend;
    },
  };
}

/** Sets up a new connection. Rejects with `OperatorError` if the server's settings break the guarantees of the store. */
export async function checkServer(client: ClientBase, deadline: number): Promise<void> {
  // The server's timeout ends abandoned statements. It cannot replace the deadline here, because it
  // does not apply while a commit waits for a standby.
  // A node that is gone in the middle of a transaction keeps its locks until then, and others wait for
  // them until their deadline. The server would notice a power cut only after hours.
  const idle = Math.ceil(deadline / 2);
  const answer = await client.query<SqlRow>(SET_UP, [String(deadline * 2), String(idle)]);
  requireSound(answer.rows[0]);
}

/** Throws `OperatorError` if the URL is malformed. The message must not contain the URL with its password. */
export function clientOf(url: string, connectTimeout = 0): Client {
  try {
    return new Client({ ...configOf(url), connectionTimeoutMillis: connectTimeout });
  } catch {
    throw new OperatorError(
      "the database URL cannot be read: it has the form postgres://USER:PASSWORD@HOST:PORT/NAME, " +
        "with reserved characters percent-encoded",
    );
  }
}

export function configOf(url: string): ClientConfig {
  return {
    connectionString: url,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE,
    fallback_application_name: "domain-signin",
    types: { getTypeParser: readerOf },
  };
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
  // Deadlock, serialization failure, or a transaction that paused for too long: rolled back.
  if (/^(40P01|40001|25P03)$/.test(code)) return new UndoneError(message);
  // The code is that of any unsupported feature, and the text is localized; the routine is specific.
  if (code === "26000" || (code === "0A000" && routine === "RevalidateCachedQuery")) {
    return new OutdatedStatementError(message);
  }
  if (code === "55P03") return new LockTimeoutError(message);
  // The session ends, which can be after the commit.
  if (/^(08|57P)/.test(code)) return new UnknownOutcomeError(message);
  // No resources (53), shutdown (57), disk failure (58), or a primary that became a standby (25006).
  return /^(53|57|58|25006)/.test(code) ? new UnavailableError(message) : new Error(message);
}

/** A failed login or an unknown database is a mistake of the operator; anything else may be temporary. */
export function connectFailureOf(cause: unknown): Error {
  if (cause instanceof OperatorError || cause instanceof UnavailableError) return cause;
  const message = `cannot connect to the database: ${messageOf(cause)}`;
  const isMistake = cause instanceof DatabaseError && /^(28|3D)/.test(cause.code ?? "");
  return isMistake ? new OperatorError(message) : new UnavailableError(message);
}
