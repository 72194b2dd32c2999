// Groups of statements on a real SQLite database: one transaction, and an outcome for each.

import { beforeEach, describe, expect, it } from "vitest";
import type { SqlValue } from "./engine.ts";
import { createBatchRunner } from "./sqlite-batch.ts";
import { type Database, openLibrary } from "./sqlite-library.ts";

let database: Database;
let ran: string[];
beforeEach(() => {
  database = openLibrary(":memory:");
  database.exec("CREATE TABLE things (name TEXT PRIMARY KEY, size INTEGER CHECK (size < 100))");
  ran = [];
});

/** A runner that notes the statements which SQLite gets. */
function watchedRunner({ failing = "nothing" } = {}) {
  let failures = 0;
  const note = (sql: string) => void ran.push(sql.split(" ", 1)[0] ?? "");
  return createBatchRunner({
    ...database,
    exec(sql) {
      note(sql);
      if (sql === failing && failures++ === 0) throw new Error("disk I/O error");
      return database.exec(sql);
    },
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        all(...parameters) {
          note(sql);
          if (sql === failing && failures++ === 0) throw new Error("database is locked");
          return statement.all(...parameters);
        },
      };
    },
  });
}

const insert = (name: string, ...[size = 1]: SqlValue[]) => ({
  sql: "INSERT INTO things (name, size) VALUES (?1, ?2) RETURNING name, size",
  parameters: [name, size],
});
const grow = (name: string, from: number) => ({
  sql: "UPDATE things SET size = size + 1 WHERE name = ?1 AND size = ?2 RETURNING size",
  parameters: [name, from],
});
const names = () =>
  database
    .prepare("SELECT name FROM things ORDER BY name")
    .all()
    .map(({ name }) => name);

describe("a group of statements", () => {
  it("is one transaction, and each gets its own rows", async () => {
    const { runBatch } = watchedRunner();
    expect(await runBatch([insert("a", 1), insert("b", 2), grow("a", 7)])).toEqual([
      [{ name: "a", size: 1 }],
      [{ name: "b", size: 2 }],
      [],
    ]);
    expect(ran).toEqual(["BEGIN", "INSERT", "INSERT", "UPDATE", "COMMIT"]);
  });

  it("lets one of two statements with the same condition succeed, as one after the other would", async () => {
    const { runBatch } = watchedRunner();
    await runBatch([insert("a", 1)]);
    expect(await runBatch([grow("a", 1), grow("a", 1)])).toEqual([[{ size: 2 }], []]);
  });

  it("of one is a transaction too, and a setting is none", async () => {
    await watchedRunner().runBatch([insert("a")]);
    expect(ran).toEqual(["BEGIN", "INSERT", "COMMIT"]);
    expect(await watchedRunner().runBatch([])).toEqual([]);
    ran = [];
    const setting = { sql: "PRAGMA busy_timeout = 1", parameters: [] };
    expect(await watchedRunner().runBatch([setting, insert("b")])).toEqual([
      [{ timeout: 1 }],
      [{ name: "b", size: 1 }],
    ]);
    expect(ran).toEqual(["PRAGMA", "BEGIN", "INSERT", "COMMIT"]);
  });

  it("with one that violates a constraint keeps the others, in the same transaction", async () => {
    const { runBatch } = watchedRunner();
    const outcomes = await runBatch([insert("a"), insert("a"), insert("b", 100), insert("c")]);
    expect(outcomes).toMatchObject([
      [{ name: "a" }],
      { failure: expect.stringMatching(/UNIQUE constraint failed: things.name/) },
      { failure: expect.stringMatching(/CHECK constraint failed/) },
      [{ name: "c" }],
    ]);
    expect(names()).toEqual(["a", "c"]);
    expect(ran.filter((word) => word === "INSERT")).toHaveLength(4);
  });

  it("with one that does not fit on the disk keeps the others, each by itself", async () => {
    const { runBatch } = watchedRunner();
    await runBatch([insert("a")]);
    const [{ page_count: pages = 0 } = {}] = database.prepare("PRAGMA page_count").all();
    database.exec(`PRAGMA max_page_count = ${Number(pages) + 1}`);
    const outcomes = await runBatch([insert("b"), insert("x".repeat(100_000)), insert("c")]);
    expect(outcomes).toMatchObject([[{ name: "b" }], { failure: /full/ }, [{ name: "c" }]]);
    expect(names()).toEqual(["a", "b", "c"]);
  });

  it("whose commit fails is run again statement by statement, and none has counted twice", async () => {
    const { runBatch } = watchedRunner({ failing: "COMMIT" });
    database.exec("INSERT INTO things VALUES ('a', 1)");
    expect(await runBatch([grow("a", 1), grow("a", 1), grow("a", 2)])).toEqual([
      [{ size: 2 }],
      [],
      [{ size: 3 }],
    ]);
    expect(ran.filter((word) => word === "ROLLBACK")).toHaveLength(1);
  });

  it("with a statement that is no SQL fails nobody else", async () => {
    const bad = { sql: "UPDATE nothing SET a = 1", parameters: [] };
    const outcomes = await watchedRunner().runBatch([insert("a"), bad, insert("b")]);
    expect(outcomes).toMatchObject([[{}], { failure: /no such table/ }, [{}]]);
    expect(names()).toEqual(["a", "b"]);
  });
});

