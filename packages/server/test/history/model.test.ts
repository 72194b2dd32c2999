// The life of grants against a reference model, on every engine, in sequences nobody thought of.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SEED } from "../../../verify/test/support/random-seed.ts";
import { type SqlEngine, textOf } from "../../src/database/engine.ts";
import { migrate } from "../../src/database/migrations.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { UnknownOutcomeError } from "../../src/lib/errors.ts";
import { createStore } from "../../src/store/store.ts";
import { withAltered } from "../support/altered-statements.ts";
import { onEveryEngine } from "../support/store-engines.ts";
import { backendOf } from "./grant-system.ts";
import { replayFrom, runModel } from "./model-run.ts";

/** On each engine; the slow suite runs thousands. */
const SEQUENCES = 60;
const LANES = 4;

/** Common outcomes, which the sequences of all engines together must have met. The slow suite checks the rare ones. */
const COMMON = [
  ...["redeem right: next", "redeem right: refused and revoked", "redeem client: refused"],
  ...["rotate 0: next", "rotate 0: refused", "rotate 1: refused and revoked"],
];

/** Statements that are wrong in one place each: what stands there, and what stands there instead. */
const BENT: Record<string, readonly [right: string, wrong: string]> = {
  "a code that lives a second too long": [
    "code_expires_at > given.now",
    "code_expires_at >= given.now",
  ],
  "a revoked grant whose refresh token works": [
    "AND revoked_at IS NULL AND refresh_expires_at > given.now",
    "AND refresh_expires_at > given.now",
  ],
  "a rotation that takes an older token": [
    "generation = given.presented",
    "generation >= given.presented",
  ],
};

const met = new Set<string>();
let engines = 0;
const replay = replayFrom(process.env);

onEveryEngine(({ store, engine }) => {
  test(`${SEQUENCES} sequences of commands end as the model says`, async () => {
    const backend = await backendOf(store, engine);
    const run = await runModel(backend, {
      ...{ sequences: SEQUENCES, lanes: LANES, replay },
      seed: SEED + LANES * engines++,
    });
    expect(run.disagreement).toBe(null);
    if (replay === null) expect(run.sequences).toBe(SEQUENCES);
    for (const what of run.tally.keys()) met.add(what);
  });

  test("the same where the answer to every second change is lost: it counts as acknowledged", async () => {
    const lossy = losing(engine);
    const backend = await backendOf(createStore(lossy), engine);
    const run = await runModel(backend, { sequences: SEQUENCES / 3, lanes: LANES, replay });
    expect(run.disagreement).toBe(null);
    if (replay === null) expect(lossy.lost()).toBeGreaterThan(0);
  });
});

test.skipIf(replay !== null)("the sequences met every common outcome", () => {
  expect(COMMON.filter((what) => !met.has(what))).toEqual([]);
});

describe("a planted disagreement", () => {
  const engine = openSqlite(":memory:");
  beforeAll(() => migrate(engine));
  afterAll(() => engine.close());

  test.each(Object.keys(BENT))("%s is found, and what is printed finds it again", async (name) => {
    const sound = createStore(engine);
    const bent = await backendOf(createStore(bend(engine, name)), engine);
    const { disagreement } = await runModel(bent, { sequences: 5000 });
    const printed = /See it again with: (.+)$/.exec(disagreement ?? "")?.[1] ?? "";
    const settings = Object.fromEntries(printed.split(" ").map((setting) => setting.split("=")));
    const replay = replayFrom(settings);
    expect(replay).toMatchObject({ seed: expect.any(Number), path: expect.stringMatching(/\d/) });
    const again = await runModel(bent, { sequences: 1, replay });
    expect(again.sequences).toBe(1);
    expect(counterexample(again.disagreement)).toBe(counterexample(disagreement));
    // The store as it is agrees on the very same sequence.
    const { disagreement: none } = await runModel(await backendOf(sound, engine), {
      ...{ sequences: 1, replay },
    });
    expect(none).toBe(null);
  });
});

/** The engine, which loses each second answer that a code or a refresh token was used up. */
function losing(engine: SqlEngine): SqlEngine & { lost: () => number } {
  let [changes, lost] = [0, 0];
  return {
    ...engine,
    lost: () => lost,
    async execute(statement, parameters, options) {
      const rows = await engine.execute(statement, parameters, options);
      const isChange = textOf(statement).includes("attempt = given.new_attempt") && rows.length > 0;
      if (!isChange || ++changes % 2 === 0) return rows;
      lost++;
      throw new UnknownOutcomeError("the answer was lost");
    },
  };
}

function bend(engine: SqlEngine, name: string): SqlEngine {
  const [right, wrong] = BENT[name] ?? ["", ""];
  return withAltered(engine, right, wrong);
}

function counterexample(disagreement: string | null): string {
  return /Counterexample: (.+?)(?: \/\*replayPath|\n)/.exec(disagreement ?? "")?.[1] ?? "none";
}
