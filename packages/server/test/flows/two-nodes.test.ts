// Two nodes on one database: what one has seen in DNS must not undo what the other has seen since.

import { startZone } from "domain-signin-demo/zones/zone";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Control, createControl } from "../../src/account/control.ts";
import { migrate } from "../../src/database/migrations.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { createLooks } from "../../src/dns/looks.ts";
import type { SpRecords } from "../../src/dns/sp-record.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { SERVICE } from "../../src/lib/fair-queue.ts";
import type { Account } from "../../src/store/accounts.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { jsonEvents } from "../../src/telemetry/events.ts";
import { fixture } from "../support/fixture.ts";
import { temporaryFolder } from "../support/folder.ts";
import { LOOK_NOW } from "../support/looks-for.ts";
import { replaceRecord } from "../support/sign-in.ts";

const ISSUER = "https://auth.example.org";
const [SELLER, BUYER] = ["s".repeat(22), "b".repeat(22)];
const folder = temporaryFolder("test");
const zone = fixture(() => startZone({ origins: ["alice.test"] }), "test");
let stores: Store[];
beforeEach(async () => {
  const engines = [1, 2].map(() => openSqlite(folder.file("nodes.db")));
  for (const engine of engines) await migrate(engine);
  stores = engines.map((engine) => createStore(engine));
});
afterEach(async () => {
  for (const store of stores) await store.close();
});

/** A node of its own: it has its own memory of what DNS said. */
function node(index: 0 | 1): { store: Store; spRecords: SpRecords; control: Control } {
  const store = stores[index];
  if (store === undefined) throw new Error("no such node");
  const minAssurance = "single";
  const { spRecords } = createLooks(
    { issuer: ISSUER, dnsServers: [zone.address], minAssurance, trustAnchors: [] },
    { clock: systemClock, store },
  );
  const parts = { ...store, spRecords, minAssurance, clock: systemClock } as const;
  const events = jsonEvents({ write: () => {} });
  return { store, spRecords, control: createControl({ ...parts, events }) };
}

function publish(acct: string): void {
  replaceRecord(zone, "_domain-signin.alice.test", `v=dsi1 sp=${ISSUER} acct=${acct}`);
}

async function enrol(store: Store, acct: string, now = systemClock.seconds()): Promise<Account> {
  const accountId = `account of ${acct}`;
  const enrolment = { domain: "alice.test", acct, accountId, finishHash: "finish" };
  const enrolled = await store.enrolments.enrol({ enrolment, recoveryCodeHashes: [acct], now });
  if (typeof enrolled === "string") throw new Error("conflict");
  return enrolled.account;
}

const asItStands = async (store: Store, { id }: Account) => {
  const account = await store.accounts.readAccount(id);
  if (account === null) throw new Error("no such account");
  return account;
};

test("a node that remembers an absence does not put a new account to sleep", async () => {
  const [one, two] = [node(0), node(1)];
  expect((await two.spRecords.look("alice.test", LOOK_NOW)).outcome).toBe("absent");
  publish(BUYER);
  const account = await enrol(one.store, BUYER);
  expect((await two.control.check(account, SERVICE)).control).toBe("held");
  expect((await asItStands(one.store, account)).asleepSince).toBeNull();
});

test("a node that remembers the seller's record does not wake the seller when the buyer has come", async () => {
  const [one, two] = [node(0), node(1)];
  publish(SELLER);
  const seller = await enrol(one.store, SELLER, systemClock.seconds() - 1);
  expect((await two.control.check(seller, SERVICE)).control).toBe("held");
  publish(BUYER);
  const buyer = await enrol(one.store, BUYER);
  const slept = await asItStands(two.store, seller);
  expect(slept.asleepSince).not.toBeNull();
  expect((await two.control.check(slept, SERVICE)).control).toBe("lost");
  expect((await asItStands(one.store, buyer)).asleepSince).toBeNull();
});
