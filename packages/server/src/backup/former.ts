// The former database of a restore: its file and its companions are kept under another name.

import { constants, existsSync, statSync } from "node:fs";
import { copyFile, link, rename } from "node:fs/promises";
import { resolve } from "node:path";
import { companionsOf, sync, translated } from "./files.ts";

/** The name under which the database at `path` is kept. Nothing of another restore has that name. */
export function nameForFormer(path: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const first = `${resolve(path)}.before-restore-${time}`;
  // Another restore of the same second, which may have been killed, has kept it already, or another one.
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

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}
