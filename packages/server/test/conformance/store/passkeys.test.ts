// What every engine promises about passkeys: each belongs to one account, and its counter only rises.

import { describe, expect, test } from "vitest";
import {
  challengeFor,
  passkeyOf,
  passkeySkipped,
  SET_UP,
  startedOver,
  statementOffered,
  type Transition,
} from "../../../src/interaction/progress.ts";
import type {
  AccountPasskey,
  Interaction,
  Progress,
  Proving,
} from "../../../src/store/interaction-row.ts";
import { changeProgress } from "../../support/progress.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  begunInteraction,
  DAY,
  liveAccount,
  NOW,
  recordSignIn,
  someId,
  somePasskey,
  withoutVersion,
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
      expect(await store.passkeys.removePasskey(foreign, NOW)).toBe("unknown");
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
      const removed = await race(stores, 20, (node) => node.passkeys.removePasskey(passkey, NOW));
      expect(removed.filter((result) => result === "removed")).toHaveLength(1);
      const use = { counter: 0, backedUp: 0, now: NOW } as const;
      expect(await store.passkeys.usePasskey(passkey, use)).toBe("refused");
      expect(await store.passkeys.findPasskey(passkey.credentialId)).toBeNull();
    });
  });

  describe("a passkey that is gone", () => {
    /** An account with passkeys, and another account with one. */
    async function owners() {
      const [{ id }, other] = [await account(), await account()];
      const [one, two, foreign] = [somePasskey(id), somePasskey(id), somePasskey(other.id)];
      for (const passkey of [one, two, foreign]) await store.passkeys.addPasskey(passkey);
      const gone = (...passkeys: (typeof one)[]) =>
        Promise.all(
          passkeys.map(({ credentialId }) => store.removedPasskeys.wasRemoved(credentialId)),
        );
      return { id, one, two, foreign, gone };
    }

    test("is known to have been removed, and no other is", async () => {
      const { id, one, two, foreign, gone } = await owners();
      expect(await gone(one, two, foreign, somePasskey(id))).toEqual(Array(4).fill(false));
      await store.passkeys.removePasskey({ ...one, accountId: foreign.accountId }, NOW);
      expect(await gone(one)).toEqual([false]);
      await race(stores, 5, (node) => node.passkeys.removePasskey(one, NOW));
      await store.passkeys.removePasskey(two, NOW + 1);
      expect(await gone(one, two, foreign, somePasskey(id))).toEqual([true, true, false, false]);
      const of = store.removedPasskeys.removedOf;
      expect(await of(id, null)).toEqual([two.credentialId, one.credentialId]);
      expect(await of(id, one.thumbprint)).toEqual([one.credentialId]);
      expect(await of(id, foreign.thumbprint)).toEqual([]);
      expect(await of(foreign.accountId, one.thumbprint)).toEqual([]);
    });

    test.each(["by itself", "by its owner or the operator"])(
      "is known once its account has ended %s",
      async (how) => {
        const { id, one, two, foreign, gone } = await owners();
        if (how === "by itself") {
          await store.accounts.putToSleep(id, NOW);
          await store.accounts.putToSleep(id, NOW + DAY);
          const end = { accountId: id, asleepBefore: NOW, now: NOW + 40 * DAY };
          expect(await gone(one, two)).toEqual([false, false]);
          expect(await store.accountWalk.endAccount(end)).toBe(true);
        } else {
          await store.accountAdmin.endAccountNow({ accountId: id, now: NOW });
        }
        expect(await gone(one, two, foreign)).toEqual([true, true, false]);
        expect([...(await store.removedPasskeys.removedOf(id, null))].sort()).toEqual(
          [one.credentialId, two.credentialId].sort(),
        );
      },
    );

    test("is not known while its row is there, or one of a set-up that is being finished", async () => {
      const { id, one, gone } = await owners();
      await store.passkeys.removePasskey(one, NOW);
      await store.passkeys.addPasskey(one);
      expect(await gone(one)).toEqual([false]);
      expect(await store.removedPasskeys.removedOf(id, null)).toEqual([]);
      // Its account does not exist yet.
      await engine.execute("UPDATE passkeys SET account_id = ?1 WHERE credential_id = ?2", [
        ...[someId("sub_"), one.credentialId],
      ]);
      expect(await gone(one)).toEqual([false]);
    });

    test("is known among the first hundred of its account", async () => {
      const { id, gone } = await owners();
      const removed = [];
      for (let count = 0; count < 101; count++) {
        const passkey = somePasskey(id);
        await store.passkeys.addPasskey(passkey);
        await store.passkeys.removePasskey(passkey, NOW);
        removed.push(passkey);
      }
      expect((await gone(...removed)).filter(Boolean)).toHaveLength(100);
    });
  });

  test("the answer of an authenticator is checked with the sign-in, its account and the passkeys of that", async () => {
    const owner = await account();
    const begun = (progress: Progress) =>
      begunInteraction(store, { domain: owner.domain, progress });
    const interaction = await begun(passkeyOf(owner.acct));
    const session = { isOver: 1, unsent: null, codeSet: null };
    const nobody = { account: null, passkeys: [], consented: null, session };
    const found = () => store.interactions.readPending(interaction.id);
    expect(await found()).toEqual({ interaction, ...nobody, account: owner });
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
    const setUp = await begun({ ...passkeyOf(owner.acct), owner: "set-up", formerCode: null });
    expect(await store.interactions.readPending(setUp.id)).toEqual({
      interaction: setUp,
      ...nobody,
    });
    const other = await begun(passkeyOf(someId()));
    expect(await store.interactions.readPending(other.id)).toEqual({
      interaction: other,
      ...nobody,
    });
    expect(await store.interactions.readPending(someId())).toBeNull();
    await store.accounts.putToSleep(owner.id, NOW);
    expect(await found()).toMatchObject({ account: { asleepSince: NOW }, passkeys: [{}, {}] });
    await engine.execute("UPDATE accounts SET ended_at = ?1 WHERE id = ?2", [NOW, owner.id]);
    expect(await found()).toEqual({ interaction, ...nobody });
  });

  describe("the statement that a passkey is asked to sign", () => {
    const pending = () => begunInteraction(store, { progress: passkeyOf(someId()) });
    const first = { statement: "first", expiresAt: NOW + 300 };
    const offered = statementOffered(null, first);
    const change = ({ id }: { id: string }, transition: Transition, now = NOW) =>
      changeProgress(store, id, transition, now);
    /** An authentication by a passkey that signed this. */
    const authenticate = (
      interaction: Interaction<AccountPasskey>,
      statement: string,
      { now = NOW, node = store, as = interaction.progress as Proving } = {},
    ) => {
      const by = { accountId: someId("sub_"), authTime: NOW, amr: "pop user" };
      const proof = { ...by, controlCheckedAt: NOW, sid: someId() };
      const progress = as.step === "passkey" ? { ...as, ceremony: { ...first, statement } } : as;
      return recordSignIn(node, { ...interaction, progress }, proof, now);
    };

    test("of 30 pages that offer one at once is that of one", async () => {
      const interaction = await pending();
      const { id } = interaction;
      const results = await race(stores, 30, (node, index) => {
        const ceremony = { ...first, statement: `statement ${index}` };
        return changeProgress(node, id, statementOffered(null, ceremony), NOW);
      });
      const [winner = null, ...others] = results.filter((row) => row !== null);
      expect(others).toEqual([]);
      const ceremony = { ...first, statement: `statement ${results.indexOf(winner)}` };
      expect(winner).toMatchObject({ id, progress: { ceremony } });
      expect(await store.interactions.readInteraction(id)).toEqual(winner);
      const replaced = statementOffered(ceremony, { ...first, statement: "next" });
      const next = await change(interaction, replaced);
      expect(next?.progress).toMatchObject({ ceremony: { statement: "next" } });
      expect(await change(interaction, replaced)).toBeNull();
    });

    test("signs in once, of 30 callers, and by its own text alone", async () => {
      const interaction = await pending();
      await change(interaction, offered);
      expect(await authenticate(interaction, "another")).toBeNull();
      expect(await authenticate(await pending(), "first")).toBeNull();
      const signedIn = await race(stores, 30, (node) =>
        authenticate(interaction, "first", { node }),
      );
      expect(signedIn.filter((row) => row !== null)).toHaveLength(1);
    });

    test("expires after its five minutes, and with its interaction", async () => {
      const interaction = await pending();
      const { expiresAt } = interaction;
      await change(interaction, offered);
      expect(await authenticate(interaction, "first", { now: NOW + 300 })).toBeNull();
      const late = (statement: string) =>
        statementOffered(first, { statement, expiresAt: expiresAt + 300 });
      expect(await change(interaction, late("first"), expiresAt)).toBeNull();
      await change(interaction, late("late"), expiresAt - 1);
      expect(await authenticate(interaction, "late", { now: expiresAt })).toBeNull();
      const now = expiresAt - 1;
      expect(await authenticate(interaction, "first", { now })).toBeNull();
      expect(await authenticate(interaction, "late", { now })).not.toBeNull();
    });

    test("is gone after an authentication, a switch to a DNS challenge and one to a set-up", async () => {
      const [done, challenged, startedAgain] = [await pending(), await pending(), await pending()];
      for (const one of [done, challenged, startedAgain]) await change(one, offered);
      await authenticate(done, "first");
      const end = NOW + DAY;
      const switched = await changeProgress(store, challenged.id, passkeySkipped("chal"), NOW, {
        expiresAt: end,
      });
      const { acct } = challenged.progress;
      expect(withoutVersion(switched)).toEqual({
        ...withoutVersion(challenged),
        ...{ expiresAt: end, progress: challengeFor(acct, "chal") },
      });
      expect(switched?.version).toMatchObject({ passkeyStatement: null, passkeyExpiresAt: null });
      const setUp = await change(startedAgain, startedOver);
      expect(setUp?.progress).toEqual(SET_UP);
      // As the page saw it, and by each method that the interaction may have now.
      const confirmed = { credentialId: "first", expiresAt: end };
      const methods = [
        passkeyOf(acct),
        { ...passkeyOf(acct), owner: "set-up", formerCode: null },
        { ...challengeFor(acct, "chal"), unconfirmed: confirmed },
      ] as const;
      for (const one of [done, challenged, startedAgain]) {
        for (const as of methods) expect(await authenticate(one, "first", { as })).toBeNull();
        for (const from of [null, first]) {
          const again = statementOffered(from, { ...first, statement: "again" });
          expect(await change(one, again)).toBeNull();
        }
        expect(await change(one, passkeySkipped("again"))).toBeNull();
      }
    });
  });
});
