// The connection beyond the limit of the pool, through which a server that is merely slow is heard.

import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { UnavailableError } from "../../../src/lib/errors.ts";
import { openPostgres, type PostgresOptions } from "../../../src/store/postgres.ts";
import type { SqlEngine } from "../../../src/store/sql/engine.ts";
import { type FreshDatabase, freshDatabase, postgresTests } from "../../support/postgres.ts";
import { wayTo } from "../../support/postgres-way.ts";

postgresTests("PostgreSQL", () => {
  let database: FreshDatabase;
  let way: Awaited<ReturnType<typeof wayTo>>;
  let opened: SqlEngine[] = [];
  beforeAll(async () => {
    database = await freshDatabase();
  });
  beforeEach(async () => {
    way = await wayTo(new URL(database.url));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all(opened.map((engine) => engine.close()));
    opened = [];
    await way.close();
  });
  afterAll(() => database.drop());

  function open(options: PostgresOptions, url = way.url): SqlEngine {
    const engine = openPostgres(url, options);
    opened.push(engine);
    return engine;
  }
  const pidOf = async (engine: SqlEngine) =>
    (await engine.execute("SELECT pg_backend_pid() AS pid", []))[0]?.pid ?? null;
  const slow = (engine: SqlEngine, seconds: number) =>
    engine.execute(`SELECT pg_sleep(${seconds})::text AS slept`, []);
  const connections = (count: number) => expect.poll(way.connections).toBe(count);

  test.each([1, 3])(
    "with a limit of %i, statements that are slow are not cut where connecting is slow too",
    async (limit) => {
      const engine = open({ connections: limit });
      await pidOf(engine);
      await connections(2);
      // Those that are lent are there before connecting gets slow; the first word would come too late.
      const young = Array.from({ length: limit }, () => slow(engine, 0.3));
      await connections(limit + 1);
      way.slow(900);
      await Promise.all(young);
      const results = await Promise.allSettled(young.map(() => slow(engine, 2.5)));
      expect(results.map(({ status }) => status)).toEqual(young.map(() => "fulfilled"));
      expect(way.connections()).toBe(limit + 1);
    },
  );

  test("the very first statement may be slow, and connecting too", async () => {
    way.slow(400);
    await expect(slow(open({ connections: 10 }), 2)).resolves.toHaveLength(1);
  });

  test("it is one beyond the limit, is lent to nobody, and goes with the others", async () => {
    const engine = open({ connections: 2 });
    // Long enough that both are lent at the same time.
    await Promise.all([slow(engine, 0.5), slow(engine, 0.5)]);
    await connections(3);
    const both = "SELECT pg_backend_pid() AS pid, pg_sleep(0.01)::text AS slept";
    const rows = await Promise.all(Array.from({ length: 30 }, () => engine.execute(both, [])));
    const pids = rows.map(([row]) => row?.pid);
    expect(new Set(pids).size).toBe(2);
    await engine.close();
    await connections(0);
  });

  test("a server that is gone is noticed within a second although all that is lent is slow", async () => {
    const engine = open({ connections: 1 });
    await pidOf(engine);
    await connections(2);
    const statement = slow(engine, 20);
    await sleep(1000);
    way.silent(true);
    const begun = performance.now();
    const [outcome] = await Promise.allSettled([statement]);
    expect(performance.now() - begun).toBeLessThan(1500);
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(UnavailableError) });
  });

  test("it is lent where the server allows no other", async () => {
    const admin = open({ connections: 1 }, database.url);
    const engine = open({ connections: 1 });
    const pid = await pidOf(engine);
    await connections(2);
    way.shut(true);
    await admin.execute("SELECT pg_terminate_backend(?1)::text AS done", [pid]);
    await connections(1);
    const other = await pidOf(engine);
    expect(other).not.toBe(pid);
    expect(await pidOf(engine)).toBe(other);
  });

  test("a server that allows no more is not asked for it by every statement", async () => {
    const engine = open({ connections: 1 });
    const pid = pidOf(engine);
    await expect.poll(way.attempts, { interval: 1 }).toBe(1);
    way.shut(true);
    await pid;
    for (let turn = 0; turn < 20; turn++) {
      await pidOf(engine);
      await sleep(10);
    }
    expect(way.attempts()).toBe(2);
  });

  test("the kernel keeps a quiet connection known to the firewalls on its way", async () => {
    const keepAlive = vi.spyOn(Socket.prototype, "setKeepAlive");
    await pidOf(open({ connections: 1 }));
    expect(keepAlive).toHaveBeenCalledWith(true, 60_000);
  });
});
