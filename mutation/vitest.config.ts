// The unit tests that must detect a mutant in the folder `MUTATED_FOLDER`.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { alias } from "../vitest.alias.ts";

/** Tests of the engines need a file, a server or a build. */
const ENGINES = ["**/postgres*.test.ts", "**/sqlite.test.ts", "**/writer-thread.test.ts"];

interface TestFiles {
  readonly include: string[];
  readonly exclude?: string[];
  readonly setupFiles?: string[];
}

const TESTS: Readonly<Record<string, TestFiles>> = {
  "packages/verify/src": {
    include: ["packages/verify/src/**/*.test.ts"],
    // Too slow: minutes for a mutant that the other files detect in a second. The last one reads the mutated source.
    exclude: ["**/random-*.test.ts", "**/published-chain.test.ts", "**/record-vectors.test.ts"],
  },
  "packages/server/src/clients": {
    include: [
      "packages/server/src/clients/**/*.test.ts",
      "packages/server/test/flows/{dynamic-registration,registration-management}.test.ts",
      "packages/server/test/flows/{resource-documents,resources}.test.ts",
    ],
    // The service loads it on demand. So it seemed that tests run what runs only while it loads.
    setupFiles: ["packages/server/src/clients/document-reader.ts"],
  },
  "packages/server/src/oauth": { include: ["packages/server/src/oauth/**/*.test.ts"] },
  // What a request to a whole service shows better than a call of one function.
  "packages/server/src/oauth, over HTTP": {
    include: [
      "packages/server/src/oauth/{authorization-response,authorize,bearer,complete-interaction,consent}.test.ts",
      "packages/server/src/oauth/{endpoints,grant-resources,requested-resources,resource-token}.test.ts",
      "packages/server/test/flows/{dynamic-registration,registration-management,resources}.test.ts",
      "packages/server/test/flows/{protected-api,withdrawn-access,prompt,claims,userinfo}.test.ts",
      "packages/server/test/flows/{validation-data,owner-proof,resource-documents}.test.ts",
      "packages/server/test/flows/{bad-authorization-requests,clock,sessions}.test.ts",
    ],
  },
  "packages/server/src/store": {
    include: [
      "packages/server/src/store/**/*.test.ts",
      "packages/server/test/conformance/store/*.test.ts",
    ],
    exclude: ENGINES,
  },
  "packages/server/src/database": {
    include: [
      "packages/server/src/{database,store}/**/*.test.ts",
      "packages/server/test/conformance/store/*.test.ts",
    ],
    exclude: ENGINES,
  },
};

const folder = process.env.MUTATED_FOLDER ?? "";
const tests = TESTS[folder];
if (tests === undefined)
  throw new Error(`MUTATED_FOLDER is not a folder with mutation tests: ${folder}`);

/** The slowest last. */
const SLOW_FILES = [
  ...["/clean-up", "/keys", "/client", "/client-documents", "/bearer", "/grant-token"],
  ...["/owner-proof", "/chain-refused", "/dnssec-records", "/record", "/message"],
  ...["/vectors", "/denial"],
].map((name) => `${name}.test.ts`);

/** Runs the slow files last, because a run ends with the first test that fails. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      SLOW_FILES.findIndex((end) => moduleId.endsWith(end));
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  resolve: { alias },
  test: {
    ...tests,
    // Starting a process for each file would take most of the time.
    isolate: false,
    sequence: { sequencer: QuickFirst },
    provide: {
      storeEngines: ["SQLite in memory"],
      postgres: { missing: "mutation tests use no server" },
    },
    // Elsewhere, a missing server is a failure there.
    env: { CI: "" },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
