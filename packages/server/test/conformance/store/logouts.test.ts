// What every engine promises about telling apps of the end of a session: who is due, and each attempt once.

import { expect, test } from "vitest";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { DAY, liveAccount, NOW, someId, someSession } from "../../support/store-rows.ts";

onEveryEngine((database) => {
  /** A session that signed in to a client, and what is to be told when it has ended. */
  async function begun() {
    const { store } = database;
    const account = await liveAccount(store);
    const session = someSession(account.id);
    await store.startSession(session);
    const which = { sid: session.newSid, clientId: someId() };
    for (const _ of ["once", "again"]) await store.noteSessionClient(which);
    const due = { ...which, accountId: account.id, domain: account.domain };
    const end = (at = NOW) =>
      store.endSession({ sid: which.sid, accountId: account.id }, "signed_out", at);
    return { account, which, due, end };
  }
  const isDue = async (clientId: string, now = NOW) => {
    const all = await database.store.dueLogouts(now);
    return all.filter((one) => one.clientId === clientId);
  };

  test("a client is due from the end of the session on, for a day, until it was told", async () => {
    const { store } = database;
    const { which, due, end } = await begun();
    expect(await isDue(which.clientId)).toEqual([]);
    await end();
    // However many secrets the session had.
    expect(await isDue(which.clientId)).toMatchObject([due]);
    expect(await isDue(which.clientId, NOW + DAY - 1)).toMatchObject([due]);
    expect(await isDue(which.clientId, NOW + DAY)).toEqual([]);
    await store.postponeLogout(which, NOW + 30);
    expect(await isDue(which.clientId, NOW + 29)).toEqual([]);
    expect(await isDue(which.clientId, NOW + 30)).toMatchObject([due]);
    await store.finishLogout(which, NOW + 31);
    expect(await isDue(which.clientId, NOW + 40)).toEqual([]);
  });

  test("of 20 nodes one claims each attempt, until its claim is over", async () => {
    const { store, stores } = database;
    const { which, end } = await begun();
    await end();
    for (const [attempt, now] of [NOW, NOW + 60].entries()) {
      const claimed = await race(stores, 20, (node) =>
        node.claimLogout(which, { now, until: now + 60 }),
      );
      expect(claimed.filter((number) => number !== null)).toEqual([attempt + 1]);
    }
    await store.finishLogout(which, NOW + 61);
    const late = { now: NOW + 200, until: NOW + 260 };
    expect(await store.claimLogout(which, late)).toBeNull();
  });

  test("is due too when its account has ended, or two looks a day apart did not find its record", async () => {
    const { store } = database;
    const [ended, lost] = [await begun(), await begun()];
    await store.endAccountNow({ accountId: ended.account.id, now: NOW + 5 });
    expect(await isDue(ended.which.clientId, NOW + 5)).toMatchObject([ended.due]);
    await store.putToSleep(lost.account.id, NOW + 5);
    expect(await isDue(lost.which.clientId, NOW + 5)).toEqual([]);
    await store.putToSleep(lost.account.id, NOW + DAY + 5);
    expect(await isDue(lost.which.clientId, NOW + DAY + 5)).toMatchObject([lost.due]);
  });
});
