// What has ended is removed, in bounded steps; what may still be asked for stays.

import { expect, test } from "vitest";
import { clockFrom } from "../../../src/lib/clock.ts";
import { type CleanUpTable, cleanUp } from "../../../src/store/clean-up.ts";
import type { Grant } from "../../../src/store/grants.ts";
import { SECURE_REMEMBERED_S } from "../../../src/store/shared-values.ts";
import { onEveryEngine } from "../../support/store-engines.ts";
import {
  DAY,
  issuedGrant,
  liveAccount,
  NOW,
  redeemedGrant,
  rotationOf,
  someDomain,
  someEnrolment,
  someId,
  someInteraction,
  someSession,
} from "../../support/store-rows.ts";

onEveryEngine((database) => {
  const walk = (table: CleanUpTable, now: number) =>
    cleanUp(table, { store: database.store, clock: clockFrom(() => now * 1000) }, async () => {});
  const stands = async ({ id }: Grant) => (await database.store.readGrant(id)) !== null;

  test("a code that was never redeemed goes two hours after its issue, not before", async () => {
    const grant = await issuedGrant(database.store);
    await walk("grants", NOW + 7199);
    expect(await stands(grant)).toBe(true);
    await walk("grants", NOW + 7200);
    expect(await stands(grant)).toBe(false);
  });

  test("a revoked grant stays while an interaction could issue it again, then goes", async () => {
    const grant = await redeemedGrant(database.store);
    await database.store.revokeGrant({ id: grant.id, now: NOW + 5 });
    await walk("grants", NOW + 3600);
    expect(await stands(grant)).toBe(true);
    await walk("grants", NOW + 7200);
    expect(await stands(grant)).toBe(false);
  });

  test("a grant goes when its refresh token and its last access token have ended, not before", async () => {
    const { store } = database;
    const grant = await redeemedGrant(store);
    const end = NOW + 30 * DAY;
    const late = await store.rotateRefreshToken({
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

  test("interactions, sessions and enrolments go at their end", async () => {
    const { store } = database;
    const interaction = someInteraction();
    await store.beginInteraction(interaction);
    const { id: accountId } = await liveAccount(store);
    const session = someSession(accountId);
    await store.startSession(session);
    const enrolment = await store.beginEnrolment(someEnrolment(), NOW);

    expect(await walk("interactions", interaction.expiresAt + 7 * DAY - 1)).toBe(0);
    expect(await walk("interactions", interaction.expiresAt + 7 * DAY)).toBe(1);
    expect(await store.readInteraction(interaction.id)).toBeNull();

    await walk("sessions", NOW + 14 * DAY - 1);
    expect(await store.findSession(session.idHash, NOW)).not.toBeNull();
    await walk("sessions", NOW + 14 * DAY);
    expect(await store.findSession(session.idHash, NOW)).toBeNull();

    const { domain, deviceHash } = enrolment;
    await walk("enrolments", enrolment.expiresAt - 1);
    expect(await store.findEnrolment(domain, deviceHash, NOW)).toEqual(enrolment);
    await walk("enrolments", enrolment.expiresAt);
    expect(await store.findEnrolment(domain, deviceHash, NOW)).toBeNull();
  });

  test("attempts and evidence go at their end, a secure domain when it is forgotten", async () => {
    const { store } = database;
    const name = someId();
    await store.countAttempt({ name, windowSeconds: 60, now: NOW });
    expect(await walk("attempts", NOW + 59)).toBe(0);
    expect(await walk("attempts", NOW + 60)).toBe(1);

    const grantId = someId();
    await store.keepEvidence({ grantId, expiresAt: NOW + 60, body: "{}" });
    expect(await walk("evidence", NOW + 59)).toBe(0);
    expect(await walk("evidence", NOW + 60)).toBe(1);

    const domain = someDomain();
    await store.noteSecure(domain, NOW);
    expect(await walk("secure_domains", NOW + SECURE_REMEMBERED_S - 1)).toBe(0);
    expect(await walk("secure_domains", NOW + SECURE_REMEMBERED_S)).toBe(1);
    expect(await store.findSecureDomain(domain)).toBeNull();
  });

  test("an entry of the history goes after the days that are set, 90 by default", async () => {
    const { store } = database;
    const { id: accountId } = await liveAccount(store);
    const entry = { id: someId(), accountId, at: NOW, kind: "new_browser", detail: {} } as const;
    const isKept = async () =>
      (await store.historyOf(accountId, { since: 0, limit: 1 })).length === 1;
    await store.recordHistory([entry]);
    await walk("history", NOW + 90 * DAY - 1);
    expect(await isKept()).toBe(true);
    await walk("history", NOW + 90 * DAY);
    expect(await isKept()).toBe(false);

    await store.recordHistory([entry]);
    const kept = { historyDays: 7 };
    await store.removeEnded("history", null, NOW + 7 * DAY - 1, kept);
    expect(await isKept()).toBe(true);
    await store.removeEnded("history", null, NOW + 7 * DAY, kept);
    expect(await isKept()).toBe(false);
  });

  test("a step leaves the rows up to where the last one ended, also along a key of two columns", async () => {
    const { store } = database;
    const domain = someDomain();
    const hash = (index: number) => String(index).padStart(6, "0");
    for (let from = 0; from < 2100; from += 500) {
      const indexes = Array.from(
        { length: Math.min(500, 2100 - from) },
        (_, index) => from + index,
      );
      const make = (index: number) =>
        store.beginEnrolment(someEnrolment({ domain, deviceHash: hash(index) }), NOW);
      await Promise.all(indexes.map(make));
    }
    const later = NOW + 2 * DAY;
    expect(await store.removeEnded("enrolments", [domain, hash(99)], later)).toEqual({
      next: [domain, hash(2099)],
      removed: 2000,
    });
    expect(await store.findEnrolment(domain, hash(99), NOW)).not.toBeNull();
    expect(await store.findEnrolment(domain, hash(100), NOW)).toBeNull();
    const last = await store.removeEnded("enrolments", [domain, hash(2099)], later);
    expect(last).toEqual({ next: null, removed: 0 });
    expect(await store.removeEnded("enrolments", null, later)).toEqual({
      next: null,
      removed: 100,
    });
  });

  test("a walk of 4,500 rows takes three steps of at most 2,000 and misses none", async () => {
    const { store } = database;
    const prefix = someId();
    const row = (index: number) =>
      someInteraction({ id: `${prefix}${String(index).padStart(6, "0")}` });
    for (let from = 0; from < 4500; from += 500) {
      const rows = Array.from({ length: 500 }, (_, index) => row(from + index));
      await Promise.all(rows.map((one) => store.beginInteraction(one)));
    }
    const steps: number[] = [];
    let after: readonly string[] | null = null;
    do {
      const step = await store.removeEnded("interactions", after, NOW + 8 * DAY);
      steps.push(step.removed);
      after = step.next;
    } while (after !== null);
    expect(steps).toEqual([2000, 2000, 500]);
  });
});
