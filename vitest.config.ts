import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Packages are read from their sources, so that a test never runs against a stale build of them. */
export const alias = [
  {
    find: /^domain-signin$/,
    replacement: fileURLToPath(new URL("./packages/server/src/service.ts", import.meta.url)),
  },
  {
    find: /^domain-signin-demo\/(.*)$/,
    replacement: fileURLToPath(new URL("./packages/demo/src/$1.ts", import.meta.url)),
  },
  {
    find: /^domain-signin-resource$/,
    replacement: fileURLToPath(new URL("./packages/resource/src/index.ts", import.meta.url)),
  },
  {
    find: /^domain-signin-verify\/(.*)$/,
    replacement: fileURLToPath(new URL("./packages/verify/src/$1.ts", import.meta.url)),
  },
  {
    find: /^domain-signin-verify$/,
    replacement: fileURLToPath(new URL("./packages/verify/src/index.ts", import.meta.url)),
  },
];

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
} as const;

/** Otherwise one of two workers would be busy with it for a minute after the other has finished. */
const LONGEST = "packages/server/test/browser/pages.test.ts";

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => (moduleId.endsWith(LONGEST) ? 0 : 1);
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

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
          sequence: { groupOrder: 0 },
          include: ["packages/*/src/**/*.test.ts", "packages/*/test/*.test.ts"],
        },
      },
      {
        resolve: { alias },
        test: {
          ...shared,
          name: "flows",
          sequence: { groupOrder: 1 },
          include: [
            "packages/server/test/flows/**/*.test.ts",
            "packages/server/test/conformance/**/*.test.ts",
            "packages/server/test/history/*.test.ts",
          ],
          globalSetup: [LOG_SCAN, `${SUPPORT}/postgres-setup.ts`],
          setupFiles: [LEAKS, logScanWorker],
        },
      },
      {
        resolve: { alias },
        test: {
          ...shared,
          name: "browser",
          sequence: { groupOrder: 2 },
          include: ["packages/{server,demo}/test/browser/**/*.test.ts"],
          globalSetup: [LOG_SCAN, `${SUPPORT}/browser-setup.ts`],
          setupFiles: [LEAKS, logScanWorker],
        },
      },
      {
        resolve: { alias },
        test: {
          // What has to be answered within a time. One at a time and beside nothing else, and with
          // bounds that grow with a round trip on the same machine.
          name: "timed",
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
          include: ["packages/server/test/timed/**/*.test.ts"],
          globalSetup: [LOG_SCAN, `${SUPPORT}/postgres-setup.ts`],
          setupFiles: [LEAKS, logScanWorker],
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
          sequence: { groupOrder: 5 },
          include: ["packages/server/test/history/drill/*.test.ts"],
          globalSetup: [LOG_SCAN, `${SUPPORT}/postgres-setup.ts`],
          setupFiles: [LEAKS, logScanWorker],
          fileParallelism: false,
          testTimeout: 600_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve: { alias },
        test: {
          // Thousands of races, kills and power cuts, a million odd inputs: run by
          // `npm run test:slow`, file after file.
          name: "slow",
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
          include: [
            "packages/server/test/history/slow/**/*.test.ts",
            "packages/server/test/slow/**/*.test.ts",
            "packages/verify/test/slow/**/*.test.ts",
            "packages/resource/test/slow/**/*.test.ts",
            // Of these `npm test` tries a sample.
            "packages/*/src/**/random-*.test.ts",
            "packages/server/test/flows/strict-http.test.ts",
            "packages/server/test/flows/judged-foreign-zones.test.ts",
          ],
          env: { RANDOM_TESTS: "full" },
          globalSetup: [LOG_SCAN, `${SUPPORT}/postgres-setup.ts`],
          setupFiles: [LEAKS, logScanWorker],
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
