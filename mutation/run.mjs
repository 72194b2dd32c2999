// Mutation tests: `npm run test:mutate [-- folder or file …]`. Status 1 below the floor in stryker.config.json.
// `--parts 12` divides the code into twelve parts and changes one of them, another one each day. `--part 3` changes the
// third part instead.

import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { partOf } from "../scripts/part.mjs";

const STORE = "packages/server/src/store";
const DATABASE = "packages/server/src/database";
const OAUTH = "packages/server/src/oauth";
const CLIENTS = "packages/server/src/clients";
const VERIFY = "packages/verify/src";
const FOLDERS = [STORE, DATABASE, CLIENTS, OAUTH, VERIFY];
/** Files of `OAUTH` that tests of whole requests judge too, in a run of their own: those take longer. */
const OVER_HTTP = [
  ...["access-tokens", "authorization-response", "authorize", "bearer", "consent"],
  ...["grant-resources", "registration-endpoint", "resource-token"],
].map((name) => `${OAUTH}/${name}.ts`);
const STATUSES = ["Killed", "Survived", "NoCoverage", "Timeout"];
const COLUMNS = ["folder", "mutants", "killed", "survived", "no coverage", "timeout", "score"];

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: "string" },
    parts: { type: "string", default: "1" },
    part: { type: "string" },
  },
});
const runs = chooseRuns(positionals);
const config = JSON.parse(readFileSync(`${here}stryker.config.json`, "utf8"));
install();
const { Stryker } = await import("@stryker-mutator/core");

/** Services of the tests write their logs there. */
const logs = mkdtempSync(join(tmpdir(), "domain-signin-mutation-"));
process.env.LOG_SCAN_FOLDER = logs;
process.on("exit", () => {
  removeCopies();
  rmSync(logs, { recursive: true, force: true });
});
// Every run needs the same random input as the first one, with which it is compared.
process.env.SEED ??= "1";
const { part, parts } = partOf(values);
if (parts > 1) process.stdout.write(`Part ${part + 1} of ${parts} of the code\n`);
const rows = [];
for (const { folder, mutate } of runs) {
  process.stdout.write(`\n${folder}: running mutation tests\n`);
  rows.push(await runFolder(folder, mutate));
}
printTable(rows);
const low = rows.filter(({ score, mutants }) => score < floorOf(mutants));
for (const { folder, mutants } of low) {
  process.stdout.write(`${folder} is below the floor of ${floorOf(mutants).toFixed(1)} %\n`);
}
process.exitCode = low.length > 0 ? 1 : 0;

/** The folders to run, each with the files to mutate. A folder may be given by the end of its path. */
function chooseRuns(names) {
  if (names.length === 0) return FOLDERS.flatMap(runsOf);
  return names.flatMap((name) => {
    const wanted = name.replace(/\/$/, "");
    const whole = FOLDERS.find((folder) => `/${folder}/`.includes(`/${wanted}/`));
    if (whole) return runsOf(whole);
    if (OVER_HTTP.includes(wanted)) return { folder: `${OAUTH}, over HTTP`, mutate: [wanted] };
    const folder = FOLDERS.find((candidate) => wanted.startsWith(`${candidate}/`));
    if (folder === undefined) {
      process.stderr.write(`No mutation tests for ${name}. Folders: ${FOLDERS.join(", ")}\n`);
      process.exit(2);
    }
    return { folder, mutate: [wanted.endsWith(".ts") ? wanted : `${wanted}/**/*.ts`] };
  });
}

function runsOf(folder) {
  const all = `${folder}/**/*.ts`;
  if (folder !== OAUTH) return [{ folder, mutate: [all] }];
  return [
    { folder, mutate: [all, ...OVER_HTTP.map((file) => `!${file}`)] },
    { folder: `${OAUTH}, over HTTP`, mutate: OVER_HTTP },
  ];
}

/** StrykerJS has its own lock file, which keeps `npm ci` at the root fast. */
function install() {
  const installed = statSync(`${here}node_modules/.package-lock.json`, { throwIfNoEntry: false });
  const isCurrent = installed && installed.mtimeMs >= statSync(`${here}package-lock.json`).mtimeMs;
  if (isCurrent) return;
  // Vitest is a peer dependency of StrykerJS: use the one at the root.
  const settings = ["--legacy-peer-deps", "--ignore-scripts"];
  execFileSync("npm", ["ci", ...settings], { cwd: here, stdio: "inherit" });
}

/**
 * In percent. A part can be worse than the whole by chance: by up to two standard deviations of a sample of half its
 * size, because the mutants of a block survive together if it lacks a test.
 */
