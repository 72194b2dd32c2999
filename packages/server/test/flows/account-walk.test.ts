// The walk through the accounts on every engine, with real DNS packets and a clock to move.

import { randomBytes } from "node:crypto";
import { createZoneRecords } from "domain-signin-demo/zones/zone-records";
import { rcode } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { beforeEach, describe, expect, test } from "vitest";
import { walkAccounts } from "../../src/account/account-walk.ts";
import { createControl } from "../../src/account/control.ts";
import { createLooks } from "../../src/dns/looks.ts";
import { spRecordName } from "../../src/dns/sp-record.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import type { Account } from "../../src/store/accounts.ts";
import type { Store } from "../../src/store/store.ts";
import { jsonEvents } from "../../src/telemetry/events.ts";
import { isFor, serveDns } from "../support/dns-server.ts";
import { fixture } from "../support/fixture.ts";
import { onEveryEngine } from "../support/store-engines.ts";
import { DAY, liveAccount, NOW } from "../support/store-rows.ts";

const ISSUER = "https://auth.example.org";
const HOUR = 3600;
const SIX_DAYS = 6 * DAY;

const zone = createZoneRecords(["test"]);
const failure = { rcode: rcode.servFail };
let failing = false;
const dns = fixture(() => serveDns("test", zone.records, () => (failing ? failure : {})));
beforeEach(() => {
  failing = false;
});

const recordOf = ({ domain, acct }: Account) => ({
  ...{ name: spRecordName(domain), type: "TXT", ttl: 300 },
  value: `v=dsi1 sp=${ISSUER} acct=${acct}`,
});
const publish = (account: Account) => zone.add(recordOf(account));
const unpublish = (account: Account) => expect(zone.remove(recordOf(account))).toBe(true);
/** How often DNS was asked for the record of the account. */
const packetsFor = ({ domain }: Account) =>
  dns.queries.filter((query) => isFor(query, spRecordName(domain), recordType.TXT)).length;

