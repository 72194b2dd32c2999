// What every engine promises about passkeys: each belongs to one account, and its counter only rises.

import { describe, expect, test } from "vitest";
import type { Interaction } from "../../../src/store/interactions.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  DAY,
  liveAccount,
  NOW,
  someId,
  someInteraction,
  somePasskey,
} from "../../support/store-rows.ts";

onEveryEngine(({ store, stores, engine }) => {
  const account = () => liveAccount(store);

  describe("a passkey", () => {
    test("is read back as it was added, and is found by its credential id alone", async () => {
      const { id } = await account();
      const [older, newer] = [somePasskey(id, { counter: 7, backedUp: 1 }), somePasskey(id)];
      await store.passkeys.addPasskey({ ...newer, createdAt: NOW + 1 });
      expect(await store.passkeys.addPasskey(older)).toBe("added");
      expect(await store.passkeys.findPasskey(older.credentialId)).toEqual({
        ...older,
        lastUsedAt: null,
        unconfirmed: 0,
      });
      expect(await store.passkeys.findPasskey(someId())).toBeNull();
      const listed = (await store.passkeys.passkeysOf(id)).map(({ credentialId }) => credentialId);
      expect(listed).toEqual([older.credentialId, newer.credentialId]);
      expect(await store.passkeys.hasPasskey(id)).toBe(true);
      const other = await account();
      expect(await store.passkeys.passkeysOf(other.id)).toEqual([]);
      expect(await store.passkeys.hasPasskey(other.id)).toBe(false);
    });

    test("of 30 registrations of one credential id, for two accounts, one counts, and it stays", async () => {
      const owners = [await account(), await account()] as const;
      const credentialId = someId();
      const results = await race(stores, 30, async (node, index) => {
        const passkey = somePasskey(owners[index % 2 === 0 ? 0 : 1].id, { credentialId });
        return { passkey, result: await node.passkeys.addPasskey(passkey) };
      });
      const added = results.filter(({ result }) => result === "added");
      expect(added).toHaveLength(1);
      const found = { ...added[0]?.passkey, lastUsedAt: null, unconfirmed: 0 };
      expect(await store.passkeys.findPasskey(credentialId)).toEqual(found);
    });

    test("is added to no account that sleeps, has ended or does not exist", async () => {
      const asleep = await account();
      await store.accounts.putToSleep(asleep.id, NOW);
      const ended = await account();
      await engine.execute("UPDATE accounts SET ended_at = ?1 WHERE id = ?2", [NOW, ended.id]);
      for (const id of [asleep.id, ended.id, someId("sub_")]) {
        expect(await store.passkeys.addPasskey(somePasskey(id))).toBe("refused");
        expect(await store.passkeys.hasPasskey(id)).toBe(false);
      }
    });

    test("of 30 that one interaction adds, one counts; the same one may be sent again", async () => {
      const { id } = await account();
      const interaction = someId();
      expect(await store.passkeys.passkeyAddedIn(interaction)).toBeNull();
      const results = await race(stores, 30, async (node) => {
        const passkey = somePasskey(id);
        return { passkey, result: await node.passkeys.addPasskey(passkey, interaction) };
      });
      const added = results.filter(({ result }) => result === "added");
      expect([added.length, (await store.passkeys.passkeysOf(id)).length]).toEqual([1, 1]);
      for (const { passkey } of results) {
        const isAdded = passkey === added[0]?.passkey;
        const again = await store.passkeys.addPasskey(passkey, interaction);
        expect(again).toBe(isAdded ? "repeated" : "refused");
      }
      const found = await store.passkeys.passkeyAddedIn(interaction);
      expect(found?.credentialId).toBe(added[0]?.passkey.credentialId);
      expect(await store.passkeys.addPasskey(somePasskey(id), someId())).toBe("added");
    });

    test("without a counter can be used again and again", async () => {
      const passkey = somePasskey((await account()).id);
      await store.passkeys.addPasskey(passkey);
      for (const now of [NOW + 5, NOW + 6]) {
        expect(await store.passkeys.usePasskey(passkey, { counter: 0, backedUp: 1, now })).toBe(
          "used",
        );
      }
      const used = { ...passkey, backedUp: 1, lastUsedAt: NOW + 6, unconfirmed: 0 };
      expect(await store.passkeys.findPasskey(passkey.credentialId)).toEqual(used);
    });

    test("with a counter needs a greater one each time, and never 0 again", async () => {
      const passkey = somePasskey((await account()).id, { counter: 4 });
      await store.passkeys.addPasskey(passkey);
      const use = (counter: number) =>
        store.passkeys.usePasskey(passkey, { counter, backedUp: 0, now: NOW + counter });
      const results = [];
      for (const counter of [4, 3, 0, 5, 5, 4_294_967_295, 0]) results.push(await use(counter));
      const no = "refused";
      expect(results).toEqual([no, no, no, "used", no, "used", no]);
      const found = await store.passkeys.findPasskey(passkey.credentialId);
      expect(found?.counter).toBe(4_294_967_295);
    });

    test("whose counter 30 callers bring at once is used by one", async () => {
      const passkey = somePasskey((await account()).id, { counter: 4 });
      await store.passkeys.addPasskey(passkey);
      const results = await race(stores, 30, (node) =>
        node.passkeys.usePasskey(passkey, { counter: 5, backedUp: 0, now: NOW }),
      );
      expect(results.filter((result) => result === "used")).toHaveLength(1);
    });

    test("is used, renamed and removed only for its own account", async () => {
      const passkey = somePasskey((await account()).id);
      await store.passkeys.addPasskey(passkey);
      const { credentialId } = passkey;
      const foreign = { credentialId, accountId: (await account()).id };
      const use = { counter: 1, backedUp: 0, now: NOW } as const;
      expect(await store.passkeys.usePasskey(foreign, use)).toBe("refused");
      expect(await store.passkeys.renamePasskey(foreign, "mine")).toBe("unknown");
      expect(await store.passkeys.removePasskey(foreign)).toBe("unknown");
      expect(await store.passkeys.findPasskey(credentialId)).toEqual({
        ...passkey,
        lastUsedAt: null,
        unconfirmed: 0,
      });
      expect(await store.passkeys.renamePasskey(passkey, "Work")).toBe("renamed");
      expect((await store.passkeys.findPasskey(credentialId))?.name).toBe("Work");
    });

    test("is not used while its account sleeps, or after it ended", async () => {
      const owner = await account();
      const passkey = somePasskey(owner.id);
      await store.passkeys.addPasskey(passkey);
      const use = () => store.passkeys.usePasskey(passkey, { counter: 0, backedUp: 0, now: NOW });
      await store.accounts.putToSleep(owner.id, NOW);
      expect(await use()).toBe("refused");
      await store.accounts.wakeAccount(owner, NOW + DAY);
      expect(await use()).toBe("used");
      await engine.execute("UPDATE accounts SET ended_at = ?1 WHERE id = ?2", [NOW, owner.id]);
      expect(await use()).toBe("refused");
    });

    test("is removed once, of 20 callers, and is used no more", async () => {
      const passkey = somePasskey((await account()).id);
      await store.passkeys.addPasskey(passkey);
      const removed = await race(stores, 20, (node) => node.passkeys.removePasskey(passkey));
      expect(removed.filter((result) => result === "removed")).toHaveLength(1);
      const use = { counter: 0, backedUp: 0, now: NOW } as const;
      expect(await store.passkeys.usePasskey(passkey, use)).toBe("refused");
      expect(await store.passkeys.findPasskey(passkey.credentialId)).toBeNull();
    });
  });

  test("the answer of an authenticator is checked with the sign-in, its account and the passkeys of that", async () => {
    const owner = await account();
    const begun = async (changes: Partial<Interaction>) => {
      const { domain, acct } = owner;
      const interaction = someInteraction({ domain, acct, challenge: null, ...changes });
      await store.interactions.beginInteraction(interaction);
      return interaction;
    };
    const interaction = await begun({ method: "passkey" });
    const found = () => store.interactions.readInteractionAndPasskeys(interaction.id);
    expect(await found()).toEqual({ interaction, account: owner, passkeys: [] });
    const passkeys = [somePasskey(owner.id), somePasskey(owner.id, { counter: 7 })];
    for (const passkey of passkeys) await store.passkeys.addPasskey(passkey);
    await store.passkeys.addPasskey(somePasskey((await account()).id));
    const read = await found();
    expect([read?.interaction, read?.account]).toEqual([interaction, owner]);
    const byId = (one: { credentialId: string }, other: { credentialId: string }) =>
      one.credentialId < other.credentialId ? -1 : 1;
    expect([...(read?.passkeys ?? [])].sort(byId)).toEqual(
      passkeys.map((passkey) => ({ ...passkey, lastUsedAt: null, unconfirmed: 0 })).sort(byId),
    );

    // By another method, of another record, at another provider, or without an interaction.
    const setUp = await begun({ method: "dns-setup" });
    const nobody = { account: null, passkeys: [] };
    expect(await store.interactions.readInteractionAndPasskeys(setUp.id)).toEqual({
      interaction: setUp,
      ...nobody,
    });
    const other = await begun({ method: "passkey", acct: someId() });
    expect(await store.interactions.readInteractionAndPasskeys(other.id)).toEqual({
      interaction: other,
      ...nobody,
    });
    expect(await store.interactions.readInteractionAndPasskeys(someId())).toBeNull();
    await store.accounts.putToSleep(owner.id, NOW);
    expect(await found()).toMatchObject({ account: { asleepSince: NOW }, passkeys: [{}, {}] });
    await engine.execute("UPDATE accounts SET ended_at = ?1 WHERE id = ?2", [NOW, owner.id]);
    expect(await found()).toEqual({ interaction, ...nobody });
  });

  describe("the statement that a passkey is asked to sign", () => {
    const pending = async () => {
      const interaction = someInteraction({ method: "passkey", challenge: null });
      await store.interactions.beginInteraction(interaction);
      return interaction;
    };
    const offer = { from: null, to: "first", expiresAt: NOW + 300 };
    /** An authentication by a passkey that signed this. */
    const by = (statement: string) => ({
      ...{ accountId: someId("sub_"), authTime: NOW, amr: "pop user", controlCheckedAt: NOW },
      ...{ sid: someId(), statement },
    });

    test("of 30 pages that offer one at once is that of one", async () => {
      const { id } = await pending();
      const offered = await race(stores, 30, (node, index) =>
        node.interactions.offerPasskeyStatement(id, { ...offer, to: `statement ${index}` }, NOW),
      );
      const [winner, ...others] = offered.filter((row) => row !== null);
      expect(others).toEqual([]);
      expect(winner).toMatchObject({ id, passkeyExpiresAt: NOW + 300 });
      expect(await store.interactions.readInteraction(id)).toEqual(winner);
      const replaced = { ...offer, from: winner?.passkeyStatement ?? "", to: "next" };
      const next = await store.interactions.offerPasskeyStatement(id, replaced, NOW);
      expect(next?.passkeyStatement).toBe("next");
      expect(await store.interactions.offerPasskeyStatement(id, replaced, NOW)).toBeNull();
    });

    test("signs in once, of 30 callers, and by its own text alone", async () => {
      const interaction = await pending();
      await store.interactions.offerPasskeyStatement(interaction.id, offer, NOW);
      expect(await store.interactions.authenticate(interaction, by("another"), NOW)).toBeNull();
      expect(await store.interactions.authenticate(await pending(), by("first"), NOW)).toBeNull();
      const signedIn = await race(stores, 30, (node) =>
        node.interactions.authenticate(interaction, by("first"), NOW),
      );
      expect(signedIn.filter((row) => row !== null)).toHaveLength(1);
    });

    test("expires after its five minutes, and with its interaction", async () => {
      const interaction = await pending();
      const { id, expiresAt } = interaction;
      await store.interactions.offerPasskeyStatement(id, offer, NOW);
      expect(await store.interactions.authenticate(interaction, by("first"), NOW + 300)).toBeNull();
      const late = { ...offer, from: "first", expiresAt: expiresAt + 300 };
      expect(await store.interactions.offerPasskeyStatement(id, late, expiresAt)).toBeNull();
      await store.interactions.offerPasskeyStatement(id, { ...late, to: "late" }, expiresAt - 1);
      expect(await store.interactions.authenticate(interaction, by("late"), expiresAt)).toBeNull();
      expect(
        await store.interactions.authenticate(interaction, by("first"), expiresAt - 1),
      ).toBeNull();
      expect(
        await store.interactions.authenticate(interaction, by("late"), expiresAt - 1),
      ).not.toBeNull();
    });

    test("is gone after an authentication, a switch to a DNS challenge and one to a set-up", async () => {
      const [done, challenged, startedOver] = [await pending(), await pending(), await pending()];
      for (const { id } of [done, challenged, startedOver]) {
        await store.interactions.offerPasskeyStatement(id, offer, NOW);
      }
      await store.interactions.authenticate(done, by("first"), NOW);
      const method = "dns-challenge";
      const none = { passkeyStatement: null, passkeyExpiresAt: null };
      const to = { challenge: "chal", expiresAt: NOW + DAY };
      const switched = await store.interactions.switchToDnsChallenge(challenged.id, to, NOW);
      expect(switched).toEqual({ ...challenged, ...none, method, ...to });
      const setUp = await store.interactions.switchToSetUp(startedOver.id, NOW);
      expect(setUp).toMatchObject({ method: "dns-setup", ...none });
      for (const { id } of [done, challenged, startedOver]) {
        const current = { ...done, ...(await store.interactions.readInteraction(id)) };
        expect(await store.interactions.authenticate(current, by("first"), NOW)).toBeNull();
        expect(await store.interactions.offerPasskeyStatement(id, offer, NOW)).toBeNull();
        expect(
          await store.interactions.switchToDnsChallenge(id, { ...to, challenge: "again" }, NOW),
        ).toBeNull();
      }
    });
  });
});
