// One seed for all random tests of a run, which `vitest.config.ts` prints, so that a failure can be repeated.

import fc from "fast-check";

/** `SEED=… npx vitest run …` tries the same inputs again. */
export const SEED = seedOf(process.env.SEED);

/** Set by the slow project. */
const isFull = process.env.RANDOM_TESTS === "full";

// Every property of fast-check takes the seed, without naming it.
fc.configureGlobal({ seed: SEED });

/** How many inputs a random test tries: in the slow project the full number. */
export function tries(count: { readonly sample: number; readonly full: number }): number {
  return isFull ? count.full : count.sample;
}

/** Some of the items, others with each seed and each turn; all of them in the slow project. */
export function sampleOf<T>(items: readonly T[], count: number, turn = 0): readonly T[] {
  if (isFull || count >= items.length) return items;
  return (
    fc.sample(fc.shuffledSubarray([...items], { minLength: count, maxLength: count }), {
      ...{ numRuns: 1, seed: SEED + turn },
    })[0] ?? []
  );
}

/** `vitest.config.ts` sets it for all workers, and prints it; under another configuration it is 1. */
function seedOf(text = "1"): number {
  const seed = Number.parseInt(text, 10);
  if (String(seed) !== text) throw new Error(`SEED=${text} is not an integer`);
  return seed;
}
