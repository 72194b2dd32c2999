// Tests of the assurance that is needed to put an account to sleep or wake it, on a real store.

import { beforeEach, describe, expect, it, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { turns } from "../../test/support/looks-for.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { ownRecord, someLook } from "../../test/support/some-look.ts";
import { liveAccount, someGrant, NOW as start } from "../../test/support/store-rows.ts";
import { ASSURANCES, type Assurance } from "../dns/assurance.ts";
import { createLookCache } from "../dns/look-cache.ts";
import type { SpRecordLook, SpRecordOutcome } from "../dns/sp-record.ts";
import { clockFrom } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import type { Account } from "../store/accounts.ts";
import { jsonEvents } from "../telemetry/events.ts";
import { type Control, createControl } from "./control.ts";

const hour = 3600;
const acct = "m3Zk0bq2vS1nF9o7b0uHqg";
const own = ownRecord(acct);
const other = ownRecord("A".repeat(22));
const absent: SpRecordOutcome = { outcome: "absent" };
const contradictory: SpRecordOutcome = { outcome: "indeterminate", reason: "contradictory" };

const store = fixture(openMemoryStore, "test");
let now: number;
let alice: Account;
/** What a new look finds, and its assurance. */
let seen: { says: SpRecordOutcome; assurance: Assurance };
/** How many looks were made. */
let asked: number;

beforeEach(async () => {
  now = start;
  asked = 0;
  alice = await liveAccount(store, { domain: "alice.test", acct });
});

function ask(): SpRecordLook {
  asked++;
  const { says, assurance } = seen;
  return someLook(says, { checkedAt: now, assurance });
}

function controlAt(minAssurance: Assurance): Control {
  const cache = createLookCache<SpRecordLook>(() => now, 9, turns);
  return createControl({
    ...{ ...store, minAssurance, clock: clockFrom(() => now * 1000) },
    events: jsonEvents({ write: () => {} }),
    spRecords: {
      look(domain, wanted, isEnough) {
        const asking = async () => ({ look: ask(), keepSeconds: 60 });
        return cache.look(domain, wanted, asking, isEnough);
      },
    },
  });
}

async function asleepSince(): Promise<number | null | undefined> {
  return (await store.accounts.readAccount(alice.id))?.asleepSince;
}

async function current(): Promise<Account> {
  const found = await store.accounts.readAccount(alice.id);
  if (found === null) throw new Error("no such account");
  return found;
}

/** A grant whose last successful check was at the start. */
const issue = () => store.grants.issueGrant(someGrant(alice.id, { controlCheckedAt: start }));

const pairs = ASSURANCES.flatMap((least) => ASSURANCES.map((assurance) => ({ least, assurance })));

/** The absence of a record in a signed zone is proven, so it needs the same as a record. */
const needed: Record<Assurance, readonly Assurance[]> = {
  single: ASSURANCES,
  corroborated: ["corroborated", "secure"],
  secure: ["secure"],
};

describe("where DNS decides at a level", () => {
  test.each(pairs)("$least: an account that is live is confirmed by $assurance", async (pair) => {
    seen = { says: own, assurance: pair.assurance };
    expect(await controlAt(pair.least).check(alice, SERVICE)).toEqual({
      control: "held",
      checkedAt: now,
    });
    expect(await asleepSince()).toBeNull();
  });

  test.each(pairs)("$least: an absence of $assurance, or another acct", async (pair) => {
    for (const says of [absent, other]) {
      seen = { says, assurance: pair.assurance };
      const looked = await controlAt(pair.least).check(alice, SERVICE);
      if (needed[pair.least].includes(pair.assurance)) {
        expect(looked.control).toBe("lost");
        expect(await asleepSince()).toBe(start);
      } else {
        expect(looked).toMatchObject({ control: "unknown", failure: "unconfirmed" });
        expect(await asleepSince()).toBeNull();
      }
    }
  });

  test.each(pairs)("$least: an account that sleeps, and its record at $assurance", async (pair) => {
    await store.accounts.putToSleep(alice.id, start);
    now += hour;
    seen = { says: own, assurance: pair.assurance };
    const looked = await controlAt(pair.least).check(await current(), SERVICE);
    if (needed[pair.least].includes(pair.assurance)) {
      expect(looked.control).toBe("held");
      expect(await asleepSince()).toBeNull();
    } else {
      expect(looked).toMatchObject({ control: "unknown", failure: "unconfirmed" });
      expect(await asleepSince()).toBe(start);
    }
  });
});

describe("resolvers that contradict each other", () => {
  it("change nothing", async () => {
    seen = { says: contradictory, assurance: "single" };
    const control = controlAt("corroborated");
    const unknown = { control: "unknown", failure: "contradictory" };
    expect(await control.check(alice, SERVICE)).toMatchObject(unknown);
    expect(await asleepSince()).toBeNull();
    await store.accounts.putToSleep(alice.id, start);
    expect(await control.check(await current(), SERVICE)).toMatchObject(unknown);
    expect(await asleepSince()).toBe(start);
  });
});

describe("what is remembered", () => {
  it("confirms an account, and is asked for anew before it changes one", async () => {
    const control = controlAt("corroborated");
    seen = { says: own, assurance: "single" };
    await control.check(alice, SERVICE);
    await control.check(alice, SERVICE);
    expect(asked).toBe(1);
    now += 60;
    seen = { says: absent, assurance: "single" };
    await control.check(alice, SERVICE);
    seen = { says: own, assurance: "single" };
    expect(await control.check(alice, SERVICE)).toMatchObject({ control: "held" });
    expect(asked).toBe(3);
    seen = { says: absent, assurance: "corroborated" };
    await store.accounts.putToSleep(alice.id, start);
    expect((await control.check(await current(), SERVICE)).control).toBe("lost");
    expect(asked).toBe(4);
  });

  it("is not asked for twice if the first answer is new, whatever it says", async () => {
    seen = { says: absent, assurance: "corroborated" };
    expect((await controlAt("corroborated").check(alice, SERVICE)).control).toBe("lost");
    expect(asked).toBe(1);
  });
});

describe("a refresh where two must agree", () => {
  it("goes on by the word of one, for as long as that one confirms the account", async () => {
    const grant = await issue();
    const control = controlAt("corroborated");
    seen = { says: own, assurance: "single" };
    now += 200 * hour;
    expect(await control.confirm(alice, grant, SERVICE)).toBe(true);
  });

  it("waits when only one speaks against the account, which stays awake", async () => {
    const grant = await issue();
    seen = { says: absent, assurance: "single" };
    await expect(controlAt("corroborated").confirm(alice, grant, SERVICE)).rejects.toThrow(
      UnavailableError,
    );
    expect(await asleepSince()).toBeNull();
  });

  it("waits when two agree that the record is gone, and the account sleeps", async () => {
    const grant = await issue();
    seen = { says: absent, assurance: "corroborated" };
    await expect(controlAt("corroborated").confirm(alice, grant, SERVICE)).rejects.toThrow(
      UnavailableError,
    );
    expect(await asleepSince()).toBe(now);
  });

  it("does not wake an account by the word of one", async () => {
    const grant = await issue();
    await store.accounts.putToSleep(alice.id, start);
    await store.accounts.putToSleep(alice.id, start + 24 * hour);
    seen = { says: own, assurance: "single" };
    now += 25 * hour;
    expect(await controlAt("corroborated").confirm(await current(), grant, SERVICE)).toBe(false);
    expect(await asleepSince()).toBe(start);
  });
});
