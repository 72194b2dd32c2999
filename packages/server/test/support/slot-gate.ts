// A gate for tests of queues, in which it does not matter who asks.

import type { Gate } from "../../src/lib/fair-queue.ts";

/** At most so many tasks at once. */
export function createSlotGate(slots: number): Gate {
  let used = 0;
  return {
    waitMs: () => (used < slots ? 0 : Number.POSITIVE_INFINITY),
    begin: () => void used++,
    end: () => void used--,
  };
}
