// Third-party clients and providers against the real service: `npm run test:interop`.

import { defineConfig } from "vitest/config";
import { alias } from "../vitest.alias.ts";

const SUPPORT = "packages/server/test/support";

export default defineConfig({
  resolve: { alias },
  test: {
    name: "interop",
    pool: "forks",
    isolate: false,
    maxWorkers: 1,
    include: ["interop/**/*.test.ts", "examples/*/*.test.ts"],
    globalSetup: [
      ...[`${SUPPORT}/log-scan-setup.ts`, `${SUPPORT}/postgres-setup.ts`],
      "interop/table/trust-setup.ts",
    ],
    setupFiles: [`${SUPPORT}/leaks-worker.ts`, `${SUPPORT}/log-scan-worker.ts`],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // `.ci/full` counts the tests in this report.
    reporters: process.env.CI ? ["default", "json"] : ["default"],
    outputFile: { json: "test-results/vitest.json" },
  },
});
