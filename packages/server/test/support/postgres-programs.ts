// The programs of a PostgreSQL server: found on the machine, or installed where that is ours to do.

import { execFile } from "node:child_process";
import { accessSync, constants, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

export type ProgramsFound = { folder: string } | { missing: string };

const installLimitMs = 4 * 60_000;

/** `initdb` and `postgres` on the PATH, else where packages put them, else Debian's own package. */
export async function findPrograms(): Promise<ProgramsFound> {
  const present = usualFolders().find(hasPrograms);
  if (present !== undefined) return { folder: present };
  const aptGet = pathFolders()
    .map((folder) => join(folder, "apt-get"))
    .find(isExecutable);
  if (process.getuid?.() !== 0 || aptGet === undefined) {
    return { missing: "no PostgreSQL server found: install one or set DATABASE_URL" };
  }
  const failure = await install(aptGet);
  if (failure !== undefined) return { missing: failure };
  const installed = usualFolders().find(hasPrograms);
  return installed === undefined
    ? { missing: "the package postgresql was installed but brought no server" }
    : { folder: installed };
}

function pathFolders(): string[] {
  return (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
}

function usualFolders(): string[] {
  const versioned = (root: string, bin: string) =>
    newestFirst(root).map((version) => join(root, version, bin));
  return [
    ...pathFolders(),
    ...versioned("/usr/lib/postgresql", "bin"),
    ...versioned("/Applications/Postgres.app/Contents/Versions", "bin"),
    ...["/usr/local/pgsql/bin", "/opt/homebrew/bin"],
  ];
}

function newestFirst(root: string): string[] {
  try {
    return readdirSync(root).sort((a, b) => Number(b) - Number(a));
  } catch {
    return [];
  }
}

function hasPrograms(folder: string): boolean {
  return ["initdb", "postgres"].every((program) => isExecutable(join(folder, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Resolves to what went wrong, with everything that apt-get had to say. */
async function install(aptGet: string): Promise<string | undefined> {
  const deadline = Date.now() + installLimitMs;
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "postgresql"]]) {
    try {
      await run(aptGet, args, {
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
        // A limit of 0 would be no limit at all.
        timeout: Math.max(deadline - Date.now(), 1),
      });
    } catch (failure) {
      return `apt-get ${args[0]} failed: ${String(failure)}`;
    }
  }
  return undefined;
}

/** Resolves to what the program printed; rejects with all it had to say when it failed. */
export function run(
  file: string,
  args: readonly string[],
  options: {
    env?: NodeJS.ProcessEnv;
    timeout?: number;
    cwd?: string;
    uid?: number;
    gid?: number;
  } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      file,
      args,
      { ...options, maxBuffer: 2 ** 24 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout.trim());
        else reject(new Error(`${error.message}\n${stdout}${stderr}`));
      },
    );
    child.stdin?.end();
  });
}
