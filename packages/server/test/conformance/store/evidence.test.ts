// What every engine promises about evidence: the first that is kept counts, until it expires.

import { describe, expect, test } from "vitest";
import { cleanUp } from "../../../src/store/clean-up.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { cleanUpAt, NOW, someId } from "../../support/store-rows.ts";

function someEvidence(changes: { grantId?: string; expiresAt?: number; body?: string } = {}) {
  return { grantId: someId(), expiresAt: NOW + 1500, body: '{"v":1}', ...changes };
}

onEveryEngine(({ store, stores, engine }) => {
  describe("evidence", () => {
    test("is read back as it was kept, by nothing else than its grant's id", async () => {
      // As large as the largest chain, and text of any kind.
      const body = JSON.stringify({ chain: "x".repeat(90_000), text: 'Läden & "Söhne" 😀\n' });
      const evidence = someEvidence({ body });
      await store.evidences.keepEvidence(evidence);
      expect(await store.evidences.readEvidence(evidence.grantId, NOW)).toEqual(evidence);
      expect(await store.evidences.readEvidence(someId(), NOW)).toBeNull();
    });

    test("is gone at its end, whether or not it was removed", async () => {
      const evidence = someEvidence();
      await store.evidences.keepEvidence(evidence);
      expect(await store.evidences.readEvidence(evidence.grantId, NOW + 1499)).toEqual(evidence);
      expect(await store.evidences.readEvidence(evidence.grantId, NOW + 1500)).toBeNull();
    });

    test("stays what was kept first, even for one that came later and lives longer", async () => {
      const evidence = someEvidence();
      await store.evidences.keepEvidence(evidence);
      await store.evidences.keepEvidence({ ...evidence, expiresAt: NOW + 9000, body: '{"v":2}' });
      expect(await store.evidences.readEvidence(evidence.grantId, NOW)).toEqual(evidence);
      expect(await store.evidences.readEvidence(evidence.grantId, NOW + 1500)).toBeNull();
    });

    test("of 60 kept at once for one grant, on all nodes, is one, and all read that one", async () => {
      for (let round = 0; round < 5; round++) {
        const grantId = someId();
        const reads = await race(stores, 60, async (store, index) => {
          const expiresAt = NOW + 1500 + index;
          await store.evidences.keepEvidence({
            grantId,
            expiresAt,
            body: JSON.stringify({ index }),
          });
          return store.evidences.readEvidence(grantId, NOW);
        });
        expect(new Set(reads.map((read) => JSON.stringify(read))).size).toBe(1);
        const [kept] = reads;
        if (!kept) throw new Error("nothing was kept");
        // No mixture of two.
        expect(kept.expiresAt - NOW - 1500).toBe(JSON.parse(kept.body).index);
      }
    });

    test("is removed at its end by the walk through the table, not before, and nothing else is", async () => {
      const [short, long] = [someEvidence(), someEvidence()];
      for (const evidence of [short, long]) await store.evidences.keepEvidence(evidence);
      // Made a second later.
      await engine.execute("UPDATE evidence SET made_ran = 1 WHERE grant_id = ?1", [long.grantId]);
      const rows = async () => {
        const found = await engine.execute("SELECT grant_id FROM evidence", []);
        const ids = found.map((row) => row.grant_id);
        return [short, long].map(({ grantId }) => ids.includes(grantId));
      };
      const walk = (now: number) =>
        cleanUp("evidence", { store: store.cleanUp, time: () => cleanUpAt(now) }, async () => {});
      await walk(NOW + 1499);
      expect(await rows()).toEqual([true, true]);
      await walk(NOW + 1500);
      expect(await rows()).toEqual([false, true]);
      await walk(NOW + 1501);
      expect(await rows()).toEqual([false, false]);
    });

    test("that is being removed while it is kept again is there or gone, and never half", async () => {
      const old = someEvidence({ expiresAt: NOW - 1 });
      const fresh = { ...old, expiresAt: NOW + 9000, body: '{"v":1,"again":true}' };
      await stores[0]?.evidences.keepEvidence(old);
      const reads = await race(stores, 30, async (store, index) => {
        if (index % 3 === 0)
          await store.cleanUp.removeEnded("evidence", null, cleanUpAt(NOW + 1500));
        else await store.evidences.keepEvidence(fresh);
        return store.evidences.readEvidence(old.grantId, NOW);
      });
      for (const read of reads) expect([null, fresh]).toContainEqual(read);
    });
  });
});
