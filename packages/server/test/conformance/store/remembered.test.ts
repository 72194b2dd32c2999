// What every engine promises about what is remembered of a domain, which one statement reads.

import { expect, test } from "vitest";
import type { AcceptedAnswer } from "../../../src/store/remembered.ts";
import { onEveryEngine } from "../../support/store-engines.ts";
import {
  DAY,
  liveAccount,
  NOW,
  someDomain,
  someId,
  somePasskey,
} from "../../support/store-rows.ts";

const NOTHING_REMEMBERED = { accepted: null, signed: null };
const MINUTE = 60;

const answerFor = (domain: string, changes: Partial<AcceptedAnswer>): AcceptedAnswer => ({
  ...{ domain, key: "a", spk: "", inception: NOW - 100, expiration: NOW + DAY, checkedAt: NOW },
  ...changes,
});

onEveryEngine(({ store, engine }) => {
  test("of a domain that nobody looked up there is nothing", async () => {
    expect(await store.remembered.rememberedOf(someDomain(), NOW)).toEqual(NOTHING_REMEMBERED);
  });

  test("each part is remembered without the others", async () => {
    const signedOnly = someDomain();
    await store.secureDomains.noteSecure(signedOnly, NOW);
    expect(await store.remembered.rememberedOf(signedOnly, NOW)).toEqual({
      ...NOTHING_REMEMBERED,
      signed: { domain: signedOnly, secureAt: NOW, unsignedAt: null },
    });
    await store.secureDomains.noteUnsigned(signedOnly, NOW + MINUTE);
    expect((await store.remembered.rememberedOf(signedOnly, NOW)).signed?.unsignedAt).toBe(
      NOW + MINUTE,
    );

    const accountOnly = await liveAccount(store);
    expect(await store.remembered.rememberedOf(accountOnly.domain, NOW)).toEqual(
      NOTHING_REMEMBERED,
    );
    await store.acceptedAnswers.noteAccepted(answerFor(accountOnly.domain, {}));
    expect(await store.remembered.rememberedOf(accountOnly.domain, NOW)).toEqual({
      signed: null,
      accepted: { key: "a", spk: "", inception: NOW - 100 },
    });
  });

  test("an account that ended is not remembered, nor what was accepted for it", async () => {
    const account = await liveAccount(store);
    await store.acceptedAnswers.noteAccepted(answerFor(account.domain, {}));
    await store.accounts.putToSleep(account.id, NOW + 1);
    expect((await store.remembered.rememberedOf(account.domain, NOW)).accepted).not.toBeNull();
    await store.accounts.putToSleep(account.id, NOW + 2 * DAY);
    const ending = { accountId: account.id, asleepBefore: NOW + DAY, now: NOW + 3 * DAY };
    expect(await store.accountWalk.endAccount(ending)).toBe(true);
    expect(await store.remembered.rememberedOf(account.domain, NOW)).toEqual(NOTHING_REMEMBERED);
  });

  test("of several accounts the last accepted answer counts whose signature has not expired", async () => {
    const first = await liveAccount(store);
    const { domain } = first;
    await store.acceptedAnswers.noteAccepted(
      answerFor(domain, { key: "old", expiration: NOW + 2 * DAY }),
    );
    // The newer account was looked at later. The rows differ, as after an upgrade.
    const second = await liveAccount(store, { domain, now: NOW + 1 });
    await engine.execute(
      "UPDATE accounts SET record_key = 'new', record_inception = ?2, record_checked_at = ?2, record_expiration = ?3 WHERE id = ?1",
      [second.id, NOW + 1, NOW + DAY],
    );
    const keyAt = async (now: number) =>
      (await store.remembered.rememberedOf(domain, now)).accepted?.key;
    expect(await keyAt(NOW + DAY - 1)).toBe("new");
    expect(await keyAt(NOW + DAY)).toBe("old");
    expect(await keyAt(NOW + 2 * DAY)).toBeUndefined();
    // In the same second, the newer signature.
    const sameSecond = "UPDATE accounts SET record_checked_at = ?2 WHERE domain = ?1";
    await engine.execute(sameSecond, [domain, NOW + 5]);
    expect(await keyAt(NOW)).toBe("new");
  });

  test("a passkey is read with its account and what is remembered of that domain", async () => {
    const account = await liveAccount(store);
    const { domain } = account;
    const passkey = somePasskey(account.id);
    await store.passkeys.addPasskey(passkey);
    await store.secureDomains.noteSecure(domain, NOW);
    await store.acceptedAnswers.noteAccepted(answerFor(domain, {}));
    for (const now of [NOW, NOW + DAY]) {
      const uses = { hash: someId(), attempt: someId() };
      expect(await store.passkeys.findPasskeyAndAccount(passkey.credentialId, uses, now)).toEqual({
        passkey: { ...passkey, lastUsedAt: null, unconfirmed: 0 },
        ...{
          account,
          remembered: await store.remembered.rememberedOf(domain, now),
          isChallengeUsed: false,
        },
      });
    }
    expect((await store.remembered.rememberedOf(domain, NOW)).accepted).not.toBeNull();
    expect((await store.remembered.rememberedOf(domain, NOW + DAY)).accepted).toBeNull();
  });
});
