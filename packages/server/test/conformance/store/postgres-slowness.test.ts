// A PostgreSQL server that is slow, frozen or refuses connections for a while: who waits, for how long, and what became
// of what was sent.

import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { SqlEngine, SqlRow } from "../../../src/database/engine.ts";
import { defineUpdate } from "../../../src/database/grouped.ts";
import { openPostgres, type PostgresOptions } from "../../../src/database/postgres.ts";
import { NotBegunError, UnavailableError, UnknownOutcomeError } from "../../../src/lib/errors.ts";
import { fixture } from "../../support/fixture.ts";
import { passingTime, until } from "../../support/moving-time.ts";
import { postgresFixture, postgresTests } from "../../support/postgres.ts";
import { makeGate } from "../../support/postgres-gate.ts";
import { wayTo } from "../../support/postgres-way.ts";

const INSERT = "INSERT INTO things (name, number) VALUES (?1, 1)";
const READ = "SELECT number FROM things WHERE name = ?1";
const COUNT = defineUpdate({
  update: "things",
  key: "name",
  values: { by: "BIGINT" },
  set: "number = number + given.by",
  where: "number >= 0",
  returning: "number",
});

type Outcome = { rows?: readonly SqlRow[]; cause?: unknown };

postgresTests("PostgreSQL", () => {
  const database = postgresFixture();
  const gate = fixture(() => makeGate(database.url));
  const admin = fixture(async () => openPostgres(database.url));
  let way: Awaited<ReturnType<typeof wayTo>>;
  const opened: SqlEngine[] = [];
  beforeAll(async () => {
    await admin.execute("CREATE TABLE things (name TEXT PRIMARY KEY, number BIGINT)", []);
  });
  beforeEach(async () => {
    vi.useFakeTimers({
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"],
    });
    way = await wayTo(new URL(database.url));
    await admin.execute("DELETE FROM things WHERE number >= ?1", [0]);
  });
  afterEach(async () => {
    vi.useRealTimers();
    // What is still sent ends with its connection.
    await way.close();
    await Promise.all(opened.splice(0).map((engine) => engine.close()));
  });

  /** An engine with so many open connections, and the spare one. */
  async function openWarm(count = 1, options: PostgresOptions = {}): Promise<SqlEngine> {
    const engine = openPostgres(way.url, options);
    opened.push(engine);
    await gate.shut();
    const all = Array.from({ length: count }, () => engine.execute(gate.statement, []));
    await until(async () => (await gate.waiting()) === count);
    await gate.open();
    await Promise.all(all);
    await until(() => way.ready() === count + 1 && way.connections() === count + 1);
    return engine;
  }
  /** Ends all connections, and waits until the engine knows. */
  async function cut(): Promise<void> {
    way.cut();
    await until(() => way.connections() === 0);
    for (let turn = 0; turn < 20; turn++) await gate.waiting();
  }
  /** Time moves slowly, because connections are opened meanwhile. */
  const settled = <T>(task: Promise<T>) => passingTime(task, 2);
  const numberOf = async (name: string) =>
    (await admin.execute(READ, [name])).map(({ number }) => number);
  const pass = (milliseconds: number) => gate.pass(milliseconds, way);
  function follow(promise: Promise<readonly SqlRow[]>): Outcome {
    const outcome: Outcome = {};
    promise.then(
      (rows) => {
        outcome.rows = rows;
      },
      (cause) => {
        outcome.cause = cause;
      },
    );
    return outcome;
  }
  const succeeds = (engine: SqlEngine) =>
    engine.execute(READ, ["any"], { waitMs: 100 }).then(
      () => true,
      () => false,
    );
  /** Within two seconds of its return. */
  async function expectReturn(engine: SqlEngine): Promise<void> {
    const since = performance.now();
    await settled(until(() => succeeds(engine)));
    expect(performance.now() - since).toBeLessThan(2000);
  }

  test("a server that is frozen for 5 s costs people nothing, nor a token request that waits for less than 2", async () => {
    const engine = await openWarm(4);
    way.silent(true);
    const sent = follow(engine.execute(INSERT, ["sent"], { isUrgent: true }));
    await pass(1000);
    const page = engine.execute(READ, ["any"]);
    const change = engine.execute(INSERT, ["change"]);
    await pass(2500);
    const token = engine.execute(INSERT, ["token"], { isUrgent: true });
    await pass(1500);
    way.silent(false);
    await settled(Promise.all([page, change, token]));
    expect(sent).toEqual({ rows: [] });
    for (const name of ["sent", "change", "token"]) expect(await numberOf(name)).toEqual([1]);
  });

  test("what was not sent is refused after 2 s for a token, 10 s for people, and has no effect", async () => {
    const engine = await openWarm();
    way.silent(true);
    void follow(engine.execute(READ, ["first"]));
    await pass(1000);
    const token = follow(engine.execute(INSERT, ["token"], { isUrgent: true }));
    const grouped = follow(engine.execute(COUNT, ["any", 1], { isUrgent: true }));
    const change = follow(engine.execute(INSERT, ["change"]));
    const page = follow(engine.execute(READ, ["any"]));
    const patient = engine.execute(INSERT, ["patient"], { waitMs: Number.POSITIVE_INFINITY });
    await pass(1800);
    expect([token, grouped, change, page]).toEqual([{}, {}, {}, {}]);
    await pass(500);
    for (const { cause } of [token, grouped]) {
      expect(cause).toBeInstanceOf(NotBegunError);
      expect(cause).toMatchObject({ message: "the database does not answer" });
    }
    await pass(7500);
    expect([change, page]).toEqual([{}, {}]);
    await pass(500);
    for (const { cause } of [change, page]) expect(cause).toBeInstanceOf(NotBegunError);
    way.silent(false);
    await settled(patient);
    for (const name of ["token", "change"]) expect(await numberOf(name)).toEqual([]);
    expect(await numberOf("patient")).toEqual([1]);
  });

  test("a write that was sent to a server that is frozen for 15 s is answered late, with success", async () => {
    const engine = await openWarm(2);
    await admin.execute(INSERT, ["row"]);
    way.silent(true);
    const sent = [
      engine.execute(INSERT, ["sent"], { isUrgent: true }),
      engine.execute(COUNT, ["row", 1], { isUrgent: true }),
    ];
    const outcomes = sent.map(follow);
    await pass(15_000);
    expect(outcomes).toEqual([{}, {}]);
    way.silent(false);
    expect(await settled(Promise.all(sent))).toEqual([[], [{ name: "row", number: 2 }]]);
    await expectReturn(engine);
  });

  test("a write that was sent to a server that is frozen for 25 s has an unknown outcome after 20 s", async () => {
    const engine = await openWarm();
    way.silent(true);
    const sent = follow(engine.execute(INSERT, ["sent"], { isUrgent: true }));
    // It is on its way before the connection is cut.
    await pass(19_500);
    expect(sent).toEqual({});
    await pass(1000);
    expect(sent.cause).toBeInstanceOf(UnknownOutcomeError);
    await pass(4500);
    way.silent(false);
    await expectReturn(engine);
  });

  test("a person who reads is answered after 10 s although the read was sent into the silence", async () => {
    const engine = await openWarm();
    way.silent(true);
    const page = follow(engine.execute(READ, ["any"]));
    await pass(9800);
    expect(page).toEqual({});
    await pass(500);
    expect(page.cause).toBeInstanceOf(UnavailableError);
    way.silent(false);
    await expectReturn(engine);
  });

  test("a read that takes longer than its wait is answered if the server only is slow", async () => {
    const engine = await openWarm();
    await gate.shut();
    const slow = engine.execute(gate.statement, []);
    await until(async () => (await gate.waiting()) === 1);
    await pass(12_000);
    await gate.open();
    await expect(slow).resolves.toEqual([{ passed: 0 }]);
  });

  test("connections that stay silent after the server's return are replaced, and what they carry has its time", async () => {
    const engine = await openWarm(2, { connections: 2 });
    way.silent(true);
    const sent = follow(engine.execute(INSERT, ["sent"]));
    const read = follow(engine.execute(READ, ["any"]));
    await pass(1000);
    way.forget();
    await expectReturn(engine);
    const pages = Array.from({ length: 5 }, () => engine.execute(READ, ["any"]));
    await Promise.all(pages);
    expect([sent, read]).toEqual([{}, {}]);
    await pass(20_000);
    expect(sent.cause).toBeInstanceOf(UnknownOutcomeError);
  });

  test("attempts to connect that got no answer in an outage do not delay what comes after it", async () => {
    const engine = await openWarm();
    way.silent(true);
    await cut();
    const pages = Array.from({ length: 40 }, (_, index) =>
      follow(engine.execute(`${READ} AND ${index} > 0`, ["any"])),
    );
    await pass(10_800);
    for (const { cause } of pages) expect(cause).toBeInstanceOf(NotBegunError);
    way.forget();
    await expectReturn(engine);
  });

  test("all that waits for a server that refuses is served on its return, and few connections are tried for", async () => {
    const engine = await openWarm();
    way.shut(true);
    await cut();
    const before = way.attempts();
    const pages = Array.from({ length: 200 }, (_, index) => engine.execute(READ, [index]));
    const changes = ["a", "b"].map((name) => engine.execute(INSERT, [name]));
    await pass(5000);
    // Ten by liveness, and at most one for each connection of the pool.
    expect(way.attempts() - before).toBeLessThanOrEqual(20);
    way.shut(false);
    const since = performance.now();
    await settled(Promise.all([...pages, ...changes]));
    expect(performance.now() - since).toBeLessThan(2000);
    expect(await numberOf("a")).toEqual([1]);
  });

  test("a refusal that lasts is told with its cause when the time is over", async () => {
    const engine = await openWarm();
    await way.close();
    await cut();
    const token = follow(engine.execute(INSERT, ["token"], { isUrgent: true }));
    const page = follow(engine.execute(READ, ["any"]));
    await pass(2300);
    expect(token.cause).toBeInstanceOf(NotBegunError);
    expect(token.cause).toMatchObject({ message: expect.stringContaining("cannot connect") });
    expect(token.cause).toMatchObject({ message: expect.stringContaining("ECONNREFUSED") });
    expect(page).toEqual({});
    await pass(8300);
    expect(page.cause).toBeInstanceOf(NotBegunError);
  });

  test("a write whose time is over is left out of the group that waits for a connection", async () => {
    const engine = await openWarm(1, { connections: 1 });
    for (const name of ["early", "late"]) await admin.execute(INSERT, [name]);
    await gate.shut();
    const slow = engine.execute(gate.statement, []);
    await until(async () => (await gate.waiting()) === 1);
    const early = follow(engine.execute(COUNT, ["early", 1], { waitMs: 1000 }));
    const late = engine.execute(COUNT, ["late", 1], { waitMs: 5000 });
    await pass(1300);
    expect(early.cause).toBeInstanceOf(NotBegunError);
    await gate.open();
    await slow;
    expect(await late).toEqual([{ name: "late", number: 2 }]);
    expect(await numberOf("early")).toEqual([1]);
  });

  test("close() lets what was sent have its outcome, and keeps nothing else waiting", async () => {
    const engine = await openWarm();
    way.silent(true);
    const sent = engine.execute(INSERT, ["sent"]);
    await pass(1000);
    const waits = follow(engine.execute(READ, ["any"]));
    const closed = engine.close();
    await pass(100);
    expect(waits.cause).toMatchObject({ message: "the database is closed" });
    way.silent(false);
    await settled(Promise.all([sent, closed]));
    expect(await numberOf("sent")).toEqual([1]);
  });
});
