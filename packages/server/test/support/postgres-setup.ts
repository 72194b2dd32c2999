// Starts PostgreSQL before the first test that needs it, and says so once where there is none.

import type { TestProject } from "vitest/node";
import { type PostgresFound, startPostgres } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: PostgresFound;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide("postgres", server.found);
  // In CI the test files themselves fail of it.
  if ("missing" in server.found && process.env.CI !== "true") {
    process.stderr.write(`\nSKIPPED: tests on PostgreSQL: ${server.found.missing}\n\n`);
  }
  return server.stop;
}
