// When pages may begin: what a page costs, what of the time is the thread's, and what other requests change.

import { describe, expect, it } from "vitest";
import { createPageGate } from "./page-gate.ts";

/** A gate of a thread whose time passes as a test says. */
function gateOf(share = 0.5) {
  let [now, active, cpu] = [1000, 0, 0];
  const gate = createPageGate({ share, now: () => now, times: () => ({ active, cpu }) });
  return {
    gate,
    /** Lets time pass, in which the thread was active, and got a processor for a part of that. */
    pass(ms: number, activeMs = 0, cpuMs = activeMs): void {
      now += ms;
      active += activeMs;
      cpu += cpuMs;
    },
    other(): void {
      gate.beginOther();
      gate.endOther();
    },
  };
}

type Gate = ReturnType<typeof gateOf>;

/** Milliseconds of pages in ten seconds, each of which costs `pageMs` and takes the machine `slowness` as long. */
function pagesIn(of: Gate, { pageMs = 2, slowness = 1, beside = true } = {}): number {
  const { gate, pass, other } = of;
  let [ms, used] = [0, 0];
  while (ms < 10_000) {
    if (beside && ms % 50 < 5) other();
    if (gate.waitMs() > 0) {
      pass(5);
      ms += 5;
      continue;
    }
    gate.begin();
    pass(pageMs * slowness, pageMs * slowness, pageMs);
    gate.end();
    used += pageMs;
    ms += pageMs * slowness;
  }
  return used;
}

describe("beside other requests, pages get", () => {
  it("half of the time of an idle machine, whatever a page costs", () => {
    for (const pageMs of [0.5, 2, 8]) {
      const used = pagesIn(gateOf(), { pageMs });
      expect(used / 10_000, `${pageMs} ms`).toBeGreaterThan(0.4);
      expect(used / 10_000, `${pageMs} ms`).toBeLessThan(0.62);
    }
  });

  it("half of what the thread gets, where other processes take three quarters of the time", () => {
    const used = pagesIn(gateOf(), { slowness: 4 });
    expect(used / 10_000).toBeGreaterThan(0.15);
    // A quarter of the time is what it would get of a machine of its own.
    expect(used / 10_000).toBeLessThan(0.235);
  });

  it("half of the time however little the thread gets: slowness is not use", () => {
    // By the clock, each page would seem to take ten times as much, and nine of ten would be refused.
    const [calm, slow] = [pagesIn(gateOf()), pagesIn(gateOf(), { slowness: 10 })];
    expect(slow).toBeGreaterThan(calm / 20);
  });
});

it("without other requests, pages get all of the time", () => {
  expect(pagesIn(gateOf(), { beside: false }) / 10_000).toBeGreaterThan(0.9);
});

it("100 ms after the last other request, pages get all of the time again", () => {
  const of = gateOf();
  of.other();
  of.pass(101);
  expect(pagesIn(of, { beside: false }) / 10_000).toBeGreaterThan(0.9);
});

it("an open request counts for as long as it is open", () => {
  const of = gateOf();
  of.gate.beginOther();
  expect(pagesIn(of, { beside: false }) / 10_000).toBeLessThan(0.62);
});

it("what other requests cost is not counted as pages", () => {
  const of = gateOf();
  for (let n = 0; n < 300; n++) {
    of.other();
    of.pass(10, 5);
  }
  // Each page beside four other requests of 5 ms.
  let [pages, ms] = [0, 0];
  while (ms < 10_000) {
    const may = of.gate.waitMs() === 0;
    if (may) {
      of.gate.begin();
      of.gate.end();
      pages++;
    }
    for (let n = 0; n < 4; n++) of.other();
    of.pass(30, may ? 22 : 20);
    ms += 30;
  }
  expect(pages).toBeGreaterThan(300);
});

it("a clock that jumps ahead saves up no more than a burst", () => {
  const of = gateOf();
  of.gate.beginOther();
  of.pass(86_400_000);
  let begun = 0;
  while (of.gate.waitMs() === 0 && begun < 10_000) {
    of.gate.begin();
    begun++;
  }
  expect(begun).toBeLessThan(200);
});

it("too many that run wait for one that ends", () => {
  const of = gateOf(Number.POSITIVE_INFINITY);
  for (let n = 0; n < 2000; n++) {
    expect(of.gate.waitMs()).toBeLessThan(Number.POSITIVE_INFINITY);
    of.gate.begin();
  }
  expect(of.gate.waitMs()).toBe(Number.POSITIVE_INFINITY);
  of.gate.end();
  of.pass(100);
  expect(of.gate.waitMs()).toBe(0);
});
