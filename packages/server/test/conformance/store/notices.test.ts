// What every engine promises about notices: what a browser still has to show of the others of its account.

import { expect, test } from "vitest";
import { write } from "../../../src/database/rows.ts";
import { newsSeen } from "../../../src/interaction/progress.ts";
import { createStore } from "../../../src/store/store.ts";
import { changeProgress } from "../../support/progress.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  begunInteraction,
  DAY,
  liveAccount,
  NOW,
  recordSignIn,
  someId,
  someProof,
  someSession,
  withoutVersion,
} from "../../support/store-rows.ts";

onEveryEngine(({ store, stores, engine, engines }) => {
  /** Two browsers of an account. */
  async function browsers() {
    const { id: accountId } = await liveAccount(store);
    const [one, other] = [someSession(accountId), someSession(accountId)];
    const { sid } = await store.sessions.startSession(one);
    const started = await store.sessions.startSession(other);
    // The second is news in the first, which has shown it.
    await store.sessions.clearNotices({ accountId, sid, shownAt: NOW });
    return { accountId, one, other, sid, otherSid: started.sid };
  }

  async function noticesFrom({ secretHash }: { secretHash: string }) {
    const [found] = await store.sessions.findSessions([secretHash]);
    if (found === undefined) throw new Error("the secret is not known");
    return found.session.noticesFrom;
  }

  test("what happened in one browser is news in the others of that account, since the first event", async () => {
    const { accountId, one, other, sid } = await browsers();
    const stranger = await browsers();
    expect(await noticesFrom(other)).toBeNull();
    await store.sessions.noticeOthers({ accountId, sid, at: NOW });
    await store.sessions.noticeOthers({ accountId, sid, at: NOW + 9 });
    expect([await noticesFrom(one), await noticesFrom(other)]).toEqual([null, NOW]);
    expect(await noticesFrom(stranger.one)).toBeNull();
    expect(await noticesFrom(one)).toBeNull();
    // By somebody who has no session of this account.
    await store.sessions.noticeOthers({ accountId, sid: stranger.sid, at: NOW + 20 });
    expect(await noticesFrom(one)).toBe(NOW + 20);
  });

  test("a new browser is news in the others, and one that comes back is not", async () => {
    const { id: accountId } = await liveAccount(store);
    const [one, other] = [someSession(accountId), someSession(accountId, { now: NOW + 5 })];
    const first = await store.sessions.startSession(one);
    expect(first).toMatchObject({ isNewBrowser: true, noticesFrom: null });
    await store.sessions.startSession(other);
    expect([await noticesFrom(one), await noticesFrom(other)]).toEqual([NOW + 5, null]);
    const back = someSession(accountId, { formerHash: one.secretHash, now: NOW + 9 });
    const continued = await store.sessions.startSession(back);
    expect(continued).toMatchObject({ isNewBrowser: false, noticesFrom: NOW + 5 });
    expect(await noticesFrom(other)).toBeNull();
  });

  test("two new browsers at once are news, one in the other", async () => {
    // Only PostgreSQL runs two arrays at once.
    const pause = write("SELECT 1 AS slept FROM pg_sleep(0.2)");
    const pauses = engine.statementTime === undefined ? [] : [pause];
    const slow = engines.slice(0, 2).map((one) =>
      createStore({
        ...one,
        commit: async (writes, options) =>
          (await one.commit([...writes, ...pauses], options))?.slice(0, writes.length) ?? null,
      }),
    );
    for (const by of ["challenges", "interactions"]) {
      const { id: accountId } = await liveAccount(store);
      const all = [someSession(accountId), someSession(accountId)];
      await race(slow.length === 2 ? slow : stores, 2, async (node, index) => {
        const session = all[index] ?? someSession(accountId);
        if (by === "challenges") return void (await node.sessions.startSession(session));
        const interaction = await begunInteraction(node);
        const proof = { ...someProof({ accountId }), sid: session.newSid };
        await node.interactions.authenticate({ interaction, proof, session });
      });
      const news = await Promise.all(all.map(noticesFrom));
      // Nobody came after the second.
      expect(news.filter((from) => from === null)).toHaveLength(1);
    }
  });

  test("a browser keeps its news through its next authentication, signed out or not", async () => {
    const { accountId, other, sid, otherSid } = await browsers();
    await store.sessions.noticeOthers({ accountId, sid, at: NOW });
    const again = someSession(accountId, { formerHash: other.secretHash, now: NOW + 10 });
    await store.sessions.startSession(again);
    expect(await noticesFrom(again)).toBe(NOW);
    await store.sessions.endSession({ sid: otherSid, accountId }, "signed_out", NOW + 20);
    const later = someSession(accountId, { formerHash: again.secretHash, now: NOW + 30 });
    await store.sessions.startSession(later);
    expect(await noticesFrom(later)).toBe(NOW);
    // Every secret of the browser has shown it then.
    await store.sessions.clearNotices({ accountId, sid: otherSid, shownAt: NOW + 40 });
    expect([await noticesFrom(again), await noticesFrom(later)]).toEqual([null, null]);
  });

  test("what happens after the page was made is news the next time", async () => {
    const { accountId, one, other, sid, otherSid } = await browsers();
    await store.sessions.noticeOthers({ accountId, sid, at: NOW });
    await store.sessions.noticeOthers({ accountId, sid, at: NOW + 20 });
    await store.sessions.clearNotices({ accountId, sid: otherSid, shownAt: NOW - 1 });
    expect(await noticesFrom(other)).toBe(NOW);
    await store.sessions.clearNotices({ accountId, sid: otherSid, shownAt: NOW + 10 });
    expect(await noticesFrom(other)).toBe(NOW + 10);
    // Only the browser that showed it.
    await store.sessions.noticeOthers({ accountId, sid: otherSid, at: NOW + 20 });
    await store.sessions.clearNotices({ accountId, sid: otherSid, shownAt: NOW + 20 });
    expect([await noticesFrom(one), await noticesFrom(other)]).toEqual([NOW + 20, null]);
    await store.sessions.clearNotices({ accountId: someId(), sid, shownAt: NOW + 30 });
    expect(await noticesFrom(one)).toBe(NOW + 20);
  });

  test("an authentication records the news of its browser, which one of 20 answers passes", async () => {
    const { accountId, other, sid } = await browsers();
    await store.sessions.noticeOthers({ accountId, sid, at: NOW });
    const authenticated = async (formerHash: string | null, now: number) => {
      const interaction = await begunInteraction(store, { expiresAt: now + 1800 });
      const proof = { accountId, authTime: now, amr: "pop", controlCheckedAt: now, sid: someId() };
      return recordSignIn(store, interaction, { ...proof, formerHash }, now);
    };
    const newsFrom = async (formerHash: string | null, now: number) =>
      (await authenticated(formerHash, now))?.progress.newsFrom;
    expect(await newsFrom(null, NOW)).toBeNull();
    expect(await newsFrom(someId(), NOW)).toBeNull();
    // Also if the session is idle, as long as the account knows the browser.
    expect(await newsFrom(other.secretHash, NOW + 399 * DAY)).toBe(NOW);
    expect(await newsFrom(other.secretHash, NOW + 400 * DAY)).toBeNull();
    const one = await authenticated(other.secretHash, NOW + 31 * DAY);
    const again = someSession(accountId, { formerHash: other.secretHash, now: NOW + 31 * DAY });
    expect(await store.sessions.startSession(again)).toMatchObject({ noticesFrom: NOW });
    const passed = await race(stores, 20, (node) =>
      changeProgress(node, one?.id ?? "", newsSeen, NOW + 31 * DAY),
    );
    expect(passed.filter((row) => row !== null).map(withoutVersion)).toEqual([
      { ...withoutVersion(one), progress: { ...one?.progress, newsFrom: null } },
    ]);
    // The browser still has to show them: the page says up to when it has.
    expect(await noticesFrom(again)).toBe(NOW);
  });

  test("news of an interaction that nobody is authenticated in are not passed", async () => {
    const { id } = await begunInteraction(store);
    await engine.execute("UPDATE interactions SET news_from = ?1 WHERE id = ?2", [NOW, id]);
    const open = await store.interactions.readInteraction(id);
    expect(open?.version.newsFrom).toBe(NOW);
    expect(await changeProgress(store, id, newsSeen, NOW)).toBeNull();
    expect(await store.interactions.readInteraction(id)).toEqual(open);
  });

  test("clearing says what is left to show", async () => {
    const { accountId, sid, otherSid } = await browsers();
    const clear = (shownAt: number) =>
      store.sessions.clearNotices({ accountId, sid: otherSid, shownAt });
    expect(await clear(NOW)).toBeNull();
    await store.sessions.noticeOthers({ accountId, sid, at: NOW });
    await store.sessions.noticeOthers({ accountId, sid, at: NOW + 20 });
    expect(await clear(NOW - 1)).toBeNull();
    expect(await clear(NOW + 10)).toEqual({ noticesFrom: NOW + 10 });
    expect(await clear(NOW + 20)).toEqual({ noticesFrom: null });
  });

  test("of 30 events at once none is lost", async () => {
    const { accountId, other, sid, otherSid } = await browsers();
    await race<unknown>(stores, 30, (node, index) =>
      index % 3 === 0
        ? node.sessions.clearNotices({ accountId, sid: otherSid, shownAt: NOW + (index % 7) })
        : node.sessions.noticeOthers({ accountId, sid, at: NOW + 10 + index }),
    );
    // The last event was later than every page that was shown.
    expect(await noticesFrom(other)).toBeGreaterThanOrEqual(NOW);
  });
});
