// A database that several processes can open, for the time of one task.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshDatabase } from "../support/postgres.ts";

/** A SQLite file in a folder of its own; `database` as in the settings. */
export async function withFile<T>(task: (database: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "domain-signin-history-"));
  try {
    return await task(`sqlite:${join(folder, "store.db")}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A schema of its own on the PostgreSQL server of this run. */
export async function withServer<T>(task: (database: string) => Promise<T>): Promise<T> {
  const { url, drop } = await freshDatabase();
  try {
    return await task(url);
  } finally {
    await drop();
  }
}
