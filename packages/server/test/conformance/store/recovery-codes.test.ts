// What every engine promises about sets of recovery codes: one of them is valid, as a whole.

import { expect, test } from "vitest";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { liveAccount, NOW, someId } from "../../support/store-rows.ts";

onEveryEngine((database) => {
  const ten = () => Array.from({ length: 10 }, () => someId());
  const isValid = async (accountId: string, codes: readonly string[]) => {
    const { store } = database;
    const found = codes.map((code) => store.hasRecoveryCode(accountId, code));
    return [...new Set(await Promise.all(found))];
  };

  test("a new set replaces the former one as a whole, used codes too, and no other account's", async () => {
    const { store } = database;
    const [former, shared] = [ten(), someId()];
    const { id } = await liveAccount(store, { codes: [...former, shared] });
    const other = await liveAccount(store, { codes: [shared] });
    await store.takeRecoveryCode({ accountId: id, codeHash: String(former[0]), now: NOW });
    const renewal = { accountId: id, from: null, to: someId(), codeHashes: ten() };
    expect(await store.recoveryCodeSet(id)).toBeNull();
    expect(await store.renewRecoveryCodes(renewal)).toBe("renewed");
    expect(await store.recoveryCodeSet(id)).toBe(renewal.to);
    expect(await isValid(id, former)).toEqual([false]);
    expect(await isValid(id, renewal.codeHashes)).toEqual([true]);
    expect(await store.countRecoveryCodesOf(id)).toBe(10);
    expect(await isValid(other.id, [shared])).toEqual([true]);
    const use = { accountId: id, codeHash: String(former[1]), now: NOW };
    expect(await store.takeRecoveryCode(use)).toBe(false);
    expect(await store.takeRecoveryCode({ ...use, codeHash: shared })).toBe(false);
  });

  test("a repetition is harmless: it renews nothing again, and brings no used code back", async () => {
    const { store } = database;
    const { id } = await liveAccount(store);
    const first = { accountId: id, from: null, to: someId(), codeHashes: ten() };
    await store.renewRecoveryCodes(first);
    const codeHash = String(first.codeHashes[0]);
    expect(await store.takeRecoveryCode({ accountId: id, codeHash, now: NOW })).toBe(true);
    expect(await store.renewRecoveryCodes(first)).toBe("renewed");
    expect(await store.countRecoveryCodesOf(id)).toBe(9);
    const second = { accountId: id, from: first.to, to: someId(), codeHashes: ten() };
    expect(await store.renewRecoveryCodes(second)).toBe("renewed");
    expect(await store.renewRecoveryCodes(first)).toBe("stale");
    expect(await isValid(id, first.codeHashes)).toEqual([false]);
    expect(await isValid(id, second.codeHashes)).toEqual([true]);
  });

  test("of 30 renewals of one set one counts, with all its codes", async () => {
    const { store, stores } = database;
    const { id } = await liveAccount(store, { codes: ten() });
    const results = await race(stores, 30, async (node) => {
      const renewal = { accountId: id, from: null, to: someId(), codeHashes: ten() };
      return { renewal, result: await node.renewRecoveryCodes(renewal) };
    });
    const renewed = results.filter(({ result }) => result === "renewed");
    expect(renewed).toHaveLength(1);
    for (const { renewal, result } of results) {
      expect(await isValid(id, renewal.codeHashes)).toEqual([result === "renewed"]);
    }
  });

  test("an account that sleeps, has ended or does not exist keeps what it has", async () => {
    const { store } = database;
    const asleep = await liveAccount(store);
    await store.putToSleep(asleep.id, NOW);
    const ended = await liveAccount(store);
    await store.endAccountNow({ accountId: ended.id, now: NOW });
    for (const accountId of [asleep.id, ended.id, someId("sub_")]) {
      const renewal = { accountId, from: null, to: someId(), codeHashes: ten() };
      expect(await store.renewRecoveryCodes(renewal)).toBe("stale");
      expect(await store.recoveryCodeSet(accountId)).toBeNull();
      expect(await isValid(accountId, renewal.codeHashes)).toEqual([false]);
    }
  });
});
