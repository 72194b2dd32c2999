// One service for a SQLite file: a second one, a file that is deleted or replaced, and a damaged one.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, renameSync, rmSync, truncateSync } from "node:fs";
import { open } from "node:fs/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { migrate } from "../../src/database/migrations.ts";
import { openServedDatabase } from "../../src/database/open.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { type ServiceNode, startNode } from "../history/node-process.ts";
import { seed } from "../history/seed.ts";
import { ask, expectOutage, setScene } from "../support/database-outage.ts";
import { fixture } from "../support/fixture.ts";
import { temporaryFolder } from "../support/folder.ts";
import { domainSignin } from "../support/serve.ts";
import { withSqlite } from "../support/sqlite-file.ts";

const folder = temporaryFolder("test");
let path: string;
beforeEach(() => {
  path = folder.file("store.db");
});
afterEach(() => void vi.useRealTimers());

const ENV = {
  DOMAIN_SIGNIN_ISSUER: "http://localhost:8080",
  DOMAIN_SIGNIN_DNS_SERVERS: "127.0.0.1:9",
  DOMAIN_SIGNIN_MIN_ASSURANCE: "single",
  DOMAIN_SIGNIN_SECRET: "a secret for tests, and for nothing else",
};

const run = (...args: string[]) =>
  domainSignin(args, {
    cwd: folder.path,
    env: { ...ENV, DOMAIN_SIGNIN_DATABASE: `sqlite:${path}` },
  });
/** A start that is expected to fail; one that listens is ended after a while. */
const startAgain = () => run("serve", "--port", "0");

test("a second serve on one file is refused, and may start once the first one is killed", async () => {
  const node = () => startNode({ name: "one", database: `sqlite:${path}`, folder: folder.path });
  const first = await node();
  try {
    const { status, stderr } = await startAgain();
    expect([status, stderr]).toEqual([2, expect.stringContaining(`serves the database ${path}`)]);
    expect((await run("clients", "list")).status).toBe(0);
  } finally {
    await first.end("SIGKILL");
  }
  const successor: ServiceNode = await node();
  expect((await fetch(`http://127.0.0.1:${successor.port}/readyz`)).status).toBe(200);
  await successor.end("SIGKILL");
});

test("a copy beside the log of another state is damaged, and is not served", async () => {
  await seed(`sqlite:${path}`, 200);
  const engine = openSqlite(path);
  await engine.execute("PRAGMA wal_checkpoint(TRUNCATE)", []);
  copyFileSync(path, folder.file("old.db"));
  // In a process that is killed, so that its log stays.
  const program = `
    const database = new (require("libsql"))(process.argv[1]);
    const fill = "INSERT INTO evidence (grant_id, expires_at, body) SELECT hex(randomblob(16)), 1, hex(randomblob(400)) FROM generate_series(1, 3000)";
    database.exec(fill);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.exec("UPDATE grants SET generation = 1; DELETE FROM evidence WHERE grant_id > 'C'");
    console.log("written");
    setInterval(() => {}, 1000);`;
  const cwd = import.meta.dirname;
  const writer = spawn(process.execPath, ["-e", program, path], { cwd });
  await once(writer.stdout, "data");
  writer.kill("SIGKILL");
  await once(writer, "exit");
  copyFileSync(folder.file("old.db"), path);
  const { status, stderr } = await startAgain();
  expect([status, stderr]).toEqual([2, expect.stringMatching(/is damaged|malformed/)]);
  await engine.close();
});

test("a file of more than 512 MiB is served unchecked", async () => {
  const PAGE = 4096;
  const rootPage = await withSqlite(path, async (engine) => {
    await migrate(engine);
    const select = "SELECT rootpage AS page FROM sqlite_schema WHERE name = 'evidence'";
    const [row] = await engine.execute(select, []);
    return Number(row?.page);
  });
  const file = await open(path, "r+");
  await file.write(Buffer.alloc(PAGE, 0xff), 0, PAGE, (rootPage - 1) * PAGE);
  await file.close();
  const start = async () => {
    const { engine, ready } = openServedDatabase(`sqlite:${path}`, () => {});
    await ready().finally(() => engine.close());
  };
  await expect(start()).rejects.toThrow("is damaged and is not served");
  truncateSync(path, 512 * 2 ** 20);
  await expect(start()).rejects.toThrow("is damaged and is not served");
  truncateSync(path, 512 * 2 ** 20 + PAGE);
  await start();
});

test("a file that is back is used again, within a second of the clock", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const engine = openSqlite(path);
  await migrate(engine);
  renameSync(path, folder.file("away.db"));
  const read = () => engine.execute("SELECT 1 AS one", []);
  vi.advanceTimersByTime(1001);
  await expect(read()).rejects.toThrow(`${path} was deleted`);
  expect(engine.problem?.()).toContain("was deleted");
  copyFileSync(folder.file("away.db"), path);
  vi.advanceTimersByTime(1001);
  await expect(read()).rejects.toThrow(`${path} was replaced`);
  renameSync(folder.file("away.db"), path);
  vi.advanceTimersByTime(1001);
  expect(await read()).toEqual([{ one: 1 }]);
  expect(engine.problem?.()).toBeNull();
  await engine.close();
});

const folderOfScene = temporaryFolder();
const scene = fixture(async () => {
  const set = await setScene(`sqlite:${folderOfScene.file("store.db")}`);
  return { ...set, close: () => set.at.close() };
});

test("a service whose file is deleted answers 503 to all that need it, and is not ready", async () => {
  const opened = performance.now();
  vi.useFakeTimers({ toFake: ["performance"] });
  rmSync(folderOfScene.file("store.db"));
  vi.advanceTimersByTime(opened + 1001);
  expect((await ask(`${scene.at.issuer}/readyz`)).status).toBe(503);
  await expect(scene.at.store.ping()).rejects.toThrow("was deleted while it was in use");
  scene.at.advance(6);
  for (const [kind, send] of Object.entries(scene.requests)) expectOutage(kind, await send());
  expect((await ask(`${scene.at.issuer}/livez`)).status).toBe(200);
});
