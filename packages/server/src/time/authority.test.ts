// The time of a node, beside others that write the same row.

import { describe, expect, test } from "vitest";
import { clockFrom } from "../lib/clock.ts";
import type { HighWater } from "../store/high-water.ts";
import { createTimeAuthority } from "./authority.ts";

const START = 2_000_000_000;
const HOUR = 3600;
const DAY = 86_400;

/** A node that has not taken a step yet. `beforeReplace` runs before each write; if it returns false, another is faster. */
function node(beforeReplace: () => boolean) {
  const at = { machine: START, monotonic: 0, database: START };
  let row: HighWater = { seconds: START, ranS: 0, ranAt: START, accepted: 0 };
  const time = createTimeAuthority({
    machine: clockFrom(
      () => at.machine * 1000,
      () => at.monotonic * 1000,
    ),
    databaseNow: async () => at.database * 1000,
    store: {
      readHighWater: async () => row,
      async replaceHighWater(_, to) {
        const isFirst = beforeReplace();
        if (isFirst) row = { ...row, ...to };
        return isFirst;
      },
    },
    events: { clockUncertain() {}, clockCertain() {}, clockSkewed() {} },
  });
  return { at, time };
}

test("readiness writes at most once a second, however often it is asked for", async () => {
  let writes = 0;
  const { at, time } = node(() => ++writes > 0);
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
    const { at, time } = node(() => false);
    at.machine += 40 * DAY;
    await time.step();
    expect(time.clock.seconds()).toBe(START);
    expect([time.isSkewed(), time.isCertain()]).toEqual([true, false]);
  });

  test("is read again if the machine was suspended while the row was written", async () => {
    let suspend = () => {};
    const { at, time } = node(() => {
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
