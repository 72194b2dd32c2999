// What the PostgreSQL engine does when an answer does not come, or says that it is not certain.

import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { SqlEngine } from "../../../src/database/engine.ts";
import { openPostgres, type PostgresOptions } from "../../../src/database/postgres.ts";
import { UnavailableError } from "../../../src/lib/errors.ts";
import { fixture } from "../../support/fixture.ts";
import { until } from "../../support/moving-time.ts";
import { postgresFixture, postgresTests } from "../../support/postgres.ts";
import { makeGate } from "../../support/postgres-gate.ts";
import { portOf, wayTo } from "../../support/postgres-way.ts";

const PID = "SELECT pg_backend_pid() AS pid";
const COUNT = {
  statement: "UPDATE things SET number = number + 1 WHERE name = ?1",
  parameters: ["locked"],
};

postgresTests("PostgreSQL", () => {
  const database = postgresFixture();
  const gate = fixture(() => makeGate(database.url));
  const admin = fixture(async () => openPostgres(database.url));
  const opened: SqlEngine[] = [];
  beforeAll(async () => {
    await admin.execute("CREATE TABLE things (name TEXT PRIMARY KEY, number BIGINT)", []);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(opened.splice(0).map((engine) => engine.close()));
  });

  function open(options: PostgresOptions = {}, url = database.url): SqlEngine {
    const engine = openPostgres(url, options);
    opened.push(engine);
    return engine;
  }
  const pidOf = async (engine: SqlEngine) => Number((await engine.execute(PID, []))[0]?.pid);
  const terminate = (pid: number) =>
    admin.execute("SELECT pg_terminate_backend(?1)::text AS done", [pid]);
  const waiting = (count: number) => until(async () => (await gate.waiting()) === count);
  /** For engines that are opened from now on: their time passes when a test says so. */
  const stopTime = () =>
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const isThere = async (pid: number) =>
    (await admin.execute("SELECT pid FROM pg_stat_activity WHERE pid = ?1", [pid])).length > 0;
  const numberOf = async (name: string) =>
    (await admin.execute("SELECT number FROM things WHERE name = ?1", [name]))[0]?.number;

  test("a connection cut while a statement runs is an outage, and the pool recovers", async () => {
    const engine = open({ connections: 2 });
    const pid = await pidOf(engine);
    await gate.shut();
    const cut = engine.execute(gate.statement, []);
    cut.catch(() => {});
    await waiting(1);
    await terminate(pid);
    await expect(cut).rejects.toThrow(UnavailableError);
    await gate.open();
    const pids = await Promise.all([pidOf(engine), pidOf(engine), pidOf(engine)]);
    expect(pids).not.toContain(pid);
  });

  test("connections cut while nobody uses them are replaced before anybody notices", async () => {
    const engine = open({ connections: 3 });
    const pids = await Promise.all([pidOf(engine), pidOf(engine), pidOf(engine)]);
    for (const pid of new Set(pids)) await terminate(pid);
    await until(async () => !(await Promise.all(pids.map(isThere))).some(Boolean));
    // What came before this answer, such as their end, has been read as well.
    await pidOf(admin);
    for (let turn = 0; turn < 5; turn++) expect(pids).not.toContain(await pidOf(engine));
  });

  test("a statement past its deadline is an outage, and its connection is not used again", async () => {
    stopTime();
    const way = await wayTo(new URL(database.url));
    const engine = open({ connections: 1, deadline: 3000 }, way.url);
    const pid = await pidOf(engine);
    await gate.shut();
    const late = engine.execute(gate.statement, []);
    late.catch(() => {});
    await waiting(1);
    await gate.pass(2900, way);
    expect(await isThere(pid)).toBe(true);
    await gate.pass(400, way);
    await expect(late).rejects.toThrow(UnavailableError);
    await expect(late).rejects.toThrow("no answer within 3000 ms");
    expect(await pidOf(engine)).not.toBe(pid);
    await gate.open();
    // And the server does not go on with it for ever.
    const setting = "SELECT current_setting('statement_timeout') AS most";
    expect(await engine.execute(setting, [])).toEqual([{ most: "6s" }]);
    await way.close();
  });

  test("whoever gets no connection in time is told so, and what is under way goes on", async () => {
    stopTime();
    const way = await wayTo(new URL(database.url));
    const engine = open({ connections: 1, waitMs: 1000 }, way.url);
    await pidOf(engine);
    await gate.shut();
    const slow = engine.execute(gate.statement, []);
    await waiting(1);
    const late = pidOf(engine);
    late.catch(() => {});
    await gate.pass(1200, way);
    await expect(late).rejects.toThrow(/no database connection was free within 1000 ms/);
    await gate.pass(1500, way);
    await gate.open();
    await expect(slow).resolves.toHaveLength(1);
    await pidOf(engine);
    await way.close();
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
    const engine = open({ waitMs: 50 }, url);
    await expect(pidOf(engine)).rejects.toThrow(UnavailableError);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test("a connection that ends before the answer leaves an outcome that nobody knows", async () => {
    let isCut = false;
    const way = await wayTo(new URL(database.url), {
      answer(near, octets) {
        if (isCut && octets.includes("INSERT")) {
          // A second attempt would come through.
          isCut = false;
          near.destroy();
        } else near.write(octets);
      },
    });
    const engine = open({ connections: 1 }, way.url);
    const insert = "INSERT INTO things (name, number) VALUES (?1, 1)";
    await engine.execute(insert, ["first"]);
    isCut = true;
    await expect(engine.execute(insert, ["unknown"])).rejects.toThrow(UnavailableError);
    // It took effect, although it failed: what is unknown is never run again by itself.
    await expect.poll(() => numberOf("unknown")).toBe(1);
    // A connection that was begun meanwhile may still be cut; the next one is not.
    await until(() => succeeds(pidOf(engine)));
    await engine.execute(insert, ["last"]);
    await way.close();
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

  test("statements that all wait for a lock are no outage, however many, and close() lets them end", async () => {
    stopTime();
    const way = await wayTo(new URL(database.url));
    const engine = open({ connections: 2 }, way.url);
    await pidOf(engine);
    await gate.shut();
    // Both connections wait, a third task waits for one of them: it is heard through a spare one.
    const pending = Promise.all([1, 2, 3].map(() => engine.execute(gate.statement, [])));
    await waiting(2);
    await gate.pass(1200, way);
    const last = open({ connections: 1 }, way.url);
    await pidOf(last);
    const during = last.execute(gate.statement, []);
    await waiting(3);
    const closed = last.close();
    await gate.pass(1000, way);
    await gate.open();
    expect([...(await pending), await during]).toHaveLength(4);
    await closed;
    await way.close();
  });

  test("a time for which this process is blocked is no silence of the server, and no wait", async () => {
    const engine = open({ connections: 1, deadline: 600 });
    await pidOf(engine);
    const slow = engine.execute("SELECT pg_sleep(0.2)::text AS slept", []);
    const waits = engine.execute(PID, [], { waitMs: 600 });
    await sleep(50);
    // Longer than a silence, a statement and a wait may last.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    await expect(slow).resolves.toHaveLength(1);
    await expect(waits).resolves.toHaveLength(1);
  });

  test("the locks of a node that was gone in the middle of a commit are free in time", async () => {
    let isOn = true;
    const way = await wayTo(new URL(database.url), {
      answer(near, octets) {
        // A power cut, of which the server hears nothing.
        if (octets.includes("UPDATE 1")) isOn = false;
        way.silent(!isOn);
        if (isOn) near.write(octets);
      },
    });
    const gone = openPostgres(way.url, { connections: 1, deadline: 1000 });
    await gone.execute("INSERT INTO things (name, number) VALUES ('locked', 0)", []);
    const lost = gone.commit([COUNT, COUNT]).catch(String);
    await until(() => !isOn);
    const other = open({ connections: 1, deadline: 5000 });
    await other.commit([COUNT, COUNT]);
    expect(await numberOf("locked")).toBe(2);
    expect(await lost).toContain("UnavailableError");
    way.cut();
    await gone.close();
    await way.close();
  });

  test("a transaction that the server has ended, because its node paused, is begun again", async () => {
    const engine = open({ connections: 1 });
    await engine.execute("CREATE SEQUENCE attempts", []);
    const pid = await pidOf(engine);
    const pausing = `DO $$ BEGIN
        IF nextval('attempts') = 1 THEN RAISE EXCEPTION 'ended' USING ERRCODE = '25P03'; END IF;
        INSERT INTO things (name, number) VALUES ('begun again', 1);
      END $$`;
    await engine.commit([{ statement: pausing, parameters: [] }]);
    expect(await numberOf("begun again")).toBe(1);
    expect(await pidOf(engine)).not.toBe(pid);
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

function succeeds(task: Promise<unknown>): Promise<boolean> {
  return task.then(
    () => true,
    () => false,
  );
}

async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
