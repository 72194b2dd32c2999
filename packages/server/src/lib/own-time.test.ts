// Tests of limits that count the time in which this process ran.

import { expect, test, vi } from "vitest";
import { fakeTimers } from "../../test/support/fake-timers.ts";
import { afterOwnTime, OWN_STEP_MS, stepsIn, withinOwnTime } from "./own-time.ts";

fakeTimers({ toFake: ["setInterval", "clearInterval"] });

/** Lets what is deferred run. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("a task is called once, after so many steps and not before", async () => {
  const called = vi.fn();
  afterOwnTime(1000, called);
  vi.advanceTimersByTime(1000 - OWN_STEP_MS);
  await turn();
  expect(called).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  await turn();
  expect(called).toHaveBeenCalledTimes(1);
});

test("a stop of the process for a minute is one step", async () => {
  const called = vi.fn();
  afterOwnTime(1000, called);
  // After the stop, Node calls a timer once that was due many times.
  vi.advanceTimersByTime(OWN_STEP_MS);
  await turn();
  expect(called).not.toHaveBeenCalled();
});

test("a cancelled task, and a task that may take for ever, are not called and leave no timer", async () => {
  const called = vi.fn();
  afterOwnTime(100, called)();
  afterOwnTime(Number.POSITIVE_INFINITY, called)();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(1000);
  await turn();
  expect(called).not.toHaveBeenCalled();
});

test("an answer that arrived while the process was stopped counts", async () => {
  let answer = (_: string) => {};
  const answered = new Promise<string>((resolve) => (answer = resolve));
  const outcome = withinOwnTime(OWN_STEP_MS, answered);
  vi.advanceTimersByTime(OWN_STEP_MS);
  // What was read from a socket in the same turn of the event loop.
  answer("in time");
  expect(await outcome).toBe("in time");
  await turn();
  expect(vi.getTimerCount()).toBe(0);
});

test("a promise that does not settle in time is null, and a failure is passed on", async () => {
  const outcome = withinOwnTime(250, new Promise(() => {}));
  vi.advanceTimersByTime(300);
  expect(await outcome).toBeNull();
  await turn();
  await expect(withinOwnTime(250, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  await turn();
  expect(vi.getTimerCount()).toBe(0);
});

test("steps are rounded up, and there is at least one", () => {
  expect([0, 1, 100, 101, 2000].map(stepsIn)).toEqual([1, 1, 1, 2, 20]);
  expect(stepsIn(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
});
