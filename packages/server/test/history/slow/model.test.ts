// The same model as in `npm test`, in ten thousand sequences per engine.

import { describe, expect, test } from "vitest";
import type { SqlEngine } from "../../../src/database/engine.ts";
import { migrate } from "../../../src/database/migrations.ts";
import { openPostgres } from "../../../src/database/postgres.ts";
import { openSqlite } from "../../../src/database/sqlite.ts";
import { createStore } from "../../../src/store/store.ts";
import { freshDatabase, postgresTests } from "../../support/postgres.ts";
import { backendOf } from "../grant-system.ts";
import { replayFrom, runModel, tallied } from "../model-run.ts";

const SEQUENCES = Number(process.env.MODEL_SEQUENCES ?? 10_000);
const TITLE = `${SEQUENCES} sequences of commands end as the model says`;
/** Twice what one took with PostgreSQL on two cores beside a load of nine. */
const LIMIT_MS = SEQUENCES * 300;

/** What a run of that many sequences must have met, or it shows little. */
const MET = [
  ...["redeem right: next", "redeem right: refused and revoked", "redeem verifier: refused"],
  ...["rotate 0: next", "rotate 0: refused", "rotate 0: unavailable", "rotate -1: same"],
  ...["rotate -1, public: same", "rotate -1, public: refused and revoked", "redeem right: same"],
  ...["rotate -1: refused and revoked", "rotate -1: refused", "redeem client: refused"],
  ...["rotate 1: refused and revoked", "rotate 0, another client: refused"],
];

async function runOn(engine: SqlEngine, lanes: number): Promise<void> {
  await migrate(engine);
  const backend = await backendOf(createStore(engine), engine);
  const replay = replayFrom(process.env);
  const { disagreement, sequences, tally } = await runModel(backend, {
    ...{ sequences: SEQUENCES, lanes, replay },
  });
  console.log(`${sequences} sequences, of which: ${tallied(tally)}`);
  expect(disagreement).toBe(null);
  if (replay === null) expect(MET.filter((what) => !tally.has(what))).toEqual([]);
}

describe("SQLite", () => {
  test(TITLE, { timeout: LIMIT_MS }, async () => {
    const engine = openSqlite(":memory:");
    await runOn(engine, 1);
    await engine.close();
  });
});

postgresTests("PostgreSQL", () => {
  test(TITLE, { timeout: LIMIT_MS }, async () => {
    const { url, drop } = await freshDatabase();
    const engine = openPostgres(url, { waitMs: 15_000 });
    await runOn(engine, 10);
    await engine.close();
    await drop();
  });
});
