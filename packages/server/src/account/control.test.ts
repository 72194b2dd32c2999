// Tests of the control check, on a real store, with fake lookup results.

import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { ownRecord, someLook } from "../../test/support/some-look.ts";
import { liveAccount, someGrant, NOW as start } from "../../test/support/store-rows.ts";
import type { SpRecordOutcome, SpRecords } from "../dns/sp-record.ts";
import { clockFrom } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import type { Account } from "../store/accounts.ts";
import type { Grant } from "../store/grant-row.ts";
import { type Events, jsonEvents } from "../telemetry/events.ts";
import { type Control, createControl } from "./control.ts";

const hour = 3600;
const acct = "m3Zk0bq2vS1nF9o7b0uHqg";
const own = ownRecord(acct);
const other = ownRecord("B".repeat(22));
const failing: SpRecordOutcome = { outcome: "indeterminate", reason: "timeout" };
const reason = "Signature Expired";
const bogus: SpRecordOutcome = { outcome: "bogus", cause: "validation_failed", reason };

const store = fixture(openMemoryStore, "test");
let control: Control;
let now: number;
let failures: { path: string; cause: unknown }[];
/** The changes of records that were reported. */
let changes: string[];
/** The fake DNS: the record, the age of the result, and the lookups that were made. */
let zone: { says: SpRecordOutcome; age: number; asked: string[] };

beforeEach(() => {
  now = start;
  failures = [];
  changes = [];
  zone = { says: own, age: 0, asked: [] };
  control = controlOver({
    async look(domain, { freshness }) {
      zone.asked.push(`${domain} ${freshness}`);
      const name = `_domain-signin.${domain}`;
      return someLook(zone.says, { name, assurance: "single", checkedAt: now - zone.age });
    },
  });
});
afterEach(() => void vi.useRealTimers());

function controlOver(spRecords: Pick<SpRecords, "look">): Control {
  const clock = clockFrom(() => now * 1000);
  const events: Events = {
    ...jsonEvents({ write: () => {} }),
    failed: ({ path = "", cause }) => void failures.push({ path, cause }),
    recordLost: ({ accountId, domain }) => void changes.push(`lost ${accountId} of ${domain}`),
    recordFound: ({ accountId, domain }) => void changes.push(`found ${accountId} of ${domain}`),
  };
  return createControl({
    ...store,
    ...{ spRecords, minAssurance: "single", clock, events },
  });
}

async function enrol(domain = "alice.test", of = { acct, now: start }): Promise<Account> {
  return liveAccount(store, { domain, accountId: `account of ${domain} ${of.acct}`, ...of });
}

async function account(id: string): Promise<Account> {
  const found = await store.accounts.readAccount(id);
  if (found === null) throw new Error("no such account");
  return found;
}

/** A grant whose last successful check was at the start. */
async function issue({ id: accountId }: Account, id = "0".repeat(32)): Promise<Grant> {
  return store.grants.issueGrant(someGrant(accountId, { id, controlCheckedAt: start }));
}

/** With the account as it is now. */
async function confirmed(grant: Grant): Promise<boolean> {
  return control.confirm(await account(grant.accountId), grant, SERVICE);
}

async function checkedAt(grant: Grant): Promise<number | undefined> {
  return (await store.grants.readGrant(grant.id))?.grant.controlCheckedAt;
}

describe("a look at the zone", () => {
  it("that finds issuer and acct of the account: it is held", async () => {
    const alice = await enrol();
    expect((await control.check(alice, SERVICE)).control).toBe("held");
    expect((await account(alice.id)).asleepSince).toBeNull();
  });

  test.each<[string, SpRecordOutcome]>([
    ["nothing", { outcome: "absent" }],
    ["sp=none", { outcome: "disabled" }],
    ["another acct", other],
    ["another case of the acct", ownRecord(acct.toUpperCase())],
    ["the acct at another sp", { ...own, outcome: "external", sp: "https://sp.example" }],
    ["an invalid record", { outcome: "invalid" }],
    ["two records", { outcome: "ambiguous" }],
    ["a newer record", { outcome: "unsupported" }],
    ["an alias", { outcome: "alias_invalid", target: "web.example" }],
  ])("that finds %s: control is lost, and the account sleeps", async (_, says) => {
    const alice = await enrol();
    zone.says = says;
    now += 5;
    expect((await control.check(alice, SERVICE)).control).toBe("lost");
    expect((await account(alice.id)).asleepSince).toBe(start + 5);
    now += 5;
    expect((await control.check(await account(alice.id), SERVICE)).control).toBe("lost");
    expect((await account(alice.id)).asleepSince).toBe(start + 5);
  });

  it("that finds the account's record again wakes it, and puts its successor to sleep", async () => {
    const alice = await enrol();
    zone.says = { outcome: "absent" };
    await control.check(alice, SERVICE);
    const { id } = await enrol("alice.test", { acct: other.acct, now: start + 1 });
    zone.says = own;
    now += 60;
    expect((await control.check(await account(alice.id), SERVICE)).control).toBe("held");
    expect((await account(alice.id)).asleepSince).toBeNull();
    expect((await account(id)).asleepSince).toBe(now);
  });

  test.each([failing, bogus])(
    "that fails ($outcome) changes nothing: a failure is no absence",
    async (says) => {
      const alice = await enrol();
      zone.says = says;
      expect((await control.check(alice, SERVICE)).control).toBe("unknown");
      expect(await account(alice.id)).toEqual(alice);
      zone.says = { outcome: "absent" };
      now += 300;
      await control.check(alice, SERVICE);
      const asleep = await account(alice.id);
      zone.says = says;
      now += 300;
      expect((await control.check(asleep, SERVICE)).control).toBe("unknown");
      expect(await account(alice.id)).toEqual(asleep);
    },
  );

  it("does not wake an account that has ended", async () => {
    const alice = await enrol();
    await store.engine.execute("UPDATE accounts SET asleep_since = ?1, ended_at = ?1", [start]);
    const ended = await account(alice.id);
    expect((await control.check(ended, SERVICE)).control).not.toBe("held");
    expect(await account(alice.id)).toEqual(ended);
  });
});

