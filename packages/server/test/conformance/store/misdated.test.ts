// A time more than five minutes in the future was stored by a wrong clock. In every condition it counts as never.

import { expect, test } from "vitest";
import { onEveryEngine } from "../../support/store-engines.ts";
import {
  DAY,
  issuedGrant,
  liveAccount,
  NOW,
  redeemedGrant,
  redemptionOf,
  rotationOf,
  someDomain,
  someId,
  someSession,
} from "../../support/store-rows.ts";

const AHEAD = 40 * DAY;

onEveryEngine(({ store }) => {
  test("a refresh token whose lookup has a future time is not rotated until there is another lookup", async () => {
    const grant = await redeemedGrant(store);
    const of = { grantId: grant.id, now: NOW + AHEAD };
    await store.grants.recordControl({ ...of, checkedAt: NOW + AHEAD });
    expect(await store.grants.rotateRefreshToken(rotationOf(grant))).toBeNull();
    await store.grants.recordControl({ ...of, checkedAt: NOW, now: NOW });
    expect(await store.grants.rotateRefreshToken(rotationOf(grant))).toMatchObject({
      generation: 2,
    });
  });

  test("a lookup five minutes ahead counts, because clocks may differ by that much", async () => {
    const grant = await redeemedGrant(store);
    const { now } = rotationOf(grant);
    await store.grants.recordControl({ grantId: grant.id, checkedAt: now + 300, now });
    expect(await store.grants.rotateRefreshToken(rotationOf(grant))).toMatchObject({
      generation: 2,
    });
  });

  test("a code that was issued in the future is not redeemed", async () => {
    const times = { createdAt: NOW + AHEAD, codeExpiresAt: NOW + AHEAD + 600 };
    const grant = await issuedGrant(store, times);
    expect(await store.grants.redeemCode({ ...redemptionOf(grant), now: NOW })).toBeNull();
    const then = { ...redemptionOf(grant), now: NOW + AHEAD };
    expect(await store.grants.redeemCode(then)).toMatchObject({ generation: 1 });
  });

  test("a window of attempts that was begun in the future is over", async () => {
    const attempt = { name: someId(), windowSeconds: 900 };
    const count = async (now: number) =>
      (await store.attempts.countAttempt({ ...attempt, now })).count;
    expect([await count(NOW + AHEAD), await count(NOW + AHEAD)]).toEqual([1, 2]);
    expect([await count(NOW), await count(NOW + 899), await count(NOW + 900)]).toEqual([1, 2, 1]);
  });

  test("a session whose last use is in the future is not continued by an authentication", async () => {
    const { id: accountId } = await liveAccount(store);
    const session = someSession(accountId);
    const { sid } = await store.sessions.startSession(session);
    const next = () => ({ ...someSession(accountId), formerHash: session.secretHash });
    expect((await store.sessions.startSession(next())).sid).toBe(sid);
    await store.sessions.touchSession(session.secretHash, NOW + AHEAD);
    expect((await store.sessions.startSession(next())).sid).not.toBe(sid);
    await store.sessions.touchSession(session.secretHash, NOW + 10);
    expect((await store.sessions.startSession(next())).sid).toBe(sid);
  });

  test("a secret whose replacement has a future time counts as replaced", async () => {
    const { id: accountId } = await liveAccount(store);
    const session = someSession(accountId);
    await store.sessions.startSession(session);
    const next = { ...someSession(accountId), formerHash: session.secretHash };
    await store.sessions.startSession(next);
    const of = { secretHash: session.secretHash, accountId };
    expect(await store.sessions.knowsBrowser(of, NOW)).toEqual({ known: "yes" });
    await store.sessions.presentSession(next.secretHash, NOW + AHEAD);
    expect(await store.sessions.knowsBrowser(of, NOW)).toMatchObject({ known: "replaced" });
    const stale = { ...someSession(accountId), formerHash: session.secretHash };
    expect((await store.sessions.startSession(stale)).isNewBrowser).toBe(true);
  });

  test("an account that fell asleep in the future falls asleep now, and a day later its loss is confirmed", async () => {
    const { id } = await liveAccount(store);
    expect(await store.accounts.putToSleep(id, NOW + AHEAD)).toBe("asleep");
    expect(await store.accounts.putToSleep(id, NOW + 10)).toBe("asleep");
    expect((await store.accounts.readAccount(id))?.asleepSince).toBe(NOW + 10);
    expect(await store.accounts.putToSleep(id, NOW + DAY)).toBe("unchanged");
    // Not while the clock may be an hour ahead.
    expect(await store.accounts.putToSleep(id, NOW + DAY + 10, 3600)).toBe("unchanged");
    expect(await store.accounts.putToSleep(id, NOW + DAY + 10)).toBe("confirmed");
  });

  test("a domain that was signed in the future also needs two lookups, and a signed answer updates its time", async () => {
    const domain = someDomain();
    await store.secureDomains.noteSecure(domain, NOW + AHEAD);
    await store.secureDomains.noteUnsigned(domain, NOW);
    expect(await store.secureDomains.findSecureDomain(domain)).toMatchObject({ unsignedAt: NOW });
    await store.secureDomains.noteSecure(domain, NOW + 5);
    expect(await store.secureDomains.findSecureDomain(domain)).toEqual({
      ...{ domain, secureAt: NOW + 5, unsignedAt: null },
    });
  });

  test("a notification that was postponed into the future is due", async () => {
    const { id: accountId } = await liveAccount(store);
    const session = someSession(accountId);
    const { sid } = await store.sessions.startSession(session);
    const clientId = someId();
    await store.logouts.noteSessionClient({ sid, clientId, host: "app.example" });
    await store.sessions.endSession({ sid, accountId }, "signed_out", NOW);
    const due = async () =>
      (await store.logouts.dueLogouts(NOW + 1, { each: 5, all: 100 })).find(
        (one) => one.sid === sid,
      );
    const first = await due();
    if (first === undefined) throw new Error("nothing is due");
    const claimed = await store.logouts.claimLogout(first, { now: NOW + 1, until: NOW + AHEAD });
    expect(claimed).toMatchObject({ attempt: 1 });
    const second = await due();
    expect(second).toMatchObject({ sid, claims: 1 });
    if (second === undefined) return;
    const again = await store.logouts.claimLogout(second, { now: NOW + 1, until: NOW + 60 });
    expect(again).toMatchObject({ attempt: 2 });
    expect(await due()).toBeUndefined();
  });
});
