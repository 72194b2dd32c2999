// Opens the database for a command that does not run the service.

import { markedByCommand, requireDatabaseOfMark } from "../backup/mark-keeper.ts";
import { createRegistries } from "../clients/client-registry.ts";
import { type ConfigSources, markPathOf, readSettings } from "../config/config.ts";
import type { SqlEngine } from "../database/engine.ts";
import { databaseName, guardForService, openDatabase, requireDatabase } from "../database/open.ts";
import { sqlOf } from "../database/rows.ts";
import { type Seal, sealWith } from "../keys/seal.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { readTime } from "../lib/clock-reading.ts";
import { OperatorError } from "../lib/errors.ts";
import { systemRandom } from "../lib/random.ts";
import { floorStore } from "../store/floor.ts";
import type { SessionDays } from "../store/session-lifetimes.ts";
import { createStore, type Store } from "../store/store.ts";
import { standardError } from "../telemetry/log-sink.ts";
import { createRunningTime } from "../time/running-time.ts";
import { judge, reasonOf } from "../time/time-verdict.ts";
import type { Status } from "./command-frame.ts";

export interface CommandDatabase {
  readonly store: Store;
  /** The database can be used once this has resolved. */
  readonly ready: Promise<unknown>;
  /** The time of the service; of this machine until `ready` has resolved. */
  readonly clock: Clock;
  readonly random: typeof systemRandom;
  /** Shown to the operator: a path, or a URL without its password. */
  readonly databaseName: string;
}

interface DatabaseOptions {
  readonly make?: boolean;
  readonly days?: SessionDays;
  /** The path of the mark file, which changes of the task move. */
  readonly mark?: string | null;
  /** Rejects with `OperatorError` if a service uses the SQLite file, and keeps one from starting meanwhile. */
  readonly alone?: boolean;
}

/** Closes the database after `task`. Creates a SQLite file only with `make`. */
export async function withDatabase<T>(
  address: string,
  task: (database: CommandDatabase) => Promise<T>,
  { make = false, days = {}, mark = null, alone = false }: DatabaseOptions = {},
): Promise<T> {
  if (!make) requireDatabase(address);
  requireDatabaseOfMark({ database: address, mark });
  const guard = alone ? guardForService(address) : null;
  try {
    const { engine, ready: open } = openDatabase(address, { onWait: reportWait });
    const opened = createStore(engine, days);
    const { clock, adoptTime } = createTimeReader(engine);
    const store = markedByCommand({ database: address, mark }, { store: opened, clock });
    const ready = open().then(adoptTime);
    // Reported by whatever awaits it.
    ready.catch(() => {});
    try {
      const name = databaseName(address);
      return await task({ store, ready, clock, random: systemRandom, databaseName: name });
    } finally {
      await store.close();
    }
  } finally {
    guard?.release();
  }
}

/** The same, and `task` starts once the database can be used. */
export function withReadyDatabase<T>(
  address: string,
  task: (database: CommandDatabase) => Promise<T>,
  options: DatabaseOptions = {},
): Promise<T> {
  const run = (database: CommandDatabase) => database.ready.then(() => task(database));
  return withDatabase(address, run, options);
}

/** The time is read once, and the floor is not moved on: the service may run beside the command. */
function createTimeReader(engine: SqlEngine) {
  const running = createRunningTime(systemClock);
  return {
    /** Until `adoptTime` has resolved, the clock of this machine. */
    clock: running.clockWith(() => 0),
    /** Rejects with `OperatorError` if the clock cannot be used: what the command stores would be dated wrongly. */
    async adoptTime(): Promise<void> {
      const reading = await readTime({ machine: systemClock, databaseNow: engine.now ?? null });
      const now = Math.floor(reading.timeMs / 1000);
      const row = await floorStore(sqlOf(engine)).readFloor();
      const unknown = { witness: null, certainSince: null, hasPublicRoot: true };
      const judged = judge(row, { now, ran: row.ran, ...unknown });
      if (judged.isHeld) throw new OperatorError(reasonOf(judged, now, null));
      running.adopt(reading, judged.floor.seconds);
    },
  };
}

/** Opens the database for commands on clients and resources. Changes move the mark. */
export function openRegistries(
  sources: ConfigSources,
  task: (own: CommandDatabase & ReturnType<typeof createRegistries>) => Promise<Status>,
  make: boolean,
): Promise<Status> {
  const settings = readSettings(sources, ["database", "mark"]);
  const run = (own: CommandDatabase) =>
    task({ ...own, ...createRegistries({ ...own, ...own.store }) });
  return withDatabase(settings.database, run, { make, mark: markPathOf(settings) });
}

/** A command has no deadline, so it says what it waits for. */
export function reportWait(what: string, seconds: number): void {
  standardError().write(`still waiting after ${seconds} s: ${what}\n`);
}

interface SealSecrets {
  readonly secret?: string | null;
  readonly previousSecret?: string | undefined;
}

/** Null without a secret: no key can be opened then. */
export function sealFrom({ secret, previousSecret }: SealSecrets): Seal | null {
  return secret ? sealWith(secret, systemRandom, previousSecret) : null;
}
