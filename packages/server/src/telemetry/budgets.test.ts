// Tests of what operators see of limits: the sums of rooms, and at most one line of the log in a minute.

import { expect, test } from "vitest";
import { networksOf } from "../http/client-address.ts";
import { clockFrom } from "../lib/clock.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import { createFairRoom } from "../lib/fair-room.ts";
import { createBudgets } from "./budgets.ts";
import type { Events, LimitReached } from "./events.ts";

/** A room of a budget, a clock to move, and the lines of the log. */
function setUp({ rooms = 1, capacity = 2 } = {}) {
  let now = 1000;
  const clock = { monotonic: () => now };
  const lines: LimitReached[] = [];
  const events = { limitReached: (line: LimitReached) => void lines.push(line) } as Events;
  const budgets = createBudgets({ events, clock });
  const budget = budgets.budget("pages");
  const halves = Array.from({ length: rooms }, () => createFairRoom({ capacity, clock, budget }));
  const enter = (keys: readonly string[], half = 0) =>
    halves[half]?.enter({ keys, size: 1, evict() {} });
  return {
    ...{ budgets, budget, lines, enter },
    wait: (ms: number) => {
      now += ms;
    },
    shown: () => budgets.shown().find((shown) => shown.budget === "pages"),
    /** What the lines count. */
    counts: () => lines.map(({ evicted, refused }) => ({ evicted, refused })),
  };
}

const FLOOD = ["203.0.113.0/24", "203.0.113.7"];
const OTHER = ["198.51.100.0/24", "198.51.100.1"];

test("the first eviction is logged at once, with what gave way, how much is held and by whom", () => {
  const { lines, enter } = setUp();
  enter(FLOOD);
  enter(FLOOD);
  expect(lines).toEqual([]);
  enter(OTHER);
  expect(lines).toEqual([
    {
      ...{ budget: "pages", what: "requests for pages", evicted: 1, refused: 0 },
      ...{ held: 1, capacity: 2, largest: ["203.0.113.7"] },
    },
  ]);
});

test("a flood makes one line in a minute, and none of its counts is lost", () => {
  const { budgets, budget, counts, wait } = setUp();
  for (let minute = 0; minute < 3; minute++) {
    for (let i = 0; i < 60; i++) {
      budget.evicted();
      budget.refused();
      wait(1000);
    }
  }
  const lines = counts();
  expect(lines).toEqual([
    { evicted: 1, refused: 0 },
    { evicted: 60, refused: 60 },
    { evicted: 60, refused: 60 },
  ]);
  // The flood has ended, so that no event brings the rest.
  wait(-1000);
  budgets.report();
  expect(counts()).toHaveLength(3);
  wait(1000);
  budgets.report();
  budgets.report();
  expect(counts().slice(3)).toEqual([{ evicted: 59, refused: 60 }]);
  wait(600_000);
  budgets.report(0);
  expect(counts()).toHaveLength(4);
});

test("a clock that jumps makes no line earlier or later", () => {
  const at = { wall: 1e12, monotonic: 0 };
  const clock = clockFrom(
    () => at.wall,
    () => at.monotonic,
  );
  let lines = 0;
  const { budget } = createBudgets({ events: { limitReached: () => lines++ }, clock });
  const refusedAt = (wall: number, monotonic: number) => {
    Object.assign(at, { wall, monotonic });
    budget("pages").refused();
    return lines;
  };
  expect(refusedAt(1e12, 0)).toBe(1);
  expect(refusedAt(2e12, 59_999)).toBe(1);
  expect(refusedAt(1e9, 60_000)).toBe(2);
  expect(refusedAt(1e12, 119_999)).toBe(2);
});

test("a service that stops logs what it has not logged yet", () => {
  const { budgets, budget, counts } = setUp();
  budget.refused();
  budget.refused();
  budgets.report(0);
  budgets.report(0);
  expect(counts()).toEqual([
    { evicted: 0, refused: 1 },
    { evicted: 0, refused: 1 },
  ]);
});

test("each budget has a line of its own", () => {
  const { budgets, lines } = setUp();
  for (const name of ["outgoing", "look_ups", "outgoing"] as const) budgets.budget(name).refused();
  expect(lines.map(({ budget, what }) => [budget, what])).toEqual([
    ["outgoing", "requests to other hosts"],
    ["look_ups", "look-ups in DNS"],
  ]);
});

test("two halves are shown as one limit, and the largest users are those of the fuller one", () => {
  const { lines, enter, shown } = setUp({ rooms: 2, capacity: 3 });
  enter(OTHER, 0);
  for (let i = 0; i < 3; i++) enter(FLOOD, 1);
  expect(shown()).toEqual({ budget: "pages", held: 4, capacity: 6, evictions: 0, refusals: 0 });
  enter(FLOOD, 1);
  expect(lines).toMatchObject([{ held: 3, capacity: 6, largest: ["203.0.113.7"] }]);
  expect(shown()).toMatchObject({ held: 4, evictions: 1 });
});

test("a limit that nothing uses is shown as zero", () => {
  const { budgets } = setUp();
  const none = { held: 0, capacity: 0, evictions: 0, refusals: 0 };
  expect(budgets.shown().slice(1)).toEqual(
    ["unproved_rows", "name_servers", "look_ups", "outgoing", "registrations"].map((budget) => ({
      ...{ budget, ...none },
    })),
  );
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8::/32", "2001:db8::/32"],
  [networksOf("127.0.0.1").keys[0], "loopback or unreadable"],
  [networksOf("2001:db8:1:2:3::1").keys.at(-1), "2001:db8:1:2::/64"],
  [SERVICE.keys[0], "this service"],
  ["", "many small networks"],
  ["alice.example", "returning browsers of one domain"],
  ["8pAzR2b_-k3", "returning browsers of one domain"],
  ["203.0.113.7 of alice.example", "returning browsers of one domain"],
])("the largest user %j is named %s", (key, name) => {
  const { budget, lines, enter } = setUp();
  enter([String(key)]);
  budget.refused();
  expect(lines[0]?.largest).toEqual([name]);
});
