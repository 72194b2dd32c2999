// The connection beyond the limit of the pool, through which a server that is merely slow is heard.

import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SqlEngine } from "../../../src/database/engine.ts";
import { openPostgres, type PostgresOptions } from "../../../src/database/postgres.ts";
import { fixture } from "../../support/fixture.ts";
import { passingTime, until } from "../../support/moving-time.ts";
import { postgresFixture, postgresTests } from "../../support/postgres.ts";
import { makeGate } from "../../support/postgres-gate.ts";
import { wayTo } from "../../support/postgres-way.ts";

postgresTests("PostgreSQL", () => {
  const database = postgresFixture();
  const gate = fixture(() => makeGate(database.url));
  let way: Awaited<ReturnType<typeof wayTo>>;
  let opened: SqlEngine[] = [];
  beforeEach(async () => {
    // All that the pool and the judgement on silence wait for, passes when a test says so.
    vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"],
    });
    way = await wayTo(new URL(database.url));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    await Promise.all(opened.map((engine) => engine.close()));
    opened = [];
    await way.close();
  });

  function open(options: PostgresOptions, url = way.url): SqlEngine {
    const engine = openPostgres(url, options);
    opened.push(engine);
    return engine;
  }
  const pidOf = async (engine: SqlEngine) =>
    (await engine.execute("SELECT pg_backend_pid() AS pid", []))[0]?.pid ?? null;
  const slow = (engine: SqlEngine) => engine.execute(gate.statement, []);
  /** Ready ones: authentication may take longer than the faked time in which the spare connection is needed. */
  const connections = (count: number) =>
    until(() => way.connections() === count && way.ready() === count);
  const waiting = (count: number) => until(async () => (await gate.waiting()) === count);

  test.each([1, 3])(
    "with a limit of %i, statements that are slow are not cut where connecting is slow too",
    async (limit) => {
      const engine = open({ connections: limit });
      await pidOf(engine);
      await connections(2);
      // Those that are lent are there before connecting gets slow; the first word would come too late.
      await gate.shut();
      const young = Array.from({ length: limit }, () => slow(engine));
      await waiting(limit);
      await connections(limit + 1);
      way.slow(900);
      await gate.open();
      await Promise.all(young);
      await gate.shut();
      const old = young.map(() => slow(engine));
      await waiting(limit);
      await gate.pass(2500, way);
      await gate.open();
      const results = await Promise.allSettled(old);
      expect(results.map(({ status }) => status)).toEqual(young.map(() => "fulfilled"));
      expect(way.connections()).toBe(limit + 1);
    },
  );

  test("the very first statement may be slow, and connecting too", async () => {
    way.slow(400);
    await gate.shut();
    const first = slow(open({ connections: 10 }));
    await until(() => way.attempts() === 1);
    await gate.pass(400, way);
    await waiting(1);
    await gate.pass(2000, way);
    await gate.open();
    await expect(first).resolves.toHaveLength(1);
  });

  test("it is one beyond the limit, is lent to nobody, and goes with the others", async () => {
    const engine = open({ connections: 2 });
    await gate.shut();
    const both = [slow(engine), slow(engine)];
    await waiting(2);
    await gate.open();
    await Promise.all(both);
    await connections(3);
    const short = "SELECT pg_backend_pid() AS pid, pg_sleep(0.01)::text AS slept";
    const rows = await Promise.all(Array.from({ length: 30 }, () => engine.execute(short, [])));
    const pids = rows.map(([row]) => row?.pid);
    expect(new Set(pids).size).toBe(2);
    await engine.close();
    await connections(0);
  });

  test("a server that is silent is noticed within a second although all that is lent is slow", async () => {
    const engine = open({ connections: 1 });
    await pidOf(engine);
    await connections(2);
    await gate.shut();
    const statement = slow(engine);
    await waiting(1);
    await gate.pass(1000, way);
    way.silent(true);
    await gate.pass(1000, way);
    const late = engine.execute(gate.statement, [], { waitMs: 200 });
    const refused = expect(late).rejects.toThrow("the database does not answer");
    await gate.pass(500, way);
    await refused;
    way.silent(false);
    await gate.open();
    await passingTime(statement);
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

  test("a task whose own new connection is refused waits for one that another task has", async () => {
    const engine = open({ connections: 2 });
    await gate.shut();
    const first = slow(engine);
    await until(() => way.attempts() === 1);
    // The spare connection is refused, too.
    way.shut(true);
    await waiting(1);
    await until(() => way.attempts() === 2);
    // The refusal arrives, in this process too, and the pause that follows passes.
    for (let turn = 0; turn < 20; turn++) await gate.waiting();
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 6000);
    const second = pidOf(engine);
    second.catch(() => {});
    await until(() => way.attempts() === 3);
    await gate.open();
    await first;
    expect(await second).toEqual(await pidOf(engine));
    expect(way.connections()).toBe(1);
  });

  test("a server that allows no more is not asked for it by every statement", async () => {
    const engine = open({ connections: 1 });
    const pid = pidOf(engine);
    await until(() => way.attempts() === 1);
    way.shut(true);
    await pid;
    for (let turn = 0; turn < 20; turn++) {
      await pidOf(engine);
      await sleep(1);
    }
    expect(way.attempts()).toBe(2);
  });

  test("the kernel keeps a quiet connection known to the firewalls on its way", async () => {
    const keepAlive = vi.spyOn(Socket.prototype, "setKeepAlive");
    await pidOf(open({ connections: 1 }));
    expect(keepAlive).toHaveBeenCalledWith(true, 60_000);
  });
});
