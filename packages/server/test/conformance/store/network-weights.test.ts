// What every engine promises about the counts of sign-ins of networks: nodes that add at once lose nothing.

import { expect, test } from "vitest";
import { cleanUp } from "../../../src/store/clean-up.ts";
import type { SignInCount } from "../../../src/store/sign-in-counts.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { cleanUpAt, DAY, NOW, someId } from "../../support/store-rows.ts";

const RACERS = 30;
const NETWORKS = 60;
const TODAY = Math.floor(NOW / DAY) * DAY;

onEveryEngine(({ store, stores, engine }) => {
  const countsOf = async (macs: readonly string[], since = 0) => {
    const rows = await store.signInCounts.readSignIns(since, 10_000);
    return rows.filter(({ mac }) => macs.includes(mac));
  };

  test("nodes that add to the same networks at once lose no count, and none waits for another's rows", async () => {
    const macs = Array.from({ length: NETWORKS }, () => someId());
    const of = (order: readonly string[]): SignInCount[] =>
      order.map((mac) => ({ mac, day: TODAY, count: 2 }));
    await race(stores, RACERS, ({ signInCounts }, index) => {
      // Each in an order of its own.
      const order = [...macs.slice(index), ...macs.slice(0, index)];
      return signInCounts.addSignIns(of(index % 2 === 0 ? order : order.reverse()));
    });
    const counts = await countsOf(macs);
    expect(counts).toHaveLength(NETWORKS);
    expect(counts.every(({ count, day }) => count === 2 * RACERS && day === TODAY)).toBe(true);
  });

  test("each day of a network has a count of its own, and nothing is added for nothing", async () => {
    const mac = someId();
    await store.signInCounts.addSignIns([]);
    await store.signInCounts.addSignIns([
      { mac, day: TODAY, count: 3 },
      { mac, day: TODAY - DAY, count: 4 },
    ]);
    await store.signInCounts.addSignIns([{ mac, day: TODAY - DAY, count: 5 }]);
    const byDay = (one: SignInCount, other: SignInCount) => one.day - other.day;
    expect((await countsOf([mac])).sort(byDay)).toEqual([
      { mac, day: TODAY - DAY, count: 9 },
      { mac, day: TODAY, count: 3 },
    ]);
    expect(await countsOf([mac], TODAY)).toEqual([{ mac, day: TODAY, count: 3 }]);
  });

  test("of too many networks, those with the most sign-ins are read", async () => {
    await engine.execute("DELETE FROM network_weights", []);
    const [small, large, old] = [someId(), someId(), someId()];
    await store.signInCounts.addSignIns([
      { mac: small, day: TODAY, count: 4 },
      { mac: large, day: TODAY, count: 3 },
      { mac: large, day: TODAY - DAY, count: 3 },
      { mac: old, day: TODAY - 9 * DAY, count: 100 },
    ]);
    const read = async (most: number) =>
      (await store.signInCounts.readSignIns(TODAY - 6 * DAY, most)).map(({ mac }) => mac);
    expect(await read(1)).toEqual([large, large]);
    expect((await read(2)).sort()).toEqual([large, large, small].sort());
  });

  test("a count goes when it is seven days old, not before", async () => {
    const mac = someId();
    await store.signInCounts.addSignIns([{ mac, day: TODAY, count: 1 }]);
    const walk = (now: number) =>
      cleanUp(
        "network_weights",
        { store: store.cleanUp, time: () => cleanUpAt(now) },
        async () => {},
      );
    await walk(TODAY + 7 * DAY - 1);
    expect(await countsOf([mac])).toHaveLength(1);
    await walk(TODAY + 7 * DAY);
    expect(await countsOf([mac])).toEqual([]);
  });
});
