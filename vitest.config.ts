import { createHash, randomInt } from "node:crypto";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { buildWriter } from "./packages/server/test/support/build-writer.mjs";
import { alias } from "./vitest.alias.ts";

/** Of all random tests of this run, in every worker. */
process.env.SEED ??= String(randomInt(2 ** 31));
console.log(`Random tests: SEED=${process.env.SEED}`);

const SUPPORT = "packages/server/test/support";
/** Projects whose services log: at the end of the run their logs are scanned for secrets. */
const LOG_SCAN = `${SUPPORT}/log-scan-setup.ts`;
const logScanWorker = `${SUPPORT}/log-scan-worker.ts`;
/** Every test file must leave its worker as it found it. */
const LEAKS = `${SUPPORT}/leaks-worker.ts`;
/**
 * Test files share two worker processes: starting one for each file takes as long as the tests. The
 * time limits are for tests that hang: no test fails because a machine is slow.
 */
const shared = {
  ...{ pool: "forks", isolate: false, maxWorkers: 2 },
  ...{ testTimeout: 120_000, hookTimeout: 120_000 },
  expect: { poll: { timeout: 30_000 } },
} as const;

const PAGES = "packages/server/test/browser/pages.test.ts";
/** Long tests in Chromium, each of which repeats much of another one: all but the first are of one thing alone. */
const LONG_IN_BROWSER = [
  "owner",
  "set-up-trouble",
  "passkey-signals",
  "found-record",
  "verify-page",
].map((name) => `packages/server/test/browser/${name}.test.ts`);
const ATTACKS = "packages/server/test/slow/attacks.replay.ts";
/** Otherwise one of two workers would be busy with a long file when the other has finished. */
const LONGEST = [PAGES, "flows/move.test.ts"];

/** With a number, files run in an order that depends on it: no file may need what another one leaves behind. */
const ORDER = process.env.FILE_ORDER;

/**
 * Files of one project after another, because a worker ends with its project. No project waits for the end of the one
 * before it: they have the same `groupOrder`.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = [...new Set(files.map(({ project }) => project.name))];
    if (ORDER !== undefined) console.log(`Order of the files: FILE_ORDER=${ORDER}`);
    const isLongest = ({ moduleId }: TestSpecification) =>
      ORDER === undefined && LONGEST.some((end) => moduleId.endsWith(end));
    const place = (file: TestSpecification) =>
      2 * projects.indexOf(file.project.name) + (isLongest(file) ? 0 : 1);
    const sorted = ORDER === undefined ? await super.sort(files) : shuffled(files, ORDER);
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}

function shuffled(files: readonly TestSpecification[], order: string): TestSpecification[] {
  const key = ({ moduleId }: TestSpecification) =>
    createHash("sha256").update(`${order} ${moduleId}`).digest("hex");
  return files.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** They test what `npm run build` has made. `npm run check` leaves them out. */
const OF_THE_BUILD = ["**/packed*.test.ts", "packages/demo/test/program.test.ts"];
/** Conformance tests of PostgreSQL alone. */
const POSTGRES = "packages/server/test/conformance/store/postgres*.test.ts";
/** Conformance tests without PostgreSQL. */
const SQLITE = "packages/server/test/conformance/store/{sqlite,writer-thread}.test.ts";
/** Tests that start whole programs. `npm test` has one test of each of the first ones. */
const PROGRAMS = [
  "packages/server/test/{packed,check-messages}.test.ts",
  "packages/demo/test/program.test.ts",
  "packages/demo/src/{demo,command}.test.ts",
];
const PROGRAM_FLOWS = ["packages/server/test/flows/program.test.ts"];
/** Of these `npm test` has nothing: the packed middleware, and zones that programs of others sign or judge. */
const ONLY_PROGRAMS = [
  "packages/server/test/packed-resource.test.ts",
  "packages/verify/test/independent-signers.test.ts",
  "packages/server/test/flows/judged-{random-,}zones.test.ts",
];
const FOREIGN_ZONES = "packages/server/test/flows/judged-foreign-zones.test.ts";

/** Not for the loads, which measure. The others wait for most of their time. */
const SLOW_WORKERS = Number(process.env.SLOW_WORKERS ?? 1);

const logs = { globalSetup: [LOG_SCAN, `${SUPPORT}/postgres-setup.ts`] };
const watched = { setupFiles: [LEAKS, logScanWorker] };

