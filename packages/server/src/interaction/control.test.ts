// Tests of the control check, on a real store, with fake lookup results.

import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import type { Assurance } from "../dns/assurance.ts";
import type { SpRecordLook, SpRecordOutcome, SpRecords } from "../dns/sp-record.ts";
import { clockFrom } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import type { Account } from "../store/accounts.ts";
import type { SqlEngine } from "../store/engine.ts";
import type { Grant } from "../store/grants.ts";
import { migrate } from "../store/migrations.ts";
import { openSqlite } from "../store/sqlite.ts";
import { aggregatesOf, createStore, type Store } from "../store/store.ts";
import { type Control, createControl } from "./control.ts";

const start = 1_700_000_000;
const hour = 3600;
const acct = "m3Zk0bq2vS1nF9o7b0uHqg";
const own: SpRecordOutcome = { outcome: "own", acct, jkt: [] };
const failing: SpRecordOutcome = { outcome: "unavailable", reason: "timeout" };
const bogus: SpRecordOutcome = {
  outcome: "bogus",
  cause: "validation_failed",
  reason: "Signature Expired",
};

let engine: SqlEngine;
let store: Store;
let control: Control;
let now: number;
/** The fake DNS: the record, the age of the result, and the lookups that were made. */
let zone: { says: SpRecordOutcome; age: number; asked: string[] };

