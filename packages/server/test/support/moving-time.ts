// Time that passes as soon as a test waits for something: fake timers, moved on between turns of real I/O.

import { randomFill } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, beforeEach, vi } from "vitest";

/** Milliseconds that pass at a time, unless a test has to measure more exactly. */
const STEP_MS = 100;
/** What other processes get in between, at least: milliseconds. */
const TURN_MS = 3;
/** What this process gets in between, at least: round trips, which take those milliseconds on an idle machine. */
const TRIPS = 25;

/**
 * Moves time on until the task is over, and gives what it gives. For timers that `vi.useFakeTimers` has
 * replaced: a busy machine makes the round trips longer, and none of these timers earlier.
 */
export async function passingTime<T>(task: Promise<T>, stepMs = STEP_MS): Promise<T> {
  let isOver = false;
  const done = task.finally(() => {
    isOver = true;
  });
  // It is rejected below, where it is awaited.
  done.catch(() => {});
  const trips = await openTrips();
  try {
    for (;;) {
      await trips.make();
      if (isOver) return await done;
      vi.advanceTimersByTime(stepMs);
    }
  } finally {
    trips.close();
  }
}

/** Moves time on until nothing waits for it any more: what was given up goes on until its own end. */
export async function passRest(): Promise<void> {
  const trips = await openTrips();
  for (await trips.make(); vi.getTimerCount() > 0; await trips.make()) vi.advanceTimersByTime(1000);
  trips.close();
}

const fillRandomly = promisify(randomFill);

/**
 * Round trips through what the answers of this process pass: the loopback interface, and the threads that
 * check signatures. Milliseconds alone would be none for a process that does not run in them.
 */
async function openTrips() {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  async function make(): Promise<void> {
    const pause = sleep(TURN_MS);
    for (let trip = 0; trip < TRIPS; trip++) {
      const back = once(socket, "message");
      socket.send("-", port, "127.0.0.1");
      await Promise.all([back, fillRandomly(Buffer.alloc(1))]);
    }
    await pause;
  }
  return { make, close: () => socket.close() };
}

/** Waits until that is so, while faked time stands still. `expect.poll` would move it on. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(TURN_MS);
}

/**
 * In the tests of this file no timeout passes, so that no machine is too slow for an answer. Call it after the other
 * hooks, because hooks that close need time: these run in reverse order.
 */
export function withoutTimeouts(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}
