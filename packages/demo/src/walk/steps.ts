// The steps of a walk: named, narrated, and over at the first that does not hold.

export type Narrate = (line: string) => void;

/** Runs one step; gives on what it made. */
export type Step = <Made>(
  name: string,
  sentence: string,
  act: () => Promise<Made>,
) => Promise<Made>;

/** A claim of the walk does not hold. */
export class WalkError extends Error {
  override name = "WalkError";
}

export async function walkSteps(
  narrate: Narrate,
  script: (step: Step) => Promise<void>,
): Promise<{ walk: "ok" | "failed"; steps: { name: string; ok: boolean }[] }> {
  const steps: { name: string; ok: boolean }[] = [];

  const step: Step = async (name, sentence, act) => {
    narrate(`${String(steps.length + 1).padStart(2)} ${sentence}`);
    const noted = { name, ok: false };
    steps.push(noted);
    const made = await act();
    noted.ok = true;
    return made;
  };

  try {
    await script(step);
    narrate(`The walk is done: ${steps.length} steps, and all of them hold.`);
    return { walk: "ok", steps };
  } catch (error) {
    const name = steps.at(-1)?.name ?? "before the first step";
    narrate(`The walk failed at ${name}: ${failureText(error)}`);
    return { walk: "failed", steps };
  }
}

export function expectEqual(what: string, found: unknown, expected: string | number): void {
  if (found !== expected) {
    throw new WalkError(`${what}: expected ${expected}, found ${asText(found)}`);
  }
}

export function expectThat(claim: string, holds: boolean, found: unknown): void {
  if (!holds) throw new WalkError(`expected: ${claim}; found: ${asText(found)}`);
}

/** A failed claim speaks for itself; of any other error its origin helps. */
function failureText(error: unknown): string {
  if (error instanceof WalkError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function asText(found: unknown): string {
  return typeof found === "string" ? found : JSON.stringify(found);
}
