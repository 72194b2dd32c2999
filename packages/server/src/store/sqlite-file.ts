// The file of a SQLite database, as the file system sees it.

import { accessSync, closeSync, constants, existsSync, openSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

const { R_OK, W_OK, X_OK } = constants;

/**
 * Makes a file that is not there, for its owner alone: it tells who signs in where. SQLite gives the
 * files beside it the same mode. One that is there is not even opened, since closing it again would
 * end the locks that this process has on it.
 */
export function makeDatabaseFile(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch {
    // The library fails in a moment, and `troubleWith` is asked.
  }
}

/** Why the file cannot be opened, as far as the file system knows; else null. */
export function troubleWith(path: string): string | null {
  const folder = resolve(dirname(path));
  switch (kindOf(folder)) {
    case "absent":
      return `the folder ${folder} does not exist`;
    case "file":
      return `${folder} is not a folder`;
    case "hidden":
      return `permission denied for the folder ${folder}`;
    case "folder":
      break;
  }
  if (kindOf(path) === "folder") return "it is a folder";
  // Two more files are made beside it.
  if (!isAllowed(folder, R_OK | W_OK | X_OK)) return `permission denied for the folder ${folder}`;
  return existsSync(path) && !isAllowed(path, R_OK | W_OK) ? "permission denied" : null;
}

function kindOf(path: string): "folder" | "file" | "absent" | "hidden" {
  try {
    return statSync(path).isDirectory() ? "folder" : "file";
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EACCES" ? "hidden" : "absent";
  }
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
