// What every engine promises about two looks, a day apart, that find no record for an account.

import { expect, test } from "vitest";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { DAY, liveAccount, NOW } from "../../support/store-rows.ts";

onEveryEngine(({ store, stores }) => {
  test("the first puts it to sleep, the first that follows a day later confirms it, and no more changes", async () => {
    const account = await liveAccount(store);
    const seen = [];
    for (const at of [0, 1, DAY - 1, DAY, DAY + 1, 9 * DAY]) {
      const outcome = await store.accounts.putToSleep(account.id, NOW + at);
      const found = await store.accounts.readAccount(account.id);
      seen.push([outcome, found?.asleepSince, found?.lostConfirmedAt]);
    }
    const asleep = ["unchanged", NOW, null];
    const confirmed = ["unchanged", NOW, NOW + DAY];
    expect(seen).toEqual([
      ["asleep", NOW, null],
      ...[asleep, asleep],
      ["confirmed", NOW, NOW + DAY],
      ...[confirmed, confirmed],
    ]);
  });

  test("24 nodes at once that see it lost for the first time do not confirm each other", async () => {
    const account = await liveAccount(store);
    await race(stores, 24, (store, index) => store.accounts.putToSleep(account.id, NOW + index));
    const found = await store.accounts.readAccount(account.id);
    expect(found?.asleepSince).toBeGreaterThanOrEqual(NOW);
    expect(found?.lostConfirmedAt).toBeNull();
  });

  test("of 24 nodes at once that confirm it one is noted, and its time stays", async () => {
    const account = await liveAccount(store);
    await store.accounts.putToSleep(account.id, NOW);
    const confirmed = await race(stores, 24, async (store, index) => {
      await store.accounts.putToSleep(account.id, NOW + DAY + index);
      return (await store.accounts.readAccount(account.id))?.lostConfirmedAt;
    });
    expect(new Set(confirmed).size).toBe(1);
    expect(confirmed[0]).toBeGreaterThanOrEqual(NOW + DAY);
  });

  test("a wake between them starts anew, and one at the same time leaves no confirmed account awake", async () => {
    for (let round = 0; round < 20; round++) {
      const account = await liveAccount(store);
      await store.accounts.putToSleep(account.id, NOW);
      await race(stores, 2, async (store, index) => {
        if (index === round % 2) await store.accounts.putToSleep(account.id, NOW + DAY);
        else await store.accounts.wakeAccount(account, NOW + DAY);
      });
      const found = await store.accounts.readAccount(account.id);
      // The wake may come first, and then this is the first look that finds it lost.
      expect(found?.lostConfirmedAt).toBeNull();
      expect([null, NOW + DAY]).toContain(found?.asleepSince);
    }
  });

  test("every way to wake an account clears the confirmation", async () => {
    const account = await liveAccount(store);
    const { id, domain, acct } = account;
    const enrolment = {
      accountId: id,
      domain,
      acct,
      finishHash: "finish",
    };
    const external = { id, domain, sp: account.sp, acct, now: NOW };
    for (const wake of [
      () => store.accounts.wakeAccount(account, NOW),
      () => store.accounts.adoptAccount(external),
      () => store.enrolments.enrol({ enrolment, recoveryCodeHashes: ["hash"], now: NOW }),
    ]) {
      await store.accounts.putToSleep(id, NOW);
      await store.accounts.putToSleep(id, NOW + DAY);
      expect((await store.accounts.readAccount(id))?.lostConfirmedAt).toBe(NOW + DAY);
      // A set-up that another interaction has finished wakes its account all the same.
      expect([account, "elsewhere"]).toContainEqual(await wake());
      expect(await store.accounts.readAccount(id)).toEqual(account);
    }
  });

  test("an account that has ended stays as it is", async () => {
    const account = await liveAccount(store);
    for (const at of [NOW, NOW + DAY]) await store.accounts.putToSleep(account.id, at);
    await store.accountWalk.endAccount({
      accountId: account.id,
      asleepBefore: NOW,
      now: NOW + 2 * DAY,
    });
    const ended = await store.accounts.readAccount(account.id);
    await store.accounts.putToSleep(account.id, NOW + 3 * DAY);
    expect(await store.accounts.readAccount(account.id)).toEqual(ended);
  });
});