onEveryEngine((database) => {
  let now = NOW;
  /** By how many seconds the clock is ahead of what is proven. */
  let ahead = 0;
  let mayEnd = true;
  beforeEach(() => {
    [now, ahead, mayEnd] = [NOW, 0, true];
  });

  /** A node of its own: it has its own memory of what DNS said. */
  function node(store: Store) {
    const clock = { ...clockFrom(() => now * 1000), floor: () => now - ahead };
    const ended: unknown[] = [];
    const events = {
      ...jsonEvents({ write() {} }),
      ended: (fields: unknown) => void ended.push(fields),
    };
    const minAssurance = "single";
    const { spRecords } = createLooks(
      { issuer: ISSUER, dnsServers: [dns.text], minAssurance, trustAnchors: [] },
      { clock, store },
    );
    const known = { ...store, clock, events, mayEnd: () => mayEnd };
    const control = createControl({ ...known, spRecords, minAssurance });
    const looks: string[] = [];
    const check: typeof control.check = (account, from) => {
      looks.push(account.id);
      return control.check(account, from);
    };
    const parts = { ...known, control: { ...control, check } };
    const pauses: number[] = [];
    const walk = () => walkAccounts(parts, async (milliseconds) => pauses.push(milliseconds));
    return { walk, ended, pauses, parts, looks };
  }

  /** An account that the zone names. */
  async function named(changes: { domain?: string; now?: number } = {}): Promise<Account> {
    const acct = randomBytes(16).toString("base64url");
    const account = await liveAccount(database.store, { acct, ...changes });
    publish(account);
    return account;
  }

  async function asItStands({ id }: Account): Promise<Account> {
    const account = await database.store.accounts.readAccount(id);
    if (account === null) throw new Error("no such account");
    return account;
  }

  async function asleep(since: number): Promise<Account> {
    const account = await named();
    unpublish(account);
    await database.store.accounts.putToSleep(account.id, since);
    return account;
  }

  describe("an account", () => {
    test("whose record is there stays live", async () => {
      const account = await named();
      now += SIX_DAYS;
      await node(database.store).walk();
      expect(await asItStands(account)).toEqual({ ...account, walkedAt: now });
      expect(packetsFor(account)).toBe(1);
    });

    test("whose record is gone is asleep from the next walk on, confirmed a day later, and then looked at weekly", async () => {
      const [account, neighbour] = [await named(), await named()];
      unpublish(account);
      const { walk, ended } = node(database.store);
      const first = NOW + SIX_DAYS;
      const seen = [];
      for (const after of [0, HOUR, DAY - 1, DAY, 2 * DAY, SIX_DAYS, DAY + SIX_DAYS]) {
        now = first + after;
        await walk();
        const { lostConfirmedAt } = await asItStands(account);
        seen.push([packetsFor(account), lostConfirmedAt === null ? null : lostConfirmedAt - first]);
      }
      const [once, confirmed] = [
        [1, null],
        [2, DAY],
      ];
      expect(seen).toEqual([once, once, once, confirmed, confirmed, confirmed, [3, DAY]]);
      expect(await asItStands(account)).toMatchObject({ asleepSince: first, endedAt: null });
      expect((await asItStands(neighbour)).asleepSince).toBeNull();
      expect(ended).toEqual([]);
    });

    test("that a refresh put to sleep is looked at a day after that, however recent the last walk", async () => {
      const account = await named();
      const { walk } = node(database.store);
      now += SIX_DAYS;
      await walk();
      unpublish(account);
      const since = now + HOUR;
      await database.store.accounts.putToSleep(account.id, since);
      for (const [after, lostConfirmedAt] of [
        [DAY - 1, null],
        [DAY, since + DAY],
      ] as const) {
        now = since + after;
        await walk();
        expect(await asItStands(account)).toMatchObject({ asleepSince: since, lostConfirmedAt });
      }
    });

    test("is looked at every six days, however often there is a walk, and no sooner", async () => {
      const account = await named();
      const { walk } = node(database.store);
      const seen = [];
      for (const at of [
        0,
        HOUR,
        SIX_DAYS - 1,
        SIX_DAYS,
        SIX_DAYS + HOUR,
        2 * SIX_DAYS - 1,
        2 * SIX_DAYS,
      ]) {
        now = NOW + at;
        await walk();
        seen.push(packetsFor(account));
      }
      expect(seen).toEqual([0, 0, 0, 1, 1, 1, 2]);
    });

    test("that is asleep and named again wakes", async () => {
      const account = await asleep(NOW + DAY);
      publish(account);
      now += SIX_DAYS;
      await node(database.store).walk();
      expect(await asItStands(account)).toEqual({ ...account, walkedAt: now });
    });

    test("that has slept for 30 days and is not named ends, with an event", async () => {
      const [account, later] = [await asleep(NOW + DAY), await asleep(NOW + DAY + 1)];
      now += 31 * DAY;
      const { walk, ended } = node(database.store);
      await walk();
      expect(await asItStands(account)).toMatchObject({ asleepSince: NOW + DAY, endedAt: now });
      expect(await asItStands(later)).toMatchObject({ asleepSince: NOW + DAY + 1, endedAt: null });
      const { id: accountId, domain } = account;
      expect(ended.filter((fields) => JSON.stringify(fields).includes(accountId))).toEqual([
        { accountId, domain },
      ]);
      expect(JSON.stringify(ended)).not.toContain(later.id);
      expect(await database.store.accounts.findAccount(domain, account)).toBeNull();

      publish(account);
      now += SIX_DAYS;
      await walk();
      expect((await asItStands(account)).endedAt).toBe(now - SIX_DAYS);
      expect((await asItStands(later)).endedAt).toBe(now);
    });

    test("of which only a clock that jumped says that it slept for so long is neither confirmed nor ends", async () => {
      const account = await asleep(NOW + DAY);
      const { walk } = node(database.store);
      [now, ahead] = [NOW + 32 * DAY, 30 * DAY + 1];
      await walk();
      const seen = { asleepSince: NOW + DAY, lostConfirmedAt: null, endedAt: null };
      expect(await asItStands(account)).toMatchObject(seen);
      ahead = 30 * DAY;
      now += DAY;
      await walk();
      expect(await asItStands(account)).toMatchObject({ lostConfirmedAt: now, endedAt: null });
      ahead = 3 * DAY;
      now += SIX_DAYS;
      await walk();
      expect(await asItStands(account)).toMatchObject({ endedAt: now });
    });

    test("that has slept for 30 days only by a jump that is believed during the walk does not end", async () => {
      const account = await asleep(NOW + DAY);
      const { walk, parts } = node(database.store);
      now += 20 * DAY;
      await walk();
      expect((await asItStands(account)).lostConfirmedAt).toBe(now);
      now += SIX_DAYS;
      ahead = 40 * DAY;
      now += 40 * DAY;
      let pauses = 0;
      await named();
      await walkAccounts(parts, async () => {
        if (pauses++ === 0) ahead = 0;
      });
      expect(pauses).toBeGreaterThan(1);
      expect((await asItStands(account)).endedAt).toBeNull();
    });

    test("ends no more from when nothing may end, nor by more than the floor of the moment", async () => {
      const [account, other] = [await asleep(NOW + DAY), await asleep(NOW + DAY)];
      const { parts } = node(database.store);
      const ended = async () =>
        (await Promise.all([account, other].map(asItStands))).filter(({ endedAt }) => endedAt);
      now += 40 * DAY;
      mayEnd = false;
      await walkAccounts(parts, async () => {});
      expect(await ended()).toEqual([]);
      mayEnd = true;
      // An operator accepts an earlier time after the first account that is looked at.
      await walkAccounts(parts, async () => {
        ahead = 30 * DAY;
      });
      expect((await ended()).length).toBeLessThan(2);
    });

    test("that has slept for 30 days and is named at that very look wakes", async () => {
      const account = await asleep(NOW + DAY);
      publish(account);
      now += 40 * DAY;
      const { walk, ended } = node(database.store);
      await walk();
      expect(await asItStands(account)).toEqual({ ...account, walkedAt: now });
      expect(JSON.stringify(ended)).not.toContain(account.id);
    });

    test("that was followed by another of the same domain ends, and the other stays", async () => {
      const seller = await named();
      unpublish(seller);
      const buyer = await named({ domain: seller.domain, now: NOW + 1 });
      expect((await asItStands(seller)).asleepSince).toBe(NOW + 1);
      now += 31 * DAY;
      await node(database.store).walk();
      expect((await asItStands(seller)).endedAt).toBe(now);
      expect(await asItStands(buyer)).toEqual({ ...buyer, walkedAt: now });
    });
  });

  describe("while DNS fails", () => {
    test("a loss is not confirmed, and it is asked again after six hours", async () => {
      const account = await asleep(NOW);
      failing = true;
      now += DAY;
      const { walk } = node(database.store);
      await walk();
      const asked = packetsFor(account);
      now += 6 * HOUR - 1;
      await walk();
      expect(packetsFor(account)).toBe(asked);
      expect((await asItStands(account)).lostConfirmedAt).toBeNull();
      failing = false;
      now += 1;
      await walk();
      expect((await asItStands(account)).lostConfirmedAt).toBe(now);
    });

    test("nothing changes, and it is asked again after six hours", async () => {
      const [account, sleeper, old] = [
        await named(),
        await asleep(NOW + 5),
        await asleep(NOW - 40 * DAY),
      ];
      unpublish(account);
      failing = true;
      now += SIX_DAYS;
      const { walk, ended } = node(database.store);
      await walk();
      const unchanged = { asleepSince: null, endedAt: null };
      expect(await asItStands(account)).toMatchObject(unchanged);
      expect(await asItStands(sleeper)).toMatchObject({ ...unchanged, asleepSince: NOW + 5 });
      expect(await asItStands(old)).toMatchObject({ ...unchanged, asleepSince: NOW - 40 * DAY });
      const asked = packetsFor(account);
      expect(asked).toBeGreaterThan(0);

      now += 6 * HOUR - 1;
      await walk();
      expect(packetsFor(account)).toBe(asked);
      now += 1;
      await walk();
      expect(packetsFor(account)).toBe(2 * asked);
      expect(await asItStands(account)).toMatchObject(unchanged);

      failing = false;
      now += 6 * HOUR;
      await walk();
      expect(await asItStands(account)).toMatchObject({ asleepSince: now, endedAt: null });
      // It has been due for five days, so it is looked at daily.
      expect((await asItStands(old)).endedAt).toBeNull();
      const soon = packetsFor(account);
      now += 12 * HOUR;
      await walk();
      expect(packetsFor(account)).toBe(soon);
      expect((await asItStands(old)).endedAt).toBe(now);
      expect(JSON.stringify(ended)).not.toContain(sleeper.id);
    });
  });

  describe("walks", () => {
    test("look at a record that cannot be read less and less often, at most daily, and daily in the end", async () => {
      const account = await named();
      const { walk } = node(database.store);
      failing = true;
      const hours = [];
      for (const end = NOW + SIX_DAYS + 9 * DAY; now < end; now += HOUR) {
        const before = packetsFor(account);
        await walk();
        if (packetsFor(account) > before) hours.push((now - NOW - SIX_DAYS) / HOUR);
      }
      expect(hours).toEqual([0, 6, 12, 24, 48, 72, 96, 120, 144, 168, 192]);
      expect(await asItStands(account)).toEqual(account);

      failing = false;
      const recovered = now;
      while ((await asItStands(account)).walkedAt === null) {
        now += HOUR;
        await walk();
      }
      expect(now - recovered).toBeLessThanOrEqual(DAY);
      // One failure after that is no reason to wait for a day.
      [now, failing] = [now + SIX_DAYS, true];
      await walk();
      [now, failing] = [now + 6 * HOUR, false];
      await walk();
      expect((await asItStands(account)).walkedAt).toBe(now);
    });

    test("of several nodes at once look at each account once, and end it once", async () => {
      const accounts: Account[] = [];
      for (let count = 0; count < 10; count++) accounts.push(await asleep(NOW), await named());
      now += 30 * DAY;
      const nodes = [...database.stores, database.store].map(node);
      await Promise.all(nodes.map(({ walk }) => walk()));
      const looks = nodes.flatMap((each) => each.looks);
      expect(accounts.map(({ id }) => looks.filter((look) => look === id))).toEqual(
        accounts.map(({ id }) => [id]),
      );
      const told = nodes.flatMap(({ ended }) => ended.map((fields) => JSON.stringify(fields)));
      for (const [index, account] of accounts.entries()) {
        const toEnd = index % 2 === 0;
        expect((await asItStands(account)).endedAt).toBe(toEnd ? now : null);
        expect(told.filter((event) => event.includes(account.id))).toHaveLength(toEnd ? 1 : 0);
      }
    });

    test("reach every account of many, and leave time between two looks", async () => {
      const accounts: Account[] = [];
      for (let count = 0; count < 205; count++) accounts.push(await named());
      now += SIX_DAYS;
      const { walk, pauses, looks } = node(database.store);
      await walk();
      expect(new Set(looks).size).toBe(looks.length);
      expect(accounts.every(({ id }) => looks.includes(id))).toBe(true);
      const paused = pauses.reduce((sum, milliseconds) => sum + milliseconds, 0);
      // The first look waits for nothing.
      expect(paused / (looks.length - 1)).toBeGreaterThanOrEqual(200);
    });

    test("end when their pause is called off", async () => {
      const accounts = [await named(), await named()];
      now += SIX_DAYS;
      const { parts } = node(database.store);
      const over = new Error("the service closes");
      await expect(walkAccounts(parts, () => Promise.reject(over))).rejects.toBe(over);
      const looked = accounts.filter((account) => packetsFor(account) > 0);
      expect(looked.length).toBeLessThan(accounts.length);
    });
  });
});
