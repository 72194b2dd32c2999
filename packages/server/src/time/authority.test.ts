// The time of a node, beside others that write the same row.

import { describe, expect, test } from "vitest";
import { DAY, HOUR, START, timeNode } from "../../test/support/time-node.ts";

test("readiness writes at most once a second, however often it is asked for", async () => {
  let writes = 0;
  const { at, time } = timeNode(() => ++writes > 0);
  for (let second = 1; second <= 3; second++) {
    await Promise.all(Array.from({ length: 50 }, () => time.check()));
    for (let count = 0; count < 50; count++) await time.check();
    expect(writes).toBe(second);
    at.machine += 1;
    at.monotonic += 1;
    at.database += 1;
  }
});

describe("the time of a node", () => {
  test("is that of the database although other nodes write the row first every time", async () => {
    const { at, time } = timeNode(() => false);
    at.machine += 40 * DAY;
    await time.step();
    expect(time.clock.seconds()).toBe(START);
    expect([time.isSkewed(), time.mayEnd(), time.mayRotate()]).toEqual([true, false, false]);
  });

  test("is read again if the machine was suspended while the row was written", async () => {
    let suspend = () => {};
    const { at, time } = timeNode(() => {
      suspend();
      return true;
    });
    await time.step();
    at.machine += HOUR;
    at.database += HOUR;
    suspend = () => {
      suspend = () => {};
      at.machine += 5 * HOUR;
      at.database += 5 * HOUR;
    };
    await time.settle();
    expect(time.clock.seconds()).toBe(START + 6 * HOUR);
  });
});

describe("a suspend", () => {
  test("that the boot clock counts is no jump, and windows of the process end meanwhile", async () => {
    const { at, time, run, signed } = timeNode();
    signed();
    await run(0);
    await time.seekWitness();
    const before = time.clock.monotonic();
    at.boot += 8 * HOUR;
    at.machine += 8 * HOUR;
    at.database += 8 * HOUR;
    await time.settle();
    expect(time.verdict()).toBe("certain");
    expect(time.clock.floor()).toBe(START + 8 * HOUR);
    expect(time.clock.monotonic() - before).toBe(8 * HOUR * 1000);
    expect(time.cleanUpTime().ran).toBe(8 * HOUR);
  });

  test("with a clock that is 40 days ahead at the wake deletes nothing, with and without a network", async () => {
    for (const hasNetwork of [true, false]) {
      const { at, time, root, run, signed } = timeNode();
      signed();
      await run(0);
      await time.settle();
      await run(2 * HOUR);
      expect(time.mayEnd()).toBe(true);
      const inception = at.database + 8 * HOUR - HOUR;
      const look = { inception, expiration: inception + 13 * DAY, unknownKeys: [] };
      root.look = async () => (hasNetwork ? look : null);
      for (const clock of ["machine", "boot", "database"] as const) at[clock] += 40 * DAY;
      await run(10);
      expect([time.verdict(), time.mayEnd()]).toEqual(["unwitnessed", false]);
      await Promise.resolve(time.settle()).catch(() => {});
      expect([time.verdict(), time.mayEnd(), time.mayRotate()]).toEqual(
        hasNetwork ? ["contradicted", false, false] : ["unwitnessed", false, true],
      );
    }
  });

  test("of one node whose clock is two hours ahead at the wake takes no other node of the database down", async () => {
    const one = timeNode();
    const two = timeNode(undefined, {}, one.table);
    for (const each of [one, two]) {
      each.signed();
      await each.run(0);
      await each.time.settle();
    }
    for (let hours = 0; hours < 2; hours++) for (const each of [one, two]) await each.run(HOUR);
    for (const { at } of [one, two]) at.database += 8 * HOUR;
    for (const clock of ["machine", "boot"] as const) one.at[clock] += 10 * HOUR;
    for (const clock of ["machine", "boot", "monotonic"] as const) two.at[clock] += 8 * HOUR;
    for (const each of [one, two]) {
      await each.run(0);
      await each.time.settle();
    }
    expect([one.time.verdict(), two.time.verdict(), one.time.isSkewed()]).toEqual([
      "certain",
      "certain",
      true,
    ]);
    expect(one.row().seconds - two.at.database).toBeLessThanOrEqual(0);
  });

  test("of two weeks by a clock that gains three seconds a day is corrected without a word", async () => {
    const { at, time, run, signed, said } = timeNode();
    signed();
    await run(0);
    await time.seekWitness();
    await run(2 * HOUR);
    for (const clock of ["machine", "boot", "database"] as const) at[clock] += 14 * DAY + 45;
    await time.settle();
    await time.seekWitness();
    expect(time.verdict()).toBe("certain");
    for (const clock of ["machine", "database"] as const) at[clock] -= 45;
    await run(0);
    for (let seconds = 0; seconds < 20; seconds += 5) await run(5);
    expect(time.verdict()).toBe("certain");
    await run(2 * HOUR);
    expect([time.verdict(), said.includes("witness old")]).toEqual(["certain", false]);
  });

  test("that no clock counts is a jump, until the root is seen", async () => {
    const { at, time, run, signed } = timeNode();
    signed();
    await run(0);
    await time.seekWitness();
    at.machine += 8 * HOUR;
    at.database += 8 * HOUR;
    await time.step();
    expect(time.verdict()).toBe("unwitnessed");
    expect(time.clock.slack(START)).toBe(8 * HOUR);
    expect(time.clock.slack(START + 8 * HOUR)).toBe(0);
    // A request waits for that.
    await time.settle();
    expect(time.verdict()).toBe("certain");
    expect(time.clock.slack(START)).toBe(0);
  });

  test("of less than a second, or a coarse boot clock, turns no window back", async () => {
    const { at, time, run } = timeNode();
    await run(0);
    let last = time.clock.monotonic();
    for (const apart of [0.01, -0.01, 0.4, 0, 2, 1.99]) {
      at.boot = at.monotonic + apart;
      await run(0.05);
      expect(time.clock.monotonic()).toBeGreaterThanOrEqual(last);
      last = time.clock.monotonic();
    }
  });
});

