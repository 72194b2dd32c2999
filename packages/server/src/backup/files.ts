// Files of copies: partial files that become whole in one step, and a former database under its other name.

import { constants, existsSync, statSync } from "node:fs";
import { copyFile, link, open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { messageOf, OperatorError, UnavailableError } from "../lib/errors.ts";

/** The files that SQLite keeps next to a database that is in use or was not closed. */
const COMPANIONS = ["-wal", "-shm", "-journal"] as const;

export function companionsOf(path: string): string[] {
  return COMPANIONS.map((end) => path + end).filter((companion) => existsSync(companion));
}

/** Creates an empty file for its owner, replacing a leftover. Rejects with `OperatorError`. */
export async function makePartialFile(path: string) {
  let inode: bigint;
  try {
    await removeWithCompanions(path);
    const file = await open(path, "wx", 0o600);
    inode = (await file.stat({ bigint: true })).ino;
    await file.close();
  } catch (cause) {
    throw translated(cause, `cannot create ${path}`);
  }
  const isOwn = () => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino === inode;
  const check = () => {
    if (!isOwn()) throw new UnavailableError(`${path} was replaced: is the command running twice?`);
  };
  return {
    path,
    /** Throws `UnavailableError` if another process has replaced the file. */
    check,
    /** Writes the file to the disk and gives it its name. */
    async finish(name: string): Promise<void> {
      check();
      try {
        await sync(path);
        await rename(path, name);
        await sync(dirname(resolve(name)));
      } catch (cause) {
        throw translated(cause, `cannot write ${name}`);
      }
    },
    /** Removes the file, unless it has its name already or is of another process. */
    async remove(): Promise<void> {
      if (isOwn()) await removeWithCompanions(path);
    },
  };
}

async function removeWithCompanions(path: string): Promise<void> {
  for (const file of [path, ...companionsOf(path)]) await rm(file, { force: true });
}

/** Waits until the content of a file, or the names in a folder, would survive power loss. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** `UnavailableError` for a problem of the disk, else `OperatorError`. */
export function translated(cause: unknown, what: string): Error {
  const isDisk = /ENOSPC|EIO|EDQUOT|EROFS/.test(messageOf(cause));
  const message = `${what}: ${messageOf(cause)}`;
  return isDisk ? new UnavailableError(message, { cause }) : new OperatorError(message);
}

/** The name under which the database at `path` is kept. No other restore has used that name. */
export function nameForFormer(path: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const first = `${resolve(path)}.before-restore-${time}`;
  // Another restore in the same second may have kept this database, or another one, already.
  let name = first;
  for (let again = 2; existsSync(name) || companionsOf(name).length > 0; again++) {
    if (isSameFile(name, path)) break;
    name = `${first}-${again}`;
  }
  return name;
}

/** Gives the database file a second name, so that it is kept when the first one becomes another file. */
export async function keepFormer(path: string, name: string): Promise<void> {
  if (!existsSync(path) || isSameFile(name, path)) return;
  try {
    await link(path, name).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === "EEXIST") throw cause;
      // A file system without hard links.
      return copyFile(path, name, constants.COPYFILE_EXCL).then(() => sync(name));
    });
  } catch (cause) {
    throw translated(cause, `cannot keep the former database as ${name}`);
  }
}

/**
 * Moves the companions beside the kept database: SQLite would apply those of the former database to the restored
 * one, and damage it. With the same name, SQLite still finds them when it opens the kept database.
 */
export async function moveCompanions(path: string, name: string): Promise<void> {
  for (const companion of companionsOf(path)) {
    const kept = name + companion.slice(path.length);
    try {
      await rename(companion, kept);
    } catch (cause) {
      throw translated(cause, `cannot move ${companion} to ${kept}`);
    }
  }
}

export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}
