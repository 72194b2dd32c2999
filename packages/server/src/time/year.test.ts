// A year of seven machines, step by step: what the clock is worth on each, and how far the floor is behind.

import { expect, test } from "vitest";
import type { Floor } from "../store/floor.ts";
import { judge, marginOf, type Witness } from "./time-verdict.ts";

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** A Monday, at midnight. */
const START = 1_800_230_400;

type Power = "on" | "off" | "suspended";

/** When a row was made: since the start of the year, and by the running time. */
interface Made {
  readonly at: number;
  readonly ran: number;
}
/** How long a row of a history and a key last in the year, and how long evidence does. */
const KEPT = 30 * DAY;
const EVIDENCE = 25 * MINUTE;

interface Machine {
  /** By the time since the start of the year. */
  power(at: number): Power;
  /** Off or suspended, in seconds. */
  readonly longestOff: number;
  readonly hasWitness?: boolean;
  /** The database is replaced by a copy that is so old: seconds, at this time. */
  readonly restored?: { readonly at: number; readonly age: number };
}

const hourOf = (at: number) => (at % DAY) / HOUR;
const dayOf = (at: number) => Math.floor(at / DAY) % 7;
const offAtNight = (at: number): Power =>
  at % DAY >= 3 * HOUR && at % DAY < 3 * HOUR + 65 * MINUTE ? "off" : "on";

const MACHINES: readonly [string, Machine][] = [
  ["is always on", { power: () => "on", longestOff: 0 }],
  ["is off for 65 minutes a night", { power: offAtNight, longestOff: 65 * MINUTE }],
  [
    "is a laptop, on for 16 hours a day",
    { power: (at) => (hourOf(at) < 8 ? "suspended" : "on"), longestOff: 8 * HOUR },
  ],
  [
    "is in an office, on for 14 hours a day",
    { power: (at) => (hourOf(at) >= 6 && hourOf(at) < 20 ? "on" : "off"), longestOff: 10 * HOUR },
  ],
  [
    "is suspended at week-ends",
    { power: (at) => (dayOf(at) >= 5 ? "suspended" : "on"), longestOff: 2 * DAY },
  ],
  [
    "is restored from a snapshot",
    { power: () => "on", longestOff: 0, restored: { at: 100 * DAY, age: 3 * DAY } },
  ],
];
const CLOSED: Machine = { power: offAtNight, longestOff: 65 * MINUTE, hasWitness: false };

/** Signed twice a day, an hour before that; caches hold it for up to a day. */
function rootAt(time: number): Witness {
  const cachedFor = (Math.floor(time / HOUR) * 7919) % DAY;
  const inception = Math.floor((time - cachedFor) / (12 * HOUR)) * 12 * HOUR - HOUR;
  return { inception, expiration: inception + 13 * DAY, isFresh: true };
}

