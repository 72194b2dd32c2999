// Writes that commit together, on every engine: all or none, also beside others, after a failure and between nodes.

import { beforeAll, beforeEach, expect, test } from "vitest";
import { type JoinedWrite, UniqueViolationError } from "../../../src/database/engine.ts";
import { write, writeWhen } from "../../../src/database/rows.ts";
import { onEveryEngine } from "../../support/store-engines.ts";

const USE = "UPDATE codes SET used_by = ?2 WHERE id = ?1 AND used_by IS NULL RETURNING id";
const ADD = "INSERT INTO uses (id, code) VALUES (?1, ?2) RETURNING id";
const EMPTY = "DELETE FROM uses WHERE id = ?1";

/** A use of the code `a`: the first write happens once, and the second and third belong to it. */
const useOf = (code: string, by: string): readonly JoinedWrite[] => [
  writeWhen(USE, code, by),
  write(ADD, by, code),
  write(ADD, `${by} again`, code),
];

onEveryEngine(({ engine, engines }) => {
  const read = async (sql: string) => (await engine.execute(sql, [])).map(({ one }) => one);
  const uses = () => read("SELECT id AS one FROM uses ORDER BY id");

  beforeAll(async () => {
    await engine.execute("CREATE TABLE codes (id TEXT PRIMARY KEY, used_by TEXT)", []);
    await engine.execute("CREATE TABLE uses (id TEXT PRIMARY KEY, code TEXT NOT NULL)", []);
  });
  beforeEach(async () => {
    await engine.execute("DELETE FROM uses", []);
    await engine.execute("DELETE FROM codes", []);
    await engine.execute("INSERT INTO codes (id) VALUES ('a'), ('b')", []);
  });

  test("all take effect, and each returns its rows", async () => {
    const written = await engine.commit([...useOf("a", "x"), write(EMPTY, "none")]);
    expect(written).toEqual([[{ id: "a" }], [{ id: "x" }], [{ id: "x again" }], []]);
    expect(await uses()).toEqual(["x", "x again"]);
  });

  test("none takes effect if one marked `when` returns no row, wherever it stands", async () => {
    const [use, ...more] = useOf("a", "x");
    if (use === undefined) throw new Error("no write");
    const impossible = writeWhen(USE, "none", "x");
    for (const writes of [
      [impossible, use, ...more],
      [use, ...more, impossible],
    ]) {
      expect(await engine.commit(writes)).toBeNull();
      expect(await uses()).toEqual([]);
    }
    // The connection and its transaction are as they were.
    expect(await engine.commit([use, ...more])).not.toBeNull();
  });

  test("each sees those before it", async () => {
    const writes = [write(USE, "a", "x"), writeWhen(USE, "a", "y")];
    expect(await engine.commit(writes)).toBeNull();
    const copy = "INSERT INTO uses (id, code) SELECT used_by, id FROM codes WHERE id = ?1";
    await engine.commit([write(USE, "a", "x"), write(copy, "a")]);
    expect(await uses()).toEqual(["x"]);
  });

  test("none takes effect if one violates a unique index, and others of the same moment do", async () => {
    await engine.execute(ADD, ["y again", "b"]);
    const [failed, beside, alone] = await Promise.all([
      engine.commit(useOf("a", "y")).catch((error: unknown) => error),
      engine.commit(useOf("b", "z")),
      engine.execute(ADD, ["w", "b"]),
    ]);
    expect(failed).toBeInstanceOf(UniqueViolationError);
    expect(beside).not.toBeNull();
    expect(alone).toEqual([{ id: "w" }]);
    expect(await uses()).toEqual(["w", "y again", "z", "z again"]);
    expect(await read("SELECT id AS one FROM codes WHERE used_by IS NOT NULL")).toEqual(["b"]);
  });

  test("none takes effect if one is no statement of this database", async () => {
    const writes = [...useOf("a", "x"), write("UPDATE absent SET name = ?1", "x")];
    await expect(engine.commit(writes)).rejects.toThrow(/absent/);
    expect(await uses()).toEqual([]);
    expect(await engine.commit(useOf("a", "x"))).not.toBeNull();
  });

  test("of concurrent calls, on all nodes, one gets its rows, and nothing is left of the others", async () => {
    for (let round = 0; round < 20; round++) {
      await engine.execute("DELETE FROM uses", []);
      await engine.execute("UPDATE codes SET used_by = NULL", []);
      const all = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          engines[index % engines.length]?.commit(useOf("a", `x${index}`)),
        ),
      );
      const winners = all.flatMap((rows, index) => (rows ? [`x${index}`] : []));
      expect(winners).toHaveLength(1);
      expect(await uses()).toEqual([winners[0], `${winners[0]} again`]);
    }
  });

  test("two that lock the same rows in different orders both get an answer", async () => {
    const both = (first: string, second: string, by: string) => [
      write("UPDATE codes SET used_by = ?2 WHERE id = ?1", first, by),
      write("UPDATE codes SET used_by = ?2 WHERE id = ?1", second, by),
    ];
    for (let round = 0; round < 3; round++) {
      const other = engines[1] ?? engine;
      const pairs = await Promise.all([
        engine.commit(both("a", "b", "x")),
        other.commit(both("b", "a", "y")),
      ]);
      expect(pairs.every((rows) => rows !== null)).toBe(true);
      const [a, b] = await read("SELECT used_by AS one FROM codes ORDER BY id");
      expect(["x", "y"]).toContain(a);
      expect(b).toBe(a);
    }
  });
});
