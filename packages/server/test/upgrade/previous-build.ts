// The previous release, built from the commit that `previous-release` names.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const BUILD_LIMIT_MS = 240_000;

/** The commit of the previous release. */
export const PREVIOUS = readFileSync(new URL("./previous-release", import.meta.url), "utf8").trim();

/** Null if the commit is there, else why it is not. */
export async function previousMissing(): Promise<string | null> {
  try {
    await git("cat-file", "-e", `${PREVIOUS}^{commit}`);
    return null;
  } catch (cause) {
    return `git has no commit ${PREVIOUS}, perhaps in a shallow clone: ${String(cause)}`;
  }
}

/** Builds it in the folder. Resolves to the path of its program. */
export async function buildPrevious(folder: string): Promise<string> {
  const archive = `${folder}.tar`;
  await git("archive", "--output", archive, PREVIOUS);
  await run("tar", ["-xf", archive, "-C", folder]);
  // With NODE_ENV=production, npm would not install the compiler.
  const { NODE_ENV: _, ...env } = process.env;
  const options = { cwd: folder, env, timeout: BUILD_LIMIT_MS, maxBuffer: 2 ** 24 };
  await run("npm", ["ci"], options);
  await run("npm", ["run", "build"], options);
  return join(folder, "packages/server/dist/cli.js");
}

/** Git refuses a tree that belongs to another user, unless it is listed as safe. */
function git(...args: string[]) {
  return run("git", ["-c", `safe.directory=${ROOT.replace(/\/$/, "")}`, ...args], { cwd: ROOT });
}