test("a clock that the root contradicts makes the node unready, names both times, and ends nothing", async () => {
  const { at, time, root, run, said, row } = timeNode();
  const inception = START - HOUR;
  root.look = async () => ({ inception, expiration: inception + 13 * DAY, unknownKeys: [] });
  await run(0);
  await time.seekWitness();
  expect([time.verdict(), time.mayEnd(), time.mayRotate()]).toEqual(["certain", true, true]);
  for (const clock of ["machine", "database"] as const) at[clock] += 40 * DAY;
  await run(10);
  await time.seekWitness();
  expect([time.verdict(), time.mayEnd(), time.mayRotate()]).toEqual(["contradicted", false, false]);
  await expect(time.check()).rejects.toThrow(
    /^the clock says 2033-06-27T03:33:30Z, and the newest signature of the DNS root is of 2033-05-18T02:33:20Z: correct the clock, unless the resolvers show old answers$/,
  );
  expect(said.filter((one) => one === "uncertain")).toHaveLength(1);
  expect(row().seconds).toBe(START + 10);
  for (const clock of ["machine", "database"] as const) at[clock] -= 40 * DAY;
  await time.settle();
  await time.seekWitness();
  expect([time.verdict(), time.clock.seconds()]).toEqual(["certain", START + 10]);
});

test("old signatures and a slight step back of the clock do not take down a node that was right", async () => {
  const { at, time, root, run, signed } = timeNode();
  signed();
  await run(0);
  await time.settle();
  const inception = START - HOUR;
  root.look = async () => ({ inception, expiration: inception + 13 * DAY, unknownKeys: [] });
  for (let hours = 0; hours < 6 * 24; hours++) await run(HOUR);
  expect([time.verdict(), time.mayEnd()]).toEqual(["certain", false]);
  for (const clock of ["machine", "database"] as const) at[clock] -= 40;
  await run(0);
  for (let seconds = 0; seconds < 30; seconds += 5) await run(5);
  expect(time.verdict()).toBe("certain");
});

test("one old signature does not take down a node that was right", async () => {
  const { time, root, run, signed, said } = timeNode();
  signed();
  await run(0);
  await time.seekWitness();
  const inception = START - HOUR;
  root.look = async () => ({ inception, expiration: inception + 13 * DAY, unknownKeys: [] });
  for (let hours = 0; hours < 6 * 24; hours++) {
    await run(HOUR);
    await time.seekWitness();
  }
  expect(time.verdict()).toBe("certain");
  await expect(time.check()).resolves.toBeUndefined();
  expect(said.filter((one) => one === "witness old")).toHaveLength(1);
});

