// What every engine promises about changes that are based on looks: an older look takes no domain from a newer one.

import { describe, expect, test } from "vitest";
import type { Account } from "../../../src/store/accounts.ts";
import type { Store } from "../../../src/store/store.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { DAY, NOW, someDomain, someEnrolment, someId } from "../../support/store-rows.ts";

const SP = "https://sp.example";
const LONG_AGO = NOW - 40 * DAY;

type Change = (store: Store, checkedAt: number) => Promise<Account | "conflict" | "full">;

const wake =
  (account: Account): Change =>
  (store, checkedAt) =>
    store.accounts.wakeAccount(account, checkedAt);

/** The first time it makes the account, and then it wakes it. */
function enrolmentOf(domain: string): Change {
  const enrolment = someEnrolment({ domain });
  return async (store, checkedAt) => {
    const made = await store.enrolments.enrol({
      enrolment,
      recoveryCodeHashes: ["hash"],
      now: checkedAt,
    });
    if (typeof made !== "string") return made.account;
    if (made === "conflict") return made;
    // More than a day after it was finished: the account is woken, but its codes are not shown again.
    return (await store.accounts.readAccount(enrolment.accountId)) ?? "conflict";
  };
}

/** The same for an account at an external SP. */
function adoptionOf(domain: string): Change {
  const named = { id: someId(), domain, sp: SP, acct: someId() };
  return (store, checkedAt) => store.accounts.adoptAccount({ ...named, now: checkedAt });
}

async function made(change: ReturnType<Change>): Promise<Account> {
  const account = await change;
  if (typeof account === "string") throw new Error("the account was not made");
  return account;
}

onEveryEngine(({ store, stores }) => {
  /** Two accounts of one domain that are asleep, and an enrolment and an adoption that are not made yet. */
  async function rivals() {
    const domain = someDomain();
    const [first, second] = [enrolmentOf(domain), adoptionOf(domain)];
    const one = await made(first(store, LONG_AGO));
    const other = await made(second(store, LONG_AGO + 1));
    await store.accounts.putToSleep(other.id, LONG_AGO + 2);
    const changes: Readonly<Record<string, Change>> = {
      wake: wake(one),
      "another wake": wake(other),
      "an enrolment again": first,
      "an adoption again": second,
      enrolment: enrolmentOf(domain),
      adoption: adoptionOf(domain),
    };
    return { domain, changes };
  }
  const liveIds = async (domain: string) =>
    (await store.accounts.accountsOf(domain))
      .filter(({ asleepSince }) => asleepSince === null)
      .map(({ id }) => id);

  const older = ["wake", "an enrolment again", "enrolment"];
  const newer = ["another wake", "an adoption again", "adoption"];
  const pairs = older.flatMap((one) =>
    newer.flatMap((other) => [[one, other] as const, [other, one] as const]),
  );

  describe.each(pairs)("%s by an older look than %s", (old, young) => {
    test("is refused after it, and the newer account stays live", async () => {
      const { domain, changes } = await rivals();
      for (const secondsLater of [0, 1, 2, 3]) {
        const owner = await made(changes[young]?.(store, NOW - 3) ?? Promise.reject());
        expect(await changes[old]?.(store, NOW - 3 - secondsLater)).toBe("conflict");
        expect(await liveIds(domain)).toEqual([owner.id]);
        expect((await store.accounts.readAccount(owner.id))?.asleepSince).toBeNull();
      }
    });

    test("succeeds before it, and gives way to it", async () => {
      const { domain, changes } = await rivals();
      const former = await made(changes[old]?.(store, NOW - 3) ?? Promise.reject());
      const owner = await made(changes[young]?.(store, NOW - 2) ?? Promise.reject());
      expect(await liveIds(domain)).toEqual([owner.id]);
      expect((await store.accounts.readAccount(former.id))?.asleepSince).toBe(NOW - 2);
    });

    test("never wins, in races on all nodes", async () => {
      for (let round = 0; round < 6; round++) {
        const { domain, changes } = await rivals();
        const results = await race(stores, 8, async (store, index) => {
          const isNew = index % 2 === round % 2;
          const change = changes[isNew ? young : old];
          const result = await change?.(store, isNew ? NOW - 2 : NOW - 3);
          return { isNew, result };
        });
        const owners = results.flatMap(({ isNew, result }) =>
          isNew && result && typeof result !== "string" ? [result.id] : [],
        );
        expect(owners.length).toBeGreaterThanOrEqual(1);
        expect(await liveIds(domain)).toEqual([owners[0]]);
      }
    });
  });

  test("a look before one that accepted another answer wakes nothing and puts nothing to sleep", async () => {
    const { domain, changes } = await rivals();
    const owner = await made(changes.wake?.(store, NOW - 9) ?? Promise.reject());
    const answer = { domain, key: "k", spk: "", inception: NOW - 90, expiration: NOW + DAY };
    await store.acceptedAnswers.noteAccepted({ ...answer, checkedAt: NOW });
    for (const name of newer) expect(await changes[name]?.(store, NOW - 1)).toBe("conflict");
    expect(await liveIds(domain)).toEqual([owner.id]);
    await store.accounts.putToSleep(owner.id, NOW - 1);
    for (const name of older) expect(await changes[name]?.(store, NOW - 1)).toBe("conflict");
    expect(await liveIds(domain)).toEqual([]);
    expect(await changes.wake?.(store, NOW)).toMatchObject({ id: owner.id });
  });

  test("a look before the one that put an account to sleep or confirmed it does not wake it, nor the reverse", async () => {
    const { changes } = await rivals();
    const { id } = await made(changes.wake?.(store, NOW - 2 * DAY) ?? Promise.reject());
    const asleepSince = async () => (await store.accounts.readAccount(id))?.asleepSince;
    for (const lostAt of [NOW - DAY, NOW]) {
      await store.accounts.putToSleep(id, lostAt);
      expect(await changes.wake?.(store, lostAt - 1)).toBe("conflict");
      expect(await asleepSince()).toBe(NOW - DAY);
    }
    await made(changes.wake?.(store, NOW + 9) ?? Promise.reject());
    await store.accounts.putToSleep(id, NOW + 8);
    expect(await asleepSince()).toBeNull();
    await store.accounts.putToSleep(id, NOW + 9);
    expect(await asleepSince()).toBe(NOW + 9);
  });

  test.each([...older, ...newer])(
    "after the clock was set back, %s waits for at most 300 seconds",
    async (name) => {
      const { domain, changes } = await rivals();
      const ahead = await made(enrolmentOf(domain)(store, NOW + 301));
      await store.acceptedAnswers.noteAccepted({
        ...{
          domain,
          key: "k",
          spk: "",
          inception: NOW - 90,
          expiration: NOW + DAY,
          checkedAt: NOW + 301,
        },
      });
      expect(await changes[name]?.(store, NOW + 2)).toBe("conflict");
      expect(await liveIds(domain)).toEqual([ahead.id]);
      const account = await made(changes[name]?.(store, NOW) ?? Promise.reject());
      expect(await liveIds(domain)).toEqual([account.id]);
    },
  );
});
