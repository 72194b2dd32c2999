// How the mark of a database moves, and what is refused because of it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { gate } from "../../test/support/held-statements.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { liveAccount, NOW, redeemedGrant, someClient } from "../../test/support/store-rows.ts";
import { clockFrom } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { systemRandom } from "../lib/random.ts";
import type { Store } from "../store/store.ts";
import { readMark, writeMark } from "./mark.ts";
import { acceptDatabase, type MarkConfig, markedByCommand, markedStore } from "./mark-keeper.ts";

const FILE = "sqlite:/nowhere/domain-signin.db";
const SERVER = "postgres://db.example.com/domain_signin";
const clock = clockFrom(() => NOW * 1000);

const folder = mkdtempSync(join(tmpdir(), "domain-signin-mark-"));
afterAll(() => rmSync(folder, { recursive: true }));

const store = fixture(openMemoryStore, "test");
let path: string;
let failures: string[];
beforeEach(() => {
  path = join(mkdtempSync(join(folder, "of-")), "domain-signin.mark");
  failures = [];
});

const events = { markNotWritten: ({ cause }: { cause: unknown }) => failures.push(String(cause)) };
const marked = (config: Partial<MarkConfig> = {}, own: Store = store) =>
  markedStore(
    { database: FILE, mark: path, ...config },
    { store: own, clock, random: systemRandom, events },
  );
const counter = async () => (await store.installation.readInstallation())?.counter;

async function started(...options: Parameters<typeof marked>) {
  const own = marked(...options);
  await own.start();
  return own.store;
}

/** As a copy from before is: the counter goes back. */
const goBack = (to: number) => store.engine.execute("UPDATE installation SET counter = ?1", [to]);

/** As after the first start, which makes the keys. */
const withKeys = () =>
  store.keys.addKey({ purpose: "es256", id: 1, sealed: "s", currentFrom: 0, madeAt: NOW });

test("each start, and each change that an older copy would undo, moves the counter and then the file", async () => {
  const own = await started();
  expect(await counter()).toBe(1);
  expect(readMark(path)).toMatchObject({ counter: 1, at: NOW });
  const grant = await redeemedGrant(store);
  const before = await counter();
  expect(await own.grants.revokeGrant({ id: grant.id, now: NOW })).toBe(true);
  expect(readMark(path)?.counter).toBe((before ?? 0) + 1);
  expect(await own.grants.revokeGrant({ id: grant.id, now: NOW })).toBe(false);
  expect(await counter()).toBe((before ?? 0) + 1);
  await started();
  expect(readMark(path)?.counter).toBe((before ?? 0) + 2);
  const { id: clientId } = await addClient();
  await own.registrations.rotateClientSecret(clientId, {
    from: "old",
    to: "new",
    formerExpiresAt: NOW,
  });
  expect(readMark(path)?.counter).toBe((before ?? 0) + 3);
});

async function addClient() {
  const client = someClient({ secretHash: "old" });
  await store.registrations.addClient(client);
  return client;
}

test("the mark holds what was ended", async () => {
  const own = await started();
  await store.keys.endKeyAgain({ purpose: "es256", keyId: 1, madeAt: 5, endedAt: 6 });
  await store.registrations.endSecretAgain({ clientId: "c", secretHash: "h", endedAt: 7 });
  await own.sessions.endSessionsOf("nobody", { reason: "operator", now: NOW });
  expect(readMark(path)).toMatchObject({
    endedKeys: [{ purpose: "es256", keyId: 1, madeAt: 5, endedAt: 6 }],
    endedSecrets: [{ clientId: "c", secretHash: "h", endedAt: 7 }],
  });
});

