// A store that moves the mark of its database: for the service, and for commands beside it.

import { databaseKind } from "../database/open.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { Store } from "../store/store.ts";
import { isBehind, ofItself, problemOf, requireUsableDatabase } from "./mark-check.ts";
import { createMarkKeeper, type MarkEvents, movingMark } from "./mark-keeper.ts";

export interface MarkConfig {
  /** The address. */
  readonly database: string;
  /** The path of the mark file; null or undefined if there is none. */
  readonly mark?: string | null | undefined;
  /** The database of the mark is not to be used any more. */
  readonly newDatabase?: boolean | undefined;
}

export interface MarkedStore {
  readonly store: Store;
  /** Compares the database with its mark; see `requireUsableDatabase`. Call it once the schema is that of this version. */
  start(): Promise<void>;
  /** Moves the counter although nothing has ended. Never rejects. */
  move(): Promise<void>;
}

const withoutMark = (store: Store): MarkedStore => ({
  store,
  start: async () => {},
  move: async () => {},
});

/** For the service. Starts the counter of a database that has none. */
export function markedStore(
  config: MarkConfig,
  deps: {
    readonly store: Store;
    readonly clock: Pick<Clock, "seconds">;
    readonly random: Random;
    readonly events: MarkEvents;
  },
): MarkedStore {
  const { database, mark: path, newDatabase: isNew } = config;
  const { store, random, events } = deps;
  if (!path || databaseKind(database) === "memory") return withoutMark(store);
  const keeper = createMarkKeeper({ ...deps, path });
  // A mark that is not ours, or that says more than the database knows, is left to `restored`.
  let isKept = true;
  const move = async () => {
    if (isKept) await keeper.move();
  };
  return {
    store: movingMark(store, { move }),
    move,
    async start() {
      if (databaseKind(database) === "file") {
        await requireUsableDatabase({ database, path, isNew }, { store, random });
      } else {
        await ofItself(store, random);
        const problem = await problemOf({ database, path }, store);
        isKept = problem === null;
        if (problem !== null) events.markNotWritten({ path, cause: problem });
      }
      await move();
    },
  };
}

/**
 * For a command, which may run as another user and in another folder: it moves the counter if the service has
 * started it, and writes the mark only if that is there already. Otherwise the service does so within a minute.
 */
export function markedByCommand(
  { database, mark: path }: MarkConfig,
  { store, clock }: { readonly store: Store; readonly clock: Pick<Clock, "seconds"> },
): Store {
  if (!path || databaseKind(database) === "memory") return store;
  const keeper = createMarkKeeper({ path, store, clock, events: { markNotWritten: () => {} } });
  return movingMark(store, {
    async before() {
      const problem = await isBehind({ database, path }, store);
      if (problem !== null && databaseKind(database) === "file") throw problem;
    },
    async move() {
      const isOwn = (await problemOf({ database, path }, store).catch(() => "unreadable")) === null;
      if (isOwn) await keeper.move();
      else await store.installation.moveCounter();
    },
  });
}