function floorOf(mutants) {
  const floor = config.thresholds.break;
  return parts > 1 ? floor - 2 * Math.sqrt((floor * (100 - floor)) / (mutants / 2)) : floor;
}

/** The blocks of the part, as `FILE:FIRST-LAST` with the numbers of their lines. */
function blocksOfPart(patterns) {
  const included = patterns.filter((pattern) => !pattern.startsWith("!")).flatMap(filesOf);
  const files = included.filter((file) => !patterns.includes(`!${file}`)).sort();
  return files.flatMap(blocksOf).filter((_, index) => index % parts === part);
}

/** A file, or all sources in a folder. */
function filesOf(pattern) {
  const [folder, all] = pattern.split("/**");
  if (all === undefined) return [pattern];
  const names = readdirSync(folder, { recursive: true });
  return names
    .filter((name) => name.endsWith(".ts") && !/\.(test|d)\.ts$/.test(name))
    .map((name) => `${folder}/${name}`);
}

/** A block begins after an empty line, unless it is indented. */
function blocksOf(file) {
  const lines = readFileSync(file, "utf8").split("\n");
  const starts = [1];
  for (const [index, line] of lines.entries()) {
    if (/^\S/.test(line) && lines[index - 1] === "") starts.push(index + 1);
  }
  return starts.map(
    (start, index) => `${file}:${start}-${(starts[index + 1] ?? lines.length) - 1}`,
  );
}

async function runFolder(folder, mutate) {
  removeCopies();
  // Read by vitest.config.ts in the processes that Stryker starts.
  process.env.MUTATED_FOLDER = folder;
  const started = Date.now();
  const stryker = new Stryker({
    ...config,
    // The config excludes tests, types, and a file whose text a test reads.
    mutate: [...(parts > 1 ? blocksOfPart(mutate) : mutate), ...config.mutate],
    reporters: [process.stdout.isTTY ? "progress" : "dots"],
    concurrency: Number(values.concurrency ?? config.concurrency),
  });
  const results = await stryker.runMutationTest();
  const count = Object.fromEntries(
    STATUSES.map((status) => [status, results.filter((mutant) => mutant.status === status).length]),
  );
  const mutants = Object.values(count).reduce((sum, number) => sum + number, 0);
  const score = (100 * (count.Killed + count.Timeout)) / mutants;
  const survivors = listSurvivors(results);
  process.stdout.write(survivors);
  const reports = `${root}test-results/mutation/`;
  mkdirSync(reports, { recursive: true });
  writeFileSync(`${reports}${folder.replaceAll(/[/, ]+/g, "-")}.txt`, survivors);
  // Mutants that run only while a module loads (ignoreStatic), and those of the other parts.
  const skipped = results.filter(({ status }) => status === "Ignored").length;
  return { folder, count, mutants, score, skipped, seconds: (Date.now() - started) / 1000 };
}

/** One line for each mutant that no test detected: position, kind and change. */
function listSurvivors(results) {
  const survivors = results
    .filter(({ status }) => status === "Survived" || status === "NoCoverage")
    .sort(
      (a, b) =>
        a.fileName.localeCompare(b.fileName) || a.location.start.line - b.location.start.line,
    );
  return survivors
    .map(({ fileName, location, mutatorName, replacement, status }) => {
      const { line, column } = location.start;
      const place = `${fileName.replace(root, "")}:${line}:${column}`;
      const change = `${shortened(sourceAt(fileName, location))} => ${shortened(replacement)}`;
      return `${place} ${mutatorName}${status === "NoCoverage" ? " (no coverage)" : ""}: ${change}\n`;
    })
    .join("");
}

/** After a signal, ending processes may leave files, which the next run removes. */
function removeCopies() {
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };
  rmSync(config.tempDirName, options);
}

function sourceAt(fileName, { start, end }) {
  const lines = readFileSync(fileName, "utf8")
    .split("\n")
    .slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join("\n");
}

function shortened(text) {
  const line = text.replace(/\s+/g, " ");
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}

function printTable(rows) {
  const cells = rows.map(({ folder, mutants, count, score }) => [
    ...[folder, mutants, count.Killed, count.Survived, count.NoCoverage, count.Timeout],
    `${score.toFixed(1)} %`,
  ]);
  process.stdout.write("\n");
  for (const row of [COLUMNS, ...cells]) process.stdout.write(`| ${row.join(" | ")} |\n`);
  for (const { folder, seconds, skipped } of rows) {
    process.stdout.write(`${folder}: ${Math.round(seconds)} s, ${skipped} mutants skipped\n`);
  }
}