test("100 changes at once share writes, and each is answered after one that began later than it", async () => {
  const own = await started();
  const grants = await Promise.all(Array.from({ length: 100 }, () => redeemedGrant(store)));
  const before = (await counter()) ?? 0;
  await Promise.all(
    grants.map(async ({ id }) => {
      await own.grants.revokeGrant({ id, now: NOW });
      const isRevoked = (await store.grants.readGrant(id))?.grant.revokedAt === NOW;
      expect(isRevoked && (readMark(path)?.counter ?? 0) > before).toBe(true);
    }),
  );
  expect(((await counter()) ?? 0) - before).toBeLessThanOrEqual(4);
  expect(readMark(path)?.counter).toBe(await counter());
});

test("a change waits for a write that began after it, not for the one in progress", async () => {
  const [reached, released] = [gate(), gate()];
  let isHolding = false;
  const keys = {
    ...store.keys,
    endedKeys: async () => {
      if (isHolding) {
        isHolding = false;
        reached.open();
        await released.opened;
      }
      return store.keys.endedKeys();
    },
  };
  const own = marked({}, { ...store, keys });
  await own.start();
  const [first, second] = [await redeemedGrant(store), await redeemedGrant(store)];
  const answered: string[] = [];
  isHolding = true;
  const one = own.store.grants
    .revokeGrant({ id: first.id, now: NOW })
    .then(() => answered.push("first"));
  await reached.opened;
  const revoking = own.store.grants.revokeGrant({ id: second.id, now: NOW });
  const two = revoking.then(() => answered.push("second"));
  const during = await counter();
  released.open();
  await Promise.all([one, two]);
  expect(answered).toEqual(["first", "second"]);
  expect(await counter()).toBe((during ?? 0) + 1);
});

test("a file that cannot be written is an event, and the change stands and is answered", async () => {
  const own = await started();
  rmSync(path);
  mkdirSync(path);
  const grant = await redeemedGrant(store);
  expect(await own.grants.revokeGrant({ id: grant.id, now: NOW })).toBe(true);
  expect(failures).toEqual([expect.stringContaining(`the mark file ${path} cannot be read`)]);
});

test("a folder that cannot be written does not start the counter, so that the next start is served", async () => {
  path = join(folder, "absent", "domain-signin.mark");
  await started();
  expect(await counter()).toBe(0);
  expect(failures).toHaveLength(1);
  await withKeys();
  await started();
});

test("a kill between the commit and the file leaves a database that is served", async () => {
  await started();
  await withKeys();
  await store.installation.moveCounter();
  await store.installation.moveCounter();
  await started();
  expect(readMark(path)?.counter).toBe(await counter());
});

test("a kill before the counter was started leaves a database that is served", async () => {
  const { databaseId } = await store.installation.claimInstallation("an id");
  await withKeys();
  await writeMark(path, { databaseId, counter: 0, at: NOW, endedKeys: [], endedSecrets: [] });
  await started();
  expect(readMark(path)?.counter).toBe(1);
});

test("a database of a version without marks starts", async () => {
  await withKeys();
  await started();
  expect(readMark(path)?.counter).toBe(1);
});

test("a database behind its mark is refused, until it is accepted", async () => {
  await started();
  await withKeys();
  await goBack(1);
  await started();
  await started();
  await goBack(1);
  await expect(started()).rejects.toThrow(
    /is older than its mark file .*: its counter is 1, and that of the mark is 3\.[\s\S]*domain-signin restored[\s\S]*domain-signin mark accept/,
  );
  expect(readMark(path)?.counter).toBe(3);
  await acceptDatabase(path, { store, clock, random: systemRandom });
  await started();
  expect(await counter()).toBe(5);
});

test("a database from before it had an id is refused where there is a mark", async () => {
  await started();
  await withKeys();
  await store.engine.execute("DELETE FROM installation", []);
  await expect(started()).rejects.toThrow(
    /was last used by a version without mark files\..*\nIf the mark file is that of another database, set mark to a file of its own\./s,
  );
});

