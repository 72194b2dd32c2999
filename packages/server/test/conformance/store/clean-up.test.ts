// What has ended is removed, in bounded steps; what may still be asked for stays.

import { expect, test } from "vitest";
import { type CleanUpTable, cleanUp } from "../../../src/store/clean-up.ts";
import type { Grant } from "../../../src/store/grant-row.ts";
import { SECURE_REMEMBERED_S } from "../../../src/store/shared-values.ts";
import { onEveryEngine } from "../../support/store-engines.ts";
import {
  cleanUpAt,
  DAY,
  issuedGrant,
  liveAccount,
  NOW,
  redeemedGrant,
  rotationOf,
  someDomain,
  someId,
  someInteraction,
  somePasskey,
  someSession,
} from "../../support/store-rows.ts";

onEveryEngine(({ store, engine }) => {
  const walk = (table: CleanUpTable, now: number) =>
    cleanUp(table, { store: store.cleanUp, time: () => cleanUpAt(now) }, async () => {});
  const stands = async ({ id }: Grant) => (await store.grants.readGrant(id)) !== null;

  test("a code that was never redeemed goes 25 hours after its issue, not before", async () => {
    const grant = await issuedGrant(store);
    await walk("grants", NOW + 89_999);
    expect(await stands(grant)).toBe(true);
    await walk("grants", NOW + 90_000);
    expect(await stands(grant)).toBe(false);
  });

  test("a revoked grant stays while an interaction could issue it again, then goes", async () => {
    const grant = await redeemedGrant(store);
    await store.grants.revokeGrant({ id: grant.id, now: NOW + 5 });
    await walk("grants", NOW + 86_400);
    expect(await stands(grant)).toBe(true);
    await walk("grants", NOW + 90_000);
    expect(await stands(grant)).toBe(false);
  });

  test("a grant goes when its refresh token and its last access token have ended, not before", async () => {
    const grant = await redeemedGrant(store);
    const end = NOW + 30 * DAY;
    const late = await store.grants.rotateRefreshToken({
      ...rotationOf(grant),
      now: end - 10,
      refreshExpiresAt: end + 10,
    });
    expect(late?.generation).toBe(2);
    await walk("grants", end + 9);
    expect(await stands(grant)).toBe(true);
    await walk("grants", end + 10);
    expect(await stands(grant)).toBe(true);
    await walk("grants", end - 10 + 3600);
    expect(await stands(grant)).toBe(false);
  });

  test("a walk ends with the step at which nothing may end any more", async () => {
    for (let count = 0; count < 3; count++)
      await store.interactions.beginInteraction(someInteraction());
    const at = { before: NOW + 400 * DAY, ran: 400 * DAY };
    const walk = (times: (typeof at | null)[]) =>
      cleanUp(
        "interactions",
        { store: store.cleanUp, time: () => times.shift() ?? null },
        async () => {},
      );
    expect(await walk([null, at])).toBe(0);
    expect(await walk([at])).toBe(3);
  });

  test("what strangers stored goes by the running time, whatever the clock says", async () => {
    const interaction = someInteraction();
    await store.interactions.beginInteraction(interaction);
    const grant = await issuedGrant(store);
    await store.evidences.keepEvidence({ grantId: grant.id, expiresAt: NOW + 1500, body: "{}" });
    const lifetime = interaction.expiresAt - interaction.createdAt;
    const lasts = { interactions: lifetime, evidence: 1500, grants: 90_000 } as const;
    const [past, future] = [NOW - 400 * DAY, NOW + 400 * DAY];
    for (const table of ["interactions", "evidence", "grants"] as const) {
      const at = (before: number, ran: number) =>
        store.cleanUp.removeEnded(table, null, { before, ran }).then(({ removed }) => removed);
      expect([table, await at(future, lasts[table] - 1)]).toEqual([table, 0]);
      expect([table, await at(past, lasts[table])]).toEqual([table, 1]);
    }
  });

  test("what was stored by a node of an earlier version goes by its end, long before the floor", async () => {
    const interaction = someInteraction();
    await store.interactions.beginInteraction(interaction);
    const grant = await issuedGrant(store);
    await store.evidences.keepEvidence({ grantId: grant.id, expiresAt: NOW + 1500, body: "{}" });
    const { expiresAt: end } = interaction;
    const ends = { interactions: end, evidence: NOW + 1500, grants: NOW + 90_000 } as const;
    for (const table of ["interactions", "evidence", "grants"] as const) {
      await engine.execute(`UPDATE ${table} SET made_ran = NULL`, []);
      const at = (before: number, ran: number) =>
        store.cleanUp.removeEnded(table, null, { before, ran }).then(({ removed }) => removed);
      expect([table, await at(ends[table] - 1, 400 * DAY)]).toEqual([table, 0]);
      expect([table, await at(ends[table], 0)]).toEqual([table, 1]);
    }
  });

  test("the note of a removed passkey goes after 400 days", async () => {
    const { id } = await liveAccount(store);
    const passkey = somePasskey(id);
    await store.passkeys.addPasskey(passkey);
    await store.passkeys.removePasskey(passkey, NOW);
    expect(await walk("removed_passkeys", NOW + 400 * DAY - 1)).toBe(0);
    expect(await store.removedPasskeys.wasRemoved(passkey.credentialId)).toBe(true);
    expect(await walk("removed_passkeys", NOW + 400 * DAY)).toBe(1);
    expect(await store.removedPasskeys.wasRemoved(passkey.credentialId)).toBe(false);
  });

  test("interactions and sessions go at their end", async () => {
    const interaction = someInteraction();
    await store.interactions.beginInteraction(interaction);
    const { id: accountId } = await liveAccount(store);
    const session = someSession(accountId);
    await store.sessions.startSession(session);

    expect(await walk("interactions", interaction.expiresAt - 1)).toBe(0);
    expect(await walk("interactions", interaction.expiresAt)).toBe(1);
    expect(await store.interactions.readInteraction(interaction.id)).toBeNull();

    // Another one, whose secret was replaced: it is kept for as long as a copy may be used.
    const [former, next] = [someSession(accountId), someSession(accountId)];
    await store.sessions.startSession(former);
    await store.sessions.startSession({ ...next, formerHash: former.secretHash });
    await store.sessions.presentSession(next.secretHash, NOW);
    const left = async () =>
      (
        await store.sessions.findSessions(
          [session, former, next].map(({ secretHash }) => secretHash),
        )
      ).map((found) => found.session.secretHash);
    const forgotten = someSession(accountId);
    await store.sessions.startSession(forgotten);
    const end = { accountId, sid: forgotten.newSid };
    await store.sessions.endSession(end, "elsewhere", NOW);
    const others = [former, session, next].map(({ secretHash }) => secretHash).sort();
    await walk("sessions", NOW + 30 * DAY - 1);
    expect(await store.sessions.findSessions([forgotten.secretHash])).toHaveLength(1);
    await walk("sessions", NOW + 30 * DAY);
    expect(await store.sessions.findSessions([forgotten.secretHash])).toEqual([]);
    await walk("sessions", NOW + 180 * DAY - 1);
    expect((await left()).sort()).toEqual(others);
    // The last secret of a browser stays, because the account knows the browser by it.
    await walk("sessions", NOW + 180 * DAY);
    expect((await left()).sort()).toEqual(others.filter((one) => one !== former.secretHash));
    await walk("sessions", NOW + 400 * DAY - 1);
    expect(await left()).toHaveLength(2);
    await walk("sessions", NOW + 400 * DAY);
    expect(await left()).toEqual([]);
  });

  test("a secret that was stored at the moment of the sign-out stays ended, whichever row goes first", async () => {
    const { id: accountId } = await liveAccount(store);
    const session = someSession(accountId);
    await store.sessions.startSession(session);
    await store.sessions.endSession(
      { accountId, sid: session.newSid },
      "elsewhere",
      NOW + 29 * DAY,
    );
    const late = someSession(accountId, { now: NOW + 29 * DAY });
    await store.sessions.startSession(late);
    const ofEnded = "UPDATE sessions SET sid = ?1 WHERE secret_hash = ?2";
    await engine.execute(ofEnded, [session.newSid, late.secretHash]);
    for (const day of [30, 31, 58, 60, 179, 180, 208]) {
      await walk("sessions", NOW + day * DAY);
      const found = await store.sessions.findSessions([late.secretHash]);
      expect(found.map(({ session: { endReason } }) => endReason)).toEqual(["elsewhere"]);
      const of = { secretHash: late.secretHash, accountId };
      expect(await store.sessions.knowsBrowser(of, NOW + day * DAY)).toEqual({ known: "no" });
    }
    await walk("sessions", NOW + 429 * DAY);
    expect(await store.sessions.findSessions([session.secretHash, late.secretHash])).toEqual([]);
  });

  test("the nonce goes 15 minutes after the code, by the running time, redeemed or not; the rest stays", async () => {
    const [young, code, redeemed] = [
      await issuedGrant(store, { nonce: "of now" }),
      await issuedGrant(store, { nonce: "of a code" }),
      await redeemedGrant(store, { nonce: "of a grant" }),
    ];
    const later = "UPDATE grants SET made_ran = made_ran + 1 WHERE id = ?1";
    await engine.execute(later, [young.id]);
    const read = async ({ id }: Grant) => (await store.grants.readGrant(id))?.grant;
    const wrongClock = { before: 0, ran: 1499 };
    await store.cleanUp.removeEnded("grants", null, wrongClock);
    expect(await read(code)).toEqual(code);
    await store.cleanUp.removeEnded("grants", null, { ...wrongClock, ran: 1500 });
    expect(await read(code)).toEqual({ ...code, nonce: null });
    expect(await read(redeemed)).toEqual({ ...redeemed, nonce: null });
    expect(await read(young)).toEqual(young);
  });

  test("an interaction gets an earlier end, never a later one", async () => {
    const { id, expiresAt } = someInteraction();
    await store.interactions.beginInteraction(someInteraction({ id }));
    for (const at of [expiresAt + 1, expiresAt - 60, expiresAt - 30]) {
      await store.interactions.expireInteraction(id, at);
    }
    expect((await store.interactions.readInteraction(id))?.expiresAt).toBe(expiresAt - 60);
    await walk("interactions", expiresAt - 60);
    expect(await store.interactions.readInteraction(id)).toBeNull();
  });

  test("attempts and evidence go at their end, a secure domain when it is forgotten", async () => {
    const name = someId();
    await store.attempts.countAttempt({ name, windowSeconds: 60, now: NOW });
    expect(await walk("attempts", NOW + 59)).toBe(0);
    expect(await walk("attempts", NOW + 60)).toBe(1);

    const grantId = someId();
    await store.evidences.keepEvidence({ grantId, expiresAt: NOW + 1500, body: "{}" });
    expect(await walk("evidence", NOW + 1499)).toBe(0);
    expect(await walk("evidence", NOW + 1500)).toBe(1);

    const domain = someDomain();
    await store.secureDomains.noteSecure(domain, NOW);
    expect(await walk("secure_domains", NOW + SECURE_REMEMBERED_S - 1)).toBe(0);
    expect(await walk("secure_domains", NOW + SECURE_REMEMBERED_S)).toBe(1);
    expect(await store.secureDomains.findSecureDomain(domain)).toBeNull();
  });

  test("an entry of the history goes after the days that are set, 90 by default", async () => {
    const { id: accountId } = await liveAccount(store);
    const entry = { id: someId(), accountId, at: NOW, kind: "new_browser", detail: {} } as const;
    const isKept = async () =>
      (await store.histories.historyOf(accountId, { since: 0, limit: 1 })).length === 1;
    await store.histories.recordHistory([entry]);
    await walk("history", NOW + 90 * DAY - 1);
    expect(await isKept()).toBe(true);
    await walk("history", NOW + 90 * DAY);
    expect(await isKept()).toBe(false);

    await store.histories.recordHistory([entry]);
    const kept = { historyDays: 7 };
    await store.cleanUp.removeEnded("history", null, cleanUpAt(NOW + 7 * DAY - 1), kept);
    expect(await isKept()).toBe(true);
    await store.cleanUp.removeEnded("history", null, cleanUpAt(NOW + 7 * DAY), kept);
    expect(await isKept()).toBe(false);
  });

  test("a step leaves the rows up to where the last one ended, also along a key of two columns", async () => {
    const run = someId();
    const issuer = (index: number) => `https://sp-${String(index).padStart(6, "0")}.${run}.example`;
    // All before those of other tests.
    const key = (index: number): [string, string] => [issuer(index), "registered"];
    for (let from = 0; from < 2100; from += 100) {
      const rows = Array.from({ length: 100 }, (_, index) => from + index);
      const values = rows
        .map((_, at) => `(?${at + 1}, 'registered', 'id', '{}', ${NOW})`)
        .join(", ");
      await engine.execute(
        `INSERT INTO sp_clients (issuer, source, client_id, settings, made_at) VALUES ${values}`,
        rows.map(issuer),
      );
    }
    const later = NOW + 31 * DAY;
    expect(await store.cleanUp.removeEnded("sp_clients", key(99), cleanUpAt(later))).toEqual({
      next: key(2099),
      removed: 500,
    });
    const left = await engine.execute(
      "SELECT issuer FROM sp_clients WHERE issuer LIKE ?1 ORDER BY issuer",
      [`%.${run}.example`],
    );
    expect(left.map((row) => row.issuer)).toEqual(
      Array.from({ length: 2100 }, (_, at) => issuer(at)).filter((_, at) => at < 100 || at >= 600),
    );
  });

  test("a walk of 4,500 rows takes three steps of 2,000, of which each removes 500, and walks miss none", async () => {
    const prefix = someId();
    const row = (index: number) =>
      someInteraction({ id: `${prefix}${String(index).padStart(6, "0")}` });
    for (let from = 0; from < 4500; from += 500) {
      const rows = Array.from({ length: 500 }, (_, index) => row(from + index));
      await Promise.all(rows.map((one) => store.interactions.beginInteraction(one)));
    }
    const steps: number[] = [];
    for (let walks = 0; walks < 6; walks++) {
      let after: readonly string[] | null = null;
      do {
        const step = await store.cleanUp.removeEnded(
          "interactions",
          after,
          cleanUpAt(NOW + 8 * DAY),
        );
        steps.push(step.removed);
        after = step.next;
      } while (after !== null);
    }
    expect(steps.slice(0, 3)).toEqual([500, 500, 500]);
    expect(Math.max(...steps)).toBe(500);
    expect(steps.reduce((sum, removed) => sum + removed)).toBe(4500);
  });
});
