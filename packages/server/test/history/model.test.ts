// The life of grants against a reference model, on every engine, in sequences nobody thought of.

import { expect, test } from "vitest";
import { onEveryEngine } from "../support/store-engines.ts";
import { backendOf } from "./grant-system.ts";
import { replayFrom, runModel } from "./model-run.ts";

const SEQUENCES = 300;

/** What a run of that many sequences must have met, or it shows little. */
const MET = [
  ...["redeem right: next", "redeem right: refused and revoked", "redeem verifier: refused"],
  ...["rotate 0: next", "rotate 0: refused", "rotate 0: unavailable", "rotate -1: same"],
  ...["rotate -1: refused and revoked", "rotate -2: refused and revoked"],
  ...["rotate 1: refused and revoked", "rotate 0 other: refused"],
];

onEveryEngine((database) => {
  test(`${SEQUENCES} sequences of commands end as the model says`, async () => {
    const backend = await backendOf(database.store, database.engine);
    const replay = replayFrom(process.env);
    const { disagreement, tally } = await runModel(backend, {
      ...{ sequences: SEQUENCES, lanes: 4, replay },
    });
    expect(disagreement).toBe(null);
    console.log(
      [...tally].sort((a, b) => a[1] - b[1]).join(" "),
      [...tally.values()].reduce((a, b) => a + b, 0) / SEQUENCES,
    );
    if (replay === null) {
      expect(MET.filter((what) => !tally.has(what))).toEqual([]);
    }
  });
});
