// Where Node keeps compiled code for the next start: a folder that nobody else can write.
//
// Whoever writes there runs code in the service, because Node checks what the code was compiled from, and not by whom.
// Node's default is a folder with a known name in the folder for temporary files, where any user can make it first.

import module from "node:module";

// Not imported: the bundle has what the program imports in one file, which must not be compiled before.
const require = module.createRequire(import.meta.url);
const { lstatSync, mkdirSync } = require("node:fs") as typeof import("node:fs");
const { userInfo } = require("node:os") as typeof import("node:os");
const { join } = require("node:path") as typeof import("node:path");

const OTHERS_WRITE = 0o022;
/** Node makes folders and files in it as the umask says. */
const OTHERS_ENTER = 0o077;

/** Node itself keeps compiled code where `NODE_COMPILE_CACHE` says, and nowhere with `NODE_DISABLE_COMPILE_CACHE`. */
export function keepCompiledCode(): void {
  // From 22.1 on.
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => void };
  if (enableCompileCache === undefined || process.env.NODE_COMPILE_CACHE !== undefined) return;
  const folder = folderForCode(userInfo);
  if (folder !== null) enableCompileCache(folder);
}

/**
 * Makes the folder below the home that the system names for the user, whatever `HOME` says: after `sudo`, that can be
 * another's. Null if the folder, or one above it, is not the user's alone.
 */
export function folderForCode(user: () => { homedir: string; uid: number }): string | null {
  try {
    const { homedir, uid } = user();
    const cache = join(homedir, ".cache");
    const folder = join(cache, "domain-signin");
    if (!isOwn(homedir, { uid, mode: OTHERS_WRITE })) return null;
    makeFolder(cache);
    if (!isOwn(cache, { uid, mode: OTHERS_WRITE })) return null;
    makeFolder(folder);
    return isOwn(folder, { uid, mode: OTHERS_ENTER }) ? folder : null;
  } catch {
    // A user without a name or a home, or a disk that cannot be written: the start takes longer.
    return null;
  }
}

/** Of no symbolic link. On Windows, users have no number, and modes say nothing. */
function isOwn(path: string, { uid, mode }: { uid: number; mode: number }): boolean {
  const found = lstatSync(path);
  return found.isDirectory() && uid >= 0 && found.uid === uid && (found.mode & mode) === 0;
}

function makeFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path, 0o700);
}