test("a database whose counter moved is refused without its mark, until it is accepted", async () => {
  await started();
  await withKeys();
  rmSync(path);
  await expect(started()).rejects.toThrow(`had a mark file, but there is none at ${path}.`);
  await acceptDatabase(path, { store, clock, random: systemRandom });
  await started();
});

test("a mark of another database is refused, and the message names both", async () => {
  await started();
  await withKeys();
  const own = await store.installation.readInstallation();
  await store.engine.execute("UPDATE installation SET database_id = 'another'", []);
  await expect(started()).rejects.toThrow(
    new RegExp(`/nowhere/domain-signin.db is another, and the mark belongs to ${own?.databaseId}`),
  );
  expect(readMark(path)?.databaseId).toBe(own?.databaseId);
});

test("a damaged mark is refused and left as it is, until the database is accepted", async () => {
  await started();
  await withKeys();
  writeFileSync(path, '{"v":1,"data');
  await expect(started()).rejects.toThrow("is damaged or cut short");
  await acceptDatabase(path, { store, clock, random: systemRandom });
  await started();
});

test("an empty database is refused where the mark says that there was one, unless it is new", async () => {
  await started();
  const former = readMark(path)?.databaseId;
  const empty = await openMemoryStore();
  await expect(started({}, empty)).rejects.toThrow(`says that there was one (${former}).`);
  await started({ newDatabase: true }, empty);
  expect(readMark(path)).toMatchObject({ counter: 1 });
  expect(readMark(path)?.databaseId).not.toBe(former);
});

test("the option for a new database does not keep one that is not empty from being compared", async () => {
  await started();
  await withKeys();
  await started();
  await goBack(1);
  await expect(started({ newDatabase: true })).rejects.toThrow(OperatorError);
});

test("PostgreSQL is served behind its mark, which is kept for the restore", async () => {
  await started({ database: SERVER });
  await withKeys();
  await started({ database: SERVER });
  await goBack(1);
  const own = marked({ database: SERVER });
  await own.start();
  await own.move();
  const { id } = await liveAccount(own.store);
  await own.store.accountAdmin.endAccountNow({ accountId: id, now: NOW });
  expect(readMark(path)?.counter).toBe(2);
  expect(failures).toEqual([expect.stringContaining("is older than its mark file")]);
});

test("another node of PostgreSQL, which has no mark yet, makes its own", async () => {
  await started({ database: SERVER });
  path = join(mkdtempSync(join(folder, "node-")), "domain-signin.mark");
  await started({ database: SERVER });
  expect(readMark(path)?.counter).toBe(await counter());
});

test("without a mark, and for a database in memory, nothing is compared and nothing is written", async () => {
  await started({ mark: undefined });
  await started({ database: "sqlite::memory:" });
  expect(await store.installation.readInstallation()).toBeNull();
  expect(readMark(path)).toBeNull();
});

test("a command moves the mark that is there, and otherwise only the counter that the service started", async () => {
  const byCommand = () => markedByCommand({ database: FILE, mark: path }, { store, clock });
  const revoke = async () => {
    const grant = await redeemedGrant(store);
    return byCommand().grants.revokeGrant({ id: grant.id, now: NOW });
  };
  await revoke();
  expect(readMark(path)).toBeNull();
  await started();
  await revoke();
  expect(readMark(path)?.counter).toBe(2);
  rmSync(path);
  await revoke();
  expect(readMark(path)).toBeNull();
  expect(await counter()).toBe(3);
});

test("a command changes nothing in a database behind its mark, which it would hide", async () => {
  await started();
  await started();
  await goBack(1);
  const grant = await redeemedGrant(store);
  const byCommand = markedByCommand({ database: FILE, mark: path }, { store, clock });
  await expect(byCommand.grants.revokeGrant({ id: grant.id, now: NOW })).rejects.toThrow(
    OperatorError,
  );
  expect((await store.grants.readGrant(grant.id))?.grant.revokedAt).toBeNull();
  expect(await counter()).toBe(1);
});
