// Every statement that decides whether a session is idle uses the days that the operator set.

import { expect, test } from "vitest";
import { cleanUp } from "../../../src/store/clean-up.ts";
import { createStore } from "../../../src/store/store.ts";
import { onEveryEngine } from "../../support/store-engines.ts";
import {
  begunInteraction,
  cleanUpAt,
  DAY,
  liveAccount,
  NOW,
  recordSignIn,
  someSession,
} from "../../support/store-rows.ts";

onEveryEngine(({ engine }) => {
  const storeWith = (sessionIdleDays: number) => createStore(engine, { sessionIdleDays });

  test.each([
    { days: 2, at: NOW + 2 * DAY - 1, continues: true },
    { days: 2, at: NOW + 2 * DAY, continues: false },
    { days: 60, at: NOW + 60 * DAY - 1, continues: true },
    { days: 60, at: NOW + 60 * DAY, continues: false },
  ])("with $days days, a session used at 0 continues at $at: $continues", async (row) => {
    const store = storeWith(row.days);
    const { id: accountId } = await liveAccount(store);
    const first = someSession(accountId);
    await store.sessions.startSession(first);
    expect(await store.sessions.sessionsOf(accountId, row.at)).toHaveLength(row.continues ? 1 : 0);
    expect(await store.sessions.countSessionsOf(accountId, row.at)).toBe(row.continues ? 1 : 0);

    const interaction = await begunInteraction(store, { expiresAt: row.at + 1 });
    const proof = { accountId, authTime: row.at, amr: "dns", controlCheckedAt: row.at };
    const former = { sid: "another sid", formerHash: first.secretHash };
    const authenticated = await recordSignIn(store, interaction, { ...proof, ...former }, row.at);
    expect(authenticated?.progress.sid === first.newSid).toBe(row.continues);

    const next = { ...someSession(accountId), now: row.at, formerHash: first.secretHash };
    const { sid, isNewBrowser } = await store.sessions.startSession(next);
    expect(sid === first.newSid).toBe(row.continues);
    // The account knows the browser for longer than a session lasts.
    expect(isNewBrowser).toBe(false);
  });

  test("a session that was ended elsewhere is removed once it is idle, and its apps were notified or never will be", async () => {
    const store = storeWith(1);
    const { id: accountId } = await liveAccount(store);
    const session = someSession(accountId);
    await store.sessions.startSession(session);
    const end = NOW + DAY - 60;
    await store.sessions.endSession({ accountId, sid: session.newSid }, "elsewhere", end);
    const isKept = async () =>
      (await store.sessions.findSessions([session.secretHash])).length === 1;
    const walk = (seconds: number) =>
      cleanUp("sessions", { store: store.cleanUp, time: () => cleanUpAt(seconds) }, async () => {});
    // Idle since a minute, but logout tokens are retried for a day after the end.
    await walk(NOW + DAY);
    expect(await isKept()).toBe(true);
    await walk(end + DAY - 1);
    expect(await isKept()).toBe(true);
    await walk(end + DAY);
    expect(await isKept()).toBe(false);
  });
});
