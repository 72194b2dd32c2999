// What every engine promises about sign-ins at external SPs: their accounts, their way, our registrations.

import { describe, expect, test } from "vitest";
import {
  externalChanged,
  externalOf,
  SET_UP,
  startedOver,
} from "../../../src/interaction/progress.ts";
import type { Account } from "../../../src/store/accounts.ts";
import { OWN_SP } from "../../../src/store/shared-values.ts";
import type { SpClientRow } from "../../../src/store/sp-clients.ts";
import { changeProgress } from "../../support/progress.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  authenticatedProgress,
  begunInteraction,
  cleanUpAt,
  DAY,
  liveAccount,
  NOW,
  recordSignIn,
  someDomain,
  someId,
  withoutVersion,
} from "../../support/store-rows.ts";

const SP = "https://sp.example";

onEveryEngine(({ store, stores, engine }) => {
  const named = (domain = someDomain(), acct = someId()) => ({
    ...{ id: someId(), domain, sp: SP, acct, now: NOW },
  });
  const adopted = async (account: ReturnType<typeof named>): Promise<Account> => {
    const made = await store.accounts.adoptAccount(account);
    if (typeof made === "string") throw new Error("the account was not made");
    return made;
  };
  const liveOnes = async (domain: string) => {
    const rows = await engine.execute(
      "SELECT id FROM accounts WHERE domain = ?1 AND asleep_since IS NULL AND ended_at IS NULL",
      [domain],
    );
    return rows.map(({ id }) => id);
  };

  describe("an account at an external SP", () => {
    test("is made once, and found by SP and acct together alone", async () => {
      const account = named();
      const { id, domain, sp, acct } = account;
      const row = { id, domain, sp, acct, createdAt: NOW };
      const made = {
        ...row,
        asleepSince: null,
        lostConfirmedAt: null,
        endedAt: null,
        walkedAt: null,
      };
      expect(await adopted(account)).toEqual(made);
      expect(await adopted({ ...account, id: someId(), now: NOW - 9 })).toEqual(made);
      expect(await store.accounts.findAccount(domain, { sp, acct })).toEqual(made);
      expect(await store.accounts.findAccount(domain, { sp: OWN_SP, acct })).toBeNull();
      expect(await store.accounts.accountsOf(domain)).toEqual([made]);
      expect(await store.accounts.findAccount(domain, { sp: `${SP}/`, acct })).toBeNull();
      expect(await store.accounts.findAccount(domain, { sp, acct: someId() })).toBeNull();
    });

    test("with the acct of one of ours is another account, and puts that one to sleep", async () => {
      const own = await liveAccount(store);
      const external = await adopted({ ...named(own.domain, own.acct), now: NOW + 1 });
      expect(external.id).not.toBe(own.id);
      const ids = (await store.accounts.accountsOf(own.domain)).map(({ id }) => id);
      expect(ids.toSorted()).toEqual([own.id, external.id].toSorted());
      expect(await liveOnes(own.domain)).toEqual([external.id]);
      expect(await store.accounts.wakeAccount(own, NOW + 2)).toEqual({ ...own, walkedAt: NOW + 2 });
      expect(await liveOnes(own.domain)).toEqual([own.id]);
      expect((await store.accounts.readAccount(external.id))?.asleepSince).toBe(NOW + 2);
    });

    test("that sleeps is woken; one that has ended stays so, and the next is a new one", async () => {
      const account = named();
      const first = await adopted(account);
      await store.accounts.putToSleep(first.id, NOW);
      expect(await adopted({ ...account, id: someId(), now: NOW + 1 })).toEqual({
        ...first,
        walkedAt: NOW + 1,
      });
      await store.accounts.putToSleep(first.id, NOW + 2);
      await store.accounts.putToSleep(first.id, NOW + 2 + DAY);
      await store.accountWalk.endAccount({
        accountId: first.id,
        asleepBefore: NOW + 2,
        now: NOW + 2 * DAY,
      });
      const second = await adopted({ ...account, id: someId(), now: NOW + 3 * DAY });
      expect(second).toMatchObject({ createdAt: NOW + 3 * DAY, endedAt: null });
      expect(second.id).not.toBe(first.id);
      expect((await store.accounts.readAccount(first.id))?.endedAt).toBe(NOW + 2 * DAY);
    });

    test("40 times at once is one account, and every caller gets it", async () => {
      for (let round = 0; round < 5; round++) {
        const account = named();
        const results = await race(stores, 40, (store) =>
          store.accounts.adoptAccount({ ...account, id: someId() }),
        );
        const [live] = await liveOnes(account.domain);
        const standing = await store.accounts.readAccount(String(live));
        expect(standing).not.toBeNull();
        for (const result of results) expect(result).toEqual(standing);
      }
    });
  });

  describe("a sign-in at an external SP", () => {
    const begun = () => begunInteraction(store, { progress: externalOf(someId(), "a") });

    test("of 30 who move it on from one place one does", async () => {
      for (let round = 0; round < 5; round++) {
        const { id } = await begun();
        const results = await race(stores, 30, (store, index) =>
          changeProgress(store, id, externalChanged("a", `b${index}`), NOW),
        );
        const moved = results.filter((result) => result !== null);
        expect(moved).toHaveLength(1);
        expect(await store.interactions.readInteraction(id)).toEqual(moved[0]);
      }
    });

    test("is not moved on once it is over, is decided, or goes another way", async () => {
      const interaction = await begun();
      const { id, expiresAt } = interaction;
      const change = externalChanged("a", "b");
      expect(await changeProgress(store, id, change, expiresAt)).toBeNull();
      const proof = {
        ...{ accountId: someId(), authTime: NOW, amr: "external", controlCheckedAt: NOW },
        sid: someId(),
      };
      const proofs = '{"owner_proof":{"kind":"jws"}}';
      const progress = authenticatedProgress({ method: "external", ...proof, proofs });
      const authenticated = await recordSignIn(store, interaction, { ...proof, proofs }, NOW);
      const expected = { ...withoutVersion(interaction), progress };
      expect(withoutVersion(authenticated)).toEqual(expected);
      expect(await changeProgress(store, id, change, NOW)).toBeNull();
      const other = await begun();
      const switched = await changeProgress(store, other.id, startedOver, NOW);
      expect(withoutVersion(switched)).toEqual({ ...withoutVersion(other), progress: SET_UP });
      expect(switched?.version).toMatchObject({ acct: null, external: null });
      expect(await changeProgress(store, other.id, change, NOW)).toBeNull();
      // Nor by a page that still sees the former progress.
      const late = externalOf(other.progress.acct, "b");
      expect(await store.interactions.advance(other, late, { now: NOW })).toBeNull();
    });
  });

  describe("a registration with an SP", () => {
    const registration = (changes: Partial<SpClientRow> = {}): SpClientRow => ({
      ...{ issuer: `https://${someDomain()}`, source: "registered", clientId: someId() },
      ...{ settings: "{}", sealedSecret: null, madeAt: NOW },
      ...changes,
    });

    const added = async (row = registration()) => {
      const stored = await store.spClients.addSpClient(row);
      if (stored === null) throw new Error("there is no room");
      return stored;
    };

    test("of 30 that are added at once one stands, and all get it", async () => {
      const { issuer } = registration();
      const results = await race(stores, 30, (store) =>
        store.spClients.addSpClient(registration({ issuer, sealedSecret: someId() })),
      );
      const rows = await store.spClients.findSpClients(issuer);
      expect(rows).toHaveLength(1);
      for (const result of results) expect(result).toEqual(rows[0]);
    });

    test("of 30 that replace the same one one does", async () => {
      const row = await added();
      const results = await race(stores, 30, (store) =>
        store.spClients.replaceSpClient(
          { ...row, clientId: someId(), settings: '{"new":1}' },
          row.clientId,
        ),
      );
      expect(results.filter((replaced) => replaced)).toHaveLength(1);
      const [standing] = await store.spClients.findSpClients(row.issuer);
      expect(standing).toMatchObject({ settings: '{"new":1}', source: "registered" });
      expect(standing?.clientId).not.toBe(row.clientId);
    });

    test("by the operator stands beside ours, is set anew, and is removed by itself", async () => {
      const ours = await added();
      const { issuer } = ours;
      const hand = registration({ issuer, source: "operator", sealedSecret: "sealed" });
      await store.spClients.putSpClient(hand);
      const again = { ...hand, clientId: someId(), sealedSecret: null, madeAt: NOW + 1 };
      await store.spClients.putSpClient(again);
      const all = await store.spClients.listSpClients();
      expect(all.filter((row) => row.issuer === issuer)).toEqual([again, ours]);
      expect(await store.spClients.removeSpClient(issuer, "operator")).toBe(true);
      expect(await store.spClients.removeSpClient(issuer, "operator")).toBe(false);
      expect(await store.spClients.findSpClients(issuer)).toEqual([ours]);
      expect(await store.spClients.findSpClients(`${issuer}/`)).toEqual([]);
    });

    test("of ours goes after a day without use, or 30 days after the last one; one by the operator stays", async () => {
      const ours = await added();
      const unused = await added();
      const hand = registration({ issuer: ours.issuer, source: "operator" });
      await store.spClients.putSpClient(hand);
      const kept = async (now: number) => {
        await store.cleanUp.removeEnded("sp_clients", null, cleanUpAt(now));
        const rows = [ours, unused].map(({ issuer }) => store.spClients.findSpClients(issuer));
        return (await Promise.all(rows)).map(({ length }) => length);
      };
      await store.spClients.noteSpClientUse(ours.issuer, NOW + 5);
      // Not a write for each sign-in.
      await store.spClients.noteSpClientUse(ours.issuer, NOW + 4 + DAY);
      expect(await kept(NOW + DAY - 1)).toEqual([2, 1]);
      expect(await kept(NOW + DAY)).toEqual([2, 0]);
      expect(await kept(NOW + 4 + 30 * DAY)).toEqual([2, 0]);
      await store.spClients.noteSpClientUse(ours.issuer, NOW + 5 + 29 * DAY);
      expect(await kept(NOW + 4 + 59 * DAY)).toEqual([2, 0]);
      expect(await kept(NOW + 5 + 59 * DAY)).toEqual([1, 0]);
      expect(await store.spClients.findSpClients(ours.issuer)).toEqual([hand]);
    });

    test("is refused for the 21st SP of one registrable domain, but not for one that has it already", async () => {
      const owner = `${someDomain().replace(".test", "")}.example`;
      const issuerOf = (number: number) => `https://sp${number}.${owner}:1234`;
      for (let number = 1; number <= 20; number++) {
        expect(await store.spClients.hasRoomForSp(issuerOf(number))).toBe(true);
        await added(registration({ issuer: issuerOf(number) }));
      }
      expect(await store.spClients.hasRoomForSp(issuerOf(21))).toBe(false);
      expect(await store.spClients.addSpClient(registration({ issuer: issuerOf(21) }))).toBeNull();
      expect(await store.spClients.findSpClients(issuerOf(21))).toEqual([]);
      const first = await added(registration({ issuer: issuerOf(1) }));
      expect([first]).toEqual(await store.spClients.findSpClients(issuerOf(1)));
      expect(
        await store.spClients.replaceSpClient({ ...first, madeAt: NOW + 1 }, first.clientId),
      ).toBe(true);
      // The operator's do not count.
      const hand = registration({ issuer: issuerOf(22), source: "operator" });
      await store.spClients.putSpClient(hand);
      expect(await store.spClients.hasRoomForSp(`https://${someDomain()}`)).toBe(true);
    });

    test("is refused for any new SP beyond 10,000, and none of those is displaced", async () => {
      const [known] = await Promise.all([added()]);
      const rows = await engine.execute("SELECT 1 FROM sp_clients WHERE source = 'registered'", []);
      await engine.execute(
        `WITH RECURSIVE numbers (number) AS (
           SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?1)
         INSERT INTO sp_clients (issuer, source, client_id, settings, made_at)
         SELECT 'made ' || CAST(number AS TEXT), 'registered', '', '{}', 1 FROM numbers`,
        [10_000 - rows.length],
      );
      const issuer = `https://${someDomain()}`;
      expect(await store.spClients.hasRoomForSp(issuer)).toBe(false);
      expect(await store.spClients.addSpClient(registration({ issuer }))).toBeNull();
      expect(await store.spClients.addSpClient(known)).toEqual(known);
      await engine.execute("DELETE FROM sp_clients WHERE issuer = 'made 1'", []);
      expect(await store.spClients.hasRoomForSp(issuer)).toBe(true);
      await engine.execute("DELETE FROM sp_clients WHERE made_at = 1", []);
    });
  });
});
