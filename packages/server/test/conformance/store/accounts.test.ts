// What every engine promises about accounts: one live one per domain, each recovery code once.

import { describe, expect, test } from "vitest";
import { type SqlEngine, UniqueViolationError } from "../../../src/database/engine.ts";
import type { Account } from "../../../src/store/accounts.ts";
import type { Enrolment } from "../../../src/store/enrolments.ts";
import { OWN_SP } from "../../../src/store/shared-values.ts";
import { createStore } from "../../../src/store/store.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  DAY,
  liveAccount,
  NOW,
  signInByCode,
  someDomain,
  someEnrolment,
  someId,
  somePasskey,
} from "../../support/store-rows.ts";

onEveryEngine(({ store, stores, engine }) => {
  const enrol = (enrolment: Enrolment, codes = [someId()]) =>
    store.enrolments.enrol({ enrolment, recoveryCodeHashes: codes, now: NOW });
  const enrolled = async (enrolment: Enrolment, codes?: string[]) => {
    const result = await enrol(enrolment, codes);
    return typeof result === "string" ? result : result.account;
  };
  const end = (account: Account) =>
    engine.execute("UPDATE accounts SET ended_at = ?1 WHERE id = ?2", [NOW, account.id]);
  const liveOnes = (domain: string) =>
    engine.execute(
      "SELECT id FROM accounts WHERE domain = ?1 AND asleep_since IS NULL AND ended_at IS NULL",
      [domain],
    );

  describe("finishing a set-up", () => {
    test("is for one interaction, which can get the result again for a day, or until the codes are saved", async () => {
      const mine = someEnrolment();
      const account = await enrolled(mine);
      expect(account).toMatchObject({ id: mine.accountId, domain: mine.domain });
      expect(await enrolled(mine)).toEqual(account);
      const theirs = { ...mine, finishHash: someId() };
      expect(await enrolled(theirs)).toBe("elsewhere");
      const later = { enrolment: mine, recoveryCodeHashes: [someId()] };
      expect(await store.enrolments.enrol({ ...later, now: NOW + DAY - 1 })).toMatchObject({
        account: { id: mine.accountId },
        isNew: false,
      });
      expect(await store.enrolments.enrol({ ...later, now: NOW + DAY })).toBe("elsewhere");
      // Only who finished it can say that the codes are saved.
      await store.enrolments.confirmCodes(mine.accountId, theirs.finishHash);
      expect(await enrolled(mine)).toMatchObject({ id: mine.accountId });
      await store.enrolments.confirmCodes(mine.accountId, mine.finishHash);
      expect(await enrolled(mine)).toBe("elsewhere");
      expect(await enrolled({ ...mine, finishHash: "" })).toBe("elsewhere");
    });

    test("whose account has ended is refused, and leaves no code and no passkey behind", async () => {
      const { accountId: _, ...passkey } = somePasskey("none");
      const mine = { ...someEnrolment(), passkey };
      expect(await store.enrolments.hasEndedAccount(mine.accountId)).toBe(false);
      await enrolled(mine);
      expect(await store.enrolments.hasEndedAccount(mine.accountId)).toBe(false);
      await store.accountAdmin.endAccountNow({ accountId: mine.accountId, now: NOW + 1 });
      expect(await enrolled(mine)).toBe("ended");
      expect(await store.enrolments.hasEndedAccount(mine.accountId)).toBe(true);
      expect(await store.recoveryCodes.countRecoveryCodesOf(mine.accountId)).toBe(0);
      expect(await store.passkeys.findPasskey(passkey.credentialId)).toBeNull();
    });

    test("while its account is ended by 10 is refused or finished, and the account stays ended", async () => {
      const mine = someEnrolment();
      await enrolled(mine);
      const results = await race<unknown>(stores, 20, (node, index) =>
        index % 2 === 0
          ? node.accountAdmin.endAccountNow({ accountId: mine.accountId, now: NOW + 1 })
          : node.enrolments.enrol({
              enrolment: mine,
              recoveryCodeHashes: [someId()],
              now: NOW + 1,
            }),
      );
      for (const result of results) expect(result).not.toBe("conflict");
      expect((await store.accounts.readAccount(mine.accountId))?.endedAt).toBe(NOW + 1);
      expect(await enrolled(mine)).toBe("ended");
    });

    test("with a passkey makes the account with it, once, and none that another account has", async () => {
      const { accountId: _, ...passkey } = somePasskey("none");
      const mine = { ...someEnrolment(), passkey };
      const rivals = Array.from({ length: 20 }, () => ({ ...mine, finishHash: someId() }));
      const results = await race(stores, 20, (node, index) =>
        node.enrolments.enrol({
          enrolment: rivals[index] ?? mine,
          recoveryCodeHashes: [someId()],
          now: NOW,
        }),
      );
      expect(results.filter((result) => typeof result !== "string")).toHaveLength(1);
      const { accountId } = mine;
      const stored = { ...passkey, accountId, lastUsedAt: null, unconfirmed: 0 };
      expect(await store.passkeys.passkeysOf(accountId)).toEqual([stored]);
      const copied = { ...someEnrolment(), passkey };
      expect(await enrolled(copied)).toMatchObject({ id: copied.accountId });
      expect(await store.passkeys.passkeysOf(copied.accountId)).toEqual([]);
      expect(await store.passkeys.findPasskey(passkey.credentialId)).toEqual(stored);
    });

    test("of 30 interactions at once one finishes it", async () => {
      for (let round = 0; round < 3; round++) {
        const mine = someEnrolment();
        const rivals = Array.from({ length: 30 }, () => ({
          ...mine,
          finishHash: someId(),
        }));
        const codes = [someId()];
        const results = await race(stores, 30, (store, index) =>
          store.enrolments.enrol({
            enrolment: rivals[index] ?? mine,
            recoveryCodeHashes: codes,
            now: NOW,
          }),
        );
        const winners = rivals.filter((_, index) => typeof results[index] !== "string");
        expect(winners).toHaveLength(1);
        expect(results.filter((result) => result === "elsewhere")).toHaveLength(29);
      }
    });
  });

  describe("enrolling", () => {
    test("makes a live account with its codes", async () => {
      const enrolment = someEnrolment();
      const { accountId: id, domain, acct } = enrolment;
      const codes = Array.from({ length: 10 }, () => someId());
      const live = { asleepSince: null, lostConfirmedAt: null, endedAt: null, walkedAt: null };
      const account = { id, domain, sp: OWN_SP, acct, createdAt: NOW, ...live };
      expect(await enrolled(enrolment, codes)).toEqual(account);
      expect(await store.accounts.readAccount(id)).toEqual(account);
      expect(await store.accounts.findAccount(domain, { sp: OWN_SP, acct })).toEqual(account);
      expect(await store.accounts.findAccount(domain, { sp: OWN_SP, acct: someId() })).toBeNull();
      await store.accounts.putToSleep(account.id, NOW);
      await end(account);
      expect(await store.accounts.readAccount(someId())).toBeNull();
      for (const code of codes)
        expect(await store.recoveryCodes.hasRecoveryCode(id, code)).toBe(true);
    });

    test("again is the same account, wakes it, and brings no used code back", async () => {
      const enrolment = someEnrolment();
      const codes = [someId(), someId()];
      const account = await enrolled(enrolment, codes);
      await signInByCode(store, {
        accountId: enrolment.accountId,
        codeHash: codes[0] ?? "",
        now: NOW,
      });
      await store.accounts.putToSleep(enrolment.accountId, NOW);
      expect(await enrolled(enrolment, codes)).toEqual(account);
      expect(await store.recoveryCodes.hasRecoveryCode(enrolment.accountId, codes[0] ?? "")).toBe(
        false,
      );
    });

    test("40 times at once is one account, and every caller gets it", async () => {
      for (let round = 0; round < 5; round++) {
        const enrolment = someEnrolment();
        const recoveryCodeHashes = Array.from({ length: 10 }, () => someId());
        const results = await race(stores, 40, (store) =>
          store.enrolments.enrol({ enrolment, recoveryCodeHashes, now: NOW }),
        );
        const account = await store.accounts.readAccount(enrolment.accountId);
        expect(account).not.toBeNull();
        // One of them created it, and tells of it.
        const made = results.filter((result) => typeof result !== "string");
        expect(made.map((result) => result.account)).toEqual(results.map(() => account));
        expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
      }
    });

    test("is no conflict with itself, whichever unique index tells of the other call", async () => {
      const enrolment = someEnrolment();
      let other: Account | string | undefined;
      const racing: SqlEngine = {
        ...engine,
        async commit(writes, options) {
          if (other === undefined) {
            other = await enrolled(enrolment);
            throw new UniqueViolationError("as PostgreSQL does once in some hundred races");
          }
          return engine.commit(writes, options);
        },
      };
      const recoveryCodeHashes = [someId()];
      const mine = await createStore(racing).enrolments.enrol({
        enrolment,
        recoveryCodeHashes,
        now: NOW,
      });
      expect(mine).toEqual({ account: other, isNew: false, signedIn: null });
    });

    test("puts the domain's other account to sleep", async () => {
      const before = await liveAccount(store);
      const after = await liveAccount(store, { domain: before.domain, now: NOW + 1 });
      expect(await store.accounts.readAccount(before.id)).toEqual({
        ...before,
        asleepSince: NOW + 1,
      });
      expect(await liveOnes(before.domain)).toEqual([{ id: after.id }]);
    });

    test("rivals of one domain at once never leaves two live accounts", async () => {
      for (let round = 0; round < 5; round++) {
        const domain = someDomain();
        const results = await race(stores, 12, async (store) => {
          const enrolment = someEnrolment({ domain });
          const result = await store.enrolments.enrol({
            enrolment,
            recoveryCodeHashes: [someId()],
            now: NOW,
          });
          expect((await liveOnes(domain)).length).toBeLessThanOrEqual(1);
          return result;
        });
        const made = results.filter((result) => typeof result !== "string");
        expect(made.length).toBeGreaterThanOrEqual(1);
        const live = await liveOnes(domain);
        expect(live).toHaveLength(1);
        expect(made.map(({ account }) => account.id)).toContain(live[0]?.id);
      }
    });

    test("an account that has ended is not made or woken again, and stays ended", async () => {
      const enrolment = someEnrolment();
      const account = await enrolled(enrolment);
      if (typeof account === "string") throw new Error("the account was not made");
      await end(account);
      expect(await enrolled(enrolment)).toBe("ended");
      expect(await store.accounts.wakeAccount(account, NOW)).toBe("conflict");
      expect(await store.accounts.findAccount(account.domain, account)).toBeNull();
      expect(await store.accounts.readAccount(account.id)).toEqual({ ...account, endedAt: NOW });
    });
  });

  test("an account sleeps from the first time it is put to sleep until it is woken", async () => {
    const account = await liveAccount(store);
    await store.accounts.putToSleep(account.id, NOW + 1);
    await store.accounts.putToSleep(account.id, NOW + 2);
    expect(await store.accounts.readAccount(account.id)).toEqual({
      ...account,
      asleepSince: NOW + 1,
    });
    const rival = await liveAccount(store, { domain: account.domain, now: NOW + 2 });
    const woken = { ...account, walkedAt: NOW + 3 };
    expect(await store.accounts.wakeAccount(account, NOW + 3)).toEqual(woken);
    expect(await store.accounts.readAccount(rival.id)).toEqual({ ...rival, asleepSince: NOW + 3 });
  });

  test("of 50 callers one uses a recovery code up, and no other account's", async () => {
    const [mine, left] = [someId(), someId()];
    const account = await liveAccount(store, { codes: [mine, left] });
    const other = await liveAccount(store, { codes: [mine] });
    const use = { accountId: account.id, codeHash: mine, now: NOW };
    expect(await signInByCode(store, { ...use, codeHash: someId() })).toBe(false);
    expect(await store.recoveryCodes.hasRecoveryCode(account.id, mine)).toBe(true);
    const results = await race(stores, 50, (node) => signInByCode(node, use));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await store.recoveryCodes.hasRecoveryCode(account.id, mine)).toBe(false);
    expect(await store.recoveryCodes.hasRecoveryCode(account.id, left)).toBe(true);
    expect(await store.recoveryCodes.hasRecoveryCode(other.id, mine)).toBe(true);
  });

  test("consents add up, from all sides at once, each for its account and client", async () => {
    const [accountId, clientId] = [someId(), someId()];
    expect(await store.consents.readConsent(accountId, clientId)).toEqual(new Set());
    const scopes = ["openid", "profile", "email", "phone", "address", "offline"];
    // In any order: what two statements lock in turn, they may lock against each other.
    await race(stores, 60, (node, index) => {
      const turned = [...scopes.slice(index % 6), ...scopes.slice(0, index % 6)];
      const asked = index % 2 === 0 ? turned : turned.reverse();
      return node.consents.rememberConsent({
        accountId,
        clientId,
        scopes: asked.slice(0, 4),
        now: NOW,
      });
    });
    expect(await store.consents.readConsent(accountId, clientId)).toEqual(new Set(scopes));
    const remember = (scopes: readonly string[]) =>
      store.consents.rememberConsent({ accountId, clientId, scopes, now: NOW + 1 });
    await remember(["more", "openid"]);
    await remember([]);
    expect(await store.consents.readConsent(accountId, clientId)).toEqual(
      new Set([...scopes, "more"]),
    );
    expect(await store.consents.readConsent(accountId, someId())).toEqual(new Set());
    expect(await store.consents.readConsent(someId(), clientId)).toEqual(new Set());
  });
});