await buildWriter();

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // `.ci/run` counts what this report says.
    reporters: process.env.CI ? ["default", "json"] : ["default"],
    outputFile: { json: "test-results/vitest.json" },
    projects: [
      {
        resolve: { alias },
        test: {
          ...shared,
          name: "unit",
          setupFiles: [LEAKS],
          include: ["packages/*/src/**/*.test.ts", "packages/*/test/*.test.ts"],
          exclude: [...ONLY_PROGRAMS, ...(process.env.WITHOUT_BUILT ? OF_THE_BUILD : [])],
        },
      },
      {
        resolve: { alias },
        test: {
          ...{ ...shared, ...watched },
          name: "browser",
          include: ["packages/{server,demo}/test/browser/**/*.test.ts"],
          exclude: LONG_IN_BROWSER,
          globalSetup: [LOG_SCAN, `${SUPPORT}/browser-setup.ts`],
        },
      },
      {
        resolve: { alias },
        test: {
          ...{ ...shared, ...logs, ...watched },
          name: "flows",
          include: [
            "packages/server/test/flows/**/*.test.ts",
            "packages/server/test/conformance/**/*.test.ts",
            "packages/server/test/history/*.test.ts",
          ],
          exclude: [...ONLY_PROGRAMS, FOREIGN_ZONES, POSTGRES],
          provide: { storeEngines: ["SQLite in memory", "SQLite file"] },
        },
      },
      {
        resolve: { alias },
        test: {
          // The conformance suite of the store on PostgreSQL: run by `npm run test:store`.
          ...{ ...shared, ...logs, ...watched },
          name: "store",
          include: ["packages/server/test/conformance/**/*.test.ts"],
          exclude: [SQLITE],
          provide: { storeEngines: ["PostgreSQL"] },
        },
      },
      {
        resolve: { alias },
        test: {
          // Whole programs, ours and those of others: run by `npm run test:programs`.
          ...{ ...shared, ...logs, ...watched },
          name: "programs",
          include: [...PROGRAMS, ...PROGRAM_FLOWS, ...ONLY_PROGRAMS],
          env: { WHOLE_PROGRAMS: "all" },
        },
      },
      {
        resolve: { alias },
        test: {
          // Every page in the languages that `npm test` leaves out, and long tests in Chromium: run by `npm run test:languages`.
          ...{ ...shared, ...watched },
          name: "languages",
          include: [PAGES, ...LONG_IN_BROWSER],
          globalSetup: [LOG_SCAN, `${SUPPORT}/browser-setup.ts`],
          env: { PAGE_LANGUAGES: "others" },
        },
      },
      {
        resolve: { alias },
        test: {
          // What has to be answered within a time. One at a time and beside nothing else, and with
          // bounds that grow with a round trip on the same machine.
          name: "timed",
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          include: ["packages/server/test/timed/**/*.test.ts"],
          ...{ ...logs, ...watched },
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve: { alias },
        test: {
          // Faults under load, one after another: run by `npm run drill`.
          name: "drill",
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
          include: ["packages/server/test/history/drill/*.test.ts"],
          ...{ ...logs, ...watched },
          fileParallelism: false,
          testTimeout: 600_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve: { alias },
        test: {
          // Thousands of races, kills and power cuts, a million odd inputs: run by
          // `npm run test:slow`, file after file unless SLOW_WORKERS says otherwise.
          name: "slow",
          maxWorkers: SLOW_WORKERS,
          sequence: { groupOrder: 1 },
          include: [
            "packages/server/test/history/slow/**/*.test.ts",
            "packages/server/test/slow/**/*.test.ts",
            "packages/verify/test/slow/**/*.test.ts",
            "packages/resource/test/slow/**/*.test.ts",
            // Of these `npm test` tries a sample.
            "packages/*/src/**/random-*.test.ts",
            "packages/server/test/flows/strict-http.test.ts",
            FOREIGN_ZONES,
            // It tells what attacks reach against a build, and requires nothing: run by `bench/attacks.mjs`.
            ...(process.env.ATTACKS_CLI === undefined ? [] : [ATTACKS]),
          ],
          env: { RANDOM_TESTS: "full" },
          ...{ ...logs, ...watched },
          fileParallelism: SLOW_WORKERS > 1,
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