/** What a machine does in a year, in steps of five minutes; of one while the time is in doubt. The root is seen one after a jump. */
function year({ power, hasWitness = true, restored }: Machine) {
  const blank = { witness: null as Witness | null, certainSince: null as number | null };
  let floor: Floor = { seconds: 0, ran: 0, quietUntil: 0, jumps: [], accepted: 0 };
  let copy = floor;
  let node = { ...blank, ran: 0, dueAt: 0 };
  let before: Power = "off";
  let ranUntil = 0;
  let isRestored = false;
  let doubtful = 0;
  const seen = { steps: 0, certain: 0, held: 0, longestDoubt: 0, lag: 0, quiet: 0 };
  const late = { history: 0, key: 0, evidence: 0 };
  /** Each day, a row of a history, a key that is due, and evidence of a code: they are over in this order. */
  const made: Record<keyof typeof late, Made[]> = { history: [], key: [], evidence: [] };
  let day = -1;
  let step = MINUTE;
  for (let at = 0; at < 365 * DAY; at += step) {
    const is = power(at);
    if (is !== "on") {
      step = MINUTE;
      before = is;
      continue;
    }
    if (restored && at < restored.at - restored.age) copy = floor;
    const isDue = restored !== undefined && at >= restored.at && !isRestored;
    if (isDue) [floor, isRestored] = [copy, true];
    if (before === "off" || isDue) node = { ...blank, ran: floor.ran, dueAt: at };
    // The boot clock counts suspends.
    else node.ran += at - ranUntil;
    [before, ranUntil] = [is, at];
    const { ran, witness, certainSince } = node;
    const reading = { now: START + at, ran, witness, certainSince, hasPublicRoot: true };
    const judged = judge(floor, reading);
    floor = { ...judged.floor, accepted: 0 };
    node.certainSince = judged.certainSince;
    if (judged.hasJumped) {
      node.witness = witness && { ...witness, isFresh: false };
      node.dueAt = at;
    }
    if (hasWitness && at >= node.dueAt) {
      node.witness = rootAt(START + at);
      node.dueAt = at + HOUR;
    }
    step = hasWitness && judged.verdict !== "certain" ? MINUTE : 5 * MINUTE;
    seen.steps += step;
    if (judged.verdict === "certain") seen.certain += step;
    if (["contradicted", "behind"].includes(judged.verdict)) seen.held++;
    doubtful = judged.verdict === "certain" ? 0 : doubtful + 1;
    seen.longestDoubt = Math.max(seen.longestDoubt, doubtful);
    if (floor.quietUntil > ran) seen.quiet++;
    // In the first days, the floor has nothing to begin with.
    if (at > 2 * DAY) seen.lag = Math.max(seen.lag, START + at - floor.seconds);
    // The first days have no floor to go by, and what is not over at the end is not counted.
    if (Math.floor(at / DAY) !== day && at > 2 * DAY && at < 300 * DAY) {
      day = Math.floor(at / DAY);
      for (const list of Object.values(made)) list.push({ at, ran });
    }
    const margin = marginOf(node.witness, true);
    const overAt = {
      history: (one: Made) =>
        !judged.isHeld &&
        floor.quietUntil <= ran &&
        START + one.at + KEPT <= floor.seconds - margin,
      key: (one: Made) => !judged.isHeld && START + one.at + KEPT <= floor.seconds,
      evidence: (one: Made) => one.ran + EVIDENCE <= ran,
    };
    const dueAfter = { history: KEPT + margin, key: KEPT, evidence: EVIDENCE };
    for (const is of ["history", "key", "evidence"] as const) {
      const [first] = made[is];
      if (first === undefined || !overAt[is](first)) continue;
      late[is] = Math.max(late[is], at - first.at - dueAfter[is]);
      made[is].shift();
    }
  }
  return { ...seen, late, left: Object.values(made).flat().length };
}

test.each(MACHINES)(
  "the time of a machine that %s is proven within a minute, and the floor within a day",
  (_, machine) => {
    const seen = year(machine);
    expect(seen.held).toBe(0);
    // Of the minute in which the root is asked.
    expect(seen.longestDoubt).toBeLessThanOrEqual(1);
    expect(seen.certain / seen.steps).toBeGreaterThan(0.998);
    // The restored copy is three days old for that minute.
    const most = machine.restored ? machine.restored.age + 10 * MINUTE : DAY;
    expect(seen.lag > DAY).toBe(machine.restored !== undefined);
    expect(seen.lag).toBeLessThanOrEqual(most);
    expect(seen.quiet).toBe(0);
    // What was due while the machine was off waits until it is on, and for the hour in which the floor is behind.
    expect(seen.left).toBe(0);
    for (const late of Object.values(seen.late)) {
      expect(late).toBeLessThanOrEqual(machine.longestOff + HOUR + 2 * MINUTE);
    }
  },
);

test("in a closed network nothing is held up, and a jump of a night is believed after a day", () => {
  const seen = year(CLOSED);
  expect([seen.held, seen.certain]).toEqual([0, 0]);
  // Each night takes 65 minutes, and the time of two nights at most is not believed yet.
  expect(seen.lag).toBeLessThanOrEqual(2 * (65 + 5) * MINUTE);
});
