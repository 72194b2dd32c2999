// Marks of answers that were not delivered: who gets such an answer, once, and what a mark never does.

import { describe, expect, test } from "vitest";
import { type SqlEngine, textOf } from "../../../src/database/engine.ts";
import { UnavailableError } from "../../../src/lib/errors.ts";
import type { Grant } from "../../../src/store/grant-row.ts";
import { createStore, type Store } from "../../../src/store/store.ts";
import { MAX_UNWRITTEN_MARKS } from "../../../src/store/undelivered.ts";
import { until } from "../../support/moving-time.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  issuedGrant,
  NOW,
  redeemedGrant,
  redemptionOf,
  rotationOf,
  someId,
} from "../../support/store-rows.ts";

const rowOf = async (store: Store, id: string) => (await store.grants.readGrant(id))?.grant;

/** A change of a grant, and the repetition of its answer. */
const CHANGES = [
  {
    change: "redemption",
    prepare: issuedGrant,
    presentedOf: (grant: Grant) => ({ ...redemptionOf(grant), attempt: someId() }),
    run: (store: Store, presented: never) => store.grants.redeemCode(presented),
    again: (store: Store, presented: never) => store.grants.redeliverCode(presented),
  },
  {
    change: "rotation",
    prepare: redeemedGrant,
    presentedOf: (grant: Grant) => ({ ...rotationOf(grant), attempt: someId() }),
    run: (store: Store, presented: never) => store.grants.rotateRefreshToken(presented),
    again: (store: Store, presented: never) => store.grants.redeliverRefreshToken(presented),
  },
];

/** The engine, which does not answer while `isGone` says so. */
function outageOf(engine: SqlEngine): { engine: SqlEngine; outage: { isGone: boolean } } {
  const outage = { isGone: true };
  const execute: SqlEngine["execute"] = async (...statement) => {
    if (outage.isGone) throw new UnavailableError("the database is gone");
    return engine.execute(...statement);
  };
  return { engine: { ...engine, execute }, outage };
}

