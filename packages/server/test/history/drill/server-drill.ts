// The drill on PostgreSQL: a database that goes away under load, and at last a failover to the standby.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { wayTo } from "../../support/database-outage.ts";
import { until } from "../../support/moving-time.ts";
import { findPrograms } from "../../support/postgres-programs.ts";
import { startCopyOf, startOwnServer } from "../../support/postgres-server.ts";
import { check } from "../checker.ts";
import { monotonic } from "../history.ts";
import { askAgain, startLives } from "../lives.ts";
import { seed } from "../seed.ts";
import { startDrillNode } from "./drill-node.ts";
import { ACKNOWLEDGED, acknowledged, type Drill, untilAcknowledged } from "./load.ts";

const CLIENTS = 8;
/** So that the grants last for the whole drill. */
const THINK_MS = 20;
const CODES = 3000;
/** How long each fault lasts, in milliseconds. */
const FAULT_MS = 1500;

/**
 * `isSynchronous`: whether the primary waits for the standby before it acknowledges. Without that, the standby is
 * cut off before the failover, as a slow one may be.
 */
export async function serverDrill(options: {
  folder: string;
  isSynchronous: boolean;
}): Promise<Drill> {
  const { folder, isSynchronous } = options;
  const programs = await findPrograms(["initdb", "postgres", "pg_basebackup"]);
  if ("missing" in programs) throw new Error(programs.missing);
  const primary = await startOwnServer(programs.folder);
  const seeded = await seed(primary.url, CODES);
  const copying = ["--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream"];
  const standby = await startCopyOf(primary, programs.folder, copying);
  const admin = await connect(primary.url);
  const promoted = await connect(standby.url);
  await set(admin, "synchronous_standby_names", isSynchronous ? "*" : "");
  const replicas = async () =>
    (await admin.query("SELECT sync_state FROM pg_stat_replication")).rows;
  const wanted = isSynchronous ? "sync" : "async";
  await until(async () => (await replicas())[0]?.sync_state === wanted);

  const way = await wayTo(new URL(primary.url));
  let starts = 0;
  const start = (database: string) =>
    startDrillNode(`run ${starts++}`, { database, folder, log: join(folder, "log") });
  let current = start(way.url);
  const node = () => current;
  const lives = startLives(seeded, {
    ...{ clients: CLIENTS, node, random: Math.random },
    thinkMs: THINK_MS,
  });
  const block = async (how: Parameters<typeof way.block>[0]) => {
    await way.block(how);
    await sleep(FAULT_MS);
    await way.clear();
  };
  const faults: Record<string, () => Promise<void>> = {
    "database refuses": () => block("refuse"),
    "database is silent": () => block("freeze"),
    failover: async () => {
      if (!isSynchronous) {
        await set(promoted, "primary_conninfo", "");
        await until(async () => (await replicas()).length === 0);
        await untilAcknowledged(lives, ACKNOWLEDGED);
      }
      primary.crash();
      const running = await current;
      current = running
        .end("SIGTERM")
        .then(() => promoted.query("SELECT pg_promote()"))
        .then(() => start(standby.url));
      await current;
    },
  };
  const told = new Map<string, { during: number; recoveredMs: number }>();
  try {
    await untilAcknowledged(lives, ACKNOWLEDGED);
    for (const [name, run] of Object.entries(faults)) {
      const before = acknowledged(lives);
      await run();
      const during = acknowledged(lives) - before;
      const ended = monotonic();
      await untilAcknowledged(lives, ACKNOWLEDGED);
      told.set(name, { during, recoveredMs: monotonic() - ended });
    }
    await lives.stop();
    const operations = [...lives.operations];
    operations.push(...(await askAgain(seeded, operations, node)));
    return { operations, violations: check(operations), faults: told };
  } finally {
    await lives.stop().catch(() => {});
    await (await current).end("SIGKILL");
    await way.close();
    await promoted.end().catch(() => {});
    await admin.end().catch(() => {});
    await standby.stop();
    await primary.stop();
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // The primary is going to crash.
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function set(admin: Client, setting: string, value: string): Promise<void> {
  await admin.query(`ALTER SYSTEM SET ${setting} = '${value}'`);
  await admin.query("SELECT pg_reload_conf()");
  const shown = async () => (await admin.query(`SHOW ${setting}`)).rows[0];
  await until(async () => (await shown())[setting] === value);
}
