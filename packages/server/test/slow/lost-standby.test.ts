// The only synchronous standby is lost, on a real server: nothing is acknowledged that a failover could undo.

import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../src/database/migrations.ts";
import { openPostgres, type PostgresEngine } from "../../src/database/postgres.ts";
import { UnavailableError } from "../../src/lib/errors.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { postgresTests, withSetting } from "../support/postgres.ts";
import { type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { redeemedGrant, rotationOf } from "../support/store-rows.ts";

/** Milliseconds: short, because a commit that waits for a standby reaches it every time. */
const DEADLINE = 300;

postgresTests("on PostgreSQL", () => {
  let server: PostgresServer;
  let admin: Client;
  let engine: PostgresEngine;
  let store: Store;
  beforeAll(async () => {
    // A server of its own: the setting is that of the whole server, and a given one is not ours to change. It
    // runs as another user, who must not need the folder of this worker.
    const { DATABASE_URL, TMPDIR } = process.env;
    delete process.env.DATABASE_URL;
    delete process.env.TMPDIR;
    server = await startPostgres();
    if (DATABASE_URL !== undefined) process.env.DATABASE_URL = DATABASE_URL;
    if (TMPDIR !== undefined) process.env.TMPDIR = TMPDIR;
    if ("missing" in server.found) throw new Error(server.found.missing);
    const { url } = server.found;
    admin = new Client({ connectionString: withSetting(url, "synchronous_commit", "local") });
    await admin.connect();
    engine = openPostgres(url, { deadline: DEADLINE });
    await migrate(engine);
    store = createStore(engine);
  });
  afterAll(async () => {
    await engine.close();
    await admin.end();
    await server.stop();
  });

  async function standby(name: string): Promise<void> {
    await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await admin.query("SELECT pg_reload_conf()");
    const shown = async () =>
      (await admin.query("SHOW synchronous_standby_names")).rows[0].synchronous_standby_names;
    while ((await shown()) !== name) await admin.query("SELECT pg_sleep(0.01)");
  }
  const WAITS = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  const waiting = async () => (await admin.query(`SELECT pid ${WAITS}`)).rows.length;
  const generation = async (id: string) =>
    (await admin.query("SELECT generation FROM grants WHERE id = $1", [id])).rows[0].generation;

  test("a rotation that waits for it is 503, also once its wait was cancelled, until a standby is back", async () => {
    const [waits, cancelled, kept] = [
      await redeemedGrant(store),
      await redeemedGrant(store),
      await redeemedGrant(store),
    ];
    await standby("nobody");
    await expect(store.grants.rotateRefreshToken(rotationOf(waits))).rejects.toThrow(
      UnavailableError,
    );
    expect(await generation(waits.id)).toBe("1");

    // Somebody cancels the waits again and again: the rows are visible, and not replicated.
    const other = openPostgres("missing" in server.found ? "" : server.found.url);
    const rotating = createStore(other)
      .grants.rotateRefreshToken(rotationOf(cancelled))
      .catch((cause: unknown) => cause);
    let isOver = false;
    rotating.then(() => {
      isOver = true;
    });
    while (!isOver) await admin.query(`SELECT pg_cancel_backend(pid) ${WAITS}`);
    expect(await rotating).toBeInstanceOf(UnavailableError);
    expect(await generation(cancelled.id)).toBe("2");

    const last = createStore(other).grants.rotateRefreshToken(rotationOf(kept));
    while ((await waiting()) === 0) await admin.query("SELECT pg_sleep(0.01)");
    await standby("");
    expect(await last).toMatchObject({ generation: 2 });
    await other.close();
  });
});
