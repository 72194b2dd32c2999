// Starts and commands wait for the database server as long as it takes, and say so.

import { setTimeout as sleep } from "node:timers/promises";
import { UnknownOutcomeError } from "../lib/errors.ts";
import type { OnWait } from "./engine.ts";

const REPORT_INTERVAL_MS = 10_000;
/** Before a task is run again. */
const PAUSE_MS = 500;

/** Runs the task, and passes on what it waits for after each ten seconds. */
export async function whileWaiting<T>(
  what: () => string,
  onWait: OnWait | undefined,
  task: () => Promise<T>,
): Promise<T> {
  let seconds = 0;
  const say = () => {
    seconds += REPORT_INTERVAL_MS / 1000;
    onWait?.(what(), seconds);
  };
  const timer = setInterval(say, REPORT_INTERVAL_MS);
  try {
    return await task();
  } finally {
    clearInterval(timer);
  }
}

/** Runs a task that changes nothing, again as long as its answer is lost. */
export async function asLongAsItTakes<T>(task: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await task();
    } catch (cause) {
      if (!(cause instanceof UnknownOutcomeError)) throw cause;
    }
    await sleep(PAUSE_MS);
  }
}
