// Rows that nobody has proved: they can be listed and dropped, and whoever proves one while it is dropped wins.

import { describe, expect, test } from "vitest";
import type { Authenticated } from "../../../src/store/interaction-row.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  authenticatedProgress,
  begunInteraction,
  liveAccount,
  NOW,
  recordSignIn,
  someId,
  someInteraction,
  someProof,
} from "../../support/store-rows.ts";

onEveryEngine(({ store, stores }) => {
  const read = (id: string) => store.interactions.readInteraction(id);

  test("a pending sign-in that is dropped while its owner proves it: the proof wins", async () => {
    const account = await liveAccount(store);
    for (let round = 0; round < 8; round++) {
      const interaction = await begunInteraction(store, { domain: account.domain });
      const proof = someProof({ accountId: account.id, authTime: NOW });
      const [proofs, drops] = [[] as boolean[], [] as boolean[]];
      await race(stores, 12, async (node, index) => {
        if (index % 3 === 0) drops.push(await node.interactions.dropUnproved(interaction.id));
        else {
          const proven = await recordSignIn(node, interaction, proof, NOW);
          proofs.push(proven !== null);
        }
      });
      const stays = (await read(interaction.id)) !== null;
      expect(proofs.filter(Boolean), `round ${round}`).toHaveLength(stays ? 1 : 0);
      expect(drops.filter(Boolean), `round ${round}`).toHaveLength(stays ? 0 : 1);
    }
  });

  describe("of pending sign-ins,", () => {
    const states: readonly [name: string, isDropped: boolean, changes: Partial<Authenticated>][] = [
      ["one that goes by a session and waits for consent", true, { method: "session" }],
      ["one that its session has decided", false, { method: "session", decision: "allow" }],
      ["one that a passkey has proved", false, { method: "passkey" }],
      ["one that a challenge has proved", false, { method: "dns-challenge" }],
      ["one that a set-up has proved", false, { method: "dns-setup" }],
    ];
    test.each(states)("%s is dropped: %s", async (_, isDropped, changes) => {
      const interaction = someInteraction({ progress: authenticatedProgress(changes) });
      await store.interactions.beginInteraction({
        ...interaction,
        progress: authenticatedProgress({ ...changes, decision: null }),
      });
      const begun = await read(interaction.id);
      if (changes.decision && begun !== null) {
        await store.interactions.advance(begun, authenticatedProgress(changes), { now: NOW });
      }
      expect(await store.interactions.dropUnproved(interaction.id)).toBe(isDropped);
      expect(await read(interaction.id)).toEqual(isDropped ? null : expect.anything());
    });
  });

  test("are listed in the order of their ids, with their size and who caused them", async () => {
    const ids = Array.from({ length: 5 }, () => someId()).sort();
    const query = "x".repeat(500);
    for (const id of ids) {
      await store.interactions.beginInteraction(someInteraction({ id, query }), `of ${id}`);
    }
    const found: { id: string; causedBy: string | null; octets: number }[] = [];
    for (let after = ""; ; after = found.at(-1)?.id ?? "") {
      const rows = await store.interactions.unprovedAfter(after, 2);
      found.push(...rows);
      if (rows.length < 2) break;
    }
    const own = found.filter(({ id }) => ids.includes(id));
    expect(own.map(({ id }) => id)).toEqual(ids);
    for (const { id, causedBy, octets } of own) {
      expect(causedBy).toBe(`of ${id}`);
      expect(octets).toBeGreaterThan(1000);
    }
    expect(found.map(({ id }) => id)).toEqual(found.map(({ id }) => id).sort());
  });

  test("evidence is listed and dropped too", async () => {
    const grantId = someId();
    const evidence = { grantId, expiresAt: NOW + 60, body: "{}", networks: "a network" };
    await store.evidences.keepEvidence(evidence);
    const [first] = (await store.evidences.evidenceAfter("", 1000)).filter(
      ({ id }) => id === grantId,
    );
    expect(first).toEqual({ id: grantId, causedBy: "a network", octets: 402 });
    await store.evidences.dropEvidence(grantId);
    expect(await store.evidences.readEvidence(grantId, NOW)).toBeNull();
  });
});
