// Statements that come together on PostgreSQL: they share a commit, and none waits for or fails because of another.

import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { SqlEngine, SqlRow } from "../../../src/database/engine.ts";
import { defineRead, defineUpdate } from "../../../src/database/grouped.ts";
import { openPostgres } from "../../../src/database/postgres.ts";
import { UnknownOutcomeError } from "../../../src/lib/errors.ts";
import { until } from "../../support/moving-time.ts";
import { postgresFixture, postgresTests } from "../../support/postgres.ts";
import { wayTo } from "../../support/postgres-way.ts";

/** Fails for a divisor of 0. */
const COUNTING = {
  update: "things",
  key: "name",
  values: { presented: "BIGINT", divisor: "BIGINT" },
  set: "size = size + 100 / given.divisor",
  where: "size = given.presented",
  returning: "size",
} as const;
const COUNT = defineUpdate(COUNTING);
/** Is not grouped. */
const TOUCH = "UPDATE things SET name = name WHERE name = ?1 AND ?2 >= 0 RETURNING name";
const BY_NAME = defineRead({ from: "things", columns: "name, size" });

postgresTests("on PostgreSQL, statements that come together", () => {
  const database = postgresFixture();
  let engines: SqlEngine[] = [];
  let engine: SqlEngine;
  let client: Client;
  beforeAll(async () => {
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query("CREATE TABLE things (name TEXT PRIMARY KEY, size BIGINT)");
  });
  beforeEach(async () => {
    await client.query("TRUNCATE things");
    await client.query("INSERT INTO things SELECT 'n' || n, 0 FROM generate_series(0, 99) AS n");
    engines = Array.from({ length: 2 }, () =>
      openPostgres(database.url, { deadline: 15_000, waitMs: 15_000 }),
    );
    [engine] = engines as [SqlEngine];
    await engine.execute("SELECT 1 AS alive", []);
  });
  afterEach(async () => {
    await client.query("ROLLBACK");
    await Promise.all(engines.map((one) => one.close()));
  });
  afterAll(async () => {
    await client.end();
  });

  function count(
    name: string,
    presented = 0,
    by = engine,
    divisor = 100,
  ): Promise<readonly SqlRow[]> {
    return by.execute(COUNT, [name, presented, divisor], { isUrgent: true });
  }
  const names = (length: number) => Array.from({ length }, (_, index) => `n${index}`);
  async function commits(): Promise<number> {
    const { rows } = await client.query("SELECT DISTINCT xmin::text FROM things WHERE size > 0");
    return rows.length;
  }
  /** How many connections are in the middle of a change of the table. */
  const changing = async () => {
    const all =
      "SELECT 1 FROM pg_locks WHERE relation = 'things'::regclass AND mode = 'RowExclusiveLock'";
    return (await client.query(all)).rows.length;
  };

  test("are one commit, and each gets its own row, or none", async () => {
    const written = await Promise.all([
      ...names(50).map((name) => count(name)),
      count("none"),
      count("n60", 7),
    ]);
    expect(written).toEqual([...names(50).map((name) => [{ name, size: 1 }]), [], []]);
    expect(await commits()).toBe(1);
  });

  test("for one row change it one after the other, and one of them wins", async () => {
    const same = await Promise.all([count("n1"), count("n1"), count("n2"), count("n1")]);
    expect(same.flat().sort()).toHaveLength(2);
    expect(same[2]).toEqual([{ name: "n2", size: 1 }]);
    // The second sees what the first has made.
    expect(await Promise.all([count("n3"), count("n3", 1)])).toEqual([
      [{ name: "n3", size: 1 }],
      [{ name: "n3", size: 2 }],
    ]);
  });

  test("do not wait for a row that another transaction has locked", async () => {
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM things WHERE name = 'n1' FOR UPDATE");
    let isLocked = true;
    const locked = count("n1").finally(() => {
      isLocked = false;
    });
    const others = names(10).filter((name) => name !== "n1");
    for (const presented of [0, 1, 2, 3]) {
      const written = await Promise.all(others.map((name) => count(name, presented)));
      expect(written.flat()).toHaveLength(9);
    }
    expect(isLocked).toBe(true);
    await until(async () => (await changing()) === 1);
    await client.query("COMMIT");
    expect(await locked).toEqual([{ name: "n1", size: 1 }]);
  });

  test("and wait for one locked row hold one connection, not all of them", async () => {
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM things WHERE name = 'n1' FOR UPDATE");
    const locked: Promise<readonly SqlRow[]>[] = [];
    for (let burst = 0; burst < 5; burst++) {
      for (let one = 0; one < 10; one++) {
        locked.push(count("n1"), engine.execute(TOUCH, ["n1", one]));
      }
      await new Promise(setImmediate);
    }
    await until(async () => (await changing()) >= 2);
    const written = await Promise.all(names(10).map((name) => (name === "n1" ? [] : count(name))));
    expect(written.flat()).toHaveLength(9);
    // One for each kind of statement. That of the writes that are done may be seen for a moment longer.
    await expect.poll(changing).toBe(2);
    await client.query("COMMIT");
    expect((await Promise.all(locked)).flat()).toHaveLength(51);
  });

  test("do not fail because of one of them", async () => {
    const written = await Promise.allSettled([
      ...names(3).map((name) => count(name)),
      count("n9", 0, engine, 0),
    ]);
    expect(written.slice(0, 3)).toEqual(
      names(3).map((name) => ({ status: "fulfilled", value: [{ name, size: 1 }] })),
    );
    const reason = expect.objectContaining({ message: expect.stringMatching("division by zero") });
    expect(written[3]).toEqual({ status: "rejected", reason });
  });

  test("have an unknown outcome, all of them, if their connection is cut", async () => {
    const way = await wayTo(new URL(database.url), {
      answer(near, octets) {
        // With the length of the value before it: the nonce of the authentication may hold the two letters too.
        if (octets.includes("\0\0\0\u0002n1")) near.destroy();
        else near.write(octets);
      },
    });
    const behind = openPostgres(way.url);
    engines.push(behind);
    const written = await Promise.allSettled(names(10).map((name) => count(name, 0, behind)));
    const reason = expect.any(UnknownOutcomeError);
    expect(written).toEqual(names(10).map(() => ({ status: "rejected", reason })));
    // They had taken effect, once.
    const { rows } = await client.query("SELECT DISTINCT size::int FROM things ORDER BY size");
    expect(rows).toEqual([{ size: 0 }, { size: 1 }]);
    expect(await commits()).toBe(1);
    await behind.close();
    await way.close();
  });

  test("are not run again if their rows cannot be read: they have taken effect", async () => {
    // More than a number can hold.
    const set = "size = 9007199254740993 + 0 / given.divisor";
    const tooMany = defineUpdate({ ...COUNTING, set });
    const written = await Promise.allSettled(
      ["n1", "n2"].map((name) => engine.execute(tooMany, [name, 0, 100])),
    );
    const reason = expect.any(TypeError);
    expect(written).toEqual(["n1", "n2"].map(() => ({ status: "rejected", reason })));
  });

  test("on two nodes change each row once, whatever their order", async () => {
    for (let round = 0; round < 20; round++) {
      const all = names(60);
      const [one, other] = await Promise.all([
        Promise.all(all.map((name) => count(name, round, engines[0]))),
        Promise.all(all.toReversed().map((name) => count(name, round, engines[1]))),
      ]);
      expect([...one, ...other].flat()).toHaveLength(60);
    }
  });

  test("all have their outcome before the engine is closed", async () => {
    const written = names(30).map((name) => count(name));
    await new Promise(setImmediate);
    const later = names(30).map((name) => count(name, 1));
    await engine.close();
    const settled = await Promise.allSettled([...written, ...later]);
    expect(settled.filter(({ status }) => status === "rejected")).toEqual([]);
  });

  test("and read by a key are one statement, and each gets its own rows", async () => {
    await Promise.all(names(5).map((name) => count(name)));
    const ran = vi.spyOn(Client.prototype, "query");
    const found = await Promise.all(
      ["n0", "none", "n7", "n0"].map((name) => engine.execute(BY_NAME, [name])),
    );
    // The pool may also ask whether a slow server is still there.
    const reads = ran.mock.calls.filter((call) => JSON.stringify(call[0]).includes("FROM things"));
    ran.mockRestore();
    expect(found).toEqual([
      [{ name: "n0", size: 1 }],
      [],
      [{ name: "n7", size: 0 }],
      [{ name: "n0", size: 1 }],
    ]);
    expect(reads).toHaveLength(1);
  });
});
