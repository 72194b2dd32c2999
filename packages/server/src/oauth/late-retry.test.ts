// Tests of retries that come late: who may have an answer again, for how long, and what remains a theft.

import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import {
  makeOAuthWorld,
  type Presentation,
  REDIRECT_URI,
  requestTo,
} from "../../test/support/oauth-world.ts";
import { someDelivery } from "../../test/support/some-delivery.ts";
import type { Client } from "../clients/client.ts";
import { ContendedError, UnavailableError } from "../lib/errors.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import { createDeliveries } from "./delivery.ts";
import { challengeOf } from "./pkce.ts";

const VERIFIER = "a-code-verifier-of-this-very-browser-session";
const HOUR = 3600;
const DAY = 24 * HOUR;

const world = fixture(makeOAuthWorld);
const client = fixture(async () => (await world.addClient({ scope: "openid profile" })).client);
beforeEach(() => void world.reported.splice(0));

type Sent = Partial<Presentation>;
const refresh = (token: string, how: Sent = {}) =>
  world.refresh(token, { by: client, isProven: false, ...how });
const redeem = (code: string, how: Sent = {}, code_verifier = VERIFIER) =>
  world.redeem(code, { by: client, isProven: false, sent: { code_verifier }, ...how });

async function issued() {
  const account = await world.addAccount();
  const codeChallenge = challengeOf(VERIFIER);
  const id = await world.issueGrant(client, account, { codeChallenge, nonce: "a nonce" });
  await world.keepEvidence(id, account, { nonce: "a nonce" });
  return { id, code: world.codeOf(id), account };
}

/** A grant whose first refresh token was given out. */
async function redeemed() {
  const given = await issued();
  const { refresh_token } = await redeem(given.code);
  return { ...given, token: refresh_token };
}

/** Says that the request with this attempt did not get its answer. */
async function markRefresh(id: string, generation: number, attempt: string): Promise<void> {
  const presented = { id, generation, clientId: client.client_id, attempt, now: world.now };
  world.store.grants.markUndelivered({
    presented: { ...presented, refreshExpiresAt: world.now, controlCheckedAfter: 0 },
    ...{ isBegun: true, isUnknown: false, changedSince: null },
  });
  await world.store.grants.marksWritten();
}

async function markCode({ id }: { id: string }, attempt: string): Promise<void> {
  const codeChallenge = challengeOf(VERIFIER);
  const presented = { id, clientId: client.client_id, redirectUri: REDIRECT_URI, codeChallenge };
  world.store.grants.markUndelivered({
    presented: { ...presented, attempt, refreshExpiresAt: world.now, now: world.now },
    ...{ isBegun: true, isUnknown: false, changedSince: null },
  });
  await world.store.grants.marksWritten();
}

function partsWith(confirm: () => Promise<boolean>) {
  return { ...world.parts, control: { ...world.parts.control, confirm } };
}
const dnsIsSilent = () => Promise.reject(new UnavailableError("DNS does not answer"));

/** The reason in the log. */
async function reasonOf(refused: Promise<unknown>): Promise<unknown> {
  return refused.then(
    () => "answered",
    (error: { detail?: unknown }) => error.detail ?? error,
  );
}

