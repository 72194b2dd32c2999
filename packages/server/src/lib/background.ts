// Work that goes on beside the requests: again and again, until the service closes.

import { setTimeout as sleep } from "node:timers/promises";

/** Waits that many milliseconds. Rejects only when everything comes to its end. */
export type Pause = (milliseconds: number) => Promise<unknown>;

/** Runs the task `every` so many milliseconds. What failed is told, and tried again at the next turn. */
export async function repeatUntil(
  signal: AbortSignal,
  every: number,
  task: (pause: Pause) => Promise<unknown>,
  onFailure: (cause: unknown) => void,
): Promise<void> {
  // Waiting is no reason to keep a process alive.
  const pause: Pause = (milliseconds) => sleep(milliseconds, undefined, { signal, ref: false });
  for (;;) {
    try {
      await pause(every);
      await task(pause);
    } catch (cause) {
      if (signal.aborted) return;
      onFailure(cause);
    }
  }
}
