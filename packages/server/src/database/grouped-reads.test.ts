// Reads by key on a real SQLite database: those that come together are one statement.

import { beforeEach, describe, expect, it } from "vitest";
import { groupReads, type Read } from "./grouped-reads.ts";
import { readByKeysOnSqlite } from "./reads-by-key.ts";
import { createBatchRunner } from "./sqlite-batch.ts";
import { openLibrary } from "./sqlite-library.ts";

const BY_NAME = `SELECT name, a, b, c, d, e, f, things.g AS things__g FROM things WHERE name = ?1`;

let ran: Read[];
let read: ReturnType<typeof groupReads>;
let failure: Error | null;
beforeEach(() => {
  const database = openLibrary(":memory:");
  database.exec("CREATE TABLE things (name TEXT, a, b, c, d, e, f, g)");
  const runner = createBatchRunner(database);
  ran = [];
  failure = null;
  read = groupReads((statement) => {
    ran.push(statement);
    if (failure !== null) throw failure;
    return runner.read(statement);
  }, readByKeysOnSqlite);
  for (let index = 0; index < 300; index++) {
    database.exec(`INSERT INTO things VALUES ('n${index}', ${index}, 'ü"', NULL, 1, 2, 3, 'g')`);
  }
});

const byName = async (name: string) => await read({ sql: BY_NAME, parameters: [name] });
const row = (index: number) => ({
  ...{ name: `n${index}`, a: index, b: 'ü"', c: null, d: 1, e: 2, f: 3, things__g: "g" },
});

describe("reads by key", () => {
  it("that come together are one statement, and each gets its own rows", async () => {
    const found = await Promise.all([byName("n1"), byName("none"), byName("n2"), byName("n1")]);
    expect(found).toEqual([[row(1)], [], [row(2)], [row(1)]]);
    expect(ran.map(({ parameters }) => parameters)).toEqual([['["n1","none","n2"]']]);
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

  it("by a number are not compared as text", async () => {
    expect(await read({ sql: BY_NAME, parameters: [1] })).toEqual([]);
    expect(ran[0]?.parameters).toEqual([1]);
  });

  it("of other kinds run at once, as they are", () => {
    const sql = "SELECT count(*) AS count FROM things WHERE a > ?1";
    expect(read({ sql, parameters: [290] })).toEqual([{ count: 9 }]);
  });
});
