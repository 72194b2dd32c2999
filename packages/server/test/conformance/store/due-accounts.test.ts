// What every engine promises about the accounts that the walk looks up next.

import { describe, expect, test } from "vitest";
import { migrate } from "../../../src/database/migrations.ts";
import { openSqlite } from "../../../src/database/sqlite.ts";
import type { Account } from "../../../src/store/accounts.ts";
import { DUE, type DueAccount } from "../../../src/store/due-accounts.ts";
import type { Store } from "../../../src/store/store.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { DAY, dueRow, liveAccount, NOW, someId } from "../../support/store-rows.ts";

const SIX_DAYS = 6 * DAY;
/** Later than what other tests of this file leave behind. */
const LATER = NOW + 1000 * DAY;
const NEVER = NOW + 9000 * DAY;

onEveryEngine(({ store, stores, engine }) => {
  const dueAt = async (account: Account) => (await dueRow(engine, account)).walkDueAt;
  const setDue = (account: Account, at: number) =>
    engine.execute("UPDATE accounts SET walk_due_at = ?1 WHERE id = ?2", [at, account.id]);
  const asItStands = async ({ id }: Account) => {
    const account = await store.accounts.readAccount(id);
    if (account === null) throw new Error("no such account");
    return account;
  };

  describe("an account is due", () => {
    test("six days after it was made", async () => {
      expect(await dueAt(await liveAccount(store))).toBe(NOW + SIX_DAYS);
    });

    test("a day after it fell asleep, and six days after that was confirmed", async () => {
      const account = await liveAccount(store);
      await store.accounts.putToSleep(account.id, NOW + 5 * DAY);
      expect(await dueAt(account)).toBe(NOW + SIX_DAYS);
      await store.accounts.putToSleep(account.id, NOW + 6 * DAY + 7);
      expect(await dueAt(account)).toBe(NOW + 12 * DAY + 7);
    });

    test("a day after another account of its domain put it to sleep, and six days after it woke", async () => {
      const account = await liveAccount(store);
      await liveAccount(store, { domain: account.domain, now: NOW + 5 });
      expect(await dueAt(account)).toBe(NOW + 5 + DAY);
      expect(await store.accounts.wakeAccount(account, NOW + 9)).not.toBe("conflict");
      expect(await dueAt(account)).toBe(NOW + 9 + SIX_DAYS);
    });

    test("at once, if a node of an earlier version made it", async () => {
      const id = someId("sub_");
      await engine.execute(
        `INSERT INTO accounts (id, domain, sp, acct, created_at) VALUES (?1, ?2, '', ?3, ${NOW})`,
        [id, `${someId()}.test`, someId()],
      );
      const due = await store.accountWalk.dueAccounts(NOW);
      expect(due).toContainEqual(expect.objectContaining({ id, walkDueAt: 0 }));
    });
  });

  describe("the accounts that are due", () => {
    test("are read in pages, the longest due first, and each is met once", async () => {
      const accounts: Account[] = [];
      for (let count = 0; count < 230; count++) accounts.push(await liveAccount(store));
      const [first, last, ended, later] = accounts.slice(10) as [
        ...[Account, Account, Account, Account],
        ...Account[],
      ];
      await setDue(first, 1);
      await setDue(last, NOW + SIX_DAYS + 1);
      await setDue(later, NOW + SIX_DAYS + 2);
      for (const at of [NOW - DAY, NOW]) await store.accounts.putToSleep(ended.id, at);
      const ends = { accountId: ended.id, asleepBefore: NOW, now: NOW + 1 };
      expect(await store.accountWalk.endAccount(ends)).toBe(true);
      const met: DueAccount[] = [];
      for (;;) {
        const page = await store.accountWalk.dueAccounts(NOW + SIX_DAYS + 1);
        if (page.length === 0) break;
        expect(page.length).toBeLessThanOrEqual(200);
        met.push(...page);
        for (const account of page)
          expect(await store.accountWalk.claimWalk(account, NOW + 7 * DAY)).toBe(true);
      }
      const ids = met.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const times = met.map(({ walkDueAt }) => walkDueAt);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      for (const { id } of accounts)
        expect(ids.includes(id)).toBe(![ended, later].includes(byId(id)));
      function byId(id: string) {
        return accounts.find((account) => account.id === id) as Account;
      }
    });

    test("have those that only a clock that was ahead can have dated", async () => {
      const [misdated, inTime] = [await liveAccount(store), await liveAccount(store)];
      await setDue(misdated, LATER + SIX_DAYS + 301);
      await setDue(inTime, LATER + SIX_DAYS + 300);
      const ids = await everyDue(store, LATER);
      expect(ids).toContain(misdated.id);
      expect(ids).not.toContain(inTime.id);
    });

    test("are found by an index, without reading or sorting the others", async () => {
      const rows = await planOf(2000);
      expect(rows).toMatch(/due_accounts/);
      expect(rows).not.toMatch(/Seq Scan|SCAN accounts|TEMP B-TREE|Sort/);
    });
  });

  describe("a look", () => {
    test("is claimed by one of 20 nodes that saw the same account, and by none once it has ended", async () => {
      const account = await dueRow(engine, await liveAccount(store));
      const claims = (seen: DueAccount, until: number) =>
        race(stores, 20, (node) => node.accountWalk.claimWalk(seen, until));
      expect((await claims(account, NOW + 5)).filter(Boolean)).toHaveLength(1);
      const again = { ...account, walkDueAt: NOW + 5 };
      expect((await claims(again, NOW + 6)).filter(Boolean)).toHaveLength(1);
      expect((await claims(again, NOW + 7)).filter(Boolean)).toHaveLength(0);
      await store.accountAdmin.endAccountNow({ accountId: account.id, now: NOW });
      expect(await store.accountWalk.claimWalk(await dueRow(engine, account), NOW)).toBe(false);
    });

    test("that succeeded is noted, unless the account was put to sleep or woken after the claim", async () => {
      const note = { now: NOW + 20, dueAt: NOW + 20 + SIX_DAYS };
      // When an account is due that falls asleep at NOW + 30.
      const claimedUntil = NOW + 30 + DAY;
      const noted = async (meanwhile: (account: Account) => Promise<unknown>) => {
        const account = await dueRow(engine, await liveAccount(store));
        await store.accountWalk.claimWalk(account, claimedUntil);
        await meanwhile(account);
        await store.accountWalk.noteWalked({ ...account, walkDueAt: claimedUntil }, note);
        return [(await asItStands(account)).walkedAt, await dueAt(account)];
      };
      expect(await noted(async () => {})).toEqual([NOW + 20, NOW + 20 + SIX_DAYS]);
      const sleep = ({ id }: Account) => store.accounts.putToSleep(id, NOW + 30);
      expect(await noted(sleep)).toEqual([null, NOW + 30 + DAY]);
      const wake = async (account: Account) => {
        await sleep(account);
        await store.accounts.wakeAccount(account, NOW + 40);
      };
      expect(await noted(wake)).toEqual([NOW + 40, NOW + 40 + SIX_DAYS]);
    });

    test("races with other looks: whatever the order, an account that sleeps is due within a day", async () => {
      for (let round = 0; round < 5; round++) {
        const account = await dueRow(engine, await liveAccount(store));
        await store.accountWalk.claimWalk(account, NOW + 30 + DAY);
        const claimed = { ...account, walkDueAt: NOW + 30 + DAY };
        const note = { now: NOW + 20, dueAt: NOW + 20 + SIX_DAYS };
        await race<unknown>(stores, 4, (node, index) =>
          index % 2 === 0
            ? node.accountWalk.noteWalked(claimed, note)
            : node.accounts.putToSleep(account.id, NOW + 30),
        );
        expect((await asItStands(account)).asleepSince).toBe(NOW + 30);
        expect(await dueAt(account)).toBe(NOW + 30 + DAY);
      }
    });
  });

  async function everyDue(node: Store, now: number): Promise<string[]> {
    const ids: string[] = [];
    for (;;) {
      const page = await node.accountWalk.dueAccounts(now);
      if (page.length === 0) return ids;
      ids.push(...page.map(({ id }) => id));
      for (const account of page) await node.accountWalk.claimWalk(account, now + DAY);
    }
  }

  /** How the engine would read what is due, beside this many accounts that are not. */
  async function planOf(others: number): Promise<string> {
    const isPostgres = engine.statementTime !== undefined;
    // libsql leaves an `EXPLAIN` in progress, so it has a connection of its own.
    const explained = isPostgres ? engine : openSqlite(":memory:");
    if (!isPostgres) await migrate(explained);
    const numbers = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${others})`;
    await explained.execute(
      `INSERT INTO accounts (id, domain, sp, acct, created_at, walk_due_at)
       ${numbers} SELECT 'plan' || n, 'plan' || n || '.test', '', 'plan', 0, ${LATER} FROM numbers`,
      [],
    );
    if (isPostgres) await explained.execute("ANALYZE accounts", []);
    // The planner of PostgreSQL needs the values.
    const sql = DUE.replace("?1", `${NOW}`).replace("?2", `${NEVER}`);
    const how = isPostgres ? "EXPLAIN" : "EXPLAIN QUERY PLAN";
    const rows = await explained.execute(`${how} ${sql}`, []);
    if (isPostgres) await explained.execute("DELETE FROM accounts WHERE id LIKE 'plan%'", []);
    else await explained.close();
    return JSON.stringify(rows);
  }
});
