// Tests of the judgement whether the server is there: silence, words, and what each leads to.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { UnavailableError } from "../lib/errors.ts";
import { createLiveness, type Liveness } from "./postgres-liveness.ts";

let done: string[];
let liveness: Liveness;
let octets: number;
beforeEach(() => {
  vi.useFakeTimers();
  done = [];
  octets = 1;
  liveness = createLiveness({
    ask: () => done.push("ask"),
    connect: () => done.push("connect"),
    giveUp: (cause) => done.push(cause.name),
    octets: () => octets,
  });
});
afterEach(() => {
  liveness.stop();
  vi.useRealTimers();
});

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const wait = () => void liveness.watch(() => new Promise(() => {}));
const work = () => liveness.watch(async () => "done");

test("who waits in silence sees it asked, connected to, and given up within a second", async () => {
  wait();
  await pass(150);
  expect(done).toEqual([]);
  await pass(100);
  expect(done).toEqual(["ask"]);
  await pass(100);
  expect(done).toEqual(["ask", "connect"]);
  await pass(300);
  expect(done).toHaveLength(2);
  await pass(100);
  expect(done).toEqual(["ask", "connect", "UnavailableError", "connect"]);
});

test("any data from the server postpones the outage, however long one answer takes", async () => {
  wait();
  for (let word = 0; word < 10; word++) {
    await pass(500);
    octets++;
  }
  expect(done).not.toContain("UnavailableError");
  expect(done.filter((what) => what === "ask")).toHaveLength(10);
});

test("a word that has arrived by the last step is read before it is judged", async () => {
  wait();
  await pass(650);
  vi.advanceTimersToNextTimer();
  octets++;
  await pass(100);
  expect(done).toEqual(["ask", "connect"]);
});

test("while it is gone, work is refused at once and a connection is tried for twice a second", async () => {
  wait();
  await pass(900);
  done.length = 0;
  const task = vi.fn(async () => {});
  await expect(liveness.watch(task)).rejects.toThrow(UnavailableError);
  expect(task).not.toHaveBeenCalled();
  await pass(5000);
  expect(done).toEqual(Array(10).fill("connect"));
});

test("only a connection ends it: a proxy may speak for a server that is gone", async () => {
  wait();
  await pass(900);
  octets++;
  await expect(work()).rejects.toThrow(UnavailableError);
  liveness.connected();
  await expect(work()).resolves.toBe("done");
  done.length = 0;
  await pass(850);
  expect(done).toEqual(["ask", "connect", "UnavailableError", "connect"]);
});

test("without anybody who waits there is no silence, and no timer", async () => {
  await work();
  await pass(5000);
  expect(done).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  // Nor does it count for the next task.
  wait();
  await pass(650);
  expect(done).not.toContain("UnavailableError");
});

test("a server that was never heard may be slow to reach: other limits hold", async () => {
  octets = 0;
  const fresh = createLiveness({
    ask: () => done.push("ask"),
    connect: () => done.push("connect"),
    giveUp: () => done.push("gone"),
    octets: () => octets,
  });
  void fresh.watch(() => new Promise(() => {}));
  await pass(3000);
  expect(done).toEqual([]);
  octets++;
  await pass(900);
  expect(done).toContain("gone");
  fresh.stop();
});

test("once stopped, it judges no more", async () => {
  wait();
  await pass(650);
  liveness.stop();
  done.length = 0;
  wait();
  await pass(5000);
  expect(done).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
