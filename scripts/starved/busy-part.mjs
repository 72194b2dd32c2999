// A third of the unit and flow tests, beside two busy loops a core.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { filesOf } from "./plan.mjs";
import { signal } from "./quota.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs");
const BESIDE_LOOPS = fileURLToPath(new URL("beside-loops.mjs", import.meta.url));
const PROJECTS = ["--project", "unit", "--project", "flows"];
const LOOPS_PER_CORE = 2;
/** Then no other file begins. */
const LIMIT_S = 600;
/** What the tests that have begun by then may take: only ends a hang. */
const REST_S = 300;

/** The numbers of tests that passed and failed. */
export async function runBusyPart(thirds, scratch) {
  const files = filesOf(listFiles(), thirds);
  console.log(`${files.length} test files, third ${thirds.join(" and ")}, beside busy loops`);
  return await runFiles(files, scratch);
}

/** Every test file of the two projects, as a path from the root of the repository. */
function listFiles() {
  const list = [VITEST, "list", "--filesOnly", "--json", ...PROJECTS];
  const output = execFileSync(process.execPath, list, { cwd: ROOT, encoding: "utf8" });
  const entries = JSON.parse(output.slice(output.indexOf("[")));
  return [...new Set(entries.map(({ file }) => relative(ROOT, file)))];
}

async function runFiles(files, scratch) {
  const report = join(scratch, "report");
  const reporters = [
    "--reporter=default",
    `--reporter=${join(ROOT, "scripts/starved/reporter.mjs")}`,
  ];
  const loops = String(LOOPS_PER_CORE * availableParallelism());
  const run = [BESIDE_LOOPS, loops, VITEST, "run", ...PROJECTS, ...reporters, ...files];
  const child = spawn(process.execPath, run, {
    cwd: ROOT,
    env: { ...process.env, STARVED_REPORT: report, STARVED_LIMIT_S: `${LIMIT_S}` },
    stdio: ["ignore", "inherit", "inherit"],
    // A group of its own, so that it can be ended with all that it has started.
    detached: true,
  });
  const timer = setTimeout(() => signal(-child.pid, "SIGKILL"), (LIMIT_S + REST_S) * 1000);
  const status = await new Promise((resolve) => child.once("exit", resolve));
  clearTimeout(timer);
  return judge(files, { report, status });
}

function judge(files, { report, status }) {
  const text = existsSync(report) ? readFileSync(report, "utf8") : "";
  const ran = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const whole = ran.filter(({ isWhole }) => isWhole);
  const names = new Set(whole.map(({ file }) => relative(ROOT, file)));
  const left = files.filter((file) => !names.has(file));
  if (left.length > 0) {
    console.log(`NOT RUN to the end: ${left.length} of ${files.length} test files`);
    for (const file of left) console.log(`  ${file}`);
  }
  const sum = (key) => ran.reduce((total, line) => total + line[key], 0);
  const failed = sum("failed");
  // Where the run was cut, the status is 1 and files are left out, although nothing failed.
  const isCut = ran.some((line) => line.isCut);
  const isBroken = failed === 0 && !isCut && (status !== 0 || left.length > 0);
  return { passed: sum("passed"), failed: failed + (isBroken ? 1 : 0) };
}
