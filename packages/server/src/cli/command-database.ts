// Opens the database for a command that does not run the service.

import { requireDatabaseOfMark } from "../backup/mark-check.ts";
import { markedByCommand } from "../backup/mark-keeper.ts";
import { type ConfigSources, readSettings } from "../config/config.ts";
import { markPathOf } from "../config/mark-path.ts";
import type { Guard } from "../database/guard.ts";
import { databaseName, guardForService, openDatabase, requireDatabase } from "../database/open.ts";
import { sqlOf } from "../database/rows.ts";
import { type Seal, sealWith } from "../keys/seal.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { floorStore } from "../store/floor.ts";
import type { SessionDays } from "../store/session-lifetimes.ts";
import { createStore, type Store } from "../store/store.ts";
import { standardError } from "../telemetry/log-sink.ts";
import type { Status } from "./command-context.ts";
import { createTimeReader } from "./command-time.ts";

export interface CommandDatabase {
  readonly store: Store;
  /** The database can be used once this has resolved. */
  readonly ready: Promise<unknown>;
  /** The time of the service; of this machine until `ready` has resolved. */
  readonly clock: Clock;
  readonly random: typeof systemRandom;
  /** Shown to the operator: a path, or a URL without its password. */
  readonly name: string;
}

/**
 * Runs `task` and closes the database. Creates a SQLite file only with `make`. `ready` rejects with `OperatorError` if
 * the clock is behind the floor.
 */
export async function withDatabase<T>(
  address: string,
  task: (database: CommandDatabase) => Promise<T>,
  {
    make = false,
    days = {},
    mark = null,
    alone = false,
  }: {
    make?: boolean;
    days?: SessionDays;
    /** The path of the mark file, which changes of the task move. */
    mark?: string | null;
    /** Rejects with `OperatorError` if a service uses the SQLite file, and keeps one from starting meanwhile. */
    alone?: boolean;
  } = {},
): Promise<T> {
  if (!make) requireDatabase(address);
  requireDatabaseOfMark(address, { mark });
  const guard = alone ? guardForService(address) : null;
  const { engine, ready } = openOrRelease(address, guard);
  const opened = createStore(engine, days);
  const name = databaseName(address);
  const time = createTimeReader({
    store: floorStore(sqlOf(engine)),
    machine: systemClock,
    databaseNow: engine.now ?? null,
  });
  const { clock } = time;
  const store = markedByCommand({ database: address, mark }, { store: opened, clock });
  const isReady = ready().then(() => time.read());
  // Reported by whatever awaits it.
  isReady.catch(() => {});
  try {
    return await task({ store, ready: isReady, clock, random: systemRandom, name });
  } finally {
    await store.close();
    guard?.release();
  }
}

/** Opens the database for commands on the records that `recordsOf` gets from it. Changes move the mark. */
export function openRecords<Records>(recordsOf: (database: CommandDatabase) => Records) {
  return (
    sources: ConfigSources,
    task: (records: Records) => Promise<Status>,
    make: boolean,
  ): Promise<Status> => {
    const settings = readSettings(sources, ["database", "mark"]);
    const run = (database: CommandDatabase) => task(recordsOf(database));
    return withDatabase(settings.database, run, { make, mark: markPathOf(settings) });
  };
}

function openOrRelease(address: string, guard: Guard | null) {
  try {
    return openDatabase(address, { onWait: reportWait });
  } catch (cause) {
    guard?.release();
    throw cause;
  }
}

/** A command has no deadline, so it says what it waits for. */
export function reportWait(what: string, seconds: number): void {
  standardError().write(`still waiting after ${seconds} s: ${what}\n`);
}

export interface SealSecrets {
  readonly secret?: string | null;
  readonly previousSecret?: string | undefined;
}

/** Null without a secret: no key can be opened then. */
export function sealFrom({ secret, previousSecret }: SealSecrets): Seal | null {
  return secret ? sealWith(secret, systemRandom, previousSecret) : null;
}
