// The mark of a database in use: compared at the start, and moved after each change that no older copy may undo.

import { rm } from "node:fs/promises";
import { databaseExists, databaseKind, databaseName } from "../database/open.ts";
import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { type Random, randomText } from "../lib/random.ts";
import type { Installation } from "../store/installation.ts";
import type { Store } from "../store/store.ts";
import { type Mark, markOf, readMark, writeMark } from "./mark.ts";

const COMMANDS = `
If it was restored from a backup, run: domain-signin restored
If it is the right one as it is, run: domain-signin mark accept`;

/** Two databases in one folder have the same mark file, unless it is set. */
const OF_ANOTHER = "If the mark file is that of another database, set mark to a file of its own.";

export interface MarkConfig {
  /** The address. */
  readonly database: string;
  /** The path of the mark file; null or undefined if there is none. */
  readonly mark?: string | null | undefined;
  /** Whether the database of the mark is abandoned. */
  readonly newDatabase?: boolean | undefined;
}

interface Marked {
  readonly database: string;
  readonly path: string;
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

/** Throws `OperatorError` if opening the database would make an empty one although the mark says that there was one. */
export function requireDatabaseOfMark({ database, mark: path, newDatabase }: MarkConfig): void {
  if (!path || newDatabase || databaseKind(database) !== "file" || databaseExists(database)) return;
  const mark = readMark(path);
  if (mark !== null) throw missing(mark, { database, path });
}

/** The installation row of the database. Gives the database an id if it has none. */
function identified({ installation }: Store, random: Random): Promise<Installation> {
  return installation.claimInstallation(randomText(random, 16));
}

/**
 * Rejects with `OperatorError` unless the SQLite database belongs to its mark and is not older, or has never had a
 * mark. With `isNew`, an empty database replaces that of the mark.
 */
async function requireUsableDatabase(
  { isNew = false, ...marked }: Marked & { readonly isNew?: boolean | undefined },
  { store, random }: { readonly store: Store; readonly random: Random },
): Promise<void> {
  const isEmpty = (await store.keys.readKeys()).length === 0;
  // If the option stays set, the next start must still compare.
  if (isNew && isEmpty) {
    await rm(marked.path, { force: true });
  } else {
    const mark = readMark(marked.path);
    const isMade = (await store.installation.readInstallation()) !== null;
    if (mark !== null && isEmpty && !isMade) throw missing(mark, marked);
    const problem = await problemOf(marked, store);
    if (problem !== null) throw problem;
  }
  await identified(store, random);
}

/** Why the database must not be used with this mark, or null. Throws `OperatorError` if the mark cannot be read. */
async function problemOf(marked: Marked, store: Store): Promise<OperatorError | null> {
  const { database, path } = marked;
  const name = databaseName(database);
  const mark = readMark(path);
  const own = await store.installation.readInstallation();
  if (mark === null) {
    const isExpected = own !== null && own.counter > 0 && databaseKind(database) === "file";
    return isExpected
      ? refusal(`The database ${name} had a mark file, but there is none at ${path}.`)
      : null;
  }
  if (own !== null && own.databaseId !== mark.databaseId) {
    return refusal(
      `The mark file ${path} belongs to another database: ${name} is ${own.databaseId}, and the mark belongs to ${mark.databaseId}. Does the setting mark name the right file?`,
    );
  }
  return olderThan(mark, own, marked);
}

/** The same, only if the database is older than the mark. A mark that cannot be read says nothing. */
async function behindMark(marked: Marked, store: Store): Promise<OperatorError | null> {
  const own = await store.installation.readInstallation();
  const mark = readableMark(marked.path);
  if (mark === null || (own !== null && own.databaseId !== mark.databaseId)) return null;
  return olderThan(mark, own, marked);
}

/** Accepts the database, with only the counter of its old mark. Rejects with `OperatorError`. */
export async function acceptDatabase(
  path: string,
  { store, clock, random }: { store: Store; clock: Clock; random: Random },
): Promise<Installation> {
  const { databaseId } = await identified(store, random);
  const mark = readableMark(path);
  const isOwn = mark?.databaseId === databaseId;
  const accepted = await store.installation.acceptCounter(isOwn ? mark.counter : 0);
  const { counter } = accepted;
  await writeMark(path, await markOf(store, { databaseId, counter, at: clock.seconds() }));
  return accepted;
}

/** Null for a mark that cannot be read. */
function readableMark(path: string): Mark | null {
  try {
    return readMark(path);
  } catch (cause) {
    if (cause instanceof OperatorError) return null;
    throw cause;
  }
}

function olderThan(
  mark: Mark,
  own: Installation | null,
  { database, path }: Marked,
): OperatorError | null {
  const older = `The database ${databaseName(database)} is older than its mark file ${path}`;
  if (own === null) {
    return refusal(`${older}: it was last used by a version without mark files.`, OF_ANOTHER);
  }
  if (own.counter >= mark.counter) return null;
  const counters = `its counter is ${own.counter}, and that of the mark is ${mark.counter}`;
  return refusal(`${older}: ${counters}. Sign-outs and revocations since then are missing.`);
}

function refusal(what: string, hint = ""): OperatorError {
  const hints = hint === "" ? "" : `\n${hint}`;
  return new OperatorError(
    `${what}\nIt is refused by serve, and by commands that revoke or end something.${hints}${COMMANDS}`,
  );
}

function missing({ databaseId }: Mark, { database, path }: Marked): OperatorError {
  return new OperatorError(
    `The database ${databaseName(database)} is missing or empty, but the mark file ${path} says that there was one (${databaseId}).
Restore it from a backup, or set database to its location.
${OF_ANOTHER}
To start with an empty database, run: domain-signin serve --new-database`,
  );
}
