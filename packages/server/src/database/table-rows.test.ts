// Reading and splitting the rows of a table.

import { beforeEach, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { OperatorError } from "../lib/errors.ts";
import { schemaTables, type Table } from "./schema-tables.ts";
import { inParts, keyOf, requireKeys, rowsInKeyOrder, type TableRow } from "./table-rows.ts";

const engine = fixture(async () => (await openMemoryStore()).engine, "test");
let facts: Table;
beforeEach(async () => {
  facts = await tableOf("facts");
});

async function tableOf(name: string): Promise<Table> {
  const found = (await schemaTables()).find((table) => table.name === name);
  if (found === undefined) throw new Error("no such table");
  return found;
}

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

test("a row without a key, which SQLite permits, is refused by the name of its table", async () => {
  await addFacts(1, "x");
  await requireKeys(engine, facts);
  await engine.execute("INSERT INTO facts (name, value) VALUES (NULL, 'y')", []);
  const refused = new OperatorError("a row of the table facts has no key");
  await expect(requireKeys(engine, facts)).rejects.toThrow(refused);
});

test("a value that no service writes is refused by the name of its column", async () => {
  const refused = (text: string) => expect(batches()).rejects.toThrow(new OperatorError(text));
  await addFacts(1, "x");
  const text = "a row of the table facts has a value that is not a text without NUL";
  await engine.execute("UPDATE facts SET value = x'00'", []);
  await refused(text);
  // The driver of SQLite cuts such a text off. That of another engine may not.
  const found = async () => [{ name: "a", value: "x\0y" }];
  const read = rowsInKeyOrder({ ...engine, execute: found }, facts);
  await expect(read.next()).rejects.toThrow(new OperatorError(text));
  const columns = facts.columns.map((one) => ({ ...one, type: "BIGINT" }) as const);
  const number: Table = { ...facts, columns };
  await engine.execute("UPDATE facts SET name = '1', value = '2'", []);
  const numbers = rowsInKeyOrder(engine, number);
  await expect(numbers.next()).rejects.toThrow(
    new OperatorError("a row of the table facts has a name that is not an integer below 2^53"),
  );
});

test("an integer that the driver cannot return is refused by the name of its table", async () => {
  const read = (cause: Error) =>
    rowsInKeyOrder({ ...engine, execute: () => Promise.reject(cause) }, facts).next();
  await expect(read(new RangeError("value is too large"))).rejects.toThrow(
    new OperatorError("a row of the table facts has a value that is not an integer below 2^53"),
  );
  const other = new Error("another");
  await expect(read(other)).rejects.toBe(other);
});

test("a table with a key of several columns is read in its order", async () => {
  const consents = await tableOf("consents");
  const insert =
    "INSERT INTO consents (account_id, client_id, scope, granted_at) VALUES (?1, ?2, 'openid', 1)";
  for (const of of ["b1", "a2", "a1"]) await engine.execute(insert, [...of]);
  const keys = async (after: TableRow | null) => {
    const { value = [] } = await rowsInKeyOrder(engine, consents, after).next();
    return (value as readonly TableRow[]).map((row) => keyOf(row, consents).join(" "));
  };
  expect(await keys(null)).toEqual(["a 1 openid", "a 2 openid", "b 1 openid"]);
  expect(await keys(["a", "1", "openid"])).toEqual(["a 2 openid", "b 1 openid"]);
});
