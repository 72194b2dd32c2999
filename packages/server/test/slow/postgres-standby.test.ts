// A synchronous standby: a failover loses nothing that was acknowledged, and without a standby nothing is.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { Client } from "pg";
import { expect, test } from "vitest";
import { migrate } from "../../src/database/migrations.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { until } from "../support/moving-time.ts";
import { postgresTests } from "../support/postgres.ts";
import { findPrograms } from "../support/postgres-programs.ts";
import { startCopyOf, startOwnServer } from "../support/postgres-server.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { refresh, signInForTokens } from "../support/sign-in.ts";

const APPS = 5;
const ROTATIONS = 200;

/** A service whose primary crashes under load, and what the standby has when it takes over. */
async function failOver({ isSynchronous }: { isSynchronous: boolean }) {
  const programs = await findPrograms(["initdb", "postgres", "pg_basebackup"]);
  if ("missing" in programs) throw new Error(programs.missing);
  const primary = await startOwnServer(programs.folder);
  const engine = openPostgres(primary.url);
  await migrate(engine);
  await engine.close();
  const options = ["--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream"];
  const standby = await startCopyOf(primary, programs.folder, options);
  const [admin, promoted] = [await connect(primary.url), await connect(standby.url)];
  admin.on("error", () => {});
  await set(admin, "synchronous_standby_names", isSynchronous ? "*" : "");
  const replicas = async () =>
    (await admin.query("SELECT sync_state FROM pg_stat_replication")).rows;
  const wanted = isSynchronous ? "sync" : "async";
  await until(async () => (await replicas())[0]?.sync_state === wanted);

  const at = await startTestService({ database: primary.url });
  const client = await at.addClient({ consent: "never" });
  const agent = createUserAgent();
  const latest: string[] = [];
  for (let app = 0; app < APPS; app++) {
    latest.push((await signInForTokens(at, client, { agent })).refresh_token);
  }
  const send = async (to: TestService, app: number) => {
    const answer = await to.token(refresh(latest[app] ?? ""), client);
    if (answer.status === 200) latest[app] = String(answer.body.refresh_token);
    return answer;
  };
  if (!isSynchronous) {
    const position = "SELECT pg_current_wal_lsn()::text AS position";
    const { position: written } = (await admin.query(position)).rows[0];
    const has = "SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS has";
    await until(async () => (await promoted.query(has, [written])).rows[0].has);
    await set(promoted, "primary_conninfo", "");
    await until(async () => (await replicas()).length === 0);
  }
  let answers = 0;
  const apps = latest.map(async (_, app) => {
    for (;;) {
      const { status } = await send(at, app);
      if (status !== 200) return status;
      if (++answers === ROTATIONS) primary.crash();
    }
  });
  expect(await Promise.all(apps)).toEqual(latest.map(() => 503));
  await at.close();
  await promoted.query("SELECT pg_promote()");
  const now = await startTestService({ database: standby.url, config: { issuer: at.issuer } });
  return {
    admin: promoted,
    send: (app: number) => send(now, app),
    async close() {
      await now.close();
      await promoted.end();
      await admin.end().catch(() => {});
      await standby.stop();
      await primary.stop();
    },
  };
}

postgresTests("a standby", () => {
  test("that is synchronous has every acknowledged rotation after a crash of the primary, and alone it acknowledges none", async () => {
    const { admin, send, close } = await failOver({ isSynchronous: true });
    for (let app = 0; app < APPS; app++) {
      const { status, body } = await send(app);
      expect([app, status, body.error]).toEqual([app, 200, undefined]);
    }

    await set(admin, "synchronous_standby_names", "nobody");
    const waits = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    // The server tells each of its connections of the setting, some a moment later.
    let unknown = await send(0);
    for (let tries = 0; unknown.status === 200 && tries < 20; tries++) unknown = await send(0);
    expect([unknown.status, unknown.body.error]).toEqual([503, "temporarily_unavailable"]);
    expect((await admin.query(waits)).rows.length).toBeGreaterThan(0);
    await set(admin, "synchronous_standby_names", "");
    expect((await send(0)).status).toBe(200);
    await close();
  });

  test("that is not synchronous can lack them, and the service notices that they are lost", async () => {
    const { send, close } = await failOver({ isSynchronous: false });
    for (let app = 0; app < APPS; app++) {
      const { status, body } = await send(app);
      expect([app, status, body.error]).toEqual([app, 400, "invalid_grant"]);
    }
    await close();
  });
});

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

async function set(admin: Client, setting: string, value: string): Promise<void> {
  await admin.query(`ALTER SYSTEM SET ${setting} = '${value}'`);
  await admin.query("SELECT pg_reload_conf()");
  const shown = async () => (await admin.query(`SHOW ${setting}`)).rows[0];
  await until(async () => (await shown())[setting] === value);
}
