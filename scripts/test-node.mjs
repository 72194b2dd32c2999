// Runs the build, the demo and the tests on other versions of Node, which npm has as packages.
//
// `npm run test:node -- 24` takes the newest Node 24; `-- 22 24.3.0` takes these two; without an argument, it takes
// 22, 24 and `newest`, the newest even line. The last lines are one for each version.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The newest even line of Node: odd lines end after half a year. */
const NEWEST_EVEN = "newest";
/** The oldest version is the one that `npm test` runs on. */
const EVERY_LINE = ["22", "24", NEWEST_EVEN];
const PACKAGE = `node-${process.platform}-${process.arch}`;
const NPM_LIMIT_MS = 4 * 60_000;

const root = fileURLToPath(new URL("..", import.meta.url));
const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const minimum = engines.node.replace(">=", "");

const asked = process.argv.slice(2);
const problem = asked.map(problemOf).find((text) => text !== undefined);
if (problem === undefined) {
  process.exitCode = testAll(new Set(asked.length > 0 ? asked : EVERY_LINE));
} else {
  console.error(problem);
  process.exitCode = 2;
}

/** What is wrong with an argument. */
function problemOf(version) {
  if (version === NEWEST_EVEN) return undefined;
  if (!/^[1-9]\d*(?:\.\d+){0,2}$/.test(version)) {
    return `Not a version of Node: ${version || '""'}. Examples of versions are 24 and 24.3.0.`;
  }
  const [major, minor = Number.POSITIVE_INFINITY] = numbersOf(version);
  const [minMajor, minMinor] = numbersOf(minimum);
  const isOld = major < minMajor || (major === minMajor && minor < minMinor);
  return isOld ? `Node ${version} is too old: ${minimum} or newer is needed.` : undefined;
}

function numbersOf(version) {
  return version.split(".").map(Number);
}

/** The exit status: 1 if anything failed, and in CI also if a version is missing. */
function testAll(versions) {
  const results = [...versions].map((version) => {
    const result = testVersion(version);
    console.log(`\n${result.line}\n`);
    return result;
  });
  // Repeated at the end, because the output of each version is long.
  if (results.length > 1) for (const { line } of results) console.log(line);
  return results.some(({ isFailure }) => isFailure) ? 1 : 0;
}

function testVersion(version) {
  const node = getNode(version);
  if (node.missing !== undefined) {
    const line = `SKIPPED: Node ${version}: ${node.missing}`;
    return { line, isFailure: process.env.CI === "true" };
  }
  const began = Date.now();
  const { parts, isFailure } = runAll(node);
  const seconds = Math.round((Date.now() - began) / 1000);
  return { line: `Node ${node.version}: ${[...parts, `${seconds} s`].join(", ")}`, isFailure };
}

// --- The binary ---------------------------------------------------------------------------------

/** The binary and its version, or why it is missing. */
function getNode(version) {
  const line = version === NEWEST_EVEN ? newestEvenLine() : { version };
  if (line.missing !== undefined) return line;
  const folder = join(root, "node_modules", ".cache", `node-${line.version}`);
  mkdirSync(folder, { recursive: true });
  const options = ["--no-save", "--no-package-lock", "--ignore-scripts", "--prefix", folder];
  const installed = npm("install", ...options, `${PACKAGE}@${line.version}`);
  const binary = join(folder, "node_modules", PACKAGE, "bin", "node");
  const { stdout, error } = spawnSync(binary, ["--print", "process.version"], { encoding: "utf8" });
  const found = stdout?.trim().replace("v", "") ?? "";
  if (`${found}.`.startsWith(`${line.version}.`)) {
    // What an earlier run installed is used when the registry cannot be reached.
    if (installed.failure) console.log(`Node ${found} of an earlier run: ${installed.failure}`);
    return { version: found, binary };
  }
  return { missing: installed.failure ?? `${PACKAGE} has ${found || error?.message}` };
}

/** Odd lines end after half a year. */
function newestEvenLine() {
  const { failure, stdout } = npm("view", PACKAGE, "versions", "--json");
  if (failure !== undefined) return { missing: failure };
  const releases = [JSON.parse(stdout)].flat().filter((version) => /^[\d.]+$/.test(version));
  const lines = releases.map((version) => numbersOf(version)[0]).filter((line) => line % 2 === 0);
  return { version: String(Math.max(...lines)) };
}

/** What npm prints, or `failure`: the first of its errors that is a sentence. */
function npm(...args) {
  const options = { cwd: root, encoding: "utf8", timeout: NPM_LIMIT_MS };
  // Without the level, `npm run --silent` would silence this too.
  const all = [...args, "--loglevel=error"];
  const { status, stdout, stderr, error } = spawnSync("npm", all, options);
  if (status === 0) return { stdout };
  const errors =
    stderr?.match(/(?<=^npm error (?:notarget )?)(?!code |syscall |errno |notarget ).+/gm) ?? [];
  return { failure: `npm ${args[0]} failed: ${error?.message ?? errors[0] ?? stderr}` };
}

// --- The runs -----------------------------------------------------------------------------------

/** Runs everything with a version. `parts` are the words for its line. */
function runAll({ version, binary }) {
  const env = { ...process.env, PATH: `${dirname(binary)}${delimiter}${process.env.PATH}` };
  const start = (file, args, stdio = "inherit") =>
    spawnSync(file, args, { cwd: root, env, encoding: "utf8", stdio });

  // Programs that npm starts find Node on the PATH.
  const called = start("npm", ["exec", "--call", "node --print process.version"], "pipe");
  if (called.stdout.trim() !== `v${version}`) {
    return { parts: [`npm runs Node ${called.stdout.trim()} instead`], isFailure: true };
  }
  const build = start("npm", ["run", "--silent", "build"]);
  if (build.status !== 0) return { parts: ["build failed"], isFailure: true };
  const demo = runDemo(binary, start);
  const tests = runTests(binary, version, start);
  return {
    parts: ["build", demo.part, ...tests.parts],
    isFailure: demo.isFailure || tests.isFailure,
  };
}

function runDemo(binary, start) {
  const { status, stdout, stderr } = start(binary, ["packages/demo/dist/cli.js", "--exit"], "pipe");
  // The demo describes its steps on standard error.
  const steps = /all (\d+) steps passed/.exec(stderr)?.[1];
  if (status === 0 && steps !== undefined) return { part: `demo ${steps} steps`, isFailure: false };
  process.stdout.write(`${stdout}${stderr}`);
  return { part: `demo failed (status ${status})`, isFailure: true };
}

function runTests(binary, version, start) {
  const report = join(root, "test-results", `node-${version}.json`);
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const projects = ["--project", "unit", "--project", "flows"];
  const vitest = ["node_modules/vitest/vitest.mjs", "run", ...projects, ...reporters];
  const { status } = start(binary, vitest);
  const { passed, failed, skipped } = countTests(report);
  // An error outside any test, or a report that was never written.
  const end = status === 0 || failed > 0 ? [] : [`vitest failed (status ${status})`];
  return {
    parts: [`${passed} passed`, `${failed} failed`, `${skipped} skipped`, ...end],
    isFailure: status !== 0 || passed === 0,
  };
}

/** A file that fails before its first test counts as one. */
function countTests(report) {
  const isBroken = ({ status, assertionResults }) =>
    status === "failed" && !assertionResults.some((test) => test.status === "failed");
  try {
    const results = JSON.parse(readFileSync(report, "utf8"));
    return {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.testResults.filter(isBroken).length,
      skipped: results.numPendingTests,
    };
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