beforeEach(async () => {
  engine = openSqlite(":memory:");
  await migrate(engine);
  store = createStore(engine);
  now = start;
  zone = { says: own, age: 0, asked: [] };
  control = controlOver({
    async look(domain, freshness): Promise<SpRecordLook> {
      zone.asked.push(`${domain} ${freshness}`);
      const name = `_domain-signin.${domain}`;
      return {
        name,
        assurance: "single",
        checkedAt: now - zone.age,
        records: [],
        resolvers: 1,
        proof: null,
        inception: null,
        ...zone.says,
      };
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
});

function controlOver(
  spRecords: Pick<SpRecords, "look">,
  minAssurance: Assurance = "single",
): Control {
  const clock = clockFrom(() => now * 1000);
  return createControl({ ...aggregatesOf(store), spRecords, minAssurance, clock });
}

async function enrol(domain = "alice.test", ofAcct = acct): Promise<Account> {
  const id = `account of ${domain} ${ofAcct}`;
  const enrolment = {
    ...{ domain, deviceHash: "device", acct: ofAcct, accountId: id },
    ...{ recoverySalt: "salt", expiresAt: start + 100 },
  };
  const account = await store.enrol({ enrolment, recoveryCodeHashes: ["hash"], now: start });
  if (account === "conflict") throw new Error("conflict");
  return account;
}

async function account(id: string): Promise<Account> {
  const found = await store.readAccount(id);
  if (found === null) throw new Error("no such account");
  return found;
}

/** A grant whose last successful check was at the start. */
async function issue({ id: accountId }: Account): Promise<Grant> {
  return store.issueGrant({
    ...{ id: "0".repeat(32), clientId: "app", accountId, redirectUri: "https://app.example.org/" },
    ...{ scope: "openid", codeChallenge: null, nonce: null, authTime: start, amr: "dns" },
    ...{ createdAt: start, codeExpiresAt: start + 600, expiresAt: start + 365 * 24 * hour },
    controlCheckedAt: start,
  });
}

async function checkedAt(grant: Grant): Promise<number | undefined> {
  return (await store.readGrant(grant.id))?.grant.controlCheckedAt;
}

describe("a look at the zone", () => {
  it("that finds issuer and acct of the account: it is held", async () => {
    const alice = await enrol();
    expect((await control.check(alice)).control).toBe("held");
    expect((await account(alice.id)).asleepSince).toBeNull();
  });

  test.each<[string, SpRecordOutcome]>([
    ["nothing", { outcome: "absent" }],
    ["sp=none", { outcome: "disabled" }],
    ["another acct", { outcome: "own", acct: "A".repeat(22), jkt: [] }],
    ["another case of the acct", { outcome: "own", acct: acct.toUpperCase(), jkt: [] }],
    ["the acct at another sp", { outcome: "external", sp: "https://sp.example", acct, jkt: [] }],
    ["an invalid record", { outcome: "invalid" }],
    ["two records", { outcome: "ambiguous" }],
    ["a newer record", { outcome: "unsupported" }],
    ["an alias", { outcome: "alias_invalid", target: "web.example" }],
  ])("that finds %s: control is lost, and the account sleeps", async (_, says) => {
    const alice = await enrol();
    zone.says = says;
    now += 5;
    expect((await control.check(alice)).control).toBe("lost");
    expect((await account(alice.id)).asleepSince).toBe(start + 5);
    now += 5;
    expect((await control.check(await account(alice.id))).control).toBe("lost");
    expect((await account(alice.id)).asleepSince).toBe(start + 5);
  });

  it("that finds the account's record again wakes it, and puts its successor to sleep", async () => {
    const alice = await enrol();
    zone.says = { outcome: "absent" };
    await control.check(alice);
    const other = await enrol("alice.test", "B".repeat(22));
    zone.says = own;
    now += 60;
    expect((await control.check(await account(alice.id))).control).toBe("held");
    expect((await account(alice.id)).asleepSince).toBeNull();
    expect((await account(other.id)).asleepSince).toBe(now);
  });

  test.each([failing, bogus])(
    "that fails ($outcome) changes nothing: a failure is no absence",
    async (says) => {
      const alice = await enrol();
      zone.says = says;
      expect((await control.check(alice)).control).toBe("unknown");
      expect(await account(alice.id)).toEqual(alice);
      zone.says = { outcome: "absent" };
      now += 300;
      await control.check(alice);
      const asleep = await account(alice.id);
      zone.says = says;
      now += 300;
      expect((await control.check(asleep)).control).toBe("unknown");
      expect(await account(alice.id)).toEqual(asleep);
    },
  );

  it("does not wake an account that has ended", async () => {
    const alice = await enrol();
    await engine.execute("UPDATE accounts SET asleep_since = ?1, ended_at = ?1", [start]);
    const ended = await account(alice.id);
    expect((await control.check(ended)).control).not.toBe("held");
    expect(await account(alice.id)).toEqual(ended);
  });
});

describe("a failing zone", () => {
  it("is not asked again by a refresh for 300 seconds, and then it is", async () => {
    const alice = await enrol();
    const grant = await issue(alice);
    zone.says = failing;
    expect(await control.confirm(alice, grant)).toBe(start);
    zone.says = own;
    now += 299;
    expect(await control.confirm(alice, grant)).toBe(start);
    expect(zone.asked).toHaveLength(1);
    now += 1;
    expect(await control.confirm(alice, grant)).toBe(now);
    expect(zone.asked).toEqual(Array.from({ length: 2 }, () => "alice.test cached"));
  });

  it("is asked again at once by a person who waits", async () => {
    const alice = await enrol();
    zone.says = failing;
    expect((await control.check(alice)).control).toBe("unknown");
    zone.says = own;
    expect((await control.check(alice)).control).toBe("held");
  });

  it("is nobody else's failure", async () => {
    const [alice, bob] = [await enrol(), await enrol("bob.test")];
    zone.says = failing;
    await control.check(alice);
    zone.says = own;
    expect((await control.check(bob)).control).toBe("held");
  });
});

describe("a refresh whose last look is too old", () => {
  it("goes on with a fresh look, which the grant remembers", async () => {
    const alice = await enrol();
    const grant = await issue(alice);
    now += 25 * hour;
    expect(await control.confirm(alice, grant)).toBe(now);
    expect(await checkedAt(grant)).toBe(now);
  });

  it("counts a remembered look from when DNS was asked, not from now", async () => {
    const alice = await enrol();
    const grant = await issue(alice);
    now += 25 * hour;
    zone.age = 200;
    expect(await control.confirm(alice, grant)).toBe(now - 200);
    expect(await checkedAt(grant)).toBe(now - 200);
  });

  it("ends there when the zone names somebody else, and revokes nothing", async () => {
    const alice = await enrol();
    const grant = await issue(alice);
    zone.says = { outcome: "absent" };
    now += 25 * hour;
    expect(await control.confirm(alice, grant)).toBeNull();
    const found = await store.readGrant(grant.id);
    expect(found?.grant.revokedAt).toBeNull();
    expect(found?.account.asleepSince).toBe(now);
    expect(await checkedAt(grant)).toBe(start);
  });

  it("wakes the account when the record is back", async () => {
    const alice = await enrol();
    const grant = await issue(alice);
    await store.putToSleep(alice.id, start + 1);
    now += 25 * hour;
    expect(await control.confirm(await account(alice.id), grant)).toBe(now);
    expect((await account(alice.id)).asleepSince).toBeNull();
  });

  test.each([failing, bogus])(
    "goes on for 72 hours while DNS is failing ($outcome), then waits",
    async (says) => {
      const alice = await enrol();
      const grant = await issue(alice);
      zone.says = says;
      now += 25 * hour;
      expect(await control.confirm(alice, grant)).toBe(start);
      now = start + 72 * hour - 1;
      expect(await control.confirm(alice, grant)).toBe(start);
      now = start + 72 * hour + 1;
      await expect(control.confirm(alice, grant)).rejects.toThrow(UnavailableError);
      expect(await checkedAt(grant)).toBe(start);
      expect((await account(alice.id)).asleepSince).toBeNull();
    },
  );

  it("has no such grace for an account that was asleep before", async () => {
    const alice = await enrol();
    const grant = await issue(alice);
    await store.putToSleep(alice.id, start + 1);
    zone.says = failing;
    now += hour;
    const outcome = control.confirm(await account(alice.id), grant);
    expect([null, "UnavailableError"]).toContain(await outcome.catch((error: Error) => error.name));
  });

  it("does not wait longer than two seconds for a zone that does not answer", async () => {
    const alice = await enrol();
    const grant = await issue(alice);
    now += 25 * hour;
    const silent = () => new Promise<never>(() => {});
    const waiting = controlOver({ look: silent });
    vi.useFakeTimers();
    const answer = Promise.race([
      waiting.confirm(alice, grant),
      new Promise((resolve) => setTimeout(resolve, 2500, "still waiting")),
    ]);
    await vi.advanceTimersByTimeAsync(2500);
    expect(await answer).toBe(start);
  });
});
