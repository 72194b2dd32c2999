// What every driver promises the statements: the row that was asked for, the value that was stored.

import { beforeAll, describe, expect, test } from "vitest";
import { type SqlValue, UniqueViolationError } from "../../../src/database/engine.ts";
import { defineUpdate } from "../../../src/database/grouped.ts";
import { migrate } from "../../../src/database/migrations.ts";
import { OperatorError, UnavailableError } from "../../../src/lib/errors.ts";
import { onEveryEngine } from "../../support/store-engines.ts";

const READ = "SELECT name, number, text FROM things WHERE name = ?1";
const WRITE = "INSERT INTO things (name, number, text) VALUES (?1, ?2, ?3)";

onEveryEngine(
  ({ engine }) => {
    beforeAll(async () => {
      await engine.migrate(() => [
        {
          version: 1,
          statements: ["CREATE TABLE things (name TEXT PRIMARY KEY, number BIGINT, text TEXT)"],
        },
      ]);
    });
    const write = (name: string, number: SqlValue, text: SqlValue) =>
      engine.execute(WRITE, [name, number, text]);
    const read = (name: string) => engine.execute(READ, [name]);

    test("a statement used again with other parameters speaks of the other row", async () => {
      await write("first", 1, "one");
      await write("second", 2, "two");
      const update =
        "UPDATE things SET number = number + 10 WHERE name = ?1 RETURNING name, number";
      for (let turn = 1; turn <= 3; turn++) {
        for (const [name, number] of [
          ["first", 1],
          ["second", 2],
        ] as const) {
          const grown = { name, number: number + 10 * turn };
          expect(await engine.execute(update, [name])).toEqual([grown]);
          expect(await read(name)).toMatchObject([grown]);
        }
      }
      expect(await read("neither")).toEqual([]);
      // Many at once, through one connection or several.
      const names = Array.from({ length: 60 }, (_, index) => (index % 2 ? "first" : "second"));
      const rows = await Promise.all(names.map(read));
      expect(rows.map(([row]) => row?.name)).toEqual(names);
    });

    test("a parameter may stand in any place, and more than once", async () => {
      const swapped = "INSERT INTO things (name, number, text) VALUES (?3, ?1, ?2) RETURNING *";
      const row = { name: "swapped", number: 7, text: "text" };
      expect(await engine.execute(swapped, [7, "text", "swapped"])).toEqual([row]);
      const twice = "SELECT * FROM things WHERE name = ?2 AND number = ?1 AND number + 0 = ?1";
      expect(await engine.execute(twice, [7, "swapped"])).toEqual([row]);
    });

    test.each([
      ["zero", 0],
      ["the smallest", Number.MIN_SAFE_INTEGER],
      ["the greatest", Number.MAX_SAFE_INTEGER],
      ["null", null],
    ])("an integer comes back as a number: %s", async (name, number) => {
      await write(`integer ${name}`, number, null);
      const [row] = await read(`integer ${name}`);
      expect(row).toEqual({ name: `integer ${name}`, number, text: null });
    });

    test.each([
      ["empty", ""],
      ["a number's", "0123"],
      ["quoted", `it's "here" \\ $1 ?1 %`],
      ["of all planes", "é ß 日本 🔑 \u{10ffff} \u0001 \r\n"],
      ["of a megabyte", "0123456789abcdeé".repeat(65_536)],
    ])("text comes back as it was, and as text: %s", async (name, text) => {
      await write(`text ${name}`, null, text);
      const [row] = await read(`text ${name}`);
      expect(row?.text === text).toBe(true);
    });

    test("half of a surrogate pair is stored as a replacement character", async () => {
      await write("half \ud800", 1, "\udc00 of a pair");
      expect(await read("half \ufffd")).toMatchObject([{ text: "\ufffd of a pair" }]);
      const change = defineUpdate({
        update: "things",
        key: "name",
        values: { new_text: "TEXT" },
        set: "text = given.new_text",
        where: "number = 1",
        returning: "text",
      });
      const changed = await engine.execute(change, ["half \ud800", "\ud83d"]);
      expect(changed).toEqual([{ name: "half \ufffd", text: "\ufffd" }]);
    });

    test.each([
      ["a boolean", true],
      ["a blob", Buffer.from("blob")],
      ["undefined", undefined],
      ["a date", new Date(0)],
      ["a list", ["a"]],
      ["a bigint", 1n],
      ["a fraction", 1.5],
      ["an unsafe integer", Number.MAX_SAFE_INTEGER + 1],
      ["not a number", Number.NaN],
      ["text with NUL", "cut\0here"],
    ])("%s is refused before it reaches the library", async (name, value) => {
      const bad = value as SqlValue;
      await expect(write(`refused ${name}`, null, bad)).rejects.toThrow(TypeError);
      await expect(engine.execute(READ, [bad])).rejects.toThrow(TypeError);
      expect(await read(`refused ${name}`)).toEqual([]);
    });

    test("text is ordered and compared by its octets", async () => {
      const sorted = ["A", "Z", "_", "a", "z", "é", "日"].map((name) => `order ${name}`);
      for (const name of sorted.toReversed()) await write(name, null, null);
      const rows = await engine.execute(
        "SELECT name FROM things WHERE name >= ?1 AND name <= ?2 ORDER BY name",
        ["order A", "order 日"],
      );
      expect(rows.map(({ name }) => name)).toEqual(sorted);
    });

    test("a unique index's refusal is told apart, and holds no value", async () => {
      await write("a secret value", 1, null);
      const again = write("a secret value", 2, null);
      await expect(again).rejects.toThrow(UniqueViolationError);
      const error: unknown = await again.catch((cause: unknown) => cause);
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("a secret");
    });

    test("a mistake in a statement is a bug and no outage", async () => {
      const wrong = engine.execute("SELECT nothing FROM nowhere", []);
      await expect(wrong).rejects.not.toThrow(UnavailableError);
      expect(await engine.execute("SELECT 1 AS alive", [])).toEqual([{ alive: 1 }]);
    });
  },
  { empty: true },
);

