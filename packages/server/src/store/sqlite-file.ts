// Creation of SQLite files, and diagnosis of files that cannot be opened.

import { accessSync, closeSync, constants, existsSync, openSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

const { R_OK, W_OK, X_OK } = constants;

/**
 * Creates the file if it does not exist, readable only by its owner. SQLite gives its additional files the
 * same mode. An existing file is not opened, because closing it would release the locks of this process.
 */
export function makeDatabaseFile(path: string): void {
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch {
    // The library will fail too, and `openProblem` finds the reason.
  }
}

/** Why the file cannot be opened, or null if the file system shows no reason. */
export function openProblem(path: string): string | null {
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
  // SQLite creates two more files in the folder.
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
