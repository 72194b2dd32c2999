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
    await store.recordControl({ ...of, checkedAt: NOW + AHEAD });
    expect(await store.rotateRefreshToken(rotationOf(grant))).toBeNull();
    await store.recordControl({ ...of, checkedAt: NOW, now: NOW });
    expect(await store.rotateRefreshToken(rotationOf(grant))).toMatchObject({ generation: 2 });
  });

  test("a lookup five minutes ahead counts, because clocks may differ by that much", async () => {
    const grant = await redeemedGrant(store);
    const { now } = rotationOf(grant);
    await store.recordControl({ grantId: grant.id, checkedAt: now + 300, now });
    expect(await store.rotateRefreshToken(rotationOf(grant))).toMatchObject({ generation: 2 });
  });

  test("a code that was issued in the future is not redeemed", async () => {
    const times = { createdAt: NOW + AHEAD, codeExpiresAt: NOW + AHEAD + 600 };
    const grant = await issuedGrant(store, times);
    expect(await store.redeemCode({ ...redemptionOf(grant), now: NOW })).toBeNull();
    const then = { ...redemptionOf(grant), now: NOW + AHEAD };
    expect(await store.redeemCode(then)).toMatchObject({ generation: 1 });
  });

  test("a window of attempts that was begun in the future is over", async () => {
    const attempt = { name: someId(), windowSeconds: 900 };
    const count = async (now: number) => (await store.countAttempt({ ...attempt, now })).count;
    expect([await count(NOW + AHEAD), await count(NOW + AHEAD)]).toEqual([1, 2]);
    expect([await count(NOW), await count(NOW + 899), await count(NOW + 900)]).toEqual([1, 2, 1]);
  });

  test("a session whose last use is in the future is not continued by an authentication", async () => {
    const { id: accountId } = await liveAccount(store);
    const session = someSession(accountId);
    const { sid } = await store.startSession(session);
    const next = () => ({ ...someSession(accountId), formerHash: session.secretHash });
    expect((await store.startSession(next())).sid).toBe(sid);
    await store.touchSession(session.secretHash, NOW + AHEAD);
    expect((await store.startSession(next())).sid).not.toBe(sid);
    await store.touchSession(session.secretHash, NOW + 10);
    expect((await store.startSession(next())).sid).toBe(sid);
  });

  test("a secret whose replacement has a future time counts as replaced", async () => {
    const { id: accountId } = await liveAccount(store);
    const session = someSession(accountId);
    await store.startSession(session);
    const next = { ...someSession(accountId), formerHash: session.secretHash };
    await store.startSession(next);
    const of = { secretHash: session.secretHash, accountId };
    expect(await store.knowsBrowser(of, NOW)).toEqual({ known: "yes" });
    await store.presentSession(next.secretHash, NOW + AHEAD);
    expect(await store.knowsBrowser(of, NOW)).toMatchObject({ known: "replaced" });
    const stale = { ...someSession(accountId), formerHash: session.secretHash };
    expect((await store.startSession(stale)).isNewBrowser).toBe(true);
  });

  test("an account that fell asleep in the future falls asleep now, and a day later its loss is confirmed", async () => {
    const { id } = await liveAccount(store);
    expect(await store.putToSleep(id, NOW + AHEAD)).toBe("asleep");
    expect(await store.putToSleep(id, NOW + 10)).toBe("asleep");
    expect((await store.readAccount(id))?.asleepSince).toBe(NOW + 10);
    expect(await store.putToSleep(id, NOW + DAY)).toBe("unchanged");
    // Not while the clock may be an hour ahead.
    expect(await store.putToSleep(id, NOW + DAY + 10, 3600)).toBe("unchanged");
    expect(await store.putToSleep(id, NOW + DAY + 10)).toBe("confirmed");
  });

  test("a domain that was signed in the future also needs two lookups, and a signed answer updates its time", async () => {
    const domain = someDomain();
    await store.noteSecure(domain, NOW + AHEAD);
    await store.noteUnsigned(domain, NOW);
    expect(await store.findSecureDomain(domain)).toMatchObject({ unsignedAt: NOW });
    await store.noteSecure(domain, NOW + 5);
    expect(await store.findSecureDomain(domain)).toEqual({
      ...{ domain, secureAt: NOW + 5, unsignedAt: null },
    });
  });

  test("a notification that was postponed into the future is due", async () => {
    const { id: accountId } = await liveAccount(store);
    const session = someSession(accountId);
    const { sid } = await store.startSession(session);
    const clientId = someId();
    await store.noteSessionClient({ sid, clientId, host: "app.example" });
    await store.endSession({ sid, accountId }, "signed_out", NOW);
    const due = async () =>
      (await store.dueLogouts(NOW + 1, { each: 5, all: 100 })).find((one) => one.sid === sid);
    const first = await due();
    if (first === undefined) throw new Error("nothing is due");
    const claimed = await store.claimLogout(first, { now: NOW + 1, until: NOW + AHEAD });
    expect(claimed).toMatchObject({ attempt: 1 });
    const second = await due();
    expect(second).toMatchObject({ sid, claims: 1 });
    if (second === undefined) return;
    const again = await store.claimLogout(second, { now: NOW + 1, until: NOW + 60 });
    expect(again).toMatchObject({ attempt: 2 });
    expect(await due()).toBeUndefined();
  });
});
