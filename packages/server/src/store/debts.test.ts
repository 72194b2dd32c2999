// Tests of writes that are tried until the database takes them.

import { expect, test, vi } from "vitest";
import { eventually } from "../../test/support/eventually.ts";
import { createDebts } from "./debts.ts";

/** A write that waits until the test ends it. */
function held() {
  let resolve = () => {};
  const done = new Promise<void>((end) => (resolve = end));
  return { pay: vi.fn(() => done), end: () => resolve() };
}

test("what is owed for one key is written one after the other, until nothing is owed", async () => {
  const debts = createDebts();
  const [first, second] = [held(), held()];
  debts.owe("a", first.pay);
  debts.owe("a", second.pay);
  expect([first.pay.mock.calls.length, second.pay.mock.calls.length]).toEqual([1, 0]);
  expect([debts.count(), debts.has("a"), debts.has("b")]).toEqual([2, true, false]);
  first.end();
  second.end();
  await debts.paid();
  expect([debts.count(), debts.has("a"), debts.oldestMs()]).toEqual([0, false, 0]);
  expect(second.pay).toHaveBeenCalledTimes(1);
});

test("a thousand failures with one token owe little, and the first of each kind is kept", async () => {
  const debts = createDebts();
  const head = held();
  debts.owe("a", head.pay);
  const same = Array.from({ length: 1000 }, () => vi.fn(async () => {}));
  for (const pay of same) debts.owe("a", pay, "2 client");
  expect(debts.count()).toBe(2);
  for (let count = 0; count < 1000; count++) debts.owe("a", async () => {});
  expect(debts.count()).toBe(16);
  // Another key does not suffer.
  const other = vi.fn(async () => {});
  debts.owe("b", other, "2 client");
  head.end();
  await debts.paid();
  expect(same.filter(({ mock }) => mock.calls.length > 0)).toEqual([same[0]]);
  expect(other).toHaveBeenCalledTimes(1);
});

test("256 keys whose rows are locked delay the others only until one of them is free", async () => {
  const debts = createDebts();
  const locked = Array.from({ length: 256 }, held);
  for (const [index, { pay }] of locked.entries()) debts.owe(`locked ${index}`, pay);
  const others = Array.from({ length: 300 }, () => vi.fn(async () => {}));
  for (const [index, pay] of others.entries()) debts.owe(`free ${index}`, pay);
  locked[7]?.end();
  await eventually(() => expect(debts.count()).toBe(255));
  for (const { end } of locked) end();
  await debts.paid();
});

test("what the database did not take is tried again", async () => {
  const debts = createDebts();
  const pay = vi.fn(async () => {});
  pay.mockRejectedValueOnce(new Error("the database is gone"));
  debts.owe("a", pay);
  await debts.paid();
  expect(pay).toHaveBeenCalledTimes(2);
});
