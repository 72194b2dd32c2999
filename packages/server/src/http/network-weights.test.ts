// Tests of the weights of networks: what raises them, what does not, how long they last, and what is saved.

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { clockFrom } from "../lib/clock.ts";
import { createFairRoom } from "../lib/fair-room.ts";
import type { SignInCount } from "../store/sign-in-counts.ts";
import { networksOf } from "./client-address.ts";
import { createNetworkWeights } from "./network-weights.ts";

const DAY = 86_400;
const START = 20_000 * DAY + 100;
const CARRIER = "203.0.113.7";

/** One node, beside others that share its rows. */
function setUp(rows: SignInCount[] = []) {
  const at = { now: START, isDown: false, macs: 0 };
  const signInCounts = {
    async addSignIns(counts: readonly SignInCount[]) {
      if (at.isDown) throw new Error("the database is down");
      rows.push(...counts);
    },
    readSignIns: async (day: number) => rows.filter((row) => row.day >= day),
  };
  const macOf = (text: string) => {
    at.macs++;
    return createHash("sha256").update(text).digest("base64url");
  };
  const weights = createNetworkWeights({
    ...{ signInCounts, macOf, clock: clockFrom(() => at.now * 1000) },
  });
  const signIns = (count: number, address = CARRIER, prefix = "account") => {
    for (let i = 0; i < count; i++) weights.noteSignIn(address, `${prefix} ${i}`);
  };
  return { ...weights, at, rows, signIns };
}

test("a weight grows with the square root of the sign-ins, up to 32", () => {
  const { weightOf, signIns } = setUp();
  const weights = [0, 1, 3, 4, 24, 25, 860, 910, 970, 1500].map((count) => {
    signIns(count);
    return [count, weightOf(CARRIER)];
  });
  expect(weights).toEqual([
    ...[
      [0, 1],
      [1, 2],
      [3, 2],
      [4, 3],
      [24, 5],
      [25, 6],
      [860, 30],
      [910, 31],
      [970, 32],
      [1500, 32],
    ],
  ]);
});

test("every network of the address gets the sign-in, and no other one", () => {
  const { weightOf, signIns } = setUp();
  const address = "2001:db8:1:2::3";
  signIns(9, address);
  expect(networksOf(address).keys.map(weightOf)).toEqual([4, 4, 4, 4, 4]);
  expect(weightOf("2001:db8:1:3::/64")).toBe(1);
  expect(weightOf(CARRIER)).toBe(1);
});

test("an account counts once a day for a network: repeated sign-ins of an attacker buy nothing", () => {
  const { weightOf, at, noteSignIn } = setUp();
  const repeat = () => {
    for (let i = 0; i < 2000; i++) noteSignIn(CARRIER, "one account");
  };
  repeat();
  expect(weightOf(CARRIER)).toBe(2);
  // Nor do other addresses: only four count, and the network of all of them counts one.
  for (let i = 10; i < 100; i++) noteSignIn(`203.0.113.${i}`, "one account");
  expect(weightOf("203.0.113.0/24")).toBe(2);
  const raised = Array.from({ length: 90 }, (_, i) => weightOf(`203.0.113.${i + 10}`));
  expect(raised.filter((weight) => weight > 1)).toHaveLength(3);
  at.now += DAY;
  repeat();
  repeat();
  expect(weightOf(CARRIER)).toBe(Math.floor(1 + Math.sqrt(2)));
  for (let day = 0; day < 30; day++) {
    at.now += DAY;
    repeat();
  }
  expect(weightOf(CARRIER)).toBe(Math.floor(1 + Math.sqrt(7)));
});

