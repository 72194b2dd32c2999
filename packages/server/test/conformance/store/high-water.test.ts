// The high-water time: of all nodes that move it on at once, one does.

import { expect, test } from "vitest";
import { highWaterStore } from "../../../src/store/high-water.ts";
import { sqlOf } from "../../../src/store/rows.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { NOW } from "../../support/store-rows.ts";

onEveryEngine(({ stores, engine, engines }) => {
  const nodes = () => engines.map((engine) => highWaterStore(sqlOf(engine)));
  const raced = <T>(
    attempt: (node: ReturnType<typeof highWaterStore>, index: number) => Promise<T>,
  ) =>
    race(stores, 20, (_, index) => {
      const all = nodes();
      return attempt(all[index % all.length] as (typeof all)[number], index);
    });

  test("of 20 callers that read the same row, one replaces it", async () => {
    const [node] = nodes() as [ReturnType<typeof highWaterStore>];
    const row = await node.readHighWater();
    const replaced = await raced((one, index) =>
      one.replaceHighWater(row, { seconds: NOW + index, ranS: index, ranAt: NOW }),
    );
    expect(replaced.filter(Boolean)).toHaveLength(1);
    const winner = replaced.indexOf(true);
    const next = await node.readHighWater();
    expect(next).toEqual({ ...row, seconds: NOW + winner, ranS: winner, ranAt: NOW });
    expect(await node.replaceHighWater(next, next)).toBe(true);
  });

  test("a clock that was accepted is counted each time, and overtakes what was read before", async () => {
    const [node] = nodes() as [ReturnType<typeof highWaterStore>];
    const row = await node.readHighWater();
    expect(await raced((one) => one.acceptClock(NOW - 1000))).toEqual(Array(20).fill(true));
    const accepted = {
      seconds: NOW - 1000,
      ranS: 0,
      ranAt: NOW - 1000,
      accepted: row.accepted + 20,
    };
    expect(await node.readHighWater()).toEqual(accepted);
    expect(await node.replaceHighWater(row, { seconds: NOW, ranS: 0, ranAt: NOW })).toBe(false);
  });

  test("PostgreSQL has a clock of its own, in whole milliseconds", async () => {
    const { now } = engine;
    if (now === undefined) return expect(engines).toHaveLength(engines.length);
    const before = Date.now();
    const milliseconds = await now();
    expect(Number.isInteger(milliseconds)).toBe(true);
    // The server of the tests is on this machine.
    expect(Math.abs(milliseconds - before)).toBeLessThan(60_000);
  });
});
