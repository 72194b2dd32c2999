// Files of copies: partial files that become whole in one step, and what lies beside a database file.

import { existsSync, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { messageOf, OperatorError, UnavailableError } from "../lib/errors.ts";

/** What SQLite keeps beside a database that is in use or was not closed. */
const COMPANIONS = ["-wal", "-shm", "-journal"] as const;

/** The companions of the database file that exist. */
export function companionsOf(path: string): string[] {
  return COMPANIONS.map((end) => path + end).filter((companion) => existsSync(companion));
}

export interface PartialFile {
  readonly path: string;
  /** Throws `UnavailableError` if another process has replaced it. */
  check(): void;
  /** Writes it to the disk and gives it its name. */
  finish(name: string): Promise<void>;
  /** Removes it, unless it has its name already or is of another process. */
  remove(): Promise<void>;
}

/**
 * Creates an empty file, readable only by its owner, in the place of one that an interrupted command left.
 * Rejects with `OperatorError` if it cannot be created.
 */
export async function makePartialFile(path: string): Promise<PartialFile> {
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
    check,
    async finish(name) {
      check();
      try {
        await sync(path);
        await rename(path, name);
        await sync(dirname(resolve(name)));
      } catch (cause) {
        throw translated(cause, `cannot write ${name}`);
      }
    },
    async remove() {
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
