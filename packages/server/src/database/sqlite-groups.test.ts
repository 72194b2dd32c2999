// Writes of one kind on a real SQLite database: one statement, and for each write its own row.

import { beforeEach, describe, expect, it } from "vitest";
import { UnavailableError } from "../lib/errors.ts";
import { UniqueViolationError } from "./engine.ts";
import { defineUpdate } from "./grouped.ts";
import { type BatchItem, createBatchRunner } from "./sqlite-batch.ts";
import { groupWrites } from "./sqlite-groups.ts";
import { openLibrary } from "./sqlite-library.ts";

const GROW = defineUpdate({
  update: "things",
  key: "name",
  values: { by: "BIGINT" },
  set: "size = size + given.by",
  where: "size > 0",
  returning: "size, note",
});

/** Whose values most writes of one moment share. */
const STAMP = defineUpdate({
  update: "things",
  key: "name",
  values: { by: "BIGINT" },
  shared: { at: "BIGINT", text: "TEXT" },
  set: "size = size + given.by + given.at, note = given.text",
  where: "size > 0",
  returning: "size, note",
});

let flushed: BatchItem[][];
let write: ReturnType<typeof groupWrites>;
let flush: Parameters<typeof groupWrites>[0];
let failure: string | null;
let read: () => unknown;
beforeEach(() => {
  const database = openLibrary(":memory:");
  database.exec(
    "CREATE TABLE things (name TEXT PRIMARY KEY, size INTEGER UNIQUE CHECK (size < 100), note TEXT)",
  );
  database.exec("INSERT INTO things VALUES ('a', 1, 'ü \"1\"'), ('b', 20, NULL), ('c', 40, 'x')");
  const runner = createBatchRunner(database);
  flushed = [];
  failure = null;
  flush = async (batch) => runner.runBatch(batch);
  write = groupWrites(async (batch) => {
    flushed.push([...batch]);
    if (failure !== null) return batch.map(() => ({ failure: failure ?? "" }));
    return flush(batch);
  });
  read = () => database.prepare("SELECT name, size FROM things ORDER BY name").all();
});

const grow = (name: string, by: number) => ({ statement: GROW, parameters: [name, by] });
const other = {
  statement: "DELETE FROM things WHERE name = ?1 RETURNING name",
  parameters: ["c"],
};

describe("writes of one kind", () => {
  it("are one statement, and each gets its own row or none", async () => {
    expect(await write([grow("a", 1), grow("none", 1), other, grow("b", 2)])).toEqual([
      [{ name: "a", size: 2, note: 'ü "1"' }],
      [],
      [{ name: "c" }],
      [{ name: "b", size: 22, note: null }],
    ]);
    expect(flushed.map((batch) => batch.length)).toEqual([2]);
  });

  it("share a statement only if they share the values that it gets once", async () => {
    const stamp = (name: string, ...values: (number | string | null)[]) => ({
      statement: STAMP,
      parameters: [name, ...values],
    });
    const stamped = await write([
      stamp("a", 1, 10, "x"),
      stamp("b", 2, 10, "x"),
      stamp("c", 3, 5, null),
    ]);
    expect(stamped).toEqual([
      [{ name: "a", size: 12, note: "x" }],
      [{ name: "b", size: 32, note: "x" }],
      [{ name: "c", size: 48, note: null }],
    ]);
    expect(flushed.map((batch) => batch.length)).toEqual([2]);
    expect(await write([stamp("b", 1, 1, "y"), stamp("c", 1, 1, "z")])).toMatchObject([
      [{ size: 34, note: "y" }],
      [{ size: 50, note: "z" }],
    ]);
  });

  it("with one key run one after the other", async () => {
    const sizes = await write([grow("a", 1), grow("b", 1), grow("a", 2), grow("a", 3)]);
    expect(sizes).toMatchObject([[{ size: 2 }], [{ size: 21 }], [{ size: 4 }], [{ size: 7 }]]);
    expect(flushed.map((batch) => batch.length)).toEqual([3]);
  });

  it("do not fail because of one of them", async () => {
    const written = await write([grow("a", 1), grow("b", 90), other, grow("c", 1)]);
    expect(written).toMatchObject([[{ size: 2 }], expect.any(Error), [{ name: "c" }], []]);
    expect(read()).toEqual([
      { name: "a", size: 2 },
      { name: "b", size: 20 },
    ]);
    expect(await write([grow("a", 18)])).toEqual([expect.any(UniqueViolationError)]);
  });

  it("stand if they were written before one of the others failed by itself", async () => {
    const whole = flush;
    flush = async (batch) => {
      if (flushed.length > 1) throw new Error("database is locked");
      return whole(batch);
    };
    const written = await write([grow("a", 1), grow("b", 90), other]);
    expect(written).toEqual([expect.any(Error), expect.any(Error), [{ name: "c" }]]);
  });

  it("are not tried one by one while the disk fails", async () => {
    failure = "disk I/O error";
    const written = await write([grow("a", 1), grow("b", 1)]);
    expect(written).toEqual([expect.any(UnavailableError), expect.any(UnavailableError)]);
    expect(flushed).toHaveLength(1);
  });
});
