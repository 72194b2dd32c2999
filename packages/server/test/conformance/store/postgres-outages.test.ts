// What the PostgreSQL engine does when an answer does not come, or says that it is not certain.

import { createServer, connect as netConnect, type Server, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { UnavailableError } from "../../../src/lib/errors.ts";
import { openPostgres, type PostgresOptions } from "../../../src/store/postgres.ts";
import type { SqlEngine } from "../../../src/store/sql/engine.ts";
import { type FreshDatabase, freshDatabase, postgresTests } from "../../support/postgres.ts";

const PID = "SELECT pg_backend_pid() AS pid";

postgresTests("PostgreSQL", () => {
  let database: FreshDatabase;
  let admin: SqlEngine;
  const opened: SqlEngine[] = [];
  beforeAll(async () => {
    database = await freshDatabase();
    admin = openPostgres(database.url);
    await admin.execute("CREATE TABLE things (name TEXT PRIMARY KEY, number BIGINT)", []);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((engine) => engine.close()));
  });
  afterAll(async () => {
    await admin.close();
    await database.drop();
  });

  function open(options: PostgresOptions = {}, url = database.url): SqlEngine {
    const engine = openPostgres(url, options);
    opened.push(engine);
    return engine;
  }
  const pidOf = async (engine: SqlEngine) => Number((await engine.execute(PID, []))[0]?.pid);
  const terminate = (pid: number) =>
    admin.execute("SELECT pg_terminate_backend(?1)::text AS done", [pid]);
  const numberOf = async (name: string) =>
    (await admin.execute("SELECT number FROM things WHERE name = ?1", [name]))[0]?.number;

  test("a connection cut while a statement runs is an outage, and the pool recovers", async () => {
    const engine = open({ connections: 2 });
    const pid = await pidOf(engine);
    const cut = engine.execute("SELECT pg_sleep(20)::text AS slept", []);
    const [outcome] = await Promise.allSettled([
      cut,
      new Promise((resolve) => setTimeout(resolve, 100)).then(() => terminate(pid)),
    ]);
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(UnavailableError) });
    const pids = await Promise.all([pidOf(engine), pidOf(engine), pidOf(engine)]);
    expect(pids).not.toContain(pid);
  });

  test("connections cut while nobody uses them are replaced before anybody notices", async () => {
    const engine = open({ connections: 3 });
    const pids = await Promise.all([pidOf(engine), pidOf(engine), pidOf(engine)]);
    for (const pid of new Set(pids)) await terminate(pid);
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let turn = 0; turn < 5; turn++) expect(pids).not.toContain(await pidOf(engine));
  });

  test("a statement past its deadline is an outage, and its connection is not used again", async () => {
    const engine = open({ connections: 1, deadline: 1000 });
    const pid = await pidOf(engine);
    const begun = Date.now();
    const late = engine.execute("SELECT pg_sleep(20)::text AS slept", []);
    await expect(late).rejects.toThrow(UnavailableError);
    await expect(late).rejects.toThrow("no answer within 1000 ms");
    expect(Date.now() - begun).toBeLessThan(8000);
    expect(await pidOf(engine)).not.toBe(pid);
    // And the server does not go on with it for ever.
    const running = "SELECT count(*) AS running FROM pg_stat_activity WHERE pid = ?1";
    await expect
      .poll(async () => (await admin.execute(running, [pid]))[0]?.running, { timeout: 5000 })
      .toBe(0);
  });

  test("whoever gets no connection in time is told so, and what is under way goes on", async () => {
    const engine = open({ connections: 1, acquireTimeout: 1000 });
    await pidOf(engine);
    const slow = engine.execute("SELECT pg_sleep(2.5)::text AS slept", []);
    await expect(pidOf(engine)).rejects.toThrow(/no database connection was free within 1000 ms/);
    await expect(slow).resolves.toHaveLength(1);
    await pidOf(engine);
  });

  test("the warning 01000 is an outage: 'committed locally, but might not be replicated'", async () => {
    const engine = open({ connections: 1 });
    const warning = `DO $$ BEGIN
        INSERT INTO things VALUES ('warned', 1) ON CONFLICT (name) DO NOTHING;
        RAISE WARNING 'not certain' USING ERRCODE = '01000';
      END $$`;
    const warned = engine.execute(warning, []);
    await expect(warned).rejects.toThrow(UnavailableError);
    await expect(warned).rejects.toThrow("not certain");
    expect(await numberOf("warned")).toBe(1);
    // It is about that statement alone.
    await pidOf(engine);
    const notice = "DO $$ BEGIN RAISE NOTICE 'by the way'; END $$";
    expect(await engine.execute(notice, [])).toEqual([]);
  });

  test("a server that is not there is an outage, for everybody who waits", async () => {
    const port = await closedPort();
    const engine = open({ connections: 2 }, `postgres://user:password@127.0.0.1:${port}/name`);
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => pidOf(engine)));
    for (const result of results) {
      expect(result).toMatchObject({ status: "rejected", reason: expect.any(UnavailableError) });
    }
  });

  test("a server that takes connections and says nothing is an outage in time", async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket));
    const port = await portOf(silent);
    const url = `postgres://user:password@127.0.0.1:${port}/name`;
    const engine = open({ acquireTimeout: 200 }, url);
    await expect(pidOf(engine)).rejects.toThrow(UnavailableError);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test("a connection that ends before the answer leaves an outcome that nobody knows", async () => {
    const target = new URL(database.url);
    const server = { host: target.hostname, port: Number(target.port || 5432) };
    let isCut = false;
    const sockets = new Set<Socket>();
    const proxy = createServer((near) => {
      const far = netConnect(server);
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on("error", () => {});
      }
      near.pipe(far);
      far.on("data", (octets) => (isCut ? near.destroy() : near.write(octets)));
      far.on("close", () => near.destroy());
      near.on("close", () => far.destroy());
    });
    target.port = String(await portOf(proxy));
    target.hostname = "127.0.0.1";
    const engine = open({ connections: 1 }, target.href);
    const insert = "INSERT INTO things (name, number) VALUES (?1, 1)";
    await engine.execute(insert, ["first"]);
    isCut = true;
    await expect(engine.execute(insert, ["unknown"])).rejects.toThrow(UnavailableError);
    // It took effect, although it failed: what is unknown is never run again by itself.
    await expect.poll(() => numberOf("unknown")).toBe(1);
    isCut = false;
    await engine.execute(insert, ["last"]);
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });

  test("a primary that has become a standby is an outage, and the next call asks another", async () => {
    const engine = open({ connections: 1 });
    await engine.execute("SET default_transaction_read_only = on", []);
    const write = () => engine.execute("INSERT INTO things VALUES (?1, 1)", ["written"]);
    await expect(write()).rejects.toThrow(UnavailableError);
    await write();
    expect(await numberOf("written")).toBe(1);
  });

  test("of two statements that lock each other out both take effect", async () => {
    const engine = open({ connections: 2, deadline: 15_000 });
    for (const name of ["left", "right"]) {
      await engine.execute("INSERT INTO things (name, number) VALUES (?1, 0)", [name]);
    }
    const both = (one: string, two: string) => `DO $$ BEGIN
        UPDATE things SET number = number + 1 WHERE name = '${one}';
        PERFORM pg_sleep(0.3);
        UPDATE things SET number = number + 1 WHERE name = '${two}';
      END $$`;
    await Promise.all([
      engine.execute(both("left", "right"), []),
      engine.execute(both("right", "left"), []),
    ]);
    expect([await numberOf("left"), await numberOf("right")]).toEqual([2, 2]);
  });

  test("statements prepared before the schema changed are prepared again", async () => {
    const engine = open({ connections: 4 });
    await admin.execute("CREATE TABLE growing (name TEXT)", []);
    await admin.execute("INSERT INTO growing VALUES ('row')", []);
    const one = () => engine.execute("SELECT * FROM growing", []);
    const all = () => Promise.all(Array.from({ length: 12 }, one));
    await all();
    await admin.execute("ALTER TABLE growing ADD COLUMN number BIGINT DEFAULT 7", []);
    // The second attempt must not meet the same on another connection.
    expect(await one()).toEqual([{ name: "row", number: 7 }]);
    await all();
    await admin.execute("ALTER TABLE growing DROP COLUMN number", []);
    for (const rows of await all()) expect(rows).toEqual([{ name: "row" }]);
  });
});

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return address.port;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
