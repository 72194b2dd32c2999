// Definitions of statements that many requests share, and the reads of a real SQLite database that share one.

import { beforeEach, describe, expect, it, test } from "vitest";
import { defineRead, defineUpdate, groupReads, rowsByKey, rowsInJson } from "./grouped.ts";
import { openSqlite } from "./sqlite.ts";
import { createBatchRunner } from "./sqlite-batch.ts";
import { openLibrary } from "./sqlite-library.ts";

const RENAME = {
  update: "things",
  key: "id",
  values: { size: "BIGINT", new_name: "TEXT" },
  set: "name = given.new_name",
  where: "size = given.size",
  returning: "name, size",
} as const;
const COLUMNS = "a.id, b, c, d,\n    e, f, g.h AS x__h, i";
const READ = { from: "a JOIN g ON g.id = a.id", columns: COLUMNS, where: "a.b > 0" } as const;

const inOneLine = (text: string | null) => text?.replace(/\s+/g, " ");

describe("an update", () => {
  it("has a text for one key, whose parameters are the key and the values", () => {
    expect(inOneLine(defineUpdate(RENAME).sql)).toBe(
      "UPDATE things SET name = given.new_name " +
        "FROM (SELECT CAST(?1 AS TEXT) AS key, CAST(?2 AS BIGINT) AS size, CAST(?3 AS TEXT) AS new_name) AS given " +
        "WHERE id = given.key AND size = given.size RETURNING id, name, size",
    );
  });

  it("has a text for SQLite with any number of rows, from one JSON array", () => {
    const { columns, ofMany } = defineUpdate(RENAME);
    expect(columns).toEqual(["id", "name", "size"]);
    expect(inOneLine(ofMany.sqlite)).toBe(
      "UPDATE things SET name = given.new_name " +
        "FROM (SELECT value ->> 0 AS key, value ->> 1 AS size, value ->> 2 AS new_name FROM json_each(?1)) AS given " +
        "WHERE id = given.key AND size = given.size RETURNING json_array(id, name, size) AS row",
    );
  });

  it("gets values that its rows share as parameters of their own, on SQLite only for many keys", () => {
    const shared = { at: "BIGINT" } as const;
    const statement = defineUpdate({
      ...RENAME,
      shared,
      set: "name = given.new_name, at = given.at",
    });
    expect(statement.shared).toBe(1);
    expect(inOneLine(statement.sql)).toContain("CAST(?4 AS BIGINT) AS at) AS given");
    expect(inOneLine(statement.ofMany.sqlite)).toContain(
      "value ->> 2 AS new_name, ?2 AS at FROM json_each(?1)) AS given",
    );
    expect(inOneLine(statement.ofMany.postgres)).toContain(
      "CAST(value ->> 3 AS BIGINT) AS at FROM",
    );
  });

  it("has a text for PostgreSQL, which leaves out locked rows", () => {
    expect(inOneLine(defineUpdate(RENAME).ofMany.postgres)).toBe(
      "WITH free AS (SELECT id AS free_key FROM things " +
        "WHERE id = ANY(ARRAY(SELECT value ->> 0 FROM jsonb_array_elements(CAST(?1 AS jsonb)))) " +
        "FOR NO KEY UPDATE SKIP LOCKED) " +
        "UPDATE things SET name = given.new_name " +
        "FROM (SELECT CAST(value ->> 0 AS TEXT) AS key, CAST(value ->> 1 AS BIGINT) AS size, " +
        "CAST(value ->> 2 AS TEXT) AS new_name FROM jsonb_array_elements(CAST(?1 AS jsonb))) AS given " +
        "JOIN free ON free_key = given.key " +
        "WHERE id = given.key AND size = given.size RETURNING id, name, size",
    );
  });

  it("may return the key alone, and choose in parentheses", () => {
    const where = "(size = given.size OR id IN (SELECT id FROM things ORDER BY id LIMIT 1))";
    const { sql, columns } = defineUpdate({ ...RENAME, where, returning: "" });
    expect(columns).toEqual(["id"]);
    expect(inOneLine(sql)).toContain(`WHERE id = given.key AND ${where} RETURNING id`);
  });

  it("may return what it reads of another row", () => {
    const owner = "(SELECT name FROM owners WHERE owners.id = things.owner)";
    const returning = `size, ${owner} AS owner_name`;
    const { sql, columns, ofMany } = defineUpdate({ ...RENAME, returning });
    expect(columns).toEqual(["id", "size", "owner_name"]);
    expect(inOneLine(sql)).toContain(`RETURNING id, size, ${owner} AS owner_name`);
    expect(ofMany.sqlite).toContain(`RETURNING json_array(id, size, ${owner}) AS row`);
    expect(ofMany.postgres).toContain(`RETURNING id, size, ${owner} AS owner_name`);
  });

  it.each([
    ["a parameter of its own", { where: "size > ?4" }],
    ["a parameter in what it sets", { set: "name = ?2" }],
    ["a choice beside the key", { where: "size = 1 OR name = 'a'" }],
    ["an order", { where: "size = 1 ORDER BY size" }],
    ["a limit", { where: "size = 1 LIMIT 1" }],
    ["a list to return", { where: "size = 1 RETURNING size" }],
    ["an expression to return", { returning: "size + 1" }],
    ["a read to return that has no name", { returning: "(SELECT name FROM owners)" }],
    ["a parameter in what it returns", { returning: "(SELECT ?1) AS one" }],
    ["all columns to return", { returning: "*" }],
    ["no key", { key: "" }],
    ["a value that it does not name", { values: { new_name: "TEXT" } as const }],
  ])("is refused with %s", (_, changed) => {
    expect(() => defineUpdate({ ...RENAME, ...changed })).toThrow(
      /^the statement cannot be grouped: /,
    );
  });
});

