// Tests of the judgement whether the server is there: silence, refusals, and what each leads to.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeTimers } from "../../test/support/fake-timers.ts";
import { NotBegunError, UnavailableError, UnknownOutcomeError } from "../lib/errors.ts";
import { createLiveness, type Liveness, type Octets } from "./postgres-liveness.ts";
import { createWaits, type Waits } from "./waits.ts";

fakeTimers();
let done: string[];
let liveness: Liveness;
let waits: Waits;
let octets: Octets;
beforeEach(() => {
  [done, octets] = [[], { all: 1, ready: 1 }];
  liveness = createLiveness({
    ask: () => done.push("ask"),
    connect: () => done.push("connect"),
    giveUp: (cause) => done.push(cause.name),
    renew: () => done.push("renew"),
    octets: () => octets,
  });
  waits = createWaits(() => liveness.outage());
});
afterEach(() => {
  liveness.stop();
  waits.stop();
});

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const run = () => void liveness.watch(() => new Promise(() => {}));
/** Whether a statement may be sent, or why not. */
async function askToSend(waitMs: number) {
  const state: { outcome: string } = { outcome: "waits" };
  Promise.resolve(liveness.whenResponsive(waits.of(waitMs))).then(
    () => Object.assign(state, { outcome: "sent" }),
    ({ name, message }: Error) => Object.assign(state, { outcome: `${name}: ${message}` }),
  );
  await pass(0);
  return state;
}

test("a server that is silent is asked, connected to, and then sent nothing more", async () => {
  run();
  await pass(150);
  expect(done).toEqual([]);
  await pass(100);
  expect(done).toEqual(["ask"]);
  await pass(100);
  expect(done).toEqual(["ask", "connect"]);
  await pass(300);
  expect(done).toHaveLength(2);
  expect((await askToSend(1000)).outcome).toBe("sent");
  await pass(100);
  expect(done).toEqual(["ask", "connect", "connect"]);
  expect((await askToSend(1000)).outcome).toBe("waits");
});

test("any data from the server postpones the outage, however long one answer takes", async () => {
  run();
  for (let word = 0; word < 10; word++) {
    await pass(500);
    octets.all++;
  }
  expect(liveness.outage()).toBeNull();
  expect(done.filter((what) => what === "ask")).toHaveLength(10);
});

test("a word that has arrived by the last step is read before it is judged", async () => {
  run();
  await pass(650);
  vi.advanceTimersToNextTimer();
  octets.all++;
  await pass(100);
  expect(done).toEqual(["ask", "connect"]);
  expect(liveness.outage()).toBeNull();
});

test("what waits in a silence is sent when the server speaks again, and refused when its time is over", async () => {
  run();
  await pass(900);
  const short = await askToSend(2000);
  const long = await askToSend(10_000);
  const endless = await askToSend(Infinity);
  await pass(1900);
  expect(short.outcome).toBe("waits");
  await pass(300);
  expect(short.outcome).toBe("NotBegunError: the database does not answer");
  expect(long.outcome).toBe("waits");
  octets.ready++;
  await pass(100);
  expect([long.outcome, endless.outcome]).toEqual(["sent", "sent"]);
  expect(done).not.toContain("renew");
  expect(liveness.outage()).toBeNull();
});

test("what was sent is given up after 20 s of silence, and not before", async () => {
  run();
  await pass(19_900);
  expect(done).not.toContain(UnknownOutcomeError.name);
  await pass(200);
  expect(done).toContain(UnknownOutcomeError.name);
  done.length = 0;
  await pass(5000);
  expect(done).toEqual(Array(10).fill("connect"));
});

test("during a silence a connection is tried for twice a second", async () => {
  run();
  await pass(900);
  done.length = 0;
  await pass(5000);
  expect(done).toEqual(Array(10).fill("connect"));
});

test("a connection ends a silence, and those before it are replaced: a proxy may speak for a server that is gone", async () => {
  run();
  await pass(900);
  const sending = await askToSend(10_000);
  // On a connection that never got ready.
  octets.all++;
  await pass(500);
  expect(sending.outcome).toBe("waits");
  done.length = 0;
  liveness.connected();
  await pass(0);
  expect(sending.outcome).toBe("sent");
  expect(done).toEqual(["renew"]);
  done.length = 0;
  await pass(850);
  expect(done).toEqual(["ask", "connect", "connect"]);
});

test("a server that refuses is tried for twice a second, and what waits is told why", async () => {
  liveness.connected();
  liveness.refused(new UnavailableError("connection refused"));
  const refused = await askToSend(2000);
  const served = await askToSend(10_000);
  await pass(2100);
  expect(refused.outcome).toBe("NotBegunError: connection refused");
  expect(done).toEqual(Array(4).fill("connect"));
  liveness.connected();
  await pass(0);
  expect(served.outcome).toBe("sent");
  expect(done.at(-1)).toBe("renew");
});

test("a refusal is no silence: nothing that was sent is given up", async () => {
  liveness.connected();
  liveness.refused(new UnavailableError("connection refused"));
  await pass(30_000);
  expect(done).not.toContain(UnknownOutcomeError.name);
});

test("a server that was never reached and refuses is an error at once", () => {
  const cause = new UnavailableError("connection refused");
  expect(() => liveness.refused(cause)).toThrow(cause);
  expect(liveness.outage()).toBeNull();
});

test("without anybody who waits there is no silence, and no timer", async () => {
  await liveness.watch(async () => "done");
  await pass(5000);
  expect(done).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  // Nor does it count for the next task.
  run();
  await pass(650);
  expect(liveness.outage()).toBeNull();
});

test("a server that was never heard may be slow to reach: other limits hold", async () => {
  octets.all = 0;
  run();
  await pass(3000);
  expect(done).toEqual([]);
  octets.all++;
  await pass(900);
  expect(liveness.outage()).not.toBeNull();
});

test("after it is closed nothing waits for the end of an outage", async () => {
  run();
  await pass(900);
  const waiting = await askToSend(10_000);
  liveness.close(new UnavailableError("closed"));
  await pass(0);
  expect(waiting.outcome).toBe("UnavailableError: closed");
  expect((await askToSend(10_000)).outcome).toBe("UnavailableError: closed");
});

test("once stopped, it judges no more", async () => {
  run();
  await pass(650);
  liveness.stop();
  done.length = 0;
  run();
  await pass(5000);
  expect(done).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a wait that is over cannot begin, and one that has begun is never over", async () => {
  const [over, begun] = [waits.of(1000), waits.of(1000)];
  const told: string[] = [];
  for (const [name, wait] of Object.entries({ over, begun })) wait.onOver(() => told.push(name));
  expect(begun.begin()).toBe(true);
  await pass(1200);
  expect(told).toEqual(["over"]);
  expect(over.begin()).toBe(false);
  const late = new NotBegunError("nothing happened within 1000 ms");
  expect(over.late("nothing happened")).toEqual(late);
  // What had no effect waits anew.
  expect(begun.again()).not.toBe(begun);
  expect(over.again()).toBe(over);
});
