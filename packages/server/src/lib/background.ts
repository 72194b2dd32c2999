// Work that goes on beside the requests: again and again, until the service closes.

import { setTimeout as timeout } from "node:timers/promises";

/** Waits that many milliseconds. Rejects only when everything comes to its end. */
export type Pause = (milliseconds: number) => Promise<unknown>;

/** Waits that many milliseconds. Rejects when the signal is aborted. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

/** Does not keep the process alive. */
export const systemSleep: Sleep = (milliseconds, signal) =>
  timeout(milliseconds, undefined, { signal, ref: false });

/** Runs the task `every` so many milliseconds. What failed is told, and tried again at the next turn. */
export async function repeatUntil(
  signal: AbortSignal,
  every: number,
  task: (pause: Pause) => Promise<unknown>,
  onFailure: (cause: unknown) => void,
  sleep: Sleep = systemSleep,
): Promise<void> {
  const pause: Pause = (milliseconds) => sleep(milliseconds, signal);
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
