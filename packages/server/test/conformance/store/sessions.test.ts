// What every engine promises about browsers: a session while its account lives, each answer once.

import { describe, expect, test } from "vitest";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { DAY, liveAccount, NOW, someId, someSession } from "../../support/store-rows.ts";

onEveryEngine(({ store, stores }) => {
  /** The session with this secret. */
  async function found({ secretHash }: { secretHash: string }) {
    const [one] = await store.sessions.findSessions([secretHash]);
    if (one === undefined) throw new Error("the secret is not known");
    return one.session;
  }

  /** A session of a live account, and the input of an authentication that follows in its browser. */
  async function begun() {
    const { id } = await liveAccount(store);
    const first = someSession(id);
    const { sid } = await store.sessions.startSession(first);
    const again = (changes: Partial<typeof first> = {}) =>
      someSession(id, { formerHash: first.secretHash, now: NOW + 10, ...changes });
    return { first, sid, again };
  }

  describe("a session", () => {
    test("is found with its account, and by nothing else than its secrets", async () => {
      const account = await liveAccount(store);
      const one = someSession(account.id);
      expect(await store.sessions.startSession(one)).toEqual({
        ...{ sid: one.newSid, isNewBrowser: true, noticesFrom: null },
      });
      const { secretHash, newSid: sid, accountId, authTime, amr, browser, expiresAt } = one;
      const session = {
        ...{ secretHash, sid, accountId, authTime, amr, browser, expiresAt },
        ...{ issuedAt: NOW, lastUsedAt: NOW, presentedAt: null, replacedAt: null },
        ...{ endedAt: null, endReason: null, noticesFrom: null },
      };
      expect(await store.sessions.findSessions([someId(), secretHash])).toEqual([
        { session, account, consented: new Set() },
      ]);
      expect(await store.sessions.findSessions([someId()])).toEqual([]);
      expect(await store.sessions.findSessions([])).toEqual([]);
    });

    test("keeps its sid and its former secret until the new one was sent", async () => {
      const { first, sid, again } = await begun();
      await store.sessions.presentSession(first.secretHash, NOW);
      const next = again();
      expect(await store.sessions.startSession(next)).toMatchObject({ sid, isNewBrowser: false });
      expect(await found(first)).toMatchObject({ replacedAt: null, authTime: NOW });
      await store.sessions.presentSession(next.secretHash, NOW + 20);
      expect(await found(next)).toMatchObject({ presentedAt: NOW + 20, replacedAt: null });
      expect((await found(first)).replacedAt).toBe(NOW + 20);
      // Only the first time counts.
      await store.sessions.presentSession(next.secretHash, NOW + 50);
      await store.sessions.presentSession(first.secretHash, NOW + 55);
      expect((await found(next)).presentedAt).toBe(NOW + 20);
      expect((await found(first)).replacedAt).toBe(NOW + 20);
    });

    test("after a lost response is continued by the secret that the browser got", async () => {
      const { first, sid, again } = await begun();
      const [lost, kept] = [again(), again()];
      for (const one of [lost, kept])
        expect((await store.sessions.startSession(one)).sid).toBe(sid);
      await store.sessions.presentSession(kept.secretHash, NOW + 20);
      expect((await found(kept)).replacedAt).toBeNull();
      for (const one of [first, lost]) expect((await found(one)).replacedAt).toBe(NOW + 20);
      // Or the response to the later one got lost.
      const [got, never] = [again({ now: NOW + 30 }), again({ now: NOW + 30 })];
      for (const one of [got, never]) {
        expect(
          (await store.sessions.startSession({ ...one, formerHash: kept.secretHash })).sid,
        ).toBe(sid);
      }
      await store.sessions.presentSession(got.secretHash, NOW + 40);
      expect((await found(kept)).replacedAt).toBe(NOW + 40);
      for (const one of [got, never]) expect((await found(one)).replacedAt).toBeNull();
    });

    test("whose first secret was never sent gets another one, and the lost one is none: of 20 at once one stays", async () => {
      const { first, sid } = await begun();
      const { accountId } = first;
      const secrets = Array.from({ length: 20 }, () => someId());
      const replaced = await race(stores, 20, (node, index) =>
        node.sessions.replaceLostSecret({ secretHash: secrets[index] ?? "", sid, accountId }),
      );
      expect(replaced).toContain(true);
      expect(await store.sessions.findSessions([first.secretHash])).toEqual([]);
      const left = await store.sessions.findSessions(secrets);
      expect(left.map(({ session }) => session)).toMatchObject([
        { sid, accountId, authTime: NOW, presentedAt: null },
      ]);
      // A sid is no secret: apps know it from ID tokens.
      const other = { secretHash: someId(), sid, accountId: someId() };
      expect(await store.sessions.replaceLostSecret(other)).toBe(false);
      const [kept] = left;
      await store.sessions.presentSession(kept?.session.secretHash ?? "", NOW + 20);
      const late = { secretHash: someId(), sid, accountId };
      expect(await store.sessions.replaceLostSecret(late)).toBe(false);
      // Nor that of a session with a later secret, or that has ended.
      const second = await begun();
      await store.sessions.startSession(second.again());
      const of = { secretHash: someId(), sid: second.sid, accountId: second.first.accountId };
      expect(await store.sessions.replaceLostSecret(of)).toBe(false);
      const third = await begun();
      const ended = { sid: third.sid, accountId: third.first.accountId };
      await store.sessions.endSession(ended, "signed_out", NOW + 1);
      expect(await store.sessions.replaceLostSecret({ ...ended, secretHash: someId() })).toBe(
        false,
      );
    });

    test("is not continued with a secret that is not accepted any more", async () => {
      const { first, sid, again } = await begun();
      const other = await liveAccount(store);
      expect((await store.sessions.startSession(again({ accountId: other.id }))).sid).not.toBe(sid);
      expect((await store.sessions.startSession(again({ formerHash: someId() }))).sid).not.toBe(
        sid,
      );
      expect((await store.sessions.startSession(again({ now: NOW + 30 * DAY }))).sid).not.toBe(sid);
      expect((await store.sessions.startSession(again({ now: first.expiresAt }))).sid).not.toBe(
        sid,
      );
      const next = again();
      await store.sessions.startSession(next);
      await store.sessions.presentSession(next.secretHash, NOW + 20);
      expect((await store.sessions.startSession(again({ now: NOW + 79 }))).sid).toBe(sid);
      expect((await store.sessions.startSession(again({ now: NOW + 80 }))).sid).not.toBe(sid);
      expect(
        await store.sessions.endSession(
          { sid, accountId: first.accountId },
          "signed_out",
          NOW + 21,
        ),
      ).toBe(true);
      const successor = again({ formerHash: next.secretHash, now: NOW + 22 });
      expect((await store.sessions.startSession(successor)).sid).not.toBe(sid);
    });

    test("ends with all its secrets, for one reason, and of 20 calls one ended it", async () => {
      const { first, sid, again } = await begun();
      const next = again();
      await store.sessions.startSession(next);
      // A sid is no secret: apps know it from ID tokens.
      expect(await store.sessions.endSession({ sid, accountId: someId() }, "operator", NOW)).toBe(
        false,
      );
      expect(await store.sessions.isWithoutSession(sid)).toBe(false);
      const results = await race(stores, 20, (node, index) =>
        node.sessions.endSession(
          { sid, accountId: first.accountId },
          index % 2 === 0 ? "signed_out" : "operator",
          NOW + 30,
        ),
      );
      expect(results.filter((ended) => ended)).toHaveLength(1);
      const reason = results.indexOf(true) % 2 === 0 ? "signed_out" : "operator";
      for (const one of [first, next]) {
        expect(await found(one)).toMatchObject({ endedAt: NOW + 30, endReason: reason });
      }
      expect(await store.sessions.isWithoutSession(sid)).toBe(true);
      for (const none of [sid, someId()])
        expect(await store.sessions.isWithoutSession(none)).toBe(true);
      expect(await store.sessions.endSession({ ...first, sid: someId() }, "operator", NOW)).toBe(
        false,
      );
    });

    test("that ends while somebody authenticates stays ended for the new secret too", async () => {
      for (let round = 0; round < 10; round++) {
        const { first, sid, again } = await begun();
        const successors = Array.from({ length: 6 }, () => again());
        await race(stores, 7, async (node, index) => {
          const one = successors[index];
          if (one === undefined)
            await node.sessions.endSession({ ...first, sid }, "signed_out", NOW + 10);
          else await node.sessions.startSession(one);
        });
        for (const one of successors) {
          const session = await found(one);
          // Either it is a session of its own, which began after the end, or it ended.
          expect(session.endedAt === null).toBe(session.sid !== sid);
        }
      }
    });

    test("all of an account end at once, except the one that is kept", async () => {
      const { first, sid } = await begun();
      const { accountId } = first;
      const elsewhere = [someSession(accountId), someSession(accountId)];
      for (const one of elsewhere) await store.sessions.startSession(one);
      const bystander = await begun();
      const options = { reason: "elsewhere", now: NOW + 5, keptSid: sid } as const;
      const ended = await store.sessions.endSessionsOf(accountId, options);
      expect([...ended].sort()).toEqual(elsewhere.map(({ newSid }) => newSid).sort());
      expect((await found(first)).endedAt).toBeNull();
      expect(await store.sessions.endSessionsOf(accountId, options)).toEqual([]);
      expect(
        await store.sessions.endSessionsOf(accountId, { reason: "operator", now: NOW + 6 }),
      ).toEqual([sid]);
      expect((await found(first)).endReason).toBe("operator");
      expect((await found(bystander.first)).endedAt).toBeNull();
    });

    test("of 30 secrets that are issued and sent at once, replaces all that came before", async () => {
      const { first, sid, again } = await begun();
      const successors = Array.from({ length: 30 }, () => again());
      await race(stores, 30, async (node, index) => {
        const one = successors[index] ?? again();
        expect((await node.sessions.startSession(one)).sid).toBe(sid);
        await node.sessions.presentSession(one.secretHash, NOW + 20);
      });
      expect((await found(first)).replacedAt).toBe(NOW + 20);
      const all = await store.sessions.findSessions(successors.map(({ secretHash }) => secretHash));
      expect(all).toHaveLength(30);
      expect(all.some(({ session }) => session.replacedAt === null)).toBe(true);
    });

    test("of an account is listed until it ends or idles, the last used one first", async () => {
      const { id: accountId } = await liveAccount(store);
      const first = someSession(accountId, { browser: "firefox linux" });
      const second = someSession(accountId, { browser: "safari ios", now: NOW + 9 });
      const { sid } = await store.sessions.startSession(first);
      const other = await store.sessions.startSession(second);
      await store.sessions.startSession(someSession((await liveAccount(store)).id));
      const one = { sid, browser: "firefox linux", since: NOW, lastUsedAt: NOW };
      const two = { sid: other.sid, browser: "safari ios", since: NOW + 9, lastUsedAt: NOW + 9 };
      expect(await store.sessions.sessionsOf(accountId, NOW + 10)).toEqual([two, one]);
      await store.sessions.touchSession(first.secretHash, NOW + 20);
      const used = { ...one, lastUsedAt: NOW + 20 };
      expect(await store.sessions.sessionsOf(accountId, NOW + 20)).toEqual([used, two]);
      expect(await store.sessions.sessionsOf(accountId, NOW + 9 + 30 * DAY)).toEqual([used]);
      expect(await store.sessions.countSessionsOf(accountId, NOW + 9 + 30 * DAY)).toBe(1);
      expect(await store.sessions.sessionsOf(accountId, NOW + 20 + 30 * DAY)).toEqual([]);
      await store.sessions.endSession({ sid, accountId }, "signed_out", NOW + 30);
      expect(await store.sessions.sessionsOf(accountId, NOW + 30)).toEqual([two]);
      expect(await store.sessions.countSessionsOf(accountId, NOW + 30)).toBe(1);
    });

    test("was last used at the latest of all uses", async () => {
      const { first } = await begun();
      await race(stores, 20, (node, index) =>
        node.sessions.touchSession(first.secretHash, NOW + ((index * 7) % 20)),
      );
      expect((await found(first)).lastUsedAt).toBe(NOW + 19);
    });
  });
});
