// Copies of a SQLite database: how a backup is made, and put back in the place of the database.

import { copyFile, rm } from "node:fs/promises";
import { openSqlite } from "../../src/database/sqlite.ts";

/** A consistent copy of the database at `path`, which may be open. */
export async function backUp(path: string, to: string): Promise<void> {
  const engine = openSqlite(path);
  try {
    await engine.execute("VACUUM INTO ?1", [to]);
  } finally {
    await engine.close();
  }
}

/** Puts the copy in the place of the database, which nobody has open, without what belonged to that. */
export async function putBack(copy: string, path: string): Promise<void> {
  await removeDatabase(path);
  await copyFile(copy, path);
}

/** The same while a service has the database open: replaces the content of each table. */
export async function putBackInto(path: string, copy: string): Promise<void> {
  const engine = openSqlite(path);
  try {
    await engine.execute("ATTACH ?1 AS copied", [copy]);
    const tables = await engine.execute(
      "SELECT name FROM copied.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
      [],
    );
    for (const { name } of tables) {
      await engine.execute(`DELETE FROM main.${name}`, []);
      await engine.execute(`INSERT INTO main.${name} SELECT * FROM copied.${name}`, []);
    }
  } finally {
    await engine.close();
  }
}

export async function removeDatabase(path: string): Promise<void> {
  for (const name of [path, `${path}-wal`, `${path}-shm`]) await rm(name, { force: true });
}