test("a sign-in counts on its day and on the six days after it", () => {
  const { weightOf, at, signIns } = setUp();
  signIns(100);
  at.now = START - 100 + 7 * DAY - 1;
  expect(weightOf(CARRIER)).toBe(11);
  signIns(44, CARRIER, "later");
  expect(weightOf(CARRIER)).toBe(13);
  at.now++;
  expect(weightOf(CARRIER)).toBe(Math.floor(1 + Math.sqrt(44)));
  at.now += 6 * DAY;
  expect(weightOf(CARRIER)).toBe(1);
});

test("of 10,000 networks, the one that was used longest ago is forgotten", () => {
  const { weightOf, noteSignIn } = setUp();
  const key = (index: number) => `10.${index >> 8}.${index & 255}.1`;
  noteSignIn(CARRIER, "an account");
  // Each address has two keys, of which the wider one is used first.
  for (let i = 0; i < 4999; i++) noteSignIn(key(i), `account ${i}`);
  expect(weightOf(CARRIER)).toBe(2);
  for (let i = 4999; i < 5100; i++) noteSignIn(key(i), `account ${i}`);
  expect([CARRIER, key(5099), key(200), key(0)].map(weightOf)).toEqual([2, 2, 2, 1]);
});

test("what is saved is a MAC, a day and a count, and another node begins with it", async () => {
  const { save, rows, signIns, at } = setUp();
  signIns(16);
  await save();
  at.now += DAY;
  signIns(9, CARRIER, "tomorrow");
  await save();
  await save();
  expect(rows.map(({ day, count }) => [day, count])).toEqual([
    ...[
      [START - 100, 16],
      [START - 100, 16],
      [START - 100 + DAY, 9],
      [START - 100 + DAY, 9],
    ],
  ]);
  expect(JSON.stringify(rows)).not.toContain("203.0.113");
  const other = setUp(rows);
  await other.load();
  // It is a day behind.
  expect(other.weightOf(CARRIER)).toBe(6);
  other.signIns(11, CARRIER, "there");
  expect(other.weightOf(CARRIER)).toBe(7);
  await other.save();
  expect(rows).toHaveLength(6);
  other.at.now += 7 * DAY;
  const last = setUp(rows);
  last.at.now = other.at.now;
  await last.load();
  expect(last.weightOf(CARRIER)).toBe(4);
});

test("what a database that is down has not saved is saved later, and weights stay meanwhile", async () => {
  const { save, rows, signIns, at, weightOf } = setUp();
  for (let i = 0; i < 120; i++) signIns(1, `198.51.100.${i}`, `person ${i}`);
  at.isDown = true;
  await expect(save()).rejects.toThrow("the database is down");
  await expect(save()).rejects.toThrow("the database is down");
  expect(weightOf("198.51.100.5")).toBe(2);
  signIns(1, "198.51.100.5", "another");
  at.isDown = false;
  await save();
  const counts = rows.map(({ count }) => count).sort((a, b) => b - a);
  expect(counts).toEqual([121, 2, ...Array.from({ length: 119 }, () => 1)]);
  await save();
  expect(rows).toHaveLength(121);
});

test("people at the address of a carrier keep their places beside a flood from many networks", () => {
  const { weightOf, signIns } = setUp();
  signIns(105);
  const lostBy = (weights?: (key: string) => number) => {
    const lost: string[] = [];
    const clock = { monotonic: () => 0 };
    const room = createFairRoom({ capacity: 50, clock, weightOf: weights });
    const enter = (address: string) =>
      room.enter({ ...networksOf(address), size: 1, evict: () => lost.push(address) });
    for (let i = 0; i < 10; i++) enter(CARRIER);
    for (let i = 0; i < 60; i++) enter(`198.51.${i % 20}.1`);
    return lost.filter((address) => address === CARRIER).length;
  };
  expect(lostBy(weightOf)).toBe(0);
  expect(lostBy()).toBeGreaterThan(5);
});

test("the MAC of a network is computed once", () => {
  const { weightOf, at } = setUp();
  for (let i = 0; i < 1000; i++) weightOf(CARRIER);
  expect(at.macs).toBe(1);
});
