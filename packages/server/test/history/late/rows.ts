// The rows of grants as a test sees and ages them, beside the service that uses them.
//
// To age a row moves all its times into the past, so that the service sees a retry as late as the test wants.

import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { openLibrary } from "../../../src/database/sqlite-library.ts";
import { filesClosed } from "../../support/closed-files.ts";

/** Times in seconds of the epoch. */
export interface GrantRow {
  readonly generation: number;
  readonly rotatedAt: number | null;
  readonly refreshExpiresAt: number | null;
  readonly codeExpiresAt: number;
  readonly controlCheckedAt: number;
  readonly revokedAt: number | null;
}

export interface AgingOf {
  readonly grantId: string;
  readonly seconds: number;
  /** When the code ends, in seconds of the epoch. By default its end moves with the other times. */
  readonly codeExpiresAt?: number | undefined;
  /** Moves the look at DNS too, however old it gets. By default it is never older than 20 hours. */
  readonly withControl?: boolean;
}

export interface GrantRows {
  /** Resolves to the row as it was found. Waits for a writer of the service that has begun. */
  age(aging: AgingOf): Promise<GrantRow>;
  read(grantId: string): Promise<GrantRow>;
  /** Holds the write lock of the database. Only for SQLite. */
  hold(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** How often the lock is tried for: the service leaves it for a moment between two flushes. */
const LOCK_RETRY_MS = 1;
const TWENTY_HOURS_S = 72_000;

/** These move always; `redelivered_at` if the schema has it. */
const TIMES = ["created_at", "rotated_at", "refresh_expires_at", "expires_at"] as const;

const READ = `
  SELECT generation, rotated_at, refresh_expires_at, code_expires_at, control_checked_at, revoked_at
  FROM grants WHERE id = `;

type Columns = Readonly<Record<string, unknown>>;

/** All that is put into a statement is a number or a hexadecimal id, so that both databases read the same text. */
function statementOf(aging: AgingOf, hasRedelivered: boolean): string {
  const seconds = wholeNumber(aging.seconds);
  const times: readonly string[] = hasRedelivered ? [...TIMES, "redelivered_at"] : TIMES;
  const looked = `control_checked_at - ${seconds}`;
  const earliest = wholeNumber(Date.now() / 1000) - TWENTY_HOURS_S;
  const control = aging.withControl
    ? looked
    : `CASE WHEN ${looked} < ${earliest} THEN ${earliest} ELSE ${looked} END`;
  const { codeExpiresAt } = aging;
  const codeEnd =
    codeExpiresAt === undefined ? `code_expires_at - ${seconds}` : wholeNumber(codeExpiresAt);
  const moved = times.map((column) => `${column} = ${column} - ${seconds}`);
  return `UPDATE grants SET ${moved.join(", ")}, control_checked_at = ${control},
    code_expires_at = ${codeEnd} WHERE id = ${quoted(aging.grantId)}`;
}

function wholeNumber(value: number): number {
  if (!Number.isFinite(value)) throw new Error(`not a number: ${value}`);
  return Math.round(value);
}

function quoted(grantId: string): string {
  if (!/^[0-9a-f]{32}$/.test(grantId)) throw new Error(`not the id of a grant: ${grantId}`);
  return `'${grantId}'`;
}

function toRow(columns: Columns | undefined): GrantRow {
  if (columns === undefined) throw new Error("the grant has no row");
  const number = (name: string) => (columns[name] === null ? null : Number(columns[name]));
  return {
    generation: Number(columns.generation),
    rotatedAt: number("rotated_at"),
    refreshExpiresAt: number("refresh_expires_at"),
    codeExpiresAt: Number(columns.code_expires_at),
    controlCheckedAt: Number(columns.control_checked_at),
    revokedAt: number("revoked_at"),
  };
}

/** On a second connection to the file. It never flushes, so that the lock is held for a moment only. */
export function openFileRows(path: string): GrantRows {
  const database = openLibrary(path);
  for (const pragma of ["busy_timeout = 0", "synchronous = OFF", "wal_autocheckpoint = 0"])
    database.exec(`PRAGMA ${pragma}`);
  const columns = database.prepare("PRAGMA table_info(grants)").all();
  const hasRedelivered = columns.some(({ name }) => name === "redelivered_at");
  const waiting: (() => void)[] = [];
  let work = Promise.resolve();
  let isClosed = false;

  async function lock(): Promise<void> {
    for (;;) {
      try {
        database.exec("BEGIN IMMEDIATE");
        return;
      } catch (cause) {
        if (!/locked/.test(String(cause))) throw cause;
      }
      await sleep(LOCK_RETRY_MS);
    }
  }

  /** What waits by then shares the lock, as long as nothing of it fails. */
  async function runWaiting(): Promise<void> {
    if (waiting.length === 0 || isClosed) return;
    await lock();
    for (const run of waiting.splice(0)) run();
    database.exec("COMMIT");
  }

  function inTransaction<T>(task: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(task());
        } catch (cause) {
          reject(cause);
        }
      });
      work = work.then(runWaiting);
    });
  }

  const read = (grantId: string) =>
    toRow(database.prepare(READ + quoted(grantId)).all()[0] as Columns | undefined);
  return {
    age: (aging) =>
      inTransaction(() => {
        const row = read(aging.grantId);
        database.exec(statementOf(aging, hasRedelivered));
        return row;
      }),
    read: (grantId) => inTransaction(() => read(grantId)),
    hold(milliseconds) {
      const held = work.then(async () => {
        await lock();
        await sleep(milliseconds);
        database.exec("COMMIT");
      });
      work = held;
      return held;
    },
    async close() {
      isClosed = true;
      await work;
      database.close();
      await filesClosed();
    },
  };
}

/** On a connection to the server that nothing but the server itself can freeze. */
export async function openServerRows(url: string): Promise<GrantRows> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const named = "SELECT 1 FROM information_schema.columns WHERE table_schema = current_schema()";
  const found = await client.query(
    `${named} AND table_name = 'grants' AND column_name = 'redelivered_at'`,
  );
  const hasRedelivered = found.rows.length > 0;
  const read = async (grantId: string, lock = "") =>
    toRow((await client.query(READ + quoted(grantId) + lock)).rows[0]);
  let work: Promise<unknown> = Promise.resolve();
  /** One transaction after the other. */
  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = work.then(task);
    work = done.catch(() => {});
    return done;
  }
  return {
    age: (aging) =>
      inTurn(async () => {
        await client.query("BEGIN");
        const row = await read(aging.grantId, " FOR UPDATE");
        await client.query(statementOf(aging, hasRedelivered));
        await client.query("COMMIT");
        return row;
      }),
    read: (grantId) => inTurn(() => read(grantId)),
    hold: () => Promise.reject(new Error("a lock of the whole database exists only on SQLite")),
    async close() {
      await work;
      await client.end();
    },
  };
}

/** A code or refresh token carries the id of its grant after its prefix and the id of its key. */
export function grantIdOf(token: string): string {
  return Buffer.from(token.slice(4), "base64url").subarray(1, 17).toString("hex");
}
