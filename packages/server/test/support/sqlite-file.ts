// A SQLite file that a test opens for a moment.

import type { SqlEngine } from "../../src/database/engine.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { filesClosed } from "./closed-files.ts";

/** Runs the task on the file. Afterwards this process has it open no longer. */
export async function withSqlite<T>(
  path: string,
  task: (engine: SqlEngine) => Promise<T>,
): Promise<T> {
  const engine = openSqlite(path);
  try {
    return await task(engine);
  } finally {
    await engine.close();
    await filesClosed();
  }
}
