// Tests of the estimated cost of a page request: found from samples of the whole process.

import { expect, it } from "vitest";
import { createRequestCost } from "./request-cost.ts";

/** `sample` is so many requests, which cost so much. It returns the estimate. */
function start() {
  let [nowMs, busyMs] = [0, 0];
  const cost = createRequestCost({ now: () => nowMs, busyMs: () => busyMs });
  return {
    sample(pages: number, others: number, costs: { page: number; other: number }, ms = 100) {
      for (let count = 0; count < pages; count++) cost.countPage();
      for (let count = 0; count < others; count++) cost.countOther();
      busyMs += pages * costs.page + others * costs.other;
      nowMs += ms;
      return cost.pageMs();
    },
  };
}

it("finds the cost of a page among cheaper requests", () => {
  const { sample } = start();
  for (let count = 0; count < 50; count++) sample(0, 200, { page: 8, other: 0.3 });
  let found = 0;
  for (let count = 0; count < 50; count++) found = sample(20, 200, { page: 8, other: 0.3 });
  expect(found).toBeGreaterThan(7.5);
  expect(found).toBeLessThan(8.5);
});

it("follows a cost that changes within seconds", () => {
  const { sample } = start();
  for (let count = 0; count < 50; count++) sample(40, 20, { page: 1, other: 0.5 });
  let found = 0;
  for (let count = 0; count < 30; count++) found = sample(10, 20, { page: 20, other: 0.5 });
  expect(found).toBeGreaterThan(15);
});

it("attributes to pages what it does not know, rather than to the others", () => {
  const { sample } = start();
  let found = 0;
  for (let count = 0; count < 50; count++) found = sample(10, 10, { page: 4, other: 40 });
  expect(found).toBeGreaterThan(20);
});

it("ignores what a process does while there are hardly any requests", () => {
  const { sample } = start();
  for (let count = 0; count < 50; count++) sample(1, 0, { page: 900, other: 0 }, 10_000);
  expect(sample(0, 0, { page: 0, other: 0 })).toBe(2);
});

it("expects something before anything was measured, and never nothing", () => {
  const { sample } = start();
  expect(sample(0, 0, { page: 1, other: 1 })).toBe(2);
  let found = 0;
  for (let count = 0; count < 90; count++) found = sample(100, 1, { page: 0, other: 0 });
  expect(found).toBe(0.1);
});

it("counts time in which the process has work but no processor", () => {
  let nowMs = 0;
  const cost = createRequestCost({ now: () => nowMs });
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  for (let count = 0; count < 20; count++) {
    cost.countPage();
    Atomics.wait(nothing, 0, 0, 10);
    nowMs += 100;
  }
  cost.countPage();
  expect(cost.pageMs()).toBeGreaterThan(5);
});
