// The same model as in `npm test`, in ten thousand sequences per engine.

import { describe, expect, test } from "vitest";
import { openPostgres } from "../../../src/store/postgres.ts";
import type { SqlEngine } from "../../../src/store/sql/engine.ts";
import { migrate } from "../../../src/store/sql/migrations.ts";
import { sqlStore } from "../../../src/store/sql/store.ts";
import { openSqlite } from "../../../src/store/sqlite.ts";
import { freshDatabase, postgresTests } from "../../support/postgres.ts";
import { backendOf } from "../grant-system.ts";
import { replayFrom, runModel, tallied } from "../model-run.ts";

const SEQUENCES = Number(process.env.MODEL_SEQUENCES ?? 10_000);
const TITLE = `${SEQUENCES} sequences of commands end as the model says`;

async function runOn(engine: SqlEngine, lanes: number): Promise<void> {
  await migrate(engine);
  const backend = await backendOf(sqlStore(engine), engine);
  const replay = replayFrom(process.env);
  const { disagreement, sequences, tally } = await runModel(backend, {
    ...{ sequences: SEQUENCES, lanes, replay },
  });
  console.log(`${sequences} sequences, of which: ${tallied(tally)}`);
  expect(disagreement).toBe(null);
}

describe("SQLite", () => {
  test(TITLE, async () => {
    const engine = openSqlite(":memory:");
    await runOn(engine, 1);
    await engine.close();
  });
});

postgresTests("PostgreSQL", () => {
  test(TITLE, async () => {
    const { url, drop } = await freshDatabase();
    const engine = openPostgres(url, { acquireTimeout: 15_000 });
    await runOn(engine, 10);
    await engine.close();
    await drop();
  });
});
