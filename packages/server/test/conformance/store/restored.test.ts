// What every engine promises about a database that was restored from a backup.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Mark, readMark, writeMark } from "../../../src/backup/mark.ts";
import { finishRestore } from "../../../src/backup/restored.ts";
import {
  challengeFor,
  decided,
  passkeyOf,
  passkeyUnconfirmed,
  statementOffered,
} from "../../../src/interaction/progress.ts";
import { createKeyChanges } from "../../../src/keys/key-changes.ts";
import { sealWith } from "../../../src/keys/seal.ts";
import { openKeys } from "../../../src/keys/stored-keys.ts";
import { clockFrom } from "../../../src/lib/clock.ts";
import { OperatorError } from "../../../src/lib/errors.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { ENDED_SECRET_HASH } from "../../../src/store/clients.ts";
import { changeProgress } from "../../support/progress.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  authenticatedProgress,
  begunInteraction,
  DAY,
  dueRow,
  issuedGrant,
  liveAccount,
  NOW,
  recordSignIn,
  redeemedGrant,
  redemptionOf,
  rotationOf,
  someClient,
  someId,
  somePasskey,
  someSession,
} from "../../support/store-rows.ts";

const folder = mkdtempSync(join(tmpdir(), "domain-signin-mark-"));
afterAll(() => rmSync(folder, { recursive: true }));

const RESTORED = NOW + 1000;
const seal = sealWith("a secret of this test, for nothing else", systemRandom);
const some = { random: systemRandom, clock: clockFrom(() => RESTORED * 1000) };

