// A migration of a PostgreSQL database that is in use: it stalls nobody for long, whatever it meets.

import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { OperatorError } from "../../../src/lib/errors.ts";
import { openPostgres, type PostgresEngine } from "../../../src/store/postgres.ts";
import { migrate } from "../../../src/store/sql/migrations.ts";
import {
  type FreshDatabase,
  freshDatabase,
  postgresTests,
  withSetting,
} from "../../support/postgres.ts";

const STEP = {
  version: 1000,
  statements: ["CREATE TABLE more (name TEXT)", "ALTER TABLE clients ADD COLUMN more TEXT"],
};

postgresTests("PostgreSQL", () => {
  let database: FreshDatabase;
  let engine: PostgresEngine;
  let backup: Client;
  beforeEach(async () => {
    database = await freshDatabase();
    engine = openPostgres(database.url, { migrationPauses: [300, 300] });
    await migrate(engine);
    backup = new Client({ connectionString: database.url });
    await backup.connect();
  });
  afterEach(async () => {
    await backup.end();
    await engine.close();
    await database.drop();
  });

  /** As pg_dump does it: every table that it will read is locked from the start. */
  async function beginBackup(): Promise<void> {
    await backup.query("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    await backup.query("LOCK TABLE clients, accounts IN ACCESS SHARE MODE");
  }

  test("a table that a backup reads is waited for a few times, and no reader waits long behind it", async () => {
    const before = await engine.schemaVersion();
    await beginBackup();
    let isOver = false;
    const migration = engine
      .migrate(() => [STEP])
      .finally(() => {
        isOver = true;
      });
    const outcome = expect(migration).rejects.toThrow(OperatorError);
    let slowest = 0;
    while (!isOver) {
      const begun = performance.now();
      await engine.execute("SELECT id FROM clients", []);
      slowest = Math.max(slowest, performance.now() - begun);
      await sleep(50);
    }
    await outcome;
    await expect(migration).rejects.toThrow(
      "the schema was not changed: a long transaction or a backup kept a table locked, " +
        "at each of 3 attempts; try again when it is over",
    );
    expect(slowest).toBeGreaterThan(1000);
    expect(slowest).toBeLessThan(3000);
    expect(await engine.schemaVersion()).toBe(before);
    const made = await engine.execute("SELECT to_regclass('more')::text AS name", []);
    expect(made).toEqual([{ name: null }]);
  });

  test("a backup that ends in time costs the migration a wait, and no more", async () => {
    await beginBackup();
    const migration = engine.migrate(() => [STEP]);
    await sleep(2500);
    await backup.query("COMMIT");
    await migration;
    expect(await engine.schemaVersion()).toBe(STEP.version);
    expect(await engine.execute("SELECT more FROM clients", [])).toEqual([]);
  });

  test("another migration is waited for longer, whatever the operator's limit on locks", async () => {
    const first = engine.migrate(() => [
      { version: 1000, statements: ["SELECT pg_sleep(3)::text AS slept"] },
    ]);
    await sleep(200);
    const url = withSetting(database.url, "lock_timeout", "500");
    const other = openPostgres(url, { migrationPauses: [] });
    const seen: number[] = [];
    await other.migrate((applied) => {
      seen.push(applied);
      return [];
    });
    await first;
    expect(seen).toEqual([1000]);
    await other.close();
  });
});
