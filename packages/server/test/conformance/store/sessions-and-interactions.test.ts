// What every engine promises about browsers: a session while its account lives, each answer once.

import { describe, expect, test } from "vitest";
import type { Authentication } from "../../../src/store/interactions.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  DAY,
  liveAccount,
  NOW,
  someId,
  someInteraction,
  someSession,
} from "../../support/store-rows.ts";

function someProof(changes: Partial<Authentication> = {}): Authentication {
  return {
    accountId: someId("sub_"),
    authTime: NOW,
    amr: "pop",
    controlCheckedAt: NOW,
    ...changes,
  };
}

onEveryEngine((database) => {
  describe("a session", () => {
    test("is found with its account, and by nothing else than its id", async () => {
      const { store } = database;
      const account = await liveAccount(store);
      const session = someSession(account.id);
      await store.startSession(session);
      expect(await store.findSession(session.idHash, NOW)).toEqual({ session, account });
      expect(await store.findSession(someId(), NOW)).toBeNull();
    });

    test("is worth nothing after its end, or unused for two weeks", async () => {
      const { store } = database;
      const { id } = await liveAccount(store);
      const short = someSession(id, { expiresAt: NOW + 60 });
      const unused = someSession(id);
      for (const session of [short, unused]) await store.startSession(session);
      expect(await store.findSession(short.idHash, NOW + 59)).not.toBeNull();
      expect(await store.findSession(short.idHash, NOW + 60)).toBeNull();
      expect(await store.findSession(unused.idHash, NOW + 14 * DAY - 1)).not.toBeNull();
      expect(await store.findSession(unused.idHash, NOW + 14 * DAY)).toBeNull();
    });

    test("is worth nothing while its account sleeps, and never after it ended", async () => {
      const { store, engine } = database;
      const account = await liveAccount(store);
      const session = someSession(account.id);
      await store.startSession(session);
      await store.putToSleep(account.id, NOW);
      expect(await store.findSession(session.idHash, NOW)).toBeNull();
      await store.wakeAccount(account, NOW);
      expect(await store.findSession(session.idHash, NOW)).not.toBeNull();
      await engine.execute("UPDATE accounts SET ended_at = ?1 WHERE id = ?2", [NOW, account.id]);
      expect(await store.findSession(session.idHash, NOW)).toBeNull();
    });

    test("was last used at the latest of all uses", async () => {
      const { store, stores } = database;
      const session = someSession((await liveAccount(store)).id);
      await store.startSession(session);
      await race(stores, 20, (node, index) =>
        node.touchSession(session.idHash, NOW + ((index * 7) % 20)),
      );
      const found = await store.findSession(session.idHash, NOW + 30);
      expect(found?.session).toEqual({ ...session, lastUsedAt: NOW + 19 });
    });
  });

  describe("an interaction", () => {
    test("is read as it was begun", async () => {
      const { store } = database;
      const pending = someInteraction();
      const authenticated = someInteraction({ method: "session", challenge: null, ...someProof() });
      const open = someInteraction({ method: "dns-setup", acct: null, challenge: null });
      for (const interaction of [pending, authenticated, open]) {
        await store.beginInteraction(interaction);
        expect(await store.readInteraction(interaction.id)).toEqual(interaction);
      }
      expect(await store.readInteraction(someId())).toBeNull();
    });

    test("of 50 authentications one counts, and it stands", async () => {
      const { store, stores } = database;
      const interaction = someInteraction();
      await store.beginInteraction(interaction);
      const results = await race(stores, 50, (node) =>
        node.authenticate(interaction.id, someProof(), NOW + 1),
      );
      const [winner, ...others] = results.filter((result) => result !== null);
      expect(others).toEqual([]);
      expect(await store.readInteraction(interaction.id)).toEqual(winner);
      expect(winner?.accountId).toMatch(/^sub_/);
    });

    test("of 50 answers one counts, and it stands", async () => {
      const { store, stores } = database;
      const interaction = someInteraction(someProof());
      await store.beginInteraction(interaction);
      const results = await race(stores, 50, (node, index) =>
        node.decide(interaction.id, index % 2 === 0 ? "allow" : "deny", NOW + 1),
      );
      const [winner, ...others] = results.filter((result) => result !== null);
      expect(others).toEqual([]);
      expect(await store.readInteraction(interaction.id)).toEqual(winner);
      expect(winner).toEqual({ ...interaction, decision: winner?.decision });
    });

    test("takes no answer before somebody was authenticated", async () => {
      const { store } = database;
      const interaction = someInteraction();
      await store.beginInteraction(interaction);
      expect(await store.decide(interaction.id, "allow", NOW)).toBeNull();
      const proof = someProof();
      const proven = { ...interaction, ...proof };
      expect(await store.authenticate(interaction.id, proof, NOW)).toEqual(proven);
      expect(await store.decide(interaction.id, "deny", NOW)).toEqual({
        ...proven,
        decision: "deny",
      });
    });

    test("switches to a set-up as long as nobody was authenticated", async () => {
      const { store, stores } = database;
      const interaction = someInteraction();
      await store.beginInteraction(interaction);
      const setUp = { ...interaction, method: "dns-setup", acct: null, challenge: null };
      for (const result of await race(stores, 10, (node) =>
        node.switchToSetUp(interaction.id, NOW),
      )) {
        expect(result).toEqual(setUp);
      }
      await store.authenticate(interaction.id, someProof(), NOW);
      expect(await store.switchToSetUp(interaction.id, NOW)).toBeNull();
    });

    test("changes no more once it has expired", async () => {
      const { store } = database;
      const interaction = someInteraction();
      const { id, expiresAt } = interaction;
      await store.beginInteraction(interaction);
      expect(await store.authenticate(id, someProof(), expiresAt)).toBeNull();
      expect(await store.switchToSetUp(id, expiresAt)).toBeNull();
      expect(await store.readInteraction(id)).toEqual(interaction);
      const proven = await store.authenticate(id, someProof(), expiresAt - 1);
      expect(await store.decide(id, "allow", expiresAt)).toBeNull();
      expect(await store.readInteraction(id)).toEqual(proven);
    });
  });
});