describe("a zone that fails or no longer names the account", () => {
  test.each<[string, SpRecordOutcome, number]>([
    ["fails", failing, 300],
    ["has no record", { outcome: "absent" }, 60],
  ])("and %s is not asked again by a refresh for a while", async (_, says, seconds) => {
    const alice = await enrol();
    const grant = await issue(alice);
    zone.says = says;
    await expect(control.confirm(alice, grant, SERVICE)).rejects.toThrow(UnavailableError);
    zone.says = own;
    zone.asked = [];
    now += seconds - 1;
    await expect(confirmed(grant)).rejects.toThrow(UnavailableError);
    await control.settled();
    expect(zone.asked).toEqual([]);
    now += 1;
    // The account that was put to sleep is looked up in the background.
    await confirmed(grant).catch(() => {});
    await control.settled();
    expect(zone.asked).toHaveLength(1);
    expect(await confirmed(grant)).toBe(true);
  });

  it("is asked again at once by a person who waits", async () => {
    const alice = await enrol();
    zone.says = failing;
    expect((await control.check(alice, SERVICE)).control).toBe("unknown");
    zone.says = own;
    expect((await control.check(alice, SERVICE)).control).toBe("held");
  });

  it("is nobody else's failure", async () => {
    const [alice, bob] = [await enrol(), await enrol("bob.test")];
    zone.says = failing;
    await expect(control.confirm(alice, await issue(alice), SERVICE)).rejects.toThrow(
      UnavailableError,
    );
    zone.says = own;
    expect(await control.confirm(bob, await issue(bob, "1".repeat(32)), SERVICE)).toBe(true);
  });
});

describe("a refresh whose last look is 72 hours old", () => {
  it("goes on with a fresh look, which the grant remembers", async () => {
    const alice = await enrol();
    const grant = await issue(alice);
    now += 73 * hour;
    expect(await control.confirm(alice, grant, SERVICE)).toBe(true);
    expect(await checkedAt(grant)).toBe(now);
  });

  it("counts a remembered look from when DNS was asked, not from now", async () => {
    const alice = await enrol();
    const grant = await issue(alice);
    now += 73 * hour;
    zone.age = 200;
    expect(await control.confirm(alice, grant, SERVICE)).toBe(true);
    expect(await checkedAt(grant)).toBe(now - 200);
  });

  test.each([failing, bogus])("waits while DNS fails ($outcome)", async (says) => {
    const alice = await enrol();
    const grant = await issue(alice);
    zone.says = says;
    await expect(control.confirm(alice, grant, SERVICE)).rejects.toThrow(UnavailableError);
    expect(await checkedAt(grant)).toBe(start);
    expect((await account(alice.id)).asleepSince).toBeNull();
  });

  it("does not wait longer than two seconds for a zone that does not answer", async () => {
    const alice = await enrol();
    const grant = await issue(alice);
    const waiting = controlOver({ look: () => new Promise<never>(() => {}) });
    vi.useFakeTimers();
    const answer = Promise.race([
      waiting.confirm(alice, grant, SERVICE).catch((error: Error) => error.name),
      new Promise((resolve) => setTimeout(resolve, 2500, "still waiting")),
    ]);
    await vi.advanceTimersByTimeAsync(2500);
    expect(await answer).toBe("DomainUnavailableError");
  });
});

