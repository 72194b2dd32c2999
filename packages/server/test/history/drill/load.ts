// What the drills share: their result, and how much of the load was acknowledged.

import { setTimeout as sleep } from "node:timers/promises";
import type { Violation } from "../checker.ts";
import { monotonic, type Operation } from "../history.ts";
import type { Lives } from "../lives.ts";

export interface Drill {
  readonly operations: readonly Operation[];
  readonly violations: readonly Violation[];
  /** By the name of the fault: successes while it lasted, and how long until the load went on afterwards. */
  readonly faults: ReadonlyMap<string, { during: number; recoveredMs: number }>;
}

/** Successes that show that the load goes on. */
export const ACKNOWLEDGED = 50;
const LIMIT_MS = 60_000;

export function acknowledged({ operations }: Pick<Lives, "operations">): number {
  return operations.filter(({ outcome }) => outcome === "ok").length;
}

/** Rejects if the load does not go on: nobody answers any more. */
export async function untilAcknowledged(
  lives: Lives,
  count: number,
  limitMs = LIMIT_MS,
): Promise<void> {
  const wanted = acknowledged(lives) + count;
  const end = monotonic() + limitMs;
  while (acknowledged(lives) < wanted) {
    if (monotonic() > end) throw new Error("the load does not go on");
    await sleep(20);
  }
}

/** What happened, as lines of figures. */
export function told({ operations, violations, faults }: Drill): string {
  const each = [...faults].map(([name, { during, recoveredMs }]) => {
    const until = `${Math.round(recoveredMs)} ms until ${ACKNOWLEDGED} more were`;
    return `  ${name}: ${during} acknowledged meanwhile, ${until}`;
  });
  const total = `${operations.length} requests, ${acknowledged({ operations })} acknowledged`;
  const rules = new Map<string, number>();
  for (const { rule } of violations) rules.set(rule, (rules.get(rule) ?? 0) + 1);
  const found = [...rules].map(([rule, count]) => `, ${count} of "${rule}"`);
  return [...each, `  ${total}, ${violations.length} violations${found.join("")}`].join("\n");
}
