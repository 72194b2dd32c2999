// Keeps the mark of a database up to date: it moves after each change that an older copy of the database must not undo.

import { databaseKind } from "../database/open.ts";
import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type { Installation } from "../store/installation.ts";
import type { Store } from "../store/store.ts";
import { markOf, readMark, writeMark } from "./mark.ts";
import { behindMark, identified, problemOf, requireUsableDatabase } from "./mark-check.ts";

export interface MarkConfig {
  /** The address. */
  readonly database: string;
  /** The path of the mark file; null or undefined if there is none. */
  readonly mark?: string | null | undefined;
  /** The database of the mark is not to be used any more. */
  readonly newDatabase?: boolean | undefined;
}

interface Deps {
  /** Its verbs move no mark. */
  readonly store: Store;
  readonly clock: Clock;
}

interface ServiceDeps extends Deps {
  readonly random: Random;
  readonly events: { markNotWritten(fields: { path: string; cause: unknown }): void };
}

/** The store for the service. Starts the counter of a database that has none. */
export function markedStore(
  { database, mark: path, newDatabase: isNew }: MarkConfig,
  { store, clock, random, events }: ServiceDeps,
) {
  if (!path || databaseKind(database) === "memory") {
    return { store, start: async () => {}, move: async () => {} };
  }
  const onFailure = (cause: unknown) => events.markNotWritten({ path, cause });
  const moveMark = createMarkKeeper(path, { store, clock }, onFailure);
  // A mark that is not ours, or that says more than the database knows, is left to `restored`.
  let isKept = true;
  const move = async () => {
    if (isKept) await moveMark();
  };
  return {
    store: movingMark(store, { move }),
    /** Moves the counter although nothing has ended. Never rejects. */
    move,
    /** Compares the database with its mark; see `requireUsableDatabase`. The schema must be that of this version. */
    async start() {
      if (databaseKind(database) === "file") {
        await requireUsableDatabase({ database, path, isNew }, { store, random });
      } else {
        await identified(store, random);
        const problem = await problemOf({ database, path }, store);
        isKept = problem === null;
        if (problem !== null) onFailure(problem);
      }
      await move();
    },
  };
}

/**
 * The store for a command, which may run as another user and in another folder: it moves the counter if the service has
 * started it, and writes the mark only if that is there already. Otherwise the service does so within a minute.
 */
export function markedByCommand({ database, mark: path }: MarkConfig, deps: Deps): Store {
  const { store } = deps;
  if (!path || databaseKind(database) === "memory") return store;
  const moveMark = createMarkKeeper(path, deps, () => {});
  return movingMark(store, {
    async before() {
      const problem = await behindMark({ database, path }, store);
      if (problem !== null && databaseKind(database) === "file") throw problem;
    },
    async move() {
      const isOwn = (await problemOf({ database, path }, store).catch(() => "unreadable")) === null;
      if (isOwn) await moveMark();
      else await store.installation.moveCounter();
    },
  });
}

/**
 * Returns a function that moves the counter, and then writes the file. Callers share one write that begins after their
 * call. It never rejects: the change that the caller has made stands.
 */
function createMarkKeeper(
  path: string,
  { store, clock }: Deps,
  onFailure: (cause: unknown) => void,
) {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function write({ databaseId, counter }: Installation) {
    const former = readMark(path);
    if (former !== null && former.databaseId !== databaseId) {
      throw new OperatorError(
        `the mark file ${path} is of database ${former.databaseId}, and this is ${databaseId}`,
      );
    }
    // Another process has written it since this one moved the counter.
    if (former !== null && former.counter > counter) return;
    await writeMark(path, await markOf(store, { databaseId, counter, at: clock.seconds() }));
  }

  /** The database first. If the process ends in between, the database is ahead of its mark, which is fine. */
  async function moveNow(): Promise<void> {
    const moved = (await store.installation.moveCounter()) ?? (await startNow());
    if (moved !== null) await write(moved);
  }

  /** The counter stays 0 until there is a mark file: a database with a counter and without a mark is not served. */
  async function startNow() {
    const installation = await store.installation.readInstallation();
    if (installation === null || installation.counter > 0) return null;
    await write(installation);
    return store.installation.startCounter();
  }

  function begin(): Promise<void> {
    running = moveNow()
      .catch(onFailure)
      .finally(() => {
        running = null;
      });
    return running;
  }

  return (): Promise<void> => {
    if (running === null) return begin();
    next ??= running.then(() => {
      next = null;
      return begin();
    });
    return next;
  };
}

interface EndingVerb {
  (...values: unknown[]): Promise<unknown>;
  hasEnded(result: unknown): boolean;
}

/** Whether the verb was declared with `ending`. */
export const isEnding = (verb: unknown): verb is EndingVerb =>
  typeof verb === "function" && "hasEnded" in verb;

/** The same store, whose verbs that end something answer only after the mark was moved. */
function movingMark(
  store: Store,
  mark: {
    move(): Promise<void>;
    /** Rejects if nothing may be changed yet. */
    before?(): Promise<void>;
  },
): Store {
  const moving =
    (verb: EndingVerb) =>
    async (...values: unknown[]) => {
      await mark.before?.();
      const result = await verb(...values);
      if (verb.hasEnded(result)) await mark.move();
      return result;
    };
  const aggregates = Object.entries(store).map(([name, aggregate]) => {
    const verbs = Object.entries(aggregate).flatMap(([verb, run]) =>
      isEnding(run) ? [[verb, moving(run)]] : [],
    );
    return [name, verbs.length === 0 ? aggregate : { ...aggregate, ...Object.fromEntries(verbs) }];
  });
  return { ...store, ...Object.fromEntries(aggregates) };
}
