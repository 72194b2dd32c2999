// Waiting for a SQLite file that another process has locked: as long as it takes, and without blocking this process.

import { readFileSync, readlinkSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { OnWait } from "./engine.ts";
import { whenUnlocked } from "./sqlite-batch.ts";
import { type Database, durabilityOf, isLocked } from "./sqlite-library.ts";
import { whileWaiting } from "./waits.ts";

export interface WaitHooks {
  readonly onWait: OnWait;
  /** False once the file is closed. */
  readonly mayWait: () => boolean;
}

/** The octet of the `-shm` file that a writer locks (https://www.sqlite.org/walformat.html, "WAL locks"). */
const WRITE_LOCK_OCTET = 120;

/** Makes writes durable once no other process has locked the file. The result returns null when that is done. */
export function openDurably(database: Database, path: string, hooks: WaitHooks) {
  const makeDurable = durabilityOf(database);
  let opening: Promise<void> | null = null;
  try {
    makeDurable();
  } catch (cause) {
    if (!isLocked(cause)) throw cause;
    opening = whenFree(path, makeDurable, hooks).then(() => {
      opening = null;
    });
    // Each statement reports the failure.
    opening.catch(() => {});
  }
  return () => opening;
}

/** Runs the task as soon as no other process has locked the file. The task must fail at a lock before it has any effect. */
export function whenFree(
  path: string,
  task: () => void,
  { onWait, mayWait }: WaitHooks,
): Promise<void> {
  return whileWaiting(
    () => lockedBy(path),
    onWait,
    () => whenUnlocked(task, Infinity, { mayWait }),
  );
}

/** Who has locked the file, as a clause. */
export function lockedBy(path: string): string {
  const holder = lockHolder(path);
  return `another process has locked the database${holder === null ? "" : `: ${holder}`}`;
}

/** Such as `sqlite3 (process 4711)`. Null if `/proc` does not show it: another system or container, or no lock. */
export function lockHolder(path: string): string | null {
  try {
    const { ino } = statSync(`${path}-shm`);
    for (const line of readFileSync("/proc/locks", "latin1").split("\n")) {
      const holder = holderIn(line, ino);
      if (holder !== null) return `${nameOf(holder)} (process ${holder})`;
    }
  } catch {
    // There is no such file, or it may not be read.
  }
  return null;
}

/** A line such as `1: POSIX  ADVISORY  WRITE 4711 fe:00:1234 120 120` (`proc(5)`). */
function holderIn(line: string, inode: number): string | null {
  const [, kind, , mode, process, file = "", first, last] = line.trim().split(/\s+/);
  const isWriteLock = Number(first) <= WRITE_LOCK_OCTET && Number(last) >= WRITE_LOCK_OCTET;
  if (kind !== "POSIX" || mode !== "WRITE" || !isWriteLock) return null;
  return file.split(":")[2] === String(inode) && process !== undefined ? process : null;
}

/** The name of its program, which only its own user may read. Else that of its first thread, which Node 24 changes. */
function nameOf(process: string): string {
  try {
    return basename(readlinkSync(`/proc/${process}/exe`));
  } catch {
    // Another user's process.
  }
  try {
    return readFileSync(`/proc/${process}/comm`, "utf8").trim();
  } catch {
    return "a process";
  }
}
