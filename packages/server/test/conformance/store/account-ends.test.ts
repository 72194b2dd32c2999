// What every engine promises about the end of an account.

import { describe, expect, test } from "vitest";
import type { Account } from "../../../src/store/accounts.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  DAY,
  issuedGrant,
  liveAccount,
  NOW,
  someId,
  somePasskey,
  someSession,
} from "../../support/store-rows.ts";

onEveryEngine(({ store, stores, engine }) => {
  /** Lost, as a second look a day later has confirmed. */
  async function lost(since = NOW): Promise<Account> {
    const account = await liveAccount(store);
    await store.accounts.putToSleep(account.id, since);
    await store.accounts.putToSleep(account.id, since + DAY);
    return { ...account, asleepSince: since, lostConfirmedAt: since + DAY };
  }
  const end = (account: Account, asleepBefore: number, now = NOW + 40 * DAY) =>
    store.accountWalk.endAccount({ accountId: account.id, asleepBefore, now });

  describe("an account ends", () => {
    test("once, of 20 callers, when it has slept long enough", async () => {
      const account = await lost();
      expect(await end(account, NOW - 1)).toBe(false);
      const ended = await race(stores, 20, (store) =>
        store.accountWalk.endAccount({
          accountId: account.id,
          asleepBefore: NOW,
          now: NOW + 30 * DAY,
        }),
      );
      expect(ended.filter(Boolean)).toHaveLength(1);
      const standing = await store.accounts.readAccount(account.id);
      expect(standing).toEqual({ ...account, endedAt: NOW + 30 * DAY });
    });

    test("never while it is live", async () => {
      const account = await liveAccount(store);
      expect(await end(account, NOW + 1000 * DAY)).toBe(false);
      expect(await store.accounts.readAccount(account.id)).toEqual(account);
    });

    test("never before a second look has confirmed that it is lost", async () => {
      const account = await liveAccount(store);
      await store.accounts.putToSleep(account.id, NOW);
      expect(await end(account, NOW)).toBe(false);
      await store.accounts.putToSleep(account.id, NOW + DAY - 1);
      expect(await end(account, NOW)).toBe(false);
      await store.accounts.putToSleep(account.id, NOW + DAY);
      expect(await end(account, NOW)).toBe(true);
    });

    test("or wakes: of both at once one wins, and neither is undone", async () => {
      for (let round = 0; round < 20; round++) {
        const account = await lost();
        const [ended, woken] = await Promise.all([
          stores.at(-1)?.accountWalk.endAccount({
            accountId: account.id,
            asleepBefore: NOW,
            now: NOW + DAY,
          }),
          store.accounts.wakeAccount(account, NOW + DAY),
        ]);
        const standing = await store.accounts.readAccount(account.id);
        expect(standing?.endedAt !== null).toBe(ended);
        expect(standing?.asleepSince === null).toBe(!ended);
        expect(woken === "conflict").toBe(ended);
      }
    });

    test("for good: nothing that hung on it is left or worth anything", async () => {
      const codes = [someId()];
      const account = await liveAccount(store, { codes });
      const session = someSession(account.id);
      await store.sessions.startSession(session);
      const consent = { accountId: account.id, clientId: someId(), scopes: ["openid"], now: NOW };
      await store.consents.rememberConsent(consent);
      const grant = await issuedGrant(store, { accountId: account.id });
      await store.passkeys.addPasskey(somePasskey(account.id));
      const bystander = await liveAccount(store);
      await store.sessions.startSession(someSession(bystander.id));
      await store.accounts.putToSleep(account.id, NOW - DAY);
      await store.accounts.putToSleep(account.id, NOW);
      await end(account, NOW);

      expect(await store.accounts.wakeAccount(account, NOW + 41 * DAY)).toBe("conflict");
      expect(await store.accounts.findAccount(account.domain, account)).toBeNull();
      expect(await store.accounts.accountsOf(account.domain)).toEqual([]);
      const [found] = await store.sessions.findSessions([session.secretHash]);
      expect(found?.account.endedAt ?? null).not.toBeNull();
      expect(
        await store.grants.redeemCode({
          id: grant.id,
          clientId: grant.clientId,
          redirectUri: grant.redirectUri,
          codeChallenge: grant.codeChallenge,
          refreshExpiresAt: NOW + DAY,
          now: NOW,
        }),
      ).toBeNull();
      const rowsOf = async ({ id }: Account) =>
        Promise.all(
          ["sessions", "recovery_codes", "consents", "passkeys"].map(async (table) => {
            const sql = `SELECT count(*) AS count FROM ${table} WHERE account_id = ?1`;
            return Number((await engine.execute(sql, [id]))[0]?.count);
          }),
        );
      // A session has an end of its own, and is found no more.
      expect(await rowsOf(account)).toEqual([1, 0, 0, 0]);
      expect(await rowsOf(bystander)).toEqual([1, 1, 0, 0]);
    });
  });
});