onEveryEngine(({ store, stores, engine }) => {
  const restore = (more: Partial<Parameters<typeof finishRestore>[0]> = {}) =>
    finishRestore({ store: store, ...some, seal, markPath: null, ...more });

  /** A mark file of this database, with these changes. */
  async function marked(changes: Partial<Mark> = {}): Promise<string> {
    const { databaseId, counter } = await store.installation.claimInstallation(someId());
    const path = join(folder, someId());
    const mark = { databaseId, counter, at: NOW, endedKeys: [], endedSecrets: [], ...changes };
    await writeMark(path, mark);
    return path;
  }

  const newKey = (id: number, currentFrom: number, madeAt = NOW) =>
    createKeyChanges({ ...store, seal, random: systemRandom }).add({
      purpose: "grant-token",
      id,
      currentFrom,
      madeAt,
    });
  const keyIds = async (purpose = "grant-token") =>
    (await store.keys.readKeys()).filter((key) => key.purpose === purpose).map(({ id }) => id);

  test("no code, no refresh token, no session and no consent of a backup is valid again", async () => {
    const account = await liveAccount(store);
    const code = await issuedGrant(store, { accountId: account.id });
    const token = await redeemedGrant(store, { accountId: account.id });
    const session = someSession(account.id);
    const { sid } = await store.sessions.startSession(session);
    const consent = { accountId: account.id, clientId: someId() };
    await store.consents.rememberConsent({ ...consent, scopes: ["openid"], now: NOW });
    const { ended, restoredAt } = await restore();
    expect(restoredAt).toBe(RESTORED);
    expect(ended.grants).toBeGreaterThanOrEqual(2);
    expect(await store.grants.redeemCode(redemptionOf(code))).toBeNull();
    expect(await store.grants.rotateRefreshToken(rotationOf(token))).toBeNull();
    expect(await store.sessions.isWithoutSession(sid)).toBe(true);
    expect(await store.consents.readConsent(consent.accountId, consent.clientId)).toEqual(
      new Set(),
    );
    const known = await store.sessions.knowsBrowser(
      { secretHash: session.secretHash, accountId: account.id },
      RESTORED,
    );
    expect(known).toEqual({ known: "yes" });
  });

  test("no sign-in in progress goes on, whether its owner was authenticated or not", async () => {
    const { id: accountId } = await liveAccount(store);
    const proof = { accountId, authTime: NOW, amr: "pop", controlCheckedAt: NOW, sid: someId() };
    const open = await begunInteraction(store, { expiresAt: RESTORED + DAY });
    const authenticated = await begunInteraction(store, {
      ...{ expiresAt: RESTORED + DAY, progress: authenticatedProgress(proof) },
    });
    const ofFastClock = await begunInteraction(store, {
      ...{ createdAt: NOW + DAY, expiresAt: NOW + 2 * DAY },
    });
    await restore();
    expect(await recordSignIn(store, open, proof, RESTORED)).toBeNull();
    expect(await recordSignIn(store, ofFastClock, proof, RESTORED)).toBeNull();
    const { id } = authenticated;
    expect(await changeProgress(store, id, decided("allow"), RESTORED)).toBeNull();
    const allowed = { ...authenticated.progress, decision: "allow" } as const;
    expect(await store.interactions.advance(authenticated, allowed, { now: RESTORED })).toBeNull();
    const basis = { interactionId: authenticated.id, sid: proof.sid, accountId, clientId: "" };
    expect((await store.grants.readBasis(basis)).interactionEnded).toBe(true);
  });

  test("every account is due for a check, whatever its last check found, and none is nearer to its end", async () => {
    const live = await liveAccount(store);
    const walked = { now: RESTORED - 1, dueAt: RESTORED + 6 * DAY };
    await store.accountWalk.noteWalked(await dueRow(engine, live), walked);
    const asleep = await liveAccount(store);
    await store.accounts.putToSleep(asleep.id, NOW - 60 * DAY + 2 * DAY);
    await store.accounts.putToSleep(asleep.id, NOW - 1);
    await restore();
    expect(await store.accounts.readAccount(live.id)).toEqual({ ...live, walkedAt: 0 });
    expect(await store.accounts.readAccount(asleep.id)).toMatchObject({
      walkedAt: 0,
      asleepSince: RESTORED,
      lostConfirmedAt: null,
    });
    for (const account of [live, asleep])
      expect(await dueRow(engine, account)).toMatchObject({ walkDueAt: 0 });
    expect(await store.accounts.putToSleep(live.id, RESTORED)).toBe("asleep");
  });

  test("a passkey of the backup is unconfirmed, and of 20 callers one confirms it", async () => {
    const { id } = await liveAccount(store);
    const [passkey, later] = [somePasskey(id), somePasskey(id, { createdAt: RESTORED + 1 })];
    await store.passkeys.addPasskey(passkey);
    await restore();
    await store.passkeys.addPasskey(later);
    const use = { counter: 1, backedUp: 0, now: RESTORED + 5 } as const;
    expect(await store.passkeys.findPasskey(passkey.credentialId)).toMatchObject({
      unconfirmed: 1,
    });
    expect(await store.passkeys.findPasskey(later.credentialId)).toMatchObject({ unconfirmed: 0 });
    expect(await store.passkeys.usePasskey(passkey, use)).toBe("refused");
    expect(await store.passkeys.usePasskey(later, use)).toBe("used");
    const ofOther = { ...passkey, accountId: someId() };
    expect(await store.passkeys.confirmPasskey(ofOther, RESTORED)).toBe(false);
    // Also by a clock that is behind.
    const confirmed = await race(stores, 20, (node) =>
      node.passkeys.confirmPasskey(passkey, RESTORED - 100),
    );
    expect(confirmed.filter(Boolean)).toHaveLength(1);
    expect(await store.passkeys.findPasskey(passkey.credentialId)).toMatchObject({
      unconfirmed: 0,
    });
    expect(await store.passkeys.usePasskey(passkey, use)).toBe("used");
    await restore({ clock: clockFrom(() => (RESTORED + 500) * 1000) });
    expect(await store.passkeys.findPasskey(passkey.credentialId)).toMatchObject({
      unconfirmed: 1,
    });
    expect(await store.passkeys.findPasskey(later.credentialId)).toMatchObject({ unconfirmed: 1 });
  });

  test("of 20 callers with one statement, one continues with a challenge that confirms the passkey", async () => {
    const { id, progress } = await begunInteraction(store, { progress: passkeyOf(someId()) });
    const ceremony = { statement: "signed", expiresAt: NOW + 300 };
    await changeProgress(store, id, statementOffered(null, ceremony), NOW);
    const by = { challenge: "c", credentialId: "which" };
    const expiresAt = NOW + DAY;
    const switchBy = (node: typeof store, statement = "signed", now = NOW + 1) => {
      const unconfirmed = passkeyUnconfirmed(statement, by, { now, expiresAt });
      return changeProgress(node, id, unconfirmed, now, { expiresAt });
    };
    expect(await switchBy(store, "another")).toBeNull();
    expect(await switchBy(store, "signed", NOW + 300)).toBeNull();
    const switched = await race(stores, 20, (node) => switchBy(node));
    const [won] = switched.filter((one) => one !== null);
    expect(switched.filter((one) => one !== null)).toHaveLength(1);
    expect(won).toMatchObject({
      ...{ id, expiresAt },
      progress: {
        ...challengeFor(progress.acct, "c"),
        unconfirmed: { credentialId: "which", expiresAt },
      },
    });
  });

  test("a restore of more rows than one step ends all of them, and a second run finds none", async () => {
    await engine.execute(
      `INSERT INTO grants (id, client_id, account_id, redirect_uri, scope, auth_time, amr, created_at,
         code_expires_at, generation, expires_at, control_checked_at)
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 4100)
       SELECT 'many ' || n, 'c', 'a', 'r', 's', 1, 'dns', 1, 1, 0, 1, 1 FROM numbers`,
      [],
    );
    expect((await restore()).ended.grants).toBeGreaterThanOrEqual(4100);
    const again = await restore();
    expect(again.ended).toMatchObject({ grants: 0, sessions: 0, interactions: 0, consents: 0 });
  });

  test("a restore that was interrupted at any statement is completed by the next one", async () => {
    const path = await marked({ endedKeys: [] });
    const { revived, installation, keys } = store;
    const kill = () => Promise.reject(new Error("killed"));
    const killed = {
      endRevived: { revived: { ...revived, endRevived: kill } },
      recordRestore: { installation: { ...installation, recordRestore: kill } },
      endedKeys: { keys: { ...keys, endedKeys: kill } },
    };
    for (const [name, aggregate] of Object.entries(killed)) {
      const grant = await redeemedGrant(store);
      const { restoredAt } = (await store.installation.readInstallation()) ?? {};
      const interrupted = restore({ store: { ...store, ...aggregate }, markPath: path });
      await expect(interrupted).rejects.toThrow("killed");
      if (name !== "endedKeys") {
        expect((await store.installation.readInstallation())?.restoredAt).toBe(restoredAt);
      }
      await restore({ markPath: path });
      expect(await store.grants.rotateRefreshToken(rotationOf(grant))).toBeNull();
      expect(readMark(path)?.counter).toBe((await store.installation.readInstallation())?.counter);
    }
  });

  test("a key that was ended after the backup is ended again, and a new one is current", async () => {
    await newKey(1, 0);
    await newKey(2, NOW);
    const endedKeys = [{ purpose: "grant-token", keyId: 2, madeAt: NOW, endedAt: NOW + 5 }];
    const path = await marked({ endedKeys });
    await expect(restore({ markPath: path, seal: null })).rejects.toThrow(OperatorError);
    const wrong = sealWith("a secret of somebody else altogether", systemRandom);
    await expect(restore({ markPath: path, seal: wrong })).rejects.toThrow(OperatorError);
    expect(await keyIds()).toEqual([1, 2]);
    expect((await restore({ markPath: path })).endedKeys).toBe(1);
    expect(await keyIds()).toEqual([1, 3]);
    const made = openKeys(await store.keys.readKeys(), seal).find(({ id }) => id === 3);
    expect(made).toMatchObject({ currentFrom: NOW, madeAt: RESTORED });
    expect(readMark(path)?.endedKeys).toEqual(endedKeys);
    expect((await restore({ markPath: path })).endedKeys).toBe(0);
    expect(await keyIds()).toEqual([1, 3]);
  });

  test("a key with the same number that was made at another time is not ended", async () => {
    await newKey(200, 0, NOW + 7);
    const endedKeys = [{ purpose: "grant-token", keyId: 200, madeAt: NOW, endedAt: NOW + 5 }];
    const path = await marked({ endedKeys });
    expect((await restore({ markPath: path })).endedKeys).toBe(0);
    expect(await keyIds()).toContain(200);
  });

  test("an ended secret authenticates nobody again, and its client stays confidential", async () => {
    const [current, former, other] = ["current", "former", "other"].map((secretHash) =>
      someClient({ secretHash }),
    );
    if (!current || !former || !other) throw new Error("three clients");
    for (const client of [current, former, other]) await store.registrations.addClient(client);
    const change = { from: "former", to: "newer", formerExpiresAt: RESTORED + DAY };
    await store.registrations.rotateClientSecret(former.id, change);
    const endedSecrets = [
      { clientId: current.id, secretHash: "current", endedAt: NOW },
      { clientId: former.id, secretHash: "former", endedAt: NOW },
      { clientId: other.id, secretHash: "a secret that it does not have", endedAt: NOW },
    ];
    const path = await marked({ endedSecrets });
    expect((await restore({ markPath: path })).endedSecrets).toBe(2);
    expect((await store.registrations.findClient(current.id))?.secretHash).toBe(ENDED_SECRET_HASH);
    expect(await store.registrations.findClient(former.id)).toMatchObject({
      secretHash: "newer",
      formerSecretHash: null,
    });
    expect(await store.registrations.findClient(other.id)).toEqual(other);
    // Compared with hashes in constant time, so it has their length.
    expect(ENDED_SECRET_HASH).toHaveLength(43);
    expect(ENDED_SECRET_HASH).not.toMatch(/^[\w-]*$/);
  });

  test("what cannot be determined is reported: no mark, that of another database, or an older one", async () => {
    expect((await restore()).undetermined).toEqual(["no_mark"]);
    const absent = join(folder, someId());
    expect((await restore({ markPath: absent })).undetermined).toEqual(["no_mark"]);
    const secret = { clientId: someId(), secretHash: "a", endedAt: NOW };
    await store.registrations.addClient(someClient({ id: secret.clientId, secretHash: "a" }));
    const foreign = { databaseId: "another", endedSecrets: [secret] };
    const other = await marked(foreign);
    expect((await restore({ markPath: other })).undetermined).toEqual(["other_mark"]);
    expect((await store.registrations.findClient(secret.clientId))?.secretHash).toBe("a");
    const older = await marked({ counter: 0 });
    expect((await restore({ markPath: older })).undetermined).toEqual(["old_mark"]);
    const newer = await marked({ counter: 5000 });
    const { undetermined, databaseId } = await restore({ markPath: newer });
    expect(undetermined).toEqual([]);
    expect(readMark(newer)).toMatchObject({ databaseId, counter: 5001, at: RESTORED });
  });

  test("a mark that cannot be used is refused before anything is changed", async () => {
    const path = await marked();
    const before = await store.installation.readInstallation();
    await expect(restore({ markPath: folder })).rejects.toThrow(OperatorError);
    expect(await store.installation.readInstallation()).toEqual(before);
    expect(readMark(path)).not.toBeNull();
  });
});
