// Runs one parser over many random inputs: it may throw only its own error, and must be fast.

import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { createRandom, type Random } from "./fuzz-random.ts";

export interface FuzzTarget {
  readonly title: string;
  readonly inputs: number;
  /** Throws an Error that contains the seed and the input. */
  run(seed: number): Promise<FuzzCounts>;
}

export type FuzzCounts = { readonly accepted: number; readonly refused: number };

interface Plan<Input> {
  readonly title: string;
  readonly inputs: number;
  readonly make: (random: Random) => Input | Promise<Input>;
  /** False if it rejects the input without throwing. */
  readonly read: (input: Input) => unknown;
  /** The only error that it may throw. Default: none. */
  readonly error?: abstract new (
    ...args: never[]
  ) => Error;
}

const maxMs = 50;
/** The machine or the garbage collector will not pause three times at the same input. */
const slowTries = 8;
/** Number of inputs after which the test yields to its timers and messages. */
const chunk = 2000;

export function fuzzTarget<Input>(plan: Plan<Input>): FuzzTarget {
  return {
    title: plan.title,
    inputs: plan.inputs,
    async run(seed) {
      const random = createRandom(seed);
      let accepted = 0;
      for (let index = 0; index < plan.inputs; index++) {
        if (index % chunk === 0) await turnOfEventLoop();
        const made = plan.make(random);
        const input = made instanceof Promise ? await made : made;
        if (await readInTime(plan, input, () => described(plan.title, seed, index, input))) {
          accepted++;
        }
      }
      return { accepted, refused: plan.inputs - accepted };
    },
  };
}

/** Whether the input was accepted. */
async function readInTime<Input>(
  plan: Plan<Input>,
  input: Input,
  about: () => string,
): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    const began = performance.now();
    const cpu = process.cpuUsage();
    const isAccepted = await readOnce(plan, input, about);
    const { user, system } = process.cpuUsage(cpu);
    // Not the time in which other processes had the processor.
    const took = Math.min(performance.now() - began, (user + system) / 1000);
    if (took <= maxMs) return isAccepted;
    if (tries > slowTries) throw new Error(`It took ${took.toFixed(0)} ms. ${about()}`);
  }
}

async function readOnce<Input>(
  { read, error: OwnError }: Plan<Input>,
  input: Input,
  about: () => string,
): Promise<boolean> {
  try {
    const result = read(input);
    return (result instanceof Promise ? await result : result) !== false;
  } catch (error) {
    if (OwnError && error instanceof OwnError) return false;
    throw new Error(`It threw something else. ${about()}`, { cause: error });
  }
}

function described(title: string, seed: number, index: number, input: unknown): string {
  const shown = JSON.stringify(input, (_, value) =>
    value instanceof Uint8Array ? `hex ${Buffer.from(value).toString("hex")}` : value,
  );
  return `${title}, SEED=${seed}, input ${index}: ${String(shown).slice(0, 500)}`;
}
