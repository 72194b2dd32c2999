// The real browser of the browser tests: found, installed where that is ours to do, launched.

import { type ExecFileException, execFile } from "node:child_process";
import { join } from "node:path";
import { findChromium as findInstalled } from "domain-signin-demo/browser/chromium";
import { type Browser, chromium } from "playwright-core";
import { isExecutable } from "./programs.ts";

export type ChromiumFound = { executablePath: string } | { missing: string };

const aptFolders = ["/usr/bin", "/bin", "/usr/local/bin"];
const installLimitMs = 4 * 60_000;

let found: Promise<ChromiumFound> | undefined;

/**
 * `CHROMIUM_PATH`, else the usual places, else, for root on Debian, the system's own package.
 * Looks and installs once per process.
 */
export function findChromium(): Promise<ChromiumFound> {
  found ??= find();
  return found;
}

export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const chromiumFound = await findChromium();
  if ("missing" in chromiumFound) throw new Error(chromiumFound.missing);
  return chromium.launch({
    executablePath: chromiumFound.executablePath,
    args: [
      // Chromium refuses to sandbox itself as root.
      ...(isRoot() ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // A container's /dev/shm is too small for it.
      "--disable-dev-shm-usage",
      ...more,
    ],
  });
}

async function find(): Promise<ChromiumFound> {
  const present = findInstalled();
  if ("path" in present) return { executablePath: present.path };
  const aptGet = aptFolders.map((folder) => join(folder, "apt-get")).find(isExecutable);
  if (process.env.CHROMIUM_PATH || !isRoot() || aptGet === undefined) return present;
  const failure = await install(aptGet);
  if (failure !== undefined) return { missing: failure };
  const installed = findInstalled();
  return "path" in installed
    ? { executablePath: installed.path }
    : { missing: "the package chromium was installed but brought no command" };
}

/** Resolves to what went wrong, with everything that apt-get had to say. */
async function install(aptGet: string): Promise<string | undefined> {
  const deadline = Date.now() + installLimitMs;
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
    const failure = await run(aptGet, args, deadline - Date.now());
    if (failure !== undefined) return `apt-get ${args[0]} failed: ${failure}`;
  }
  return undefined;
}

function run(file: string, args: string[], timeout: number): Promise<string | undefined> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return new Promise((resolve) => {
    // A limit of 0 would be no limit at all.
    const options = { env, timeout: Math.max(timeout, 1), maxBuffer: 2 ** 24 };
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      resolve(error === null ? undefined : `${reason(error)}\n${stdout}${stderr}`);
    });
    child.stdin?.end();
  });
}

function reason(error: ExecFileException): string {
  return error.killed ? "it took longer than four minutes" : `status ${error.code}`;
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
