// A migration of a PostgreSQL database that is in use: it stalls nobody for long, whatever it meets.

import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { migrate } from "../../../src/database/migrations.ts";
import { openPostgres } from "../../../src/database/postgres.ts";
import { OperatorError } from "../../../src/lib/errors.ts";
import { fixture } from "../../support/fixture.ts";
import { until } from "../../support/moving-time.ts";
import { postgresFixture, postgresTests, withSetting } from "../../support/postgres.ts";
import { makeGate } from "../../support/postgres-gate.ts";

const STEP = {
  version: 1000,
  statements: ["CREATE TABLE more (name TEXT)", "ALTER TABLE clients ADD COLUMN more TEXT"],
};

postgresTests("PostgreSQL", () => {
  const database = postgresFixture("test");
  const engine = fixture(async () => {
    const options = { migrationPauses: [30, 30], tableLockTimeout: 100 };
    const opened = openPostgres(database.url, options);
    await migrate(opened);
    return opened;
  }, "test");
  let backup: Client;
  beforeEach(async () => {
    backup = new Client({ connectionString: database.url });
    await backup.connect();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await backup.end();
  });

  /** As pg_dump does it: every table that it will read is locked from the start. */
  async function beginBackup(): Promise<void> {
    await backup.query("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    await backup.query("LOCK TABLE clients, accounts IN ACCESS SHARE MODE");
  }

  test("a table that a backup reads is waited for a few times, and no reader waits until its end", async () => {
    const before = await engine.schemaVersion();
    await beginBackup();
    let isOver = false;
    const migration = engine
      .migrate(() => [STEP])
      .finally(() => {
        isOver = true;
      });
    const outcome = expect(migration).rejects.toThrow(OperatorError);
    // Each of them would wait for ever behind a migration that waits for the backup.
    while (!isOver) await engine.execute("SELECT id FROM clients", []);
    await outcome;
    await expect(migration).rejects.toThrow(
      "the schema was not changed: a long transaction or a backup kept a table locked, " +
        "at each of 3 attempts; try again when it is over",
    );
    expect(await engine.schemaVersion()).toBe(before);
    const made = await engine.execute("SELECT to_regclass('more')::text AS name", []);
    expect(made).toEqual([{ name: null }]);
  });

  test("a migration waits two seconds for a table, unless told otherwise", async () => {
    const query = vi.spyOn(Client.prototype, "query");
    const usual = openPostgres(database.url);
    await usual.migrate(() => []);
    await usual.close();
    const said = query.mock.calls.map(([asked]) => JSON.stringify(asked)).join();
    expect(said).toContain("SET LOCAL lock_timeout = 2000");
  });

  test("a backup that ends in time costs the migration a wait, and no more", async () => {
    // However slow the machine is, it is not given up before.
    const migrationPauses = Array<number>(1000).fill(20);
    const patient = openPostgres(database.url, { migrationPauses, tableLockTimeout: 100 });
    await beginBackup();
    let attempts = 0;
    const migration = patient.migrate(() => {
      attempts++;
      return [STEP];
    });
    await until(() => attempts >= 2);
    await backup.query("COMMIT");
    await migration;
    await patient.close();
    expect(await engine.schemaVersion()).toBe(STEP.version);
    expect(await engine.execute("SELECT more FROM clients", [])).toEqual([]);
  });

  test("another migration is waited for longer, whatever the operator's limit on locks", async () => {
    const gate = await makeGate(database.url);
    await gate.shut();
    const slow = openPostgres(database.url, { tableLockTimeout: 60_000 });
    const first = slow.migrate(() => [{ version: 1000, statements: [gate.statement] }]);
    await until(async () => (await gate.waiting()) === 1);
    const url = withSetting(database.url, "lock_timeout", "50");
    const other = openPostgres(url, { migrationPauses: [], tableLockTimeout: 50 });
    const seen: number[] = [];
    const second = other.migrate((applied) => {
      seen.push(applied);
      return [];
    });
    const locks = `SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND NOT granted AND query LIKE '%xact_lock%'`;
    await until(async () => (await backup.query(locks)).rows.length > 0);
    await sleep(150);
    expect(seen).toEqual([]);
    await gate.open();
    await Promise.all([first, second]);
    expect(seen).toEqual([1000]);
    for (const { close } of [slow, other, gate]) await close();
  });
});
