// The floor: of all nodes that move it on at once, one does.

import { expect, test } from "vitest";
import { sqlOf } from "../../../src/database/rows.ts";
import { type Floor, floorStore } from "../../../src/store/floor.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  issuedGrant,
  liveAccount,
  NOW,
  someId,
  someInteraction,
} from "../../support/store-rows.ts";

onEveryEngine(({ store, stores, engine, engines }) => {
  const nodes = () => engines.map((engine) => floorStore(sqlOf(engine)));
  const raced = <T>(attempt: (node: ReturnType<typeof floorStore>, index: number) => Promise<T>) =>
    race(stores, 20, (_, index) => {
      const all = nodes();
      return attempt(all[index % all.length] as (typeof all)[number], index);
    });
  const floorAt = (seconds: number, more: Partial<Floor> = {}) => ({
    ...{
      seconds,
      ran: 10,
      quietUntil: 20,
      jumps: [{ ran: 1, at: NOW, seconds: 3600, isRefuted: false }],
      ...more,
    },
  });

  test("of 20 callers that read the same row, one replaces it", async () => {
    const [node] = nodes() as [ReturnType<typeof floorStore>];
    const row = await node.readFloor();
    const replaced = await raced((one, index) =>
      one.replaceFloor(row, floorAt(NOW + index, { ran: index })),
    );
    expect(replaced.filter(Boolean)).toHaveLength(1);
    const winner = replaced.indexOf(true);
    const next = await node.readFloor();
    expect(next).toEqual({ ...row, ...floorAt(NOW + winner, { ran: winner }) });
    expect(await node.replaceFloor(next, next)).toBe(true);
    // Each of them is compared.
    for (const changed of [
      { seconds: 1 },
      { ran: 99 },
      { quietUntil: 1 },
      { jumps: [] },
      { accepted: 99 },
    ]) {
      expect(await node.replaceFloor({ ...next, ...changed }, floorAt(1))).toBe(false);
    }
  });

  test("a clock that was accepted is counted each time, and overtakes what was read before", async () => {
    const [node] = nodes() as [ReturnType<typeof floorStore>];
    const row = await node.readFloor();
    expect(await raced((one) => one.acceptClock(NOW - 1000))).toEqual(Array(20).fill(true));
    expect(await node.readFloor()).toEqual({
      ...{ seconds: NOW - 1000, ran: row.ran, quietUntil: 0, jumps: [] },
      accepted: row.accepted + 20,
    });
    expect(await node.replaceFloor(row, floorAt(NOW))).toBe(false);
  });

  test("what strangers store carries the running time at which it was made", async () => {
    const [node] = nodes() as [ReturnType<typeof floorStore>];
    await node.replaceFloor(await node.readFloor(), floorAt(NOW, { ran: 4711 }));
    const interaction = someInteraction();
    await store.interactions.beginInteraction(interaction);
    const { id: accountId } = await liveAccount(store);
    const grant = await issuedGrant(store, { accountId });
    await store.evidences.keepEvidence({ grantId: grant.id, expiresAt: NOW, body: someId() });
    for (const [table, key, id] of [
      ["interactions", "id", interaction.id],
      ["grants", "id", grant.id],
      ["evidence", "grant_id", grant.id],
    ] as const) {
      const sql = `SELECT made_ran FROM ${table} WHERE ${key} = ?1`;
      expect(await engine.execute(sql, [id])).toEqual([{ made_ran: 4711 }]);
    }
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
