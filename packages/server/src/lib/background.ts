// Background work, repeated until the service closes.

import { setTimeout as timeout } from "node:timers/promises";

/** Waits. Rejects only when the service closes. */
export type Pause = (milliseconds: number) => Promise<unknown>;

/** Waits. Rejects when the signal is aborted. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

/** Does not keep the process alive. */
export const systemSleep: Sleep = (milliseconds, signal) =>
  timeout(milliseconds, undefined, { signal, ref: false });

/** Runs the task after every `intervalMs`, until the signal is aborted. Reports failures and continues. */
export async function repeatUntil(
  signal: AbortSignal,
  intervalMs: number,
  task: (pause: Pause) => Promise<unknown>,
  onFailure: (cause: unknown) => void,
  sleep: Sleep = systemSleep,
): Promise<void> {
  const pause: Pause = (milliseconds) => sleep(milliseconds, signal);
  for (;;) {
    try {
      await pause(intervalMs);
      await task(pause);
    } catch (cause) {
      if (signal.aborted) return;
      onFailure(cause);
    }
  }
}

/** Tasks that nobody waits for: at most `max` at once, and one for each key. Others are dropped. */
export function createBackgroundTasks(max: number, onFailure: (cause: unknown) => void) {
  const running = new Map<string, Promise<void>>();
  return {
    start(key: string, task: () => Promise<unknown>): void {
      if (running.has(key) || running.size >= max) return;
      const ended = task()
        .then(() => {}, onFailure)
        .finally(() => running.delete(key));
      running.set(key, ended);
    },

    /** Resolves when the tasks that are running have ended. */
    settled: () => Promise.all(running.values()),
  };
}
