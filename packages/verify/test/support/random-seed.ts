// The seed for all random tests of a run. `vitest.config.ts` prints it, so that failures are reproducible.

import fc from "fast-check";

/** `SEED=… npx vitest run …` repeats the same inputs. */
export const SEED = seedOf(process.env.SEED);

/** Set by the slow project. */
const isFull = process.env.RANDOM_TESTS === "full";

// Applies to every property of fast-check.
fc.configureGlobal({ seed: SEED });

/** The number of inputs of a random test: `full` in the slow project, fewer otherwise. */
export function tries(count: { readonly sample: number; readonly full: number }): number {
  return isFull ? count.full : count.sample;
}

/** A sample of the items that depends on the seed; all of them in the slow project. */
export function sampleOf<T>(items: readonly T[], count: number, turn = 0): readonly T[] {
  if (isFull || count >= items.length) return items;
  return (
    fc.sample(fc.shuffledSubarray([...items], { minLength: count, maxLength: count }), {
      ...{ numRuns: 1, seed: SEED + turn },
    })[0] ?? []
  );
}

/** Set for all workers and printed by `vitest.config.ts`; 1 under any other configuration. */
function seedOf(text = "1"): number {
  const seed = Number.parseInt(text, 10);
  if (String(seed) !== text) throw new Error(`SEED=${text} is not an integer`);
  return seed;
}