describe("a read", () => {
  it("has a text for one key", () => {
    expect(defineRead(READ).sql).toBe(
      `SELECT ${COLUMNS} FROM a JOIN g ON g.id = a.id WHERE a.id = ?1 AND a.b > 0`,
    );
  });

  it("has a text for SQLite with any number of keys, which returns each row as one array", () => {
    const statement = defineRead(READ);
    expect(statement.ofMany.sqlite).toBe(
      "SELECT json_array(a.id, b, c, d, e, f, g.h, i) AS row FROM a JOIN g ON g.id = a.id " +
        "WHERE a.id IN (SELECT value FROM json_each(?1)) AND a.b > 0",
    );
    expect(rowsInJson(statement, '[["x",1,2,3,null,5,"h"]]')).toEqual(
      new Map([["x", [{ id: "x", b: 1, c: 2, d: 3, e: null, f: 5, x__h: "h", i: null }]]]),
    );
  });

  it("has a text for PostgreSQL with any number of keys, which returns each row as it is", () => {
    const statement = defineRead({ from: "a", columns: "a.id, b", where: "b > 0" });
    expect(statement.ofMany.postgres).toBe(
      "SELECT a.id, b FROM a WHERE a.id = ANY(ARRAY(SELECT jsonb_array_elements_text(CAST(?1 AS jsonb)))) AND b > 0",
    );
    const rows = [
      { id: "x", b: 1 },
      { id: "y", b: 2 },
      { id: "x", b: 3 },
    ];
    const byKey = new Map([
      ["x", [rows[0], rows[2]]],
      ["y", [rows[1]]],
    ]);
    expect(rowsByKey(statement, rows)).toEqual(byKey);
    const named = defineRead({ from: "a", columns: "a.id AS name, b" });
    expect(rowsByKey(named, [{ name: "x", b: 1 }])).toEqual(
      new Map([["x", [{ name: "x", b: 1 }]]]),
    );
  });

  it("of a few columns is not read as JSON, which would gain little", () => {
    expect(defineRead({ ...READ, columns: "a.id, b" }).ofMany.sqlite).toBeNull();
  });

  it.each([
    ["all columns", { columns: "a.*, b.*" }],
    ["an expression", { columns: "a.id, i + 1 AS i" }],
    ["one row of each", { columns: "DISTINCT a.id, b" }],
    ["no key", { columns: "" }],
    ["an order", { where: "a.b > 0 ORDER BY x__h" }],
    ["a group", { where: "a.b > 0 GROUP BY a.id" }],
    ["a limit", { where: "a.b > 0 LIMIT 1" }],
    ["other rows", { where: "a.b > 0 UNION SELECT * FROM a" }],
    ["more than the key", { where: "b > ?2" }],
    ["something instead of the key", { where: "a.b > 0 OR b = 1" }],
    ["a parameter in its tables", { from: "a JOIN g ON g.id = ?2" }],
  ])("is refused with %s", (_, changed) => {
    expect(() => defineRead({ ...READ, ...changed })).toThrow(/^the statement cannot be grouped: /);
  });
});

