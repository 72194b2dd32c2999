// What every engine promises about notices: what a browser still has to show of the others of its account.

import { expect, test } from "vitest";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { liveAccount, NOW, someId, someSession } from "../../support/store-rows.ts";

onEveryEngine((database) => {
  /** Two browsers of an account. */
  async function browsers() {
    const { id: accountId } = await liveAccount(database.store);
    const [one, other] = [someSession(accountId), someSession(accountId)];
    const { sid } = await database.store.startSession(one);
    const started = await database.store.startSession(other);
    return { accountId, one, other, sid, otherSid: started.sid };
  }

  async function noticesFrom({ secretHash }: { secretHash: string }) {
    const [found] = await database.store.findSessions([secretHash]);
    if (found === undefined) throw new Error("the secret is not known");
    return found.session.noticesFrom;
  }

  test("what happened in one browser is news in the others of that account, since the first event", async () => {
    const { store } = database;
    const { accountId, one, other, sid } = await browsers();
    const stranger = await browsers();
    expect(await noticesFrom(other)).toBeNull();
    await store.noticeOthers({ accountId, sid, at: NOW });
    await store.noticeOthers({ accountId, sid, at: NOW + 9 });
    expect([await noticesFrom(one), await noticesFrom(other)]).toEqual([null, NOW]);
    expect(await noticesFrom(stranger.one)).toBeNull();
    expect(await noticesFrom(one)).toBeNull();
    // By somebody who has no session of this account.
    await store.noticeOthers({ accountId, sid: stranger.sid, at: NOW + 20 });
    expect(await noticesFrom(one)).toBe(NOW + 20);
  });

  test("a browser keeps its news through its next authentication, signed out or not", async () => {
    const { store } = database;
    const { accountId, other, sid, otherSid } = await browsers();
    await store.noticeOthers({ accountId, sid, at: NOW });
    const again = someSession(accountId, { formerHash: other.secretHash, now: NOW + 10 });
    await store.startSession(again);
    expect(await noticesFrom(again)).toBe(NOW);
    await store.endSession({ sid: otherSid, accountId }, "signed_out", NOW + 20);
    const later = someSession(accountId, { formerHash: again.secretHash, now: NOW + 30 });
    await store.startSession(later);
    expect(await noticesFrom(later)).toBe(NOW);
    // Every secret of the browser has shown it then.
    await store.clearNotices({ accountId, sid: otherSid, shownAt: NOW + 40 });
    expect([await noticesFrom(again), await noticesFrom(later)]).toEqual([null, null]);
  });

  test("what happens after the page was made is news the next time", async () => {
    const { store } = database;
    const { accountId, one, other, sid, otherSid } = await browsers();
    await store.noticeOthers({ accountId, sid, at: NOW });
    await store.noticeOthers({ accountId, sid, at: NOW + 20 });
    await store.clearNotices({ accountId, sid: otherSid, shownAt: NOW - 1 });
    expect(await noticesFrom(other)).toBe(NOW);
    await store.clearNotices({ accountId, sid: otherSid, shownAt: NOW + 10 });
    expect(await noticesFrom(other)).toBe(NOW + 10);
    // Only the browser that showed it.
    await store.noticeOthers({ accountId, sid: otherSid, at: NOW + 20 });
    await store.clearNotices({ accountId, sid: otherSid, shownAt: NOW + 20 });
    expect([await noticesFrom(one), await noticesFrom(other)]).toEqual([NOW + 20, null]);
    await store.clearNotices({ accountId: someId(), sid, shownAt: NOW + 30 });
    expect(await noticesFrom(one)).toBe(NOW + 20);
  });

  test("of 30 events at once none is lost", async () => {
    const { stores } = database;
    const { accountId, other, sid, otherSid } = await browsers();
    await race(stores, 30, (node, index) =>
      index % 3 === 0
        ? node.clearNotices({ accountId, sid: otherSid, shownAt: NOW + (index % 7) })
        : node.noticeOthers({ accountId, sid, at: NOW + 10 + index }),
    );
    // The last event was later than every page that was shown.
    expect(await noticesFrom(other)).toBeGreaterThanOrEqual(NOW);
  });
});
