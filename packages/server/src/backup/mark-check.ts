// Compares a database with its mark, or accepts the database as it is.

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

interface Marked {
  /** The address of the database. */
  readonly database: string;
  /** Of the mark file. */
  readonly path: string;
}

/** Throws `OperatorError` if opening the database would make an empty one although the mark says that there was one. */
export function requireDatabaseOfMark(
  database: string,
  {
    mark: path,
    newDatabase = false,
  }: { mark?: string | null | undefined; newDatabase?: boolean | undefined },
): void {
  if (!path || newDatabase || databaseKind(database) !== "file" || databaseExists(database)) return;
  const mark = readMark(path);
  if (mark !== null) throw missing(mark, { database, path });
}

/** The installation row of the database. Gives the database an id if it has none. */
export function identified({ installation }: Store, random: Random): Promise<Installation> {
  return installation.claimInstallation(randomText(random, 16));
}

/**
 * Rejects with `OperatorError` unless the SQLite database belongs to its mark and is not older, or has never had a
 * mark. With `isNew`, an empty database replaces that of the mark.
 */
export async function requireUsableDatabase(
  { isNew = false, ...marked }: Marked & { readonly isNew?: boolean | undefined },
  { store, random }: { readonly store: Store; readonly random: Random },
): Promise<void> {
  const isEmpty = (await store.keys.readKeys()).length === 0;
  // An option that is left in place must not keep the next start from comparing.
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
export async function problemOf(marked: Marked, store: Store): Promise<OperatorError | null> {
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
export async function behindMark(marked: Marked, store: Store): Promise<OperatorError | null> {
  const own = await store.installation.readInstallation();
  const mark = readableMark(marked.path);
  if (mark === null || (own !== null && own.databaseId !== mark.databaseId)) return null;
  return olderThan(mark, own, marked);
}

/**
 * Accepts the database as it is: replaces its mark, of which only the counter is kept. The database is served from then
 * on. Rejects with `OperatorError`.
 */
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
