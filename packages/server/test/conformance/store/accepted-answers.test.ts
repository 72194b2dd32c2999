// What every engine promises about the signed answer that was last accepted for a domain.

import { describe, expect, test } from "vitest";
import type { AcceptedAnswer } from "../../../src/store/remembered.ts";
import type { Store } from "../../../src/store/store.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { DAY, liveAccount, NOW, someDomain, someId } from "../../support/store-rows.ts";

/** The keys of the provider differ with the key of the answer. */
const answerFor = (domain: string, changes: Partial<AcceptedAnswer> = {}): AcceptedAnswer => ({
  domain,
  key: "a",
  spk: `spk of ${changes.key ?? "a"}`,
  inception: NOW - 100,
  expiration: NOW + DAY,
  checkedAt: NOW,
  ...changes,
});

const acceptedIn = async ({ remembered }: Store, domain: string, now: number) =>
  (await remembered.rememberedOf(domain, now)).accepted;

onEveryEngine(({ store, stores, engine }) => {
  test("it is kept with the account until the signature expires, and no account differs by it", async () => {
    const account = await liveAccount(store);
    const { domain } = account;
    expect(await acceptedIn(store, domain, NOW)).toBeNull();
    await store.acceptedAnswers.noteAccepted(answerFor(domain));
    const accepted = { key: "a", spk: "spk of a", inception: NOW - 100 };
    expect(await acceptedIn(store, domain, NOW + DAY - 1)).toEqual(accepted);
    expect(await acceptedIn(store, domain, NOW + DAY)).toBeNull();
    expect(await store.accounts.readAccount(account.id)).toEqual(account);
    const other = await liveAccount(store);
    expect(await acceptedIn(store, other.domain, NOW)).toBeNull();
  });

  test("it outlives the account that was there, as long as that can wake", async () => {
    const seller = await liveAccount(store);
    await store.acceptedAnswers.noteAccepted(answerFor(seller.domain));
    const buyer = await liveAccount(store, { domain: seller.domain, now: NOW + 1 });
    expect(await acceptedIn(store, buyer.domain, NOW)).toMatchObject({ key: "a" });
    await store.acceptedAnswers.noteAccepted(
      answerFor(buyer.domain, { key: "b", checkedAt: NOW + 1 }),
    );
    expect(await acceptedIn(store, buyer.domain, NOW)).toMatchObject({ key: "b" });
    await store.accounts.wakeAccount(seller, NOW + 2);
    expect(await acceptedIn(store, seller.domain, NOW)).toMatchObject({ key: "b" });
  });

  test("for a domain without an account nothing is written", async () => {
    const domain = someDomain();
    await store.acceptedAnswers.noteAccepted(answerFor(domain));
    expect(await acceptedIn(store, domain, NOW)).toBeNull();
  });

  test("a look that asked earlier changes nothing, in the same second the newest signature stays", async () => {
    const { domain } = await liveAccount(store);
    const b = { key: "b", inception: NOW - 50 };
    await store.acceptedAnswers.noteAccepted(answerFor(domain, b));
    await store.acceptedAnswers.noteAccepted(
      answerFor(domain, { inception: NOW - 10, checkedAt: NOW - 1 }),
    );
    await store.acceptedAnswers.noteAccepted(answerFor(domain, { inception: NOW - 51 }));
    expect(await acceptedIn(store, domain, NOW)).toMatchObject(b);
    // A move to another signer: all sources had to say it.
    await store.acceptedAnswers.noteAccepted(
      answerFor(domain, { inception: NOW - 5000, checkedAt: NOW + 1 }),
    );
    expect(await acceptedIn(store, domain, NOW)).toEqual({
      key: "a",
      spk: "spk of a",
      inception: NOW - 5000,
    });
  });

  describe("a look of the future, made before the clock was set back", () => {
    async function ahead(seconds: number, changes: Partial<AcceptedAnswer> = {}) {
      const { domain } = await liveAccount(store);
      await store.acceptedAnswers.noteAccepted(
        answerFor(domain, { checkedAt: NOW + seconds, ...changes }),
      );
      return domain;
    }
    const found = (domain: string, now = NOW) => acceptedIn(store, domain, now);

    test("blocks no newer signature", async () => {
      const domain = await ahead(301);
      await store.acceptedAnswers.noteAccepted(
        answerFor(domain, { key: "b", inception: NOW - 99 }),
      );
      expect(await found(domain)).toEqual({ key: "b", spk: "spk of b", inception: NOW - 99 });
      await store.acceptedAnswers.noteAccepted(
        answerFor(domain, { inception: NOW, checkedAt: NOW - 1 }),
      );
      expect(await found(domain)).toMatchObject({ key: "b" });
    });

    test("keeps its signature against older ones until that expires, not longer", async () => {
      const domain = await ahead(400 * DAY);
      const older = { key: "b", inception: NOW - 101, expiration: NOW + 9 * DAY };
      await store.acceptedAnswers.noteAccepted(answerFor(domain, older));
      expect(await found(domain)).toMatchObject({ key: "a" });
      await store.acceptedAnswers.noteAccepted(
        answerFor(domain, { ...older, checkedAt: NOW + DAY - 1 }),
      );
      expect(await found(domain)).toMatchObject({ key: "a" });
      await store.acceptedAnswers.noteAccepted(
        answerFor(domain, { ...older, checkedAt: NOW + DAY }),
      );
      expect(await found(domain, NOW + DAY)).toEqual({
        key: "b",
        spk: "spk of b",
        inception: NOW - 101,
      });
    });

    test("is a later one as long as it is at most 300 seconds ahead", async () => {
      const domain = await ahead(300);
      await store.acceptedAnswers.noteAccepted(
        answerFor(domain, { key: "b", inception: NOW - 50 }),
      );
      expect(await found(domain)).toMatchObject({ key: "a" });
    });

    test("gives way, and of 30 looks at once the one that asked last stays", async () => {
      for (let round = 0; round < 5; round++) {
        const domain = await ahead(DAY, { inception: NOW - 2000 });
        await race(stores, 30, (store, index) => {
          const turn = (index * 7 + round) % 30;
          const answer = { key: `${turn}`, inception: NOW - 1000 + turn, checkedAt: NOW + turn };
          return store.acceptedAnswers.noteAccepted(answerFor(domain, answer));
        });
        expect(await found(domain)).toEqual({ key: "29", spk: "spk of 29", inception: NOW - 971 });
      }
    });
  });

  test("of 30 looks at once on all nodes the one that asked last stays, for every account", async () => {
    for (let round = 0; round < 5; round++) {
      const { domain } = await liveAccount(store);
      for (let more = 0; more < 3; more++) {
        await liveAccount(store, { domain, now: NOW + 1 + more });
      }
      await race(stores, 30, (store, index) => {
        const turn = (index * 7 + round) % 30;
        const answer = { key: `${turn}`, inception: NOW - 1000 + turn, checkedAt: NOW + turn };
        return store.acceptedAnswers.noteAccepted(answerFor(domain, answer));
      });
      expect(await acceptedIn(store, domain, NOW)).toMatchObject({ key: "29" });
      const rows = await engine.execute(
        "SELECT DISTINCT record_key, record_spk, record_inception FROM accounts WHERE domain = ?1",
        [domain],
      );
      expect(rows).toEqual([
        { record_key: "29", record_spk: "spk of 29", record_inception: NOW - 971 },
      ]);
    }
  });

  test("the domains whose record lists a key, or does not, are those of live accounts here", async () => {
    const [kid, next] = [someKid(), someKid()];
    const account = async (spk: string | null, sp = "") => {
      const external = { id: someId("sub_"), domain: someDomain(), sp, acct: someId() };
      const made = await (sp === ""
        ? liveAccount(store)
        : store.accounts.adoptAccount({ ...external, now: NOW }));
      if (typeof made === "string") throw new Error("the account was not made");
      const { id, domain } = made;
      if (spk !== null) await store.acceptedAnswers.noteAccepted(answerFor(domain, { spk }));
      return { id, domain };
    };
    const both = await account(`${kid},${next}`);
    const one = await account(next);
    const none = await account("");
    const unheard = await account(null);
    const external = await account(kid, "https://sp.example");
    const ended = await account(kid);
    await engine.execute("UPDATE accounts SET ended_at = ?1 WHERE id = ?2", [...[NOW, ended.id]]);
    const asleep = await account(kid);
    await store.accounts.putToSleep(asleep.id, NOW + 1);
    expect(await store.acceptedAnswers.domainsListing(kid)).toEqual([both.domain]);
    expect(await store.acceptedAnswers.domainsListing(next)).toEqual(
      [both.domain, one.domain].sort(),
    );
    const others = await store.acceptedAnswers.domainsNotListing(kid);
    expect(others).toEqual(expect.arrayContaining([one.domain, none.domain]));
    expect(others).not.toContain(both.domain);
    for (const kept of [asleep, ended, external, unheard]) {
      expect(others).not.toContain(kept.domain);
      expect(await store.acceptedAnswers.domainsNotListing(someKid())).not.toContain(kept.domain);
    }
    expect(await store.acceptedAnswers.domainsListing(someKid())).toEqual([]);
    // A kid is no pattern, and its case counts.
    const lookalikes = ["_".repeat(43), `_${kid.slice(1)}`, swapCase(kid)];
    for (const other of lookalikes)
      expect(await store.acceptedAnswers.domainsListing(other)).toEqual([]);
    for (const other of lookalikes) {
      expect(await store.acceptedAnswers.domainsNotListing(other)).toContain(both.domain);
    }
  });
});

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (one) =>
    one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase(),
  );
const someKid = () => someId().padEnd(43, "A");
