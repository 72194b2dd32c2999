// Time that passes as soon as a test waits for something: fake timers, moved on between turns of real I/O.

import { setTimeout as sleep } from "node:timers/promises";
import { vi } from "vitest";

/** Milliseconds that pass at a time, unless a test has to measure more exactly. */
const STEP_MS = 100;
/** What the sockets of this process get in between, at least: milliseconds, and turns of the event loop. */
const TURN_MS = 3;
const TURNS = 10;

/**
 * Moves time on until the task is over, and gives what it gives. For timers that `vi.useFakeTimers` has
 * replaced: a busy machine makes the turns later, and none of these timers earlier.
 */
export async function passingTime<T>(task: Promise<T>, stepMs = STEP_MS): Promise<T> {
  let isOver = false;
  const done = task.finally(() => {
    isOver = true;
  });
  // It is rejected below, where it is awaited.
  done.catch(() => {});
  for (;;) {
    await fewTurns();
    if (isOver) return done;
    vi.advanceTimersByTime(stepMs);
  }
}

/** Moves time on until nothing waits for it any more: what was given up goes on until its own end. */
export async function passRest(): Promise<void> {
  for (await fewTurns(); vi.getTimerCount() > 0; await fewTurns()) vi.advanceTimersByTime(1000);
}

async function fewTurns(): Promise<void> {
  await sleep(TURN_MS);
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until that is so, while faked time stands still. `expect.poll` would move it on. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(TURN_MS);
}