describe("a refresh for an account that is lost", () => {
  it("waits until a second look a day later, and is refused after it, and nothing is revoked", async () => {
    const alice = await enrol();
    const grant = await issue(alice);
    zone.says = { outcome: "absent" };
    await expect(control.confirm(alice, grant, SERVICE)).rejects.toThrow(UnavailableError);
    for (const after of [hour, 22 * hour, hour - 1]) {
      now += after;
      await expect(confirmed(grant)).rejects.toThrow(UnavailableError);
      await control.settled();
      expect((await account(alice.id)).lostConfirmedAt).toBeNull();
    }
    now += 60;
    // The look in its background is the second.
    await expect(confirmed(grant)).rejects.toThrow(UnavailableError);
    await control.settled();
    const lost = { asleepSince: start, lostConfirmedAt: now };
    expect(await account(alice.id)).toMatchObject(lost);
    now += hour;
    expect(await confirmed(grant)).toBe(false);
    expect(await account(alice.id)).toMatchObject(lost);
    expect((await store.grants.readGrant(grant.id))?.grant.revokedAt).toBeNull();
  });

  test.each([failing, bogus])("is not refused because DNS fails ($outcome)", async (says) => {
    const alice = await enrol();
    const grant = await issue(alice);
    await store.accounts.putToSleep(alice.id, start);
    zone.says = says;
    now += 40 * 24 * hour;
    await expect(confirmed(grant)).rejects.toThrow(UnavailableError);
    await control.settled();
    expect((await account(alice.id)).lostConfirmedAt).toBeNull();
  });

  it("waits too where another account was established in the meantime", async () => {
    const alice = await enrol();
    const grant = await issue(alice);
    zone.says = other;
    await enrol("alice.test", { acct: other.acct, now: start + 1 });
    now += hour;
    await expect(confirmed(grant)).rejects.toThrow(UnavailableError);
    await control.settled();
    now += 24 * hour;
    await control.check(await account(alice.id), SERVICE);
    expect(await confirmed(grant)).toBe(false);
  });

  it("goes on at once when the record is back, even after it was refused", async () => {
    const alice = await enrol();
    const grant = await issue(alice);
    await store.accounts.putToSleep(alice.id, start);
    now += 25 * hour;
    await store.accounts.putToSleep(alice.id, now);
    expect((await account(alice.id)).lostConfirmedAt).toBe(now);
    expect(await confirmed(grant)).toBe(true);
    expect(await account(alice.id)).toMatchObject({ asleepSince: null, lostConfirmedAt: null });
    expect(await checkedAt(grant)).toBe(now);
  });
});

test("a record that changes is reported once when it is lost, and once when it is back", async () => {
  const alice = await enrol();
  await control.check(alice, SERVICE);
  expect(changes).toEqual([]);
  zone.says = { outcome: "absent" };
  const lost = `lost ${alice.id} of alice.test`;
  for (let look = 0; look < 3; look++) {
    now += 24 * hour;
    await control.check(await account(alice.id), SERVICE);
    expect(changes).toEqual([lost]);
  }
  zone.says = own;
  for (let look = 0; look < 2; look++) {
    now += hour;
    await control.check(await account(alice.id), SERVICE);
    expect(changes).toEqual([lost, `found ${alice.id} of alice.test`]);
  }
});

describe("a check in the background", () => {
  it("is one for each account, and records what it saw", async () => {
    const alice = await enrol();
    const grant = await issue(alice);
    now += 25 * hour;
    for (let count = 0; count < 20; count++) control.checkLater(grant);
    await control.settled();
    expect(zone.asked).toEqual(["alice.test cached"]);
    expect(await checkedAt(grant)).toBe(now);
  });

  it("is made for at most 50 accounts at once", async () => {
    const looks: ((found: never) => void)[] = [];
    const held = controlOver({ look: () => new Promise((resolve) => looks.push(resolve)) });
    for (let count = 0; count < 60; count++) {
      const { id: accountId } = await enrol(`a${count}.test`);
      const { id } = await issue(await account(accountId), `${count}`.padStart(32, "0"));
      held.checkLater({ id, accountId });
    }
    await expect.poll(() => looks.length).toBe(50);
    for (const look of looks) look({ ...failing } as never);
    await held.settled();
    expect(looks).toHaveLength(50);
    held.checkLater({ id: "59".padStart(32, "0"), accountId: `account of a59.test ${acct}` });
    await expect.poll(() => looks.length).toBe(51);
    looks.at(-1)?.({ ...failing } as never);
    await held.settled();
  });

  it("reports a database that fails, and is made again at the next refresh", async () => {
    const alice = await enrol();
    const grant = await issue(alice);
    const { readGrant } = store.grants;
    store.grants.readGrant = () => Promise.reject(new UnavailableError("gone"));
    control = controlOver({ look: () => Promise.reject(new Error("looked up")) });
    control.checkLater(grant);
    await control.settled();
    store.grants.readGrant = readGrant;
    control.checkLater(grant);
    await control.settled();
    const causes = failures.map(({ path, cause }) => [path, String(cause)]);
    expect(causes).toEqual([
      ["refresh", "UnavailableError: gone"],
      ["refresh", "Error: looked up"],
    ]);
  });
});
