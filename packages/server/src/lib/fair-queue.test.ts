// A fair queue: who begins when, who gives way, and what becomes of those who do.

import { expect, test, vi } from "vitest";
import { createSlotGate } from "../../test/support/slot-gate.ts";
import {
  createFairQueue,
  createRateGate,
  createReservedQueue,
  createSharedGate,
} from "./fair-queue.ts";

const clock = { monotonic: () => 0 };
const FLOOD = { keys: ["flood"], group: "", isReserved: false };
const HOME = { keys: ["home"], group: "", isReserved: false };

/** Lets promises settle. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function queueOf(slots: number, capacity = 100) {
  const queue = createFairQueue([{ gate: createSlotGate(slots), capacity }], clock);
  const begun: string[] = [];
  const enter = async (name: string, ...keys: string[]) => {
    const end = await queue.enter([{ lane: 0, keys }]);
    begun.push(end === null ? `no ${name}` : name);
    return end;
  };
  return { enter, begun };
}

test("users take turns, however much one of them sends", async () => {
  const { enter, begun } = queueOf(1);
  const first = enter("f0", "flood");
  for (const name of ["f1", "f2", "f3"]) void enter(name, "flood").then((end) => end?.());
  void enter("h1", "home").then((end) => end?.());
  (await first)?.();
  await vi.waitFor(() => expect(begun).toHaveLength(5));
  expect(begun).toEqual(["f0", "f1", "h1", "f2", "f3"]);
});

test("what ends lets the next one begin, once", async () => {
  const queue = createFairQueue([{ gate: createSlotGate(1), capacity: 10 }], clock);
  const first = await queue.enter([{ lane: 0, keys: ["a"] }]);
  const second = queue.enter([{ lane: 0, keys: ["b"] }]);
  const third = queue.enter([{ lane: 0, keys: ["c"] }]);
  let isThird = false;
  void third.then(() => {
    isThird = true;
  });
  first?.();
  first?.();
  const end = await second;
  await settled();
  expect(isThird).toBe(false);
  end?.();
  expect(await third).not.toBeNull();
});

test("in a full queue, those of the largest user give way", async () => {
  const { enter, begun } = queueOf(1, 3);
  const first = await enter("f0", "flood");
  for (const name of ["f1", "f2", "f3"]) void enter(name, "flood").then((end) => end?.());
  const home = enter("h1", "home");
  await settled();
  expect(begun).toEqual(["f0", "no f1"]);
  first?.();
  (await home)?.();
  await vi.waitFor(() => expect(begun).toEqual(["f0", "no f1", "f2", "h1", "f3"]));
});

test("who gives way in the first lane waits once more in the second", async () => {
  const gate = createSlotGate(1);
  const queue = createFairQueue(
    [
      { gate, capacity: 1 },
      { gate, capacity: 10 },
    ],
    clock,
  );
  const first = await queue.enter([{ lane: 1, keys: ["x"] }]);
  const entries = (name: string) => [
    { lane: 0, keys: [name] },
    { lane: 1, keys: ["address"] },
  ];
  const waiting = [queue.enter(entries("a")), queue.enter(entries("b"))];
  await settled();
  first?.();
  for (const one of waiting) void one.then((end) => end?.());
  expect(await Promise.all(waiting)).not.toContain(null);
});

test("lanes share one gate by their turns: none of them starves", async () => {
  const gate = createSlotGate(1);
  const queue = createFairQueue(
    [
      { gate, capacity: 100, turns: 3 },
      { gate, capacity: 100 },
    ],
    clock,
  );
  const order: number[] = [];
  const run = async (lane: number, key: string) => {
    const end = await queue.enter([{ lane, keys: [key] }]);
    order.push(lane);
    end?.();
  };
  const hold = await queue.enter([{ lane: 0, keys: ["x"] }]);
  const all = [...Array(12).keys()].map((n) => run(0, `${n}`));
  all.push(run(1, "stranger"), run(1, "other"));
  hold?.();
  await Promise.all(all);
  expect(order.slice(0, 4).filter((lane) => lane === 1)).toHaveLength(1);
});

test("nobody uses the reserve without having shown what it is for", async () => {
  const queue = createReservedQueue({ gate: () => createSlotGate(2), capacity: 10 }, clock);
  await queue.enter(FLOOD);
  await queue.enter(FLOOD);
  let isHome = false;
  void queue.enter(HOME).then(() => {
    isHome = true;
  });
  await settled();
  expect(isHome).toBe(false);
  expect(await queue.enter({ ...HOME, isReserved: true })).not.toBeNull();
});

test("a shared gate keeps a slot for the next user, and within a network for its next address", async () => {
  const queue = createFairQueue([{ gate: createSharedGate(16), capacity: 100 }], clock);
  const begun = new Map<string, number>();
  const fill = async (...keys: string[]) => {
    for (let count = 0; count < 20; count++) {
      void queue.enter([{ lane: 0, keys }]).then(() => {
        const name = keys.join(" ");
        begun.set(name, (begun.get(name) ?? 0) + 1);
      });
    }
    await settled();
  };
  await fill("flood", "a");
  await fill("flood", "b");
  await fill("home", "c");
  const [a = 0, b = 0, c = 0] = ["flood a", "flood b", "home c"].map((name) => begun.get(name));
  expect([a >= 8, b >= 1, c >= 1, a + b + c <= 16]).toEqual([true, true, true, true]);
});

test("a wait with a limit ends with null, and its place is free again", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const queue = createFairQueue([{ gate: createSlotGate(1), capacity: 1 }], clock);
    await queue.enter([{ lane: 0, keys: ["a"] }]);
    const waiting = queue.enter([{ lane: 0, keys: ["b"] }], { waitMs: 500 });
    for (let n = 0; n < 10; n++) {
      vi.advanceTimersByTime(100);
      await settled();
    }
    expect(await waiting).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test("a rate gate opens so many times a second, whatever the pause before", () => {
  let now = 0;
  const gate = createRateGate(10, 2, { monotonic: () => now });
  const count = () => {
    let begun = 0;
    while (gate.waitMs() === 0) {
      gate.begin([]);
      begun++;
    }
    return begun;
  };
  expect(count()).toBe(20);
  now += 1000;
  expect(count()).toBe(10);
  now += 3_600_000;
  expect(count()).toBe(20);
  expect(gate.waitMs()).toBeCloseTo(100);
});

test("a gate that opens while it is asked lets the one who waits begin, even if nothing else happens", async () => {
  for (const closed of [1, 2, 3, 4, 5, 6]) {
    let asked = 0;
    // As the page gate after a step of time, it answers something else the next time.
    const gate = { ...createSlotGate(1), waitMs: () => (asked++ < closed ? 5 : 0) };
    const queue = createFairQueue([{ gate, capacity: 10 }], clock);
    expect(await queue.enter([{ lane: 0, keys: ["a"] }], { waitMs: 5000 })).not.toBeNull();
  }
});

test("who has the reserve begins in either half that is free, and is counted as refused only when both are not", async () => {
  const counts = { evicted: 0, refused: 0 };
  const budget = {
    show() {},
    evicted: () => void counts.evicted++,
    refused: () => void counts.refused++,
  };
  const queue = createReservedQueue({ gate: () => createSlotGate(1), capacity: 9, budget }, clock);
  const reserved = { ...HOME, isReserved: true };
  // Both wait for no turn: in its own half the first, in the open one the second.
  for (let count = 0; count < 2; count++) expect(await queue.enter(reserved)).not.toBeNull();
  expect(counts.refused).toBe(0);
  const began = performance.now();
  expect(await queue.enter(reserved, { waitMs: 400 })).toBeNull();
  // In both halves together, as own time counts it.
  expect(performance.now() - began).toBeGreaterThan(190);
  expect(counts).toEqual({ evicted: 0, refused: 1 });
});

test("who is refused in a lane is told how long that lane waits", async () => {
  let now = 0;
  const lane = { gate: createSlotGate(1), capacity: 10 };
  const queue = createFairQueue([lane, lane], { monotonic: () => now });
  const end = await queue.enter([{ lane: 0, keys: ["first"] }]);
  const slow = queue.enter([{ lane: 1, keys: ["slow"] }]);
  now = 7000;
  end?.();
  const next = await slow;
  const quick = queue.enter([{ lane: 0, keys: ["quick"] }]);
  now = 8000;
  next?.();
  await quick;
  expect([queue.retryAfter(0), queue.retryAfter(1)]).toEqual([1, 7]);
});
