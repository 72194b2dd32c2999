// Opens the database for a command that does not run the service.

import { type Seal, sealWith } from "../keys/seal.ts";
import { systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { databaseName, openDatabase, requireDatabase } from "../store/open.ts";
import type { SessionDays } from "../store/session-lifetimes.ts";
import { createStore, type Store } from "../store/store.ts";

export interface CommandDatabase {
  readonly store: Store;
  /** The database can be used once this has resolved. */
  readonly ready: Promise<unknown>;
  readonly clock: typeof systemClock;
  readonly random: typeof systemRandom;
  /** Shown to the operator: a path, or a URL without its password. */
  readonly name: string;
}

/** Runs `task` and closes the database. Creates a SQLite file only with `make`. */
export async function withDatabase<T>(
  address: string,
  task: (database: CommandDatabase) => Promise<T>,
  { make = false, days = {} }: { make?: boolean; days?: SessionDays } = {},
): Promise<T> {
  if (!make) requireDatabase(address);
  const { engine, ready } = openDatabase(address);
  const store = createStore(engine, days);
  const name = databaseName(address);
  try {
    return await task({ store, ready: ready(), clock: systemClock, random: systemRandom, name });
  } finally {
    await store.close();
  }
}

export interface SealSecrets {
  readonly secret?: string | null;
  readonly previousSecret?: string | undefined;
}

/** Null without a secret: no key can be opened then. */
export function sealFrom({ secret, previousSecret }: SealSecrets): Seal | null {
  return secret ? sealWith(secret, systemRandom, previousSecret) : null;
}
