// Tests of how long a statement waits before it begins.

import { expect, test, vi } from "vitest";
import { fakeTimers } from "../../test/support/fake-timers.ts";
import { NotBegunError } from "../lib/errors.ts";
import { OWN_STEP_MS } from "../lib/own-time.ts";
import { createWaits, type Settle, settledWithin } from "./waits.ts";

fakeTimers({ toFake: ["setInterval", "clearInterval"] });

const LIMIT_MS = 1000;

/** Lets the time pass, and what is deferred run. */
async function pass(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds);
  await new Promise((resolve) => setImmediate(resolve));
}

/** In steps, as a pause of the whole process counts as one. */
async function passLimit(): Promise<void> {
  for (let step = 0; step <= LIMIT_MS / OWN_STEP_MS; step++) await pass(OWN_STEP_MS);
}

/** `outage` is why no statement can begin. */
function begin({ outage = null }: { outage?: Error | null } = {}) {
  const wait = createWaits(() => outage).of(LIMIT_MS);
  const waiters = new Set<Settle<string>>();
  const begun = vi.fn();
  const settled = settledWithin(wait, "no free connection", waiters, begun);
  settled.catch(() => {});
  return { wait, waiters, begun, settled };
}

test("what is settled in time is settled once, and leaves no timer", async () => {
  const { wait, waiters, begun, settled } = begin();
  const [waiter] = waiters;
  expect(begun).toHaveBeenCalledExactlyOnceWith(waiter);
  waiter?.resolve("a connection");
  expect(await settled).toBe("a connection");
  expect(waiters.size).toBe(0);
  wait.end();
  await passLimit();
  expect(vi.getTimerCount()).toBe(0);
});

test("a failure is passed on", async () => {
  const { waiters, settled } = begin();
  for (const waiter of waiters) waiter.reject(new Error("refused"));
  await expect(settled).rejects.toThrow("refused");
  expect(waiters.size).toBe(0);
});

test("what is not settled in time has not begun, and says what it waited for", async () => {
  const { wait, waiters, settled } = begin();
  await pass(LIMIT_MS / 2);
  expect(waiters.size).toBe(1);
  await passLimit();
  await expect(settled).rejects.toThrow(new NotBegunError("no free connection within 1000 ms"));
  expect(waiters.size).toBe(0);
  expect([wait.isOver(), wait.begin()]).toEqual([true, false]);
});

test("in an outage, the late error is that of the outage", async () => {
  const outage = new Error("the database does not answer");
  const { settled } = begin({ outage });
  await passLimit();
  await expect(settled).rejects.toThrow(new NotBegunError(outage.message, { cause: outage }));
});

test("once the time is over, nothing begins to wait", async () => {
  const { wait } = begin();
  await passLimit();
  const waiters = new Set<Settle<string>>();
  const begun = vi.fn();
  await expect(settledWithin(wait, "a free connection", waiters, begun)).rejects.toThrow(
    NotBegunError,
  );
  expect([waiters.size, begun.mock.calls.length]).toEqual([0, 0]);
});

test("a statement that begins stops its wait, and has a new one if it is tried again", async () => {
  const { wait, waiters } = begin();
  expect(wait.again()).toBe(wait);
  expect(wait.begin()).toBe(true);
  await passLimit();
  expect(waiters.size).toBe(1);
  const again = wait.again();
  expect(again).not.toBe(wait);
  expect([again.limitMs, again.isOver()]).toEqual([LIMIT_MS, false]);
  again.end();
});