onEveryEngine(
  ({ store, engine, engines }) => {
    describe("the schema", () => {
      test("is made once, however many nodes start at the same time", async () => {
        const starts = engines.flatMap((engine) => [migrate(engine), migrate(engine)]);
        const newest = Math.max(...(await Promise.all(starts)));
        const rows = await engine.execute("SELECT version FROM schema_version", []);
        const versions = rows.map(({ version }) => Number(version)).sort((a, b) => a - b);
        expect(versions).toEqual(Array.from({ length: newest }, (_, index) => index + 1));
        expect(await store.registrations.listClients()).toEqual([]);
      });

      test("is left as it was by a step that fails", async () => {
        const broken = {
          version: 2,
          statements: ["CREATE TABLE half (id TEXT)", "CREATE nonsense"],
        };
        await expect(engine.migrate(() => [broken])).rejects.toThrow();
        await expect(engine.execute("SELECT * FROM half", [])).rejects.toThrow();
        await engine.migrate((applied) => {
          expect(applied).toBeGreaterThan(0);
          expect(applied).toBeLessThan(900);
          return [];
        });
      });

      test("of a newer version is refused", async () => {
        await engine.execute("INSERT INTO schema_version (version) VALUES (?1)", [999]);
        await expect(migrate(engine)).rejects.toThrow(OperatorError);
        await expect(migrate(engine)).rejects.toThrow(/schema 999 of a newer/);
      });
    });
  },
  { empty: true },
);

onEveryEngine(({ store, stores }) => {
  test("a closed engine is an outage", async () => {
    await store.ping();
    await Promise.all(stores.map((store) => store.close()));
    await expect(store.ping()).rejects.toThrow(UnavailableError);
    await expect(store.grants.readGrant("any")).rejects.toThrow(UnavailableError);
  });
});
