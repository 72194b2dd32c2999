// What every engine promises about the browsers that an account knows: by their last secret, for 400 days.

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

  describe("a browser", () => {
    /** Whether the account of the session knows the browser that sends its secret. */
    const knows = async (session: { secretHash: string; accountId: string }, now = NOW) =>
      (await store.sessions.knowsBrowser(session, now)).known;

    test("is known for 400 days after an authentication, by its account alone, also signed out", async () => {
      const { first, sid } = await begun();
      const other = await liveAccount(store);
      expect(await knows(first, NOW + 400 * DAY - 1)).toBe("yes");
      expect(await knows(first, NOW + 400 * DAY)).toBe("no");
      expect(await knows({ ...first, accountId: other.id })).toBe("no");
      expect(await knows({ ...first, secretHash: someId() })).toBe("no");
      await store.sessions.endSession({ sid, accountId: first.accountId }, "signed_out", NOW);
      expect(await knows(first)).toBe("yes");
      expect(await store.sessions.countBrowsersOf(first.accountId, NOW)).toBe(1);
    });

    test("is listed once by its session, by its last name, also if that has changed", async () => {
      const { first, sid, again } = await begun();
      const next = again({ browser: "safari macos", now: NOW + 20 });
      await store.sessions.startSession(next);
      const { accountId } = first;
      expect(await store.sessions.sessionsOf(accountId, NOW + 20)).toEqual([
        { sid, browser: "safari macos", since: NOW, lastUsedAt: NOW + 20 },
      ]);
      expect(await store.sessions.countSessionsOf(accountId, NOW + 20)).toBe(1);
    });

    test("gets a new secret also after it was signed out, and the former one is refused a minute after", async () => {
      const { first, sid, again } = await begun();
      await store.sessions.endSession({ sid, accountId: first.accountId }, "signed_out", NOW);
      const next = again();
      const started = await store.sessions.startSession(next);
      expect(started).toMatchObject({ sid: next.newSid, isNewBrowser: false });
      // The response may get lost: until the new secret is sent, the former one counts.
      expect(await knows(first, NOW + 300)).toBe("yes");
      await store.sessions.presentSession(next.secretHash, NOW + 300);
      expect([await knows(first, NOW + 359), await knows(next, NOW + 359)]).toEqual(["yes", "yes"]);
      expect(await store.sessions.knowsBrowser(first, NOW + 360)).toEqual({
        known: "replaced",
        sid,
      });
      expect(await knows(next, NOW + 360)).toBe("yes");
      expect(await store.sessions.countBrowsersOf(first.accountId, NOW + 360)).toBe(1);
      // A copy that authenticates with the former secret is another browser, and replaces nothing.
      const copy = again({ now: NOW + 400 });
      expect((await store.sessions.startSession(copy)).isNewBrowser).toBe(true);
      await store.sessions.presentSession(copy.secretHash, NOW + 400);
      expect(await knows(next, NOW + 500)).toBe("yes");
      expect(await store.sessions.countBrowsersOf(first.accountId, NOW + 500)).toBe(2);
    });

    test("is marked once as copied, of 20 calls, whether its session has ended or not", async () => {
      for (const isSignedOut of [false, true]) {
        const { first, sid, again } = await begun();
        const of = { sid, accountId: first.accountId };
        if (isSignedOut) await store.sessions.endSession(of, "signed_out", NOW);
        const marked = await race(stores, 20, (node) =>
          node.sessions.endReusedSession(of, NOW + 5),
        );
        expect(marked.filter((one) => one)).toHaveLength(1);
        const { endedAt, endReason } = await found(first);
        expect([endedAt, endReason]).toEqual([isSignedOut ? NOW : NOW + 5, "reused"]);
        // The browser that has the last secret is still known.
        const next = again();
        await store.sessions.startSession(next);
        expect([await knows(first), await knows(next)]).toEqual(["yes", "yes"]);
      }
    });

    test.each(["elsewhere", "operator"] as const)(
      "is forgotten if its session is ended by %s, and so are those that had signed out",
      async (reason) => {
        const { id: accountId } = await liveAccount(store);
        const bystander = (await begun()).first;
        const sessions = [0, 1, 2].map(() => someSession(accountId));
        for (const one of sessions) await store.sessions.startSession(one);
        const [open, signedOut, copied] = sessions as [
          ReturnType<typeof someSession>,
          ReturnType<typeof someSession>,
          ReturnType<typeof someSession>,
        ];
        await store.sessions.endSession({ accountId, sid: signedOut.newSid }, "signed_out", NOW);
        await store.sessions.endReusedSession({ accountId, sid: copied.newSid }, NOW);
        await store.sessions.endSessionsOf(accountId, { reason, now: NOW });
        expect(await Promise.all([open, signedOut, copied].map((one) => knows(one)))).toEqual([
          ...["no", "yes", "yes"],
        ]);
        await store.sessions.forgetBrowsersOf(accountId, reason);
        expect(await Promise.all([open, signedOut, copied].map((one) => knows(one)))).toEqual([
          ...["no", "no", "no"],
        ]);
        expect(await store.sessions.countBrowsersOf(accountId, NOW)).toBe(0);
        expect(await knows(bystander)).toBe("yes");
        // Somebody authenticates there again: it is a new browser.
        const back = someSession(accountId, { formerHash: open.secretHash });
        await store.sessions.startSession(back);
        expect([await knows(open), await knows(back)]).toEqual(["no", "yes"]);
      },
    );

    test("is listed while it is known and has no session, the last used one first", async () => {
      const { first, sid, again } = await begun();
      const { accountId } = first;
      const other = someSession(accountId, { browser: "safari ios", now: NOW + 5 });
      await store.sessions.startSession(other);
      await store.sessions.startSession(someSession((await liveAccount(store)).id));
      const listed = (now = NOW + 100) => store.sessions.knownBrowsersOf(accountId, now);
      expect(await listed()).toEqual([]);
      await store.sessions.endSession({ sid, accountId }, "signed_out", NOW + 10);
      const one = { deviceId: sid, browser: "firefox linux", since: NOW, lastUsedAt: NOW };
      expect(await listed()).toEqual([one]);
      // The session of the other one is idle, but it is known for longer.
      const two = { deviceId: other.newSid, browser: "safari ios", since: NOW + 5 };
      const idle = { ...two, lastUsedAt: NOW + 5 };
      expect(await listed(NOW + 5 + 30 * DAY)).toEqual([idle, one]);
      expect(await listed(NOW + 400 * DAY)).toEqual([idle]);
      // It signs in again, by another name, and out again.
      const next = again({ browser: "firefox windows" });
      await store.sessions.startSession(next);
      await store.sessions.presentSession(next.secretHash, NOW + 20);
      expect(await listed()).toEqual([]);
      await store.sessions.endSession({ sid: next.newSid, accountId }, "signed_out", NOW + 30);
      expect(await listed()).toEqual([
        { ...one, browser: "firefox windows", lastUsedAt: NOW + 10 },
      ]);
      // Its last session is ended from elsewhere, so that the earlier ones say nothing.
      const last = again({ formerHash: next.secretHash, now: NOW + 40 });
      await store.sessions.startSession(last);
      await store.sessions.presentSession(last.secretHash, NOW + 40);
      await store.sessions.endSession({ sid: last.newSid, accountId }, "elsewhere", NOW + 50);
      expect(await listed(NOW + 100)).toEqual([]);
      expect(await store.sessions.countBrowsersOf(accountId, NOW + 100)).toBe(1);
    });

    test("is forgotten by one of 20 calls, by its own account alone, and the other browsers stay known", async () => {
      const { first, sid, again } = await begun();
      const { accountId } = first;
      const other = someSession(accountId);
      await store.sessions.startSession(other);
      await store.sessions.endSession({ sid, accountId }, "signed_out", NOW);
      const next = again();
      await store.sessions.startSession(next);
      await store.sessions.endSession({ sid: next.newSid, accountId }, "signed_out", NOW + 20);
      const of = { deviceId: sid, accountId, now: NOW + 30 };
      expect(await store.sessions.forgetBrowser({ ...of, accountId: someId() })).toBe(false);
      expect(await store.sessions.forgetBrowser({ ...of, deviceId: someId() })).toBe(false);
      expect([await knows(first), await knows(next)]).toEqual(["yes", "yes"]);
      const forgotten = await race(stores, 20, (node) => node.sessions.forgetBrowser(of));
      expect(forgotten.filter((one) => one)).toHaveLength(1);
      expect([await knows(first), await knows(next)]).toEqual(["no", "no"]);
      expect(await knows(other)).toBe("yes");
      expect(await store.sessions.knownBrowsersOf(accountId, NOW + 40)).toEqual([]);
      // The time of the sign-out stays.
      expect((await found(first)).endedAt).toBe(NOW);
      // Somebody authenticates there again: it is a new browser.
      const back = again({ formerHash: next.secretHash, now: NOW + 50 });
      expect((await store.sessions.startSession(back)).isNewBrowser).toBe(true);
    });

    test("that signs in while it is forgotten is forgotten with its session, or is a new browser", async () => {
      for (let round = 0; round < 10; round++) {
        const { first, sid, again } = await begun();
        const of = { deviceId: sid, accountId: first.accountId, now: NOW + 10 };
        const next = again();
        await race(stores, 2, async (node, index) => {
          if (index === 0) await node.sessions.forgetBrowser(of);
          else await node.sessions.startSession(next);
        });
        const { endedAt, sid: own } = await found(next);
        expect(own === sid).toBe(endedAt !== null);
        expect(await knows(next)).toBe(own === sid ? "no" : "yes");
      }
    });
  });
});
