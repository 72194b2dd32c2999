// The unit tests that must notice a mutant in the folder that `MUTATED_FOLDER` names.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { alias } from "../vitest.config.ts";

const TESTS: Readonly<Record<string, { include: string[]; exclude?: string[] }>> = {
  "packages/verify/src": {
    include: ["packages/verify/src/**/*.test.ts"],
    // Thousands of random changes each: minutes for a mutant that the other files find in a second.
    exclude: ["**/random-*.test.ts"],
  },
  "packages/server/src/oauth": { include: ["packages/server/src/oauth/**/*.test.ts"] },
  "packages/server/src/store": {
    include: [
      "packages/server/src/store/**/*.test.ts",
      "packages/server/test/conformance/store/*.test.ts",
    ],
    // These are about the engines and need a file or a server.
    exclude: ["**/postgres*.test.ts", "**/sqlite.test.ts"],
  },
};

const folder = process.env.MUTATED_FOLDER ?? "";
const tests = TESTS[folder];
if (tests === undefined) throw new Error(`MUTATED_FOLDER names no folder with tests: ${folder}`);

/** A mutant's run ends with the first test that fails: the slow file, which finds nearly all, is last. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => moduleId.endsWith("/vectors.test.ts");
    const sorted = await super.sort(files);
    return [...sorted.filter((file) => !isSlow(file)), ...sorted.filter(isSlow)];
  }
}

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  resolve: { alias },
  test: {
    ...tests,
    // A process for each file would take most of the time, a thousand times over.
    isolate: false,
    sequence: { sequencer: QuickFirst },
    provide: { storeEngines: ["SQLite in memory"] },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
