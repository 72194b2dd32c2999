// Reading and splitting the rows of a table.

import { afterEach, beforeEach, expect, test } from "vitest";
import type { SqlEngine } from "./engine.ts";
import { migrate } from "./migrations.ts";
import { schemaTables, type Table } from "./schema-tables.ts";
import { openSqlite } from "./sqlite.ts";
import { inParts, keyOf, rowsInKeyOrder, type TableRow } from "./table-rows.ts";

let engine: SqlEngine;
let facts: Table;
beforeEach(async () => {
  engine = openSqlite(":memory:");
  await migrate(engine);
  const found = (await schemaTables()).find(({ name }) => name === "facts");
  if (found === undefined) throw new Error("no such table");
  facts = found;
});
afterEach(() => engine.close());

async function addFacts(count: number, value: string): Promise<void> {
  for (let number = 0; number < count; number++) {
    const name = String(number).padStart(6, "0");
    await engine.execute("INSERT INTO facts (name, value) VALUES (?1, ?2)", [name, value]);
  }
}

async function batches(after: TableRow | null = null): Promise<(readonly TableRow[])[]> {
  const found = [];
  for await (const batch of rowsInKeyOrder(engine, facts, after)) found.push(batch);
  return found;
}

test("every row is read once in the order of the key, also after a key", async () => {
  await addFacts(1000, "x");
  const names = (await batches()).flat().map(([name]) => name);
  expect(names).toHaveLength(1000);
  expect(names).toEqual([...new Set(names)].sort());
  expect((await batches(["000997"])).flat().map(([name]) => name)).toEqual(["000998", "000999"]);
  expect((await batches(["000999"])).flat()).toEqual([]);
});

test("batches grow while rows are small, and shrink when they are large", async () => {
  await addFacts(3000, "x");
  expect((await batches()).map(({ length }) => length)).toEqual([100, 200, 400, 800, 1500]);
  await engine.execute("UPDATE facts SET value = ?1", ["x".repeat(50_000)]);
  const sizes = (await batches()).map(({ length }) => length);
  expect(sizes[0]).toBe(100);
  expect(Math.max(...sizes.slice(1))).toBe(10);
});

test("between two batches others have their turn, so that no time limit of theirs passes", async () => {
  await addFacts(1000, "x");
  let turns = 0;
  const count = () => {
    turns++;
    if (turns < 3) setImmediate(count);
  };
  setImmediate(count);
  await batches();
  expect(turns).toBe(3);
});

test("parts keep the order, and have at least one row however large it is", () => {
  const large = ["k", "x".repeat(600_000)];
  const small = ["k", "x"];
  expect(inParts([])).toEqual([]);
  expect(inParts([large, small, small, large, large])).toEqual([
    [large],
    [small, small, large],
    [large],
  ]);
  expect(keyOf(small, facts)).toEqual(["k"]);
});
