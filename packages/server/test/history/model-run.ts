// Runs the model against a store, and says on a disagreement how to see the same one again.

import fc from "fast-check";
import { SEED } from "../../../verify/test/support/random-seed.ts";
import { grantsAgree, type Tally } from "./grant-commands.ts";
import type { Backend } from "./grant-system.ts";

/** What brings one sequence back. */
export interface Replay {
  readonly seed: number;
  readonly path?: string;
  readonly replayPath?: string;
}

export interface ModelRun {
  readonly sequences: number;
  readonly tally: Tally;
  /** Null when model and store agreed all the way. */
  readonly disagreement: string | null;
}

/** `lanes` sequences are under way at once: useful where the database is waited for. */
export async function runModel(
  backend: Backend,
  options: { sequences: number; lanes?: number; seed?: number; replay?: Replay | null },
): Promise<ModelRun> {
  const { sequences, lanes = 1, seed = SEED, replay = null } = options;
  const tally: Tally = new Map();
  if (replay !== null) {
    const { replayPath, ...parameters } = replay;
    const property = grantsAgree(backend, { tally, ...(replayPath && { replayPath }) });
    return outcome(tally, [
      await fc.check(property, {
        ...parameters,
        numRuns: sequences,
        endOnFailure: true,
        unbiased: true,
      }),
    ]);
  }
  const each = Math.ceil(sequences / lanes);
  const runs = Array.from({ length: lanes }, (_, lane) =>
    fc.check(grantsAgree(backend, { tally }), {
      ...{ seed: seed + lane, numRuns: each, unbiased: true },
    }),
  );
  return outcome(tally, await Promise.all(runs));
}

/** From the environment: `MODEL_SEED`, `MODEL_PATH` and `MODEL_REPLAY_PATH`, as they were printed. */
export function replayFrom(env: Readonly<Record<string, string | undefined>>): Replay | null {
  const { MODEL_SEED, MODEL_PATH, MODEL_REPLAY_PATH } = env;
  if (MODEL_SEED === undefined) return null;
  return {
    seed: Number(MODEL_SEED),
    ...(MODEL_PATH && { path: MODEL_PATH }),
    ...(MODEL_REPLAY_PATH && { replayPath: MODEL_REPLAY_PATH }),
  };
}

/** The tally as text, the rarest first. */
export function tallied(tally: Tally): string {
  const counts = [...tally].sort(([, a], [, b]) => a - b);
  return counts.map(([what, count]) => `${what}: ${count}`).join(", ");
}

function outcome<T>(tally: Tally, details: readonly fc.RunDetails<T>[]): ModelRun {
  const sequences = details.reduce((sum, { numRuns }) => sum + numRuns, 0);
  const failed = details.find((run) => run.failed);
  return { sequences, tally, disagreement: failed === undefined ? null : told(failed) };
}

function told<T>(failed: fc.RunDetails<T>): string {
  const report = fc.defaultReportMessage(failed) ?? "";
  const replayPath = /replayPath="([^"]*)"/.exec(report)?.[1] ?? "";
  const again = [
    `MODEL_SEED=${failed.seed}`,
    `MODEL_PATH=${failed.counterexamplePath}`,
    `MODEL_REPLAY_PATH=${replayPath}`,
  ].join(" ");
  return `${report}\n${String(failed.errorInstance)}\nSee it again with: ${again}`;
}
