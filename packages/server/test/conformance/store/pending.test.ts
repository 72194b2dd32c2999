// What one statement reads for a request within a pending sign-in: its row, account, consents and session.

import { beforeEach, expect, test } from "vitest";
import type { Account } from "../../../src/store/accounts.ts";
import { createStore } from "../../../src/store/store.ts";
import { onEveryEngine } from "../../support/store-engines.ts";
import {
  authenticatedProgress,
  begunInteraction,
  liveAccount,
  NOW,
  someId,
  someSession,
} from "../../support/store-rows.ts";

onEveryEngine(({ store, engine }) => {
  let account: Account;
  let clientId: string;
  beforeEach(async () => {
    account = await liveAccount(store);
    clientId = someId();
  });

  async function authenticated(sid: string) {
    const progress = authenticatedProgress({ accountId: account.id, sid });
    return begunInteraction(store, { clientId, progress });
  }
  const pending = async ({ id }: { readonly id: string }) => store.interactions.readPending(id);

  test("a sign-in has the consents to its client alone", async () => {
    const open = await authenticated(someId());
    expect((await pending(open))?.consented).toEqual(new Set());
    for (const [client, scopes] of [
      [clientId, ["openid", "profile"]],
      [someId(), ["other"]],
    ] as const) {
      await store.consents.rememberConsent({
        accountId: account.id,
        clientId: client,
        scopes,
        now: NOW,
      });
    }
    const found = await pending(open);
    expect(found?.consented).toEqual(new Set(["openid", "profile"]));
    expect(found?.interaction).toEqual(open);
    expect(found?.account).toEqual(account);
    // Nobody is asked for a passkey any more.
    expect(found?.passkeys).toEqual([]);
  });

  test("a thousand consents to one client are one row of a request, as a thousand rows would hold up others", async () => {
    const scopes = Array.from(
      { length: 1000 },
      (_, index) => `https://api.example/ notes:${index}`,
    );
    const consent = { accountId: account.id, clientId, now: NOW };
    for (let from = 0; from < 1000; from += 100) {
      const some = scopes.slice(from, from + 100);
      await store.consents.rememberConsent({ ...consent, scopes: some });
    }
    const session = someSession(account.id);
    const { sid } = await store.sessions.startSession(session);
    const open = await authenticated(sid);
    const read: number[] = [];
    const counting = createStore({
      ...engine,
      async execute(...call) {
        const rows = await engine.execute(...call);
        read.push(rows.length);
        return rows;
      },
    });
    const found = await counting.interactions.readPending(open.id);
    const [live] = await counting.sessions.findSessions([session.secretHash], clientId);
    expect(found?.consented).toEqual(new Set(scopes));
    expect(live?.consented).toEqual(new Set(scopes));
    expect(read).toEqual([1, 1]);
  });

  test("the session of a sign-in was never stored, has started, or has ended", async () => {
    const { sid } = await store.sessions.startSession(someSession(account.id));
    const [open, lost] = [await authenticated(sid), await authenticated(someId())];
    expect((await pending(open))?.session).toMatchObject({ isOver: 0 });
    expect((await pending(lost))?.session).toMatchObject({ isOver: 1, unsent: null });
    await store.sessions.endSession({ sid, accountId: account.id }, "signed_out", NOW);
    expect((await pending(open))?.session).toMatchObject({ isOver: 1 });
  });

  test("an account that has ended since is still the one that was authenticated", async () => {
    const open = await authenticated(someId());
    await store.accounts.putToSleep(account.id, NOW);
    expect((await pending(open))?.account).toMatchObject({ id: account.id, asleepSince: NOW });
  });
});
