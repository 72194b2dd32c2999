// The progress of a move: of callers that copy the same rows one does, and of several sources one begins.

import { beforeEach, expect, test } from "vitest";
import { migrate } from "../../../src/database/migrations.ts";
import { moveProgressStore } from "../../../src/database/moved.ts";
import { openPostgres } from "../../../src/database/postgres.ts";
import { schemaTables, type Table } from "../../../src/database/schema-tables.ts";
import { fixture } from "../../support/fixture.ts";
import { postgresFixture, postgresTests } from "../../support/postgres.ts";

const CALLERS = 20;

postgresTests("PostgreSQL", () => {
  const database = postgresFixture("test");
  const engine = fixture(async () => openPostgres(database.url), "test");
  let tables: readonly Table[];
  let consents: Table;
  beforeEach(async () => {
    await migrate(engine);
    tables = await schemaTables();
    const found = tables.find(({ name }) => name === "consents");
    if (found === undefined) throw new Error("no such table");
    consents = found;
  });

  const atOnce = <T>(task: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: CALLERS }, (_, index) => task(index)));

  test("of many callers that copy the same rows one does, and the others copy nothing", async () => {
    const progress = moveProgressStore(engine);
    await progress.begin("source", tables);
    const rows = [["a", "b", "c", 1] as const, ["a", "b", "ü", 2] as const];
    const first = await atOnce(() => progress.copyRows(consents, null, rows));
    const lastKey = JSON.stringify(["a", "b", "ü"]);
    expect(first.filter((key) => key !== null)).toEqual([lastKey]);
    const next = await atOnce((index) =>
      progress.copyRows(consents, lastKey, [["b", "b", `${index}`, index]]),
    );
    expect(next.filter((key) => key !== null)).toHaveLength(1);
    expect((await engine.execute("SELECT scope FROM consents", [])).length).toBe(3);
    expect(await progress.progressOf(consents)).toMatchObject({ rowCount: 3 });
  });

  test("of many sources at once one begins", async () => {
    await moveProgressStore(engine).begin("first", []);
    await atOnce((index) => moveProgressStore(engine).begin(`source ${index}`, tables));
    const sources = await engine.execute("SELECT DISTINCT source FROM move_progress", []);
    expect(sources).toHaveLength(1);
  });

  test("the rows of a new database are cleared once, and those of the source never", async () => {
    const progress = moveProgressStore(engine);
    await progress.begin("source", tables);
    const highWater = tables.find(({ name }) => name === "high_water") ?? consents;
    await progress.clear(highWater);
    expect(await engine.execute("SELECT id FROM high_water", [])).toEqual([]);
    await progress.copyRows(highWater, null, [[1, 2, 3, 4, 5]]);
    await progress.clear(highWater);
    expect(await engine.execute("SELECT seconds FROM high_water", [])).toEqual([{ seconds: 2 }]);
    await engine.execute(
      "INSERT INTO consents (account_id, client_id, scope, granted_at) VALUES ('a', 'b', 'c', 1)",
      [],
    );
    await progress.clear(consents);
    expect(await engine.execute("SELECT scope FROM consents", [])).toHaveLength(1);
  });
});
