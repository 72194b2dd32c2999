// The walk beside zones that do not answer: on a real store, with looks that the test holds, and in virtual time.

import { describe, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { DAY, dueRow, liveAccount, NOW } from "../../test/support/store-rows.ts";
import { simulateWalk } from "../../test/support/walk-simulation.ts";
import { clockFrom } from "../lib/clock.ts";
import type { Account } from "../store/accounts.ts";
import { jsonEvents } from "../telemetry/events.ts";
import { walkAccounts } from "./account-walk.ts";
import type { ControlResult } from "./control.ts";

const HOUR = 3600;
const HELD: ControlResult = { control: "held", checkedAt: NOW };

describe("looks", () => {
  const store = fixture(openMemoryStore, "test");

  /** A walk when all accounts are due. `underWay` ends the looks that have begun, by the ids of their accounts. */
  function startWalk(
    how: { readonly mayEnd?: () => boolean; readonly pause?: () => Promise<void> } = {},
  ) {
    const { mayEnd = () => true, pause = async () => {} } = how;
    const now = NOW + 6 * DAY;
    const underWay = new Map<string, (result: ControlResult | Error) => void>();
    const look = (account: Account) =>
      new Promise<ControlResult>((resolve, reject) => {
        underWay.set(account.id, (result) => {
          underWay.delete(account.id);
          if (result instanceof Error) reject(result);
          else resolve(result);
        });
      });
    const control = { check: look, checkAndShow: look } as never;
    const clock = clockFrom(() => now * 1000);
    const events = jsonEvents({ write() {} });
    const walk = walkAccounts({ ...store, control, clock, events, mayEnd }, pause);
    const state = { isOver: false };
    walk
      .catch(() => {})
      .finally(() => {
        state.isOver = true;
      });
    return { walk, underWay, state, now };
  }

  async function accounts(count: number): Promise<Account[]> {
    const made = [];
    for (let index = 0; index < count; index++) made.push(await liveAccount(store));
    return made;
  }

  /** Until nothing happens any more but what the test holds. */
  async function settled(): Promise<void> {
    for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
  }

  test("of zones that do not answer hold up no other account: twenty are under way at once, and no more", async () => {
    await accounts(25);
    const { walk, underWay } = startWalk();
    await settled();
    expect(underWay.size).toBe(20);
    const [silent, ...others] = underWay.keys();
    // All but one zone answer: everybody gets a turn beside it.
    for (const id of others) underWay.get(id)?.(HELD);
    await settled();
    expect(underWay.size).toBe(6);
    for (const [id, end] of underWay) if (id !== silent) end(HELD);
    await settled();
    expect([...underWay.keys()]).toEqual([silent]);
    underWay.get(silent ?? "")?.({ control: "unknown", failure: "indeterminate" });
    await walk;
  });

  test("that fail end the walk once all others have ended, and are due again in six hours", async () => {
    const [one, other] = (await accounts(2)) as [Account, Account];
    const { walk, underWay, state, now } = startWalk();
    await settled();
    const cause = new Error("the database is gone");
    underWay.get(one.id)?.(cause);
    await settled();
    expect(state.isOver).toBe(false);
    underWay.get(other.id)?.(HELD);
    await expect(walk).rejects.toBe(cause);
    expect((await dueRow(store.engine, one)).walkDueAt).toBe(now + 6 * HOUR);
    expect((await dueRow(store.engine, other)).walkDueAt).toBe(now + 6 * DAY);
  });

  test("end before a walk that is called off does", async () => {
    const [one] = (await accounts(2)) as [Account];
    let pauses = 0;
    const over = new Error("the service closes");
    const pause = async () => {
      if (pauses++ > 0) throw over;
    };
    const { walk, underWay, state } = startWalk({ pause });
    await settled();
    expect([...underWay.keys()]).toEqual([one.id]);
    expect(state.isOver).toBe(false);
    underWay.get(one.id)?.(HELD);
    await expect(walk).rejects.toBe(over);
  });

  test("for which the service itself had no room are due again in ten minutes", async () => {
    const [account] = (await accounts(1)) as [Account];
    const { walk, underWay, now } = startWalk();
    await settled();
    underWay.get(account.id)?.({ control: "unknown", failure: "busy" });
    await walk;
    expect(await dueRow(store.engine, account)).toMatchObject({
      walkedAt: null,
      walkDueAt: now + 600,
    });
  });

  test("end no account if nothing may end any more while they are under way", async () => {
    const [account] = (await accounts(1)) as [Account];
    for (const at of [NOW - 40 * DAY, NOW - 30 * DAY])
      await store.accounts.putToSleep(account.id, at);
    let mayEnd = true;
    const { walk, underWay } = startWalk({ mayEnd: () => mayEnd });
    await settled();
    mayEnd = false;
    underWay.get(account.id)?.({ control: "lost" });
    await walk;
    expect((await store.accounts.readAccount(account.id))?.endedAt).toBeNull();
  });
});

describe("where 30 of 100 zones do not answer", () => {
  const zones = { silentPercent: 30, signedPercent: 10 };

  test("each other record is looked at weekly, and theirs daily, and within a day after they recover", async () => {
    const few = { accounts: 200, days: 18, recoveryDay: 16, walkEveryMs: 1_800_000 };
    const figures = await simulateWalk({ ...zones, ...few });
    expect(figures.oldestLookDays).toBeGreaterThan(6);
    expect(figures.oldestLookDays).toBeLessThan(6.1);
    expect(figures.shortestSilentHours).toBeGreaterThan(23.9);
    expect(figures).toMatchObject({ unseenRecoveries: 0, asleep: 0 });
    expect(figures.recoverySeenHours).toBeLessThan(24.6);
  });

  test("no second has more than 50 questions, and a slow machine gets through as soon", async () => {
    const many = { accounts: 1000, days: 1, allDue: true, walkEveryMs: 600_000 };
    const slow = { statementMs: 50, timerLateMs: 20 };
    const hours = [];
    for (const machine of [{}, slow]) {
      const figures = await simulateWalk({ ...zones, ...many, ...machine });
      expect(figures.mostQuestionsInASecond).toBeLessThanOrEqual(50);
      hours.push(figures.allSeenHours);
    }
    // Five a second.
    expect(hours[0]).toBeCloseTo(1000 / 5 / 3600, 2);
    expect(hours[1]).toBeLessThan(1000 / 4 / 3600);
  });
});