describe("a read that a lock has failed", () => {
  it("is run again before the next one, which would see an old state of the database otherwise", () => {
    const count = "SELECT count(*) AS things FROM things";
    const other = "PRAGMA user_version";
    const { read } = watchedRunner({ failing: count });
    expect(() => read(count, [])).toThrow("database is locked");
    expect(read(other, [])).toEqual([{ user_version: 0 }]);
    expect(read(other, [])).toEqual([{ user_version: 0 }]);
    expect(ran).toEqual(["SELECT", "SELECT", "PRAGMA", "PRAGMA"]);
  });
});

describe("joined statements of a group", () => {
  const joined = (...statements: readonly (ReturnType<typeof insert> & { when?: boolean })[]) => ({
    joined: statements.map((statement) => ({ when: false, ...statement })),
  });

  it("take effect together, in the transaction of the others", async () => {
    const { runBatch } = watchedRunner();
    const both = joined(insert("a", 1), { ...grow("a", 1), when: true });
    expect(await runBatch([both, insert("b", 2)])).toEqual([
      { joined: [[{ name: "a", size: 1 }], [{ size: 2 }]] },
      [{ name: "b", size: 2 }],
    ]);
    expect(ran).toEqual(["BEGIN", "SAVEPOINT", "INSERT", "UPDATE", "RELEASE", "INSERT", "COMMIT"]);
  });

  it("that stop in the middle leave nothing, and the others are committed", async () => {
    const { runBatch } = watchedRunner();
    const stopped = joined(insert("a", 1), { ...grow("a", 7), when: true }, insert("c", 3));
    const refused = joined(insert("d", 1), insert("d", 2));
    expect(await runBatch([insert("b", 2), stopped, refused, insert("e", 5)])).toEqual([
      [{ name: "b", size: 2 }],
      { joined: null },
      { failure: expect.stringContaining("UNIQUE constraint failed") },
      [{ name: "e", size: 5 }],
    ]);
    expect(names()).toEqual(["b", "e"]);
  });

  it("whose disk fails in the middle are run again by themselves, once and whole", async () => {
    const { runBatch } = watchedRunner({ failing: "RELEASE joined" });
    const outcomes = await runBatch([joined(insert("a", 1), insert("c", 2)), insert("b", 3)]);
    expect(outcomes).toHaveLength(2);
    expect(names()).toEqual(["a", "b", "c"]);
    expect(ran.filter((word) => word === "COMMIT")).toHaveLength(2);
  });
});