describe("a client that authenticates", () => {
  test("gets the same successor for as long as nobody has used it, and the retry extends nothing", async () => {
    const { id, token } = await redeemed();
    const first = await refresh(token, { isProven: true });
    const before = await world.grant(id);
    for (const later of [36, 9 * 60, 23 * HOUR]) {
      world.now += later;
      const again = await refresh(token, { isProven: true });
      expect(again.refresh_token).toBe(first.refresh_token);
    }
    expect(await world.grant(id)).toEqual(before);
    expect(world.reported.map(({ event }) => event)).toEqual(Array(3).fill("retriedLate"));
    await refresh(first.refresh_token, { isProven: true });
    expect(await reasonOf(refresh(token, { isProven: true }))).toBe("already used");
    expect(await world.revokedAt(id)).toBe(world.now);
  });

  test("is refused after the idle end, which a retry does not move", async () => {
    const { id, token } = await redeemed();
    await refresh(token, { isProven: true });
    const { refreshExpiresAt } = (await world.grant(id)) ?? {};
    world.now = Number(refreshExpiresAt);
    expect(await reasonOf(refresh(token, { isProven: true }))).toBe("expired");
    expect(await world.revokedAt(id)).toBeNull();
  });

  test("waits for DNS as a rotation does, once the last look is 72 hours old", async () => {
    const { id, token } = await redeemed();
    await refresh(token, { isProven: true });
    world.now += 3 * DAY;
    const parts = partsWith(dnsIsSilent);
    await expect(refresh(token, { isProven: true, parts })).rejects.toThrow("DNS does not answer");
    const confirm = async () => {
      await world.store.grants.recordControl({ grantId: id, checkedAt: world.now, now: world.now });
      return true;
    };
    const again = await refresh(token, { isProven: true, parts: partsWith(confirm) });
    expect(again.token_type).toBe("bearer");
    expect((await world.grant(id))?.generation).toBe(2);
  });

  test("of another network is shown to the owner", async () => {
    const { token } = await redeemed();
    await refresh(token, { isProven: true });
    world.now += HOUR;
    const delivery = someDelivery({ isFromElsewhere: () => true });
    await refresh(token, { isProven: true, delivery });
    expect(world.reported.map(({ event }) => event)).toEqual(["retriedLate", "retriedElsewhere"]);
  });
});

describe("a public client", () => {
  test("whose refresh was answered is taken for a thief after 30 seconds", async () => {
    const { id, token } = await redeemed();
    await refresh(token);
    world.now += 31;
    expect(await reasonOf(refresh(token))).toBe("already used");
    expect(await world.revokedAt(id)).toBe(world.now);
  });

  test.each([36, 9 * 60, 23 * HOUR])(
    "that did not get its answer gets it once, %s seconds later",
    async (later) => {
      const { id, token } = await redeemed();
      const delivery = someDelivery();
      const lost = await refresh(token, { delivery });
      const before = await world.grant(id);
      await markRefresh(id, 1, delivery.attempt);
      world.now += later;
      expect((await refresh(token)).refresh_token).toBe(lost.refresh_token);
      const { rotatedAt, refreshExpiresAt } = before ?? {};
      expect(await world.grant(id)).toMatchObject({ rotatedAt, refreshExpiresAt });
      // The ordinary window begins with that delivery.
      world.now += 30;
      expect((await refresh(token)).refresh_token).toBe(lost.refresh_token);
      world.now += 1;
      expect(await reasonOf(refresh(token))).toBe("already used");
      expect(await world.revokedAt(id)).toBe(world.now);
    },
  );

  test("that did not get its answer passes every other condition of a refresh", async () => {
    const { id, token } = await redeemed();
    const delivery = someDelivery();
    await refresh(token, { delivery });
    await markRefresh(id, 1, delivery.attempt);
    const { refreshExpiresAt } = (await world.grant(id)) ?? {};
    const now = world.now;
    world.now = Number(refreshExpiresAt);
    expect(await reasonOf(refresh(token))).toBe("expired");
    world.now = now + 3 * DAY;
    const silent = refresh(token, { parts: partsWith(dnsIsSilent) });
    await expect(silent).rejects.toThrow("DNS does not answer");
    world.now = now + DAY;
    expect((await refresh(token)).token_type).toBe("bearer");
  });

  test("whose mark is not written yet gets 503, and keeps the grant", async () => {
    const { id, token } = await redeemed();
    await refresh(token);
    world.now += 60;
    const grants = { ...world.store.grants, hasUnwrittenMark: () => true };
    const parts = { ...world.parts, grants };
    await expect(refresh(token, { parts })).rejects.toThrow(UnavailableError);
    expect(await world.revokedAt(id)).toBeNull();
  });

  test("whose mark is written between the rotation and the verdict keeps the grant", async () => {
    const { id, token } = await redeemed();
    const delivery = someDelivery();
    const lost = await refresh(token, { delivery });
    world.now += 60;
    let reads = 0;
    const readGrant: typeof world.store.grants.readGrant = async (of) => {
      const found = await world.store.grants.readGrant(of);
      if (reads++ === 0) await markRefresh(id, 1, delivery.attempt);
      return found;
    };
    const parts = { ...world.parts, grants: { ...world.store.grants, readGrant } };
    expect((await refresh(token, { parts })).refresh_token).toBe(lost.refresh_token);
    expect(await world.revokedAt(id)).toBeNull();
  });
});

