// The real browser of the browser tests: found, installed where that is ours to do, launched.

import { type ExecFileException, execFile } from "node:child_process";

import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { isExecutable } from "./programs.ts";

export type ChromiumFound = { executablePath: string } | { missing: string };

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const folders = [
  ...(process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== ""),
  ...["/usr/bin", "/usr/local/bin", "/snap/bin"],
];
const usualPaths = [
  ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
  "/opt/google/chrome/chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
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

export async function launchChromium(): Promise<Browser> {
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
    ],
  });
}

async function find(): Promise<ChromiumFound> {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (isExecutable(named)) return { executablePath: named };
    return { missing: `CHROMIUM_PATH is ${named}, which is not an executable file` };
  }
  const present = usualPaths.find(isExecutable);
  if (present !== undefined) return { executablePath: present };
  const aptGet = folders.map((folder) => join(folder, "apt-get")).find(isExecutable);
  if (!isRoot() || aptGet === undefined) {
    return { missing: "no Chromium or Chrome found: install one or set CHROMIUM_PATH" };
  }
  const failure = await install(aptGet);
  if (failure !== undefined) return { missing: failure };
  const installed = usualPaths.find(isExecutable);
  return installed === undefined
    ? { missing: "the package chromium was installed but brought no command" }
    : { executablePath: installed };
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
