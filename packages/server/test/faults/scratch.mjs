// A copy of the repository in a temporary folder, in which faults are planted and tests are run.

import { spawn } from "node:child_process";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readReport } from "./judge.mjs";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const PREFIX = "domain-signin-faults-";
/** What is made, and not written by hand. */
const LEFT_OUT = new Set([".git", "node_modules", "dist", "test-results"]);
/** A fault may make each test of a file run into its time limit. */
const LONGEST_MS = 300_000;
/** How long vitest may take to end what its tests have started. */
const FAREWELL_MS = 10_000;

export function makeScratch() {
  // The process is in the name, so that a later run can tell what nobody uses any more.
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  let child = null;
  let removed = null;
  const remove = () => {
    removed ??= end(child).finally(() => rmSync(folder, { recursive: true, force: true }));
    return removed;
  };
  const filter = (path) => !LEFT_OUT.has(basename(path));
  for (const entry of readdirSync(ROOT).filter(filter)) {
    cpSync(join(ROOT, entry), join(folder, entry), { recursive: true, filter });
  }
  linkModules(folder);
  let runs = 0;

  return {
    /** Puts `replace` in the place of the one `find`, and gives back what undoes it; null if it is not one. */
    plant(file, { find, replace }) {
      const path = join(folder, file);
      const text = readFileSync(path, "utf8");
      if (text.split(find).length !== 2) return null;
      writeFileSync(
        path,
        text.replace(find, () => replace),
      );
      return () => writeFileSync(path, text);
    },

    /**
     * Runs one test file; with `only`, those of its tests whose names hold that text. The run ends with the first
     * failed test that finds the fault: one with `title` in its name, or any if that is undefined.
     */
    async runTest(test, { only, title }) {
      const output = join(folder, `report-${++runs}.json`);
      const began = performance.now();
      const vitest = join(folder, "node_modules/vitest/vitest.mjs");
      const stop = join(folder, "packages/server/test/faults/stop-when-found.mjs");
      const options = ["--reporter=json", `--reporter=${stop}`, `--outputFile.json=${output}`];
      if (only !== undefined) options.push("--testNamePattern", escaped(only));
      child = spawn(process.execPath, [vitest, "run", join(folder, test), ...options], {
        cwd: folder,
        env: { ...process.env, FAULT_TITLE: title ?? "" },
        stdio: "ignore",
        // A group of its own, so that it can be ended with all that it has started.
        detached: true,
      });
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        void end(child);
      }, LONGEST_MS);
      const status = await exitOf(child);
      clearTimeout(timer);
      const seconds = (performance.now() - began) / 1000;
      return readReport(read(output), { status, isLate, seconds });
    },

    remove,
  };
}

/** Everything as it is installed, but the workspaces are those of the copy. */
function linkModules(folder) {
  const from = join(ROOT, "node_modules");
  const to = join(folder, "node_modules");
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    const path = join(from, name);
    const isWorkspace = lstatSync(path).isSymbolicLink();
    symlinkSync(isWorkspace ? readlinkSync(path) : path, join(to, name));
  }
}

/** The folders of runs that were killed before they could remove them. */
export function removeLeftovers() {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const [pid] = name.slice(PREFIX.length).split("-");
    if (isRunning(Number(pid))) continue;
    rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function exitOf(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve, reject) => {
    child.once("exit", resolve);
    child.once("error", reject);
  });
}

/** Resolves when it has ended, by force if it does not heed the word. */
async function end(child) {
  if (child === null || child.pid === undefined) return;
  const kill = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // Nobody of its group is left.
    }
  };
  if (child.exitCode === null && child.signalCode === null) {
    kill("SIGTERM");
    const timer = setTimeout(() => kill("SIGKILL"), FAREWELL_MS);
    await exitOf(child);
    clearTimeout(timer);
  }
  kill("SIGKILL");
}

/** As a regular expression that matches this text and no other. */
function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