describe("a code", () => {
  test("whose answer was not delivered gets the same answer once, within its ten minutes", async () => {
    const given = await issued();
    const delivery = someDelivery();
    const lost = await redeem(given.code, { delivery });
    await markCode(given, delivery.attempt);
    world.now += 9 * 60;
    const again = await redeem(given.code);
    expect(again.refresh_token).toBe(lost.refresh_token);
    const claims = decodeJwt(again.id_token ?? "");
    expect(claims).toMatchObject({ nonce: "a nonce", domain: given.account.domain });
    expect(again.validation_data).toMatchObject({ domain: given.account.domain });
    expect(world.reported).toMatchObject([{ event: "retriedLate", fields: { token: "code" } }]);
    expect(await reasonOf(redeem(given.code))).toBe("already redeemed, and answered once more");
    world.now += HOUR;
    expect(await reasonOf(redeem(given.code))).toBe("already redeemed, and answered once more");
    expect(await world.revokedAt(given.id)).toBeNull();
    expect((await refresh(again.refresh_token)).token_type).toBe("bearer");
  });

  test.each(["its first", "its second"])(
    "whose mark is not written yet after %s answer gets 503, and can be sent again",
    async (which) => {
      const given = await issued();
      let delivery = someDelivery();
      const lost = await redeem(given.code, { delivery });
      if (which === "its second") {
        await markCode(given, delivery.attempt);
        delivery = someDelivery();
        await redeem(given.code, { delivery });
      }
      // The mark is written once the grant has been read.
      let isOwed = true;
      const grants: typeof world.store.grants = {
        ...world.store.grants,
        hasUnwrittenMark: () => isOwed,
        async readGrant(of) {
          const found = await world.store.grants.readGrant(of);
          if (isOwed) await markCode(given, delivery.attempt);
          isOwed = false;
          return found;
        },
      };
      const parts = { ...world.parts, grants };
      world.now += 1;
      await expect(redeem(given.code, { parts })).rejects.toThrow(UnavailableError);
      expect((await redeem(given.code, { parts })).refresh_token).toBe(lost.refresh_token);
    },
  );

  test("whose mark another node writes between the redemption and the verdict keeps the grant", async () => {
    const given = await issued();
    const delivery = someDelivery();
    const lost = await redeem(given.code, { delivery });
    world.now += 60;
    let reads = 0;
    const readGrant: typeof world.store.grants.readGrant = async (of) => {
      const found = await world.store.grants.readGrant(of);
      if (reads++ === 0) await markCode(given, delivery.attempt);
      return found;
    };
    const grants = { ...world.store.grants, hasUnwrittenMark: () => false, readGrant };
    const again = await redeem(given.code, { parts: { ...world.parts, grants } });
    expect(again.refresh_token).toBe(lost.refresh_token);
    expect(await world.revokedAt(given.id)).toBeNull();
  });

  test("whose answer was not delivered is refused after its end, and nothing is revoked", async () => {
    const given = await issued();
    const delivery = someDelivery();
    await redeem(given.code, { delivery });
    await markCode(given, delivery.attempt);
    world.now += 600;
    expect(await reasonOf(redeem(given.code))).toBe("expired");
    expect(await world.revokedAt(given.id)).toBeNull();
  });

  test("whose answer was not delivered is given to nobody without the verifier", async () => {
    const given = await issued();
    const delivery = someDelivery();
    await redeem(given.code, { delivery });
    await markCode(given, delivery.attempt);
    const thief = redeem(given.code, {}, "x".repeat(43));
    expect(await reasonOf(thief)).toBe("code_verifier does not match");
    expect((await redeem(given.code)).token_type).toBe("bearer");
  });

  test("whose refresh token was used is a replay, although its answer was marked", async () => {
    const given = await issued();
    const delivery = someDelivery();
    const { refresh_token } = await redeem(given.code, { delivery });
    await markCode(given, delivery.attempt);
    await refresh(refresh_token);
    expect(await reasonOf(redeem(given.code))).toBe("already redeemed");
    expect(await world.revokedAt(given.id)).toBe(world.now);
  });
});