describe("reads by key", () => {
  const BY_NAME = defineRead({
    from: "things",
    columns: "name, a, b, c, d, e, f, things.g AS things__g",
  });
  let ran: string[];
  let read: ReturnType<typeof groupReads>;
  let failure: Error | null;
  beforeEach(() => {
    const database = openLibrary(":memory:");
    database.exec("CREATE TABLE things (name TEXT, a, b, c, d, e, f, g)");
    const runner = createBatchRunner(database);
    ran = [];
    failure = null;
    read = groupReads((statement, keys) => {
      ran.push(keys);
      if (failure !== null) throw failure;
      return rowsInJson(statement, runner.readOfMany(statement.ofMany.sqlite ?? "", keys));
    });
    for (let index = 0; index < 300; index++) {
      database.exec(`INSERT INTO things VALUES ('n${index}', ${index}, 'ü"', NULL, 1, 2, 3, 'g')`);
    }
  });

  const byName = (name: string) => read(BY_NAME, name);
  const row = (index: number) => ({
    ...{ name: `n${index}`, a: index, b: 'ü"', c: null, d: 1, e: 2, f: 3, things__g: "g" },
  });

  it("that come together are one statement, and each gets its own rows", async () => {
    const found = await Promise.all([byName("n1"), byName("none"), byName("n2"), byName("n1")]);
    expect(found).toEqual([[row(1)], [], [row(2)], [row(1)]]);
    expect(ran).toEqual(['["n1","none","n2"]']);
  });

  it("of hundreds of requests all get their rows", async () => {
    const all = Array.from({ length: 300 }, (_, index) => index);
    expect(await Promise.all(all.map((index) => byName(`n${index}`)))).toEqual(
      all.map((index) => [row(index)]),
    );
  });

  it("that come later see what was written since", async () => {
    await byName("n1");
    await byName("n2");
    expect(ran).toHaveLength(2);
  });

  it("all fail if the statement fails, and the next ones are tried again", async () => {
    failure = new Error("database is locked");
    const failed = await Promise.allSettled([byName("n1"), byName("n2")]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    failure = null;
    expect(await byName("n1")).toEqual([row(1)]);
  });
});

test("an engine runs reads by a number, and reads of other kinds, as they are", async () => {
  const engine = openSqlite(":memory:");
  await engine.execute("CREATE TABLE things (name TEXT, a, b, c, d, e, f, g)", []);
  const names = Array.from({ length: 9 }, (_, index) => `('${index}', ${index}, 0, 0, 0, 0, 0, 0)`);
  await engine.execute(`INSERT INTO things VALUES ${names.join(", ")}`, []);
  const byName = defineRead({ from: "things", columns: "name, a, b, c, d, e, f, g" });
  const [text, number] = await Promise.all([
    engine.execute(byName, ["1"]),
    engine.execute(byName, [1]),
  ]);
  expect(text).toMatchObject([{ name: "1" }]);
  // SQLite converts the number to the text that the column holds.
  expect(number).toMatchObject([{ name: "1" }]);
  const count = "SELECT count(*) AS count FROM things WHERE a > ?1";
  expect(await engine.execute(count, [6])).toEqual([{ count: 2 }]);
  await engine.close();
});
