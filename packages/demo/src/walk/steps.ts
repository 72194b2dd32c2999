// Runs the steps of the walk one by one, prints each, and stops at the first that fails.

import { messageOf, RUN_AGAIN } from "../demo-error.ts";
import { NARRATION } from "./narration.ts";

export type Narrate = (line: string) => void;

/** Prints what the step does, runs it and returns its result. */
export type Step = <Result>(
  name: keyof typeof NARRATION,
  act: () => Promise<Result>,
) => Promise<Result>;

/** An expectation of the walk was not met. */
export class WalkError extends Error {
  override name = "WalkError";
}

export async function walkSteps(
  narrate: Narrate,
  script: (step: Step) => Promise<void>,
): Promise<{ walk: "ok" | "failed"; steps: { name: string; ok: boolean }[] }> {
  const steps: { name: string; ok: boolean }[] = [];

  const step: Step = async (name, act) => {
    narrate(`${String(steps.length + 1).padStart(2)} ${NARRATION[name]}`);
    const status = { name, ok: false };
    steps.push(status);
    const result = await act();
    status.ok = true;
    return result;
  };

  try {
    await script(step);
    narrate(`The walk succeeded: all ${steps.length} steps passed.`);
    return { walk: "ok", steps };
  } catch (error) {
    const name = steps.at(-1)?.name ?? "before the first step";
    narrate(`The walk failed at ${name}: ${messageOf(error)}. ${RUN_AGAIN}`);
    return { walk: "failed", steps };
  }
}

export function expectEqual(what: string, found: unknown, expected: string | number): void {
  if (found !== expected) {
    throw new WalkError(`${what}: expected ${expected}, found ${asText(found)}`);
  }
}

export function expectThat(claim: string, isTrue: boolean, found: unknown): void {
  if (!isTrue) throw new WalkError(`expected: ${claim}; found: ${asText(found)}`);
}

/** Prints that the walk waits before it tries again. */
export function narrateWait(narrate: Narrate): (milliseconds: number) => void {
  return (milliseconds) =>
    narrate(
      `            The service could not do it in time. The next try is in ${milliseconds / 1000} s.`,
    );
}

function asText(found: unknown): string {
  return typeof found === "string" ? found : JSON.stringify(found);
}