test("a mark counts for the generation, the client and the change that it names alone", async () => {
  const { id, token } = await redeemed();
  const delivery = someDelivery();
  await refresh(token, { delivery });
  await markRefresh(id, 2, delivery.attempt);
  await markRefresh(id, 1, "another attempt");
  expect((await world.grant(id))?.undelivered).toBeNull();
  await world.store.grants.revokeGrant({ id, now: world.now });
  await markRefresh(id, 1, delivery.attempt);
  expect((await world.grant(id))?.undelivered).toBeNull();
});

const deliveryTo = (as: Client) => {
  const http = { ...requestTo("/oauth/token"), clientAddress: "203.0.113.9" };
  return createDeliveries(world.parts)({ client: as, isProven: false, from: SERVICE }, http);
};

describe("a thief who has the token of a public client", () => {
  test("gains no mark by many requests for its grant on a healthy machine", async () => {
    const { id, token } = await redeemed();
    await refresh(token);
    const other = (await world.addClient()).client;
    const present = async (as: Client) => {
      const delivery = deliveryTo(as);
      return await refresh(token, { by: as, delivery }).then(
        () => "answered",
        (error: unknown) => {
          delivery.failed(error);
          return error instanceof ContendedError ? "contended" : "refused";
        },
      );
    };
    // As another client, because what it asks for changes nothing and takes no mark.
    const flood = Array.from({ length: 300 }, () => present(other));
    expect(await present(client)).toBe("contended");
    await Promise.all(flood);
    await world.store.grants.marksWritten();
    expect(await world.grant(id)).toMatchObject({ generation: 2, undelivered: null });
  });
});

test.each(["code", "refresh token"])(
  "a %s that is sent while a mark is owed is owed no further mark: a thief could send it for ever",
  async (presented) => {
    const given = await redeemed();
    await refresh(given.token);
    world.now += 60;
    let isOwed = true;
    const grants = { ...world.store.grants, hasUnwrittenMark: () => isOwed };
    const parts = { ...world.parts, grants };
    async function present() {
      const delivery = deliveryTo(client);
      const how = { delivery, parts };
      const sent = presented === "code" ? redeem(given.code, how) : refresh(given.token, how);
      return await sent.catch((error: unknown) => {
        delivery.failed(error);
        return error;
      });
    }
    expect(await present()).toBeInstanceOf(UnavailableError);
    expect(world.store.grants.hasUnwrittenMark(given.id)).toBe(false);
    isOwed = false;
    expect(await present()).toMatchObject({ code: "invalid_grant" });
  },
);

test("a retry in time whose grant cannot be read before the rotation keeps its right to the answer", async () => {
  const { token } = await redeemed();
  const first = await refresh(token);
  const delivery = deliveryTo(client);
  const gone = () => Promise.reject(new UnavailableError("the database is gone"));
  const parts = { ...world.parts, grants: { ...world.parts.grants, readGrant: gone } };
  const failed = refresh(token, { delivery, parts, sent: { scope: "openid" } });
  await failed.catch((error: unknown) => delivery.failed(error));
  await world.store.grants.marksWritten();
  world.now += 9 * HOUR;
  expect((await refresh(token)).refresh_token).toBe(first.refresh_token);
});