test("the running time is one sum for all nodes, and goes on where another one ended", async () => {
  const one = timeNode(undefined, { ran: 1000 });
  await one.run(0);
  await one.run(50);
  expect(one.row().ran).toBe(1050);
  const two = timeNode(undefined, { ...one.row(), ran: 2000 });
  await two.run(0);
  await two.run(60);
  expect(two.row().ran).toBe(2060);
});

test("a process that is older than the database adds nothing to the running time", async () => {
  const { at, time, row } = timeNode(undefined, { ran: 5400, seconds: START + 3 * HOUR });
  for (const clock of ["machine", "monotonic", "boot", "database"] as const) at[clock] += 3 * HOUR;
  await time.step();
  expect([row().ran, row().seconds, time.verdict()]).toEqual([
    5400,
    START + 3 * HOUR,
    "unwitnessed",
  ]);
});

describe("a jump that this node did not find itself", () => {
  const DAYS = 40 * DAY;
  test("because another node was first ends its certainty, and moves no floor", async () => {
    const one = timeNode();
    const two = timeNode(undefined, {}, one.table);
    for (const each of [one, two]) {
      each.signed();
      await each.run(0);
      await each.time.seekWitness();
    }
    for (let hours = 0; hours < 2; hours++) for (const each of [one, two]) await each.run(HOUR);
    for (const each of [one, two]) {
      // It is signed no more.
      const { inception } = { inception: START + HOUR };
      each.root.look = async () => ({
        inception,
        expiration: inception + 13 * DAY,
        unknownKeys: [],
      });
      each.at.machine += DAYS;
      each.at.database += DAYS;
    }
    await one.time.step();
    await two.time.step();
    expect([one.time.verdict(), two.time.verdict()]).toEqual(["unwitnessed", "unwitnessed"]);
    await one.time.seekWitness();
    expect(one.time.verdict()).toBe("contradicted");
    // The other one has seen nothing itself.
    await two.time.step();
    expect(two.time.verdict()).toBe("contradicted");
    expect(one.row().seconds).toBeLessThanOrEqual(START + 2 * HOUR);
  });

  test("because the answer to its write was lost is not taken for proven", async () => {
    const one = timeNode();
    const { table } = one;
    one.signed();
    await one.run(0);
    await one.time.seekWitness();
    await one.run(2 * HOUR);
    const store = timeNode(undefined, {}, table);
    one.at.machine += DAYS;
    one.at.database += DAYS;
    // Another process has stored what this one found, as far as this one knows.
    store.at.machine = one.at.machine;
    store.at.database = one.at.database;
    await store.time.step();
    await one.time.step();
    expect(one.time.verdict()).toBe("unwitnessed");
    expect(one.row().seconds).toBeLessThanOrEqual(START + 2 * HOUR);
  });
});

test("a clock that an operator accepts on a node that was right keeps it up, although the signatures are old", async () => {
  const { at, time, root, run, signed, table } = timeNode();
  signed();
  await run(0);
  await time.seekWitness();
  const inception = START - HOUR;
  root.look = async () => ({ inception, expiration: inception + 13 * DAY, unknownKeys: [] });
  for (let hours = 0; hours < 6 * 24; hours++) await run(HOUR);
  table.row = { ...table.row, seconds: at.database, accepted: 1 };
  await run(10);
  expect([time.verdict(), table.row.seconds]).toEqual(["certain", at.database]);
  await run(HOUR);
  expect(time.verdict()).toBe("certain");
});

test("after a long jump was believed, nothing is deleted or ended, and keys are only made", async () => {
  const { time, run } = timeNode(undefined, { quietUntil: 50 });
  await run(0);
  expect([time.mayEnd(), time.mayRotate()]).toEqual([false, true]);
  await run(50);
  expect(time.mayEnd()).toBe(true);
});

test("a boot clock that leaps or falls back alone moves nothing", async () => {
  const { at, time, run, row } = timeNode();
  await run(0);
  for (const leap of [30 * DAY, -60 * DAY, 30 * DAY]) {
    at.boot += leap;
    const before = time.clock.monotonic();
    await run(10);
    expect(time.clock.monotonic() - before).toBe(10_000);
  }
  expect([row().ran, row().seconds, time.verdict()]).toEqual([30, START + 30, "unwitnessed"]);
});