onEveryEngine(({ store, stores, engine }) => {
  describe.each(CHANGES)("the answer to a $change", ({ prepare, presentedOf, run, again }) => {
    async function changed() {
      const grant = await prepare(store);
      const presented = presentedOf(grant) as never;
      const row = await run(store, presented);
      if (row === null) throw new Error("nothing was changed");
      return { grant, presented, row };
    }
    const mark = async (presented: never, changes = {}) => {
      store.grants.markUndelivered({
        presented,
        isBegun: true,
        isUnknown: false,
        changedSince: null,
        ...changes,
      });
      await store.grants.marksWritten();
    };
    const later = (presented: object, seconds: number) =>
      ({ ...presented, attempt: someId(), now: NOW + seconds }) as never;

    test("is not given again without a mark", async () => {
      const { presented } = await changed();
      expect(await again(store, later(presented, 3))).toBeNull();
    });

    test("with a mark is given to one of 30 callers on three nodes, and extends nothing", async () => {
      const { grant, presented, row } = await changed();
      await mark(presented);
      const before = await rowOf(store, grant.id);
      expect(before).toMatchObject({ undelivered: row.generation, redeliveredAt: null });
      const results = await race(stores, 30, (store) => again(store, later(presented, 60)));
      const [given] = results.filter((result) => result !== null);
      expect(results.filter((result) => result !== null)).toHaveLength(1);
      expect(given).toMatchObject({ id: grant.id, generation: row.generation });
      expect(given?.rotatedAt).toBe(row.rotatedAt);
      const after = await rowOf(store, grant.id);
      expect(after).toEqual({
        ...before,
        ...{ undelivered: null, redeliveredAt: NOW + 60, attempt: after?.attempt },
      });
      expect(after?.attempt).not.toBe(before?.attempt);
    });

    test("is given again each time that it was marked again", async () => {
      const { presented } = await changed();
      await mark(presented);
      const second = later(presented, 60);
      expect(await again(store, second)).not.toBeNull();
      // Of the first request, nothing is left that could be marked.
      await mark(presented);
      expect(await again(store, later(presented, 90))).toBeNull();
      await mark(second);
      expect(await again(store, later(presented, 120))).not.toBeNull();
    });

    test("is given to no other client, and not of a grant that is revoked", async () => {
      const { grant, presented } = await changed();
      await mark(presented);
      const other = { ...(later(presented, 3) as object), clientId: someId() } as never;
      expect(await again(store, other)).toBeNull();
      await store.grants.revokeGrant({ id: grant.id, now: NOW });
      expect(await again(store, later(presented, 3))).toBeNull();
    });

    test("is given or the successor is used, never the mark after the use", async () => {
      const { grant, presented, row } = await changed();
      await mark(presented);
      const current = { ...grant, generation: row.generation };
      const both = await race(stores, 20, (store, index) =>
        index % 2 === 0
          ? again(store, later(presented, 3))
          : store.grants.rotateRefreshToken({ ...rotationOf(current), now: NOW + 3 }),
      );
      expect(both.filter((result) => result?.generation === row.generation + 1)).toHaveLength(1);
      expect(await again(store, later(presented, 4))).toBeNull();
      const standing = await rowOf(store, grant.id);
      expect(standing).toMatchObject({ undelivered: null, redeliveredAt: null });
    });

    test("that was marked too late, after the successor was used, stays as it is", async () => {
      const { grant, presented, row } = await changed();
      const current = { ...grant, generation: row.generation };
      await store.grants.rotateRefreshToken(rotationOf(current));
      await mark(presented);
      expect(await rowOf(store, grant.id)).toMatchObject({ undelivered: null });
    });

    test("is marked for a retry that came in time, and for none that came late", async () => {
      const { grant, presented, row } = await changed();
      const retry = later(presented, 20);
      await mark(retry, { changedSince: Number(row.rotatedAt) + 1 });
      expect(await rowOf(store, grant.id)).toMatchObject({ undelivered: null });
      await mark(retry, { changedSince: Number(row.rotatedAt) });
      expect(await rowOf(store, grant.id)).toMatchObject({ undelivered: row.generation });
    });

    test("of a change that is not known is settled by the mark: it is made, or can never be", async () => {
      const grant = await prepare(store);
      const presented = presentedOf(grant) as never;
      await mark(presented, { isUnknown: true });
      const generation = grant.generation + 1;
      expect(await rowOf(store, grant.id)).toMatchObject({
        ...{ generation, undelivered: generation },
      });
      // The statement that was on its way comes late.
      expect(await run(store, presented)).toBeNull();
      expect(await again(store, later(presented, 60))).toMatchObject({ generation });
    });

    test("is marked as soon as the database takes the mark, and until then the grant is known to lack one", async () => {
      const { grant, presented, row } = await changed();
      const { engine: failing, outage } = outageOf(engine);
      const node = createStore(failing);
      node.grants.markUndelivered({
        presented,
        isBegun: true,
        isUnknown: true,
        changedSince: null,
      });
      expect(node.grants.hasUnwrittenMark(grant.id)).toBe(true);
      expect(node.grants.oldestMarkMs()).toBeGreaterThanOrEqual(0);
      expect((await rowOf(store, grant.id))?.undelivered).toBeNull();
      outage.isGone = false;
      await node.grants.marksWritten();
      expect(node.grants.hasUnwrittenMark(grant.id)).toBe(false);
      expect(node.grants.oldestMarkMs()).toBe(0);
      expect(await rowOf(store, grant.id)).toMatchObject({ undelivered: row.generation });
    });
  });
});

test("marks in memory have an end, and a close waits for them only a little", async () => {
  const node = createStore({
    execute: () => Promise.reject(new UnavailableError("the database is gone")),
    commit: async () => [],
    migrate: async () => {},
    close: async () => {},
  });
  const presented = { ...rotationOf({ id: "g", clientId: "c", generation: 1 } as Grant) };
  for (let count = 0; count < MAX_UNWRITTEN_MARKS; count++) {
    expect(node.grants.hasTooManyMarks()).toBe(false);
    const mark = { presented: { ...presented, id: `grant ${count}` }, changedSince: null };
    node.grants.markUndelivered({ ...mark, isBegun: true, isUnknown: false });
  }
  expect(node.grants.hasTooManyMarks()).toBe(true);
  let isClosed = false;
  const closed = node.close().then(() => {
    isClosed = true;
  });
  await until(() => isClosed);
  await closed;
});

test("requests with one token that changed nothing owe one mark together, whichever client sends them", async () => {
  const marks: string[] = [];
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const node = createStore({
    async execute(statement, parameters) {
      if (textOf(statement).includes("SET undelivered = generation"))
        marks.push(parameters.join(" "));
      await held;
      return [];
    },
    commit: async () => [],
    migrate: async () => {},
    close: async () => {},
  });
  const token = rotationOf({ id: "g", clientId: "app", generation: 1 } as Grant);
  const failed = (clientId: string) =>
    node.grants.markUndelivered({
      presented: { ...token, clientId },
      ...{ isBegun: false, isUnknown: false, changedSince: NOW },
    });
  for (let count = 0; count < 100; count++) failed("thief");
  // The thief's mark is for the thief alone, and must not take the place of the app's.
  for (let count = 0; count < 100; count++) failed("app");
  goOn();
  await node.grants.marksWritten();
  expect(marks.map((mark) => /thief|app/.exec(mark)?.[0])).toEqual(["thief", "app"]);
});
