// Tests of retries that come late: who may have an answer again, for how long, and what remains a theft.

import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeOAuthWorld, type OAuthWorld, REDIRECT_URI } from "../../test/support/oauth-world.ts";
import { someDelivery } from "../../test/support/some-delivery.ts";
import { ContendedError, UnavailableError } from "../lib/errors.ts";
import type { Account } from "../store/accounts.ts";
import { redeemAuthorizationCode } from "./authorization-code-grant.ts";
import type { Client } from "./client.ts";
import { createDelivery, type Delivery } from "./delivery.ts";
import { mintCode } from "./grant-token.ts";
import { challengeOf } from "./pkce.ts";
import { rotateRefreshToken } from "./refresh-token-grant.ts";

const VERIFIER = "a-code-verifier-of-this-very-browser-session";
const HOUR = 3600;
const DAY = 24 * HOUR;

let world: OAuthWorld;
let client: Client;
beforeAll(async () => {
  world = await makeOAuthWorld();
  client = (await world.addClient({ scope: "openid profile" })).client;
});
beforeEach(() => void world.reported.splice(0));

interface Sent {
  readonly isProven?: boolean;
  readonly delivery?: Delivery;
  readonly parts?: OAuthWorld["parts"];
}

function refresh(refresh_token: string, { isProven = false, delivery, parts }: Sent = {}) {
  const by = { client, isProven };
  const values = new Map([["refresh_token", refresh_token]]);
  return rotateRefreshToken(by, values, parts ?? world.parts, delivery ?? someDelivery());
}

function redeem(
  code: string,
  { isProven = false, delivery, parts }: Sent = {},
  verifier = VERIFIER,
) {
  const sent = { code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
  const values = new Map(Object.entries(sent));
  const by = { client, isProven };
  return redeemAuthorizationCode(by, values, parts ?? world.parts, delivery ?? someDelivery());
}

interface Issued {
  readonly id: string;
  readonly code: string;
  readonly account: Account;
}

async function issued(): Promise<Issued> {
  const account = await world.addAccount();
  const codeChallenge = challengeOf(VERIFIER);
  const id = await world.issueGrant(client, account, { codeChallenge, nonce: "a nonce" });
  const evidence = {
    ...{ v: 2, domain: account.domain, domain_since: 1, sp: "https://auth.example.com" },
    ...{ acct: account.acct, redirect_uri: REDIRECT_URI, nonce: "a nonce" },
    dns: { status: "unknown", checked_at: world.now },
  };
  const body = JSON.stringify(evidence);
  await world.store.keepEvidence({ grantId: id, expiresAt: world.now + 1500, body });
  return { id, code: mintCode(world.keyring, id, world.now), account };
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
  world.store.markUndelivered({
    presented: { ...presented, refreshExpiresAt: world.now, controlCheckedAfter: 0 },
    ...{ isBegun: true, isUnknown: false, changedSince: null },
  });
  await world.store.marksWritten();
}

async function markCode({ id }: Issued, attempt: string): Promise<void> {
  const codeChallenge = challengeOf(VERIFIER);
  const presented = { id, clientId: client.client_id, redirectUri: REDIRECT_URI, codeChallenge };
  world.store.markUndelivered({
    presented: { ...presented, attempt, refreshExpiresAt: world.now, now: world.now },
    ...{ isBegun: true, isUnknown: false, changedSince: null },
  });
  await world.store.marksWritten();
}

const rowOf = async (id: string) => (await world.store.readGrant(id))?.grant;

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
    const before = await rowOf(id);
    for (const later of [36, 9 * 60, 23 * HOUR]) {
      world.now += later;
      const again = await refresh(token, { isProven: true });
      expect(again.refresh_token).toBe(first.refresh_token);
    }
    expect(await rowOf(id)).toEqual(before);
    expect(world.reported.map(({ event }) => event)).toEqual(Array(3).fill("retriedLate"));
    await refresh(first.refresh_token, { isProven: true });
    expect(await reasonOf(refresh(token, { isProven: true }))).toBe("already used");
    expect((await rowOf(id))?.revokedAt).toBe(world.now);
  });

  test("is refused after the idle end, which a retry does not move", async () => {
    const { id, token } = await redeemed();
    await refresh(token, { isProven: true });
    const { refreshExpiresAt } = (await rowOf(id)) ?? {};
    world.now = Number(refreshExpiresAt);
    expect(await reasonOf(refresh(token, { isProven: true }))).toBe("expired");
    expect((await rowOf(id))?.revokedAt).toBeNull();
  });

  test("waits for DNS as a rotation does, once the last look is 72 hours old", async () => {
    const { id, token } = await redeemed();
    await refresh(token, { isProven: true });
    world.now += 3 * DAY;
    const gone = () => Promise.reject(new UnavailableError("DNS does not answer"));
    const control = { ...world.parts.control, confirm: gone };
    const parts = { ...world.parts, control };
    await expect(refresh(token, { isProven: true, parts })).rejects.toThrow("DNS does not answer");
    const confirm = async () => {
      await world.store.recordControl({ grantId: id, checkedAt: world.now, now: world.now });
      return true;
    };
    const asked = { ...world.parts, control: { ...world.parts.control, confirm } };
    const again = await refresh(token, { isProven: true, parts: asked });
    expect(again.token_type).toBe("bearer");
    expect((await rowOf(id))?.generation).toBe(2);
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
    expect((await rowOf(id))?.revokedAt).toBe(world.now);
  });

  test.each([36, 9 * 60, 23 * HOUR])(
    "that did not get its answer gets it once, %s seconds later",
    async (later) => {
      const { id, token } = await redeemed();
      const delivery = someDelivery();
      const lost = await refresh(token, { delivery });
      const before = await rowOf(id);
      await markRefresh(id, 1, delivery.attempt);
      world.now += later;
      expect((await refresh(token)).refresh_token).toBe(lost.refresh_token);
      const { rotatedAt, refreshExpiresAt } = (await rowOf(id)) ?? {};
      expect({ rotatedAt, refreshExpiresAt }).toEqual({
        rotatedAt: before?.rotatedAt,
        refreshExpiresAt: before?.refreshExpiresAt,
      });
      // The ordinary window begins with that delivery.
      world.now += 30;
      expect((await refresh(token)).refresh_token).toBe(lost.refresh_token);
      world.now += 1;
      expect(await reasonOf(refresh(token))).toBe("already used");
      expect((await rowOf(id))?.revokedAt).toBe(world.now);
    },
  );

  test("that did not get its answer passes every other condition of a refresh", async () => {
    const { id, token } = await redeemed();
    const delivery = someDelivery();
    await refresh(token, { delivery });
    await markRefresh(id, 1, delivery.attempt);
    const { refreshExpiresAt } = (await rowOf(id)) ?? {};
    const now = world.now;
    world.now = Number(refreshExpiresAt);
    expect(await reasonOf(refresh(token))).toBe("expired");
    world.now = now + 3 * DAY;
    const gone = () => Promise.reject(new UnavailableError("DNS does not answer"));
    const parts = { ...world.parts, control: { ...world.parts.control, confirm: gone } };
    await expect(refresh(token, { parts })).rejects.toThrow("DNS does not answer");
    world.now = now + DAY;
    expect((await refresh(token)).token_type).toBe("bearer");
  });

  test("whose mark is not written yet gets 503, and keeps the grant", async () => {
    const { id, token } = await redeemed();
    await refresh(token);
    world.now += 60;
    const store = { ...world.store, hasUnwrittenMark: () => true };
    const parts = { ...world.parts, grants: store };
    await expect(refresh(token, { parts })).rejects.toThrow(UnavailableError);
    expect((await rowOf(id))?.revokedAt).toBeNull();
  });

  test("whose mark is written between the rotation and the verdict keeps the grant", async () => {
    const { id, token } = await redeemed();
    const delivery = someDelivery();
    const lost = await refresh(token, { delivery });
    world.now += 60;
    let reads = 0;
    const readGrant: typeof world.store.readGrant = async (of) => {
      const found = await world.store.readGrant(of);
      if (reads++ === 0) await markRefresh(id, 1, delivery.attempt);
      return found;
    };
    const parts = { ...world.parts, grants: { ...world.store, readGrant } };
    expect((await refresh(token, { parts })).refresh_token).toBe(lost.refresh_token);
    expect((await rowOf(id))?.revokedAt).toBeNull();
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
    const claims = JSON.parse(
      Buffer.from(again.id_token?.split(".")[1] ?? "", "base64url").toString(),
    );
    expect(claims).toMatchObject({ nonce: "a nonce", domain: given.account.domain });
    expect(again.validation_data).toMatchObject({ domain: given.account.domain });
    expect(world.reported).toMatchObject([{ event: "retriedLate", fields: { token: "code" } }]);
    expect(await reasonOf(redeem(given.code))).toBe("already redeemed, and answered once more");
    world.now += HOUR;
    expect(await reasonOf(redeem(given.code))).toBe("already redeemed, and answered once more");
    expect((await rowOf(given.id))?.revokedAt).toBeNull();
    expect((await refresh(again.refresh_token)).token_type).toBe("bearer");
  });

  test("whose answer was not delivered is refused after its end, and nothing is revoked", async () => {
    const given = await issued();
    const delivery = someDelivery();
    await redeem(given.code, { delivery });
    await markCode(given, delivery.attempt);
    world.now += 600;
    expect(await reasonOf(redeem(given.code))).toBe("expired");
    expect((await rowOf(given.id))?.revokedAt).toBeNull();
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
    expect((await rowOf(given.id))?.revokedAt).toBe(world.now);
  });
});

test("a mark counts for the generation, the client and the change that it names alone", async () => {
  const { id, token } = await redeemed();
  const delivery = someDelivery();
  await refresh(token, { delivery });
  await markRefresh(id, 2, delivery.attempt);
  await markRefresh(id, 1, "another attempt");
  expect((await rowOf(id))?.undelivered).toBeNull();
  await world.store.revokeGrant({ id, now: world.now });
  await markRefresh(id, 1, delivery.attempt);
  expect((await rowOf(id))?.undelivered).toBeNull();
});

describe("a thief who has the token of a public client", () => {
  test("gains no mark by many requests for its grant on a healthy machine", async () => {
    const { id, token } = await redeemed();
    await refresh(token);
    const other = (await world.addClient()).client;
    const present = async (as: Client) => {
      const by = { client: as, isProven: false };
      const delivery = createDelivery(by, { clientAddress: "203.0.113.9" }, world.parts);
      const values = new Map([["refresh_token", token]]);
      return await rotateRefreshToken(by, values, world.parts, delivery).then(
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
    await world.store.marksWritten();
    expect(await rowOf(id)).toMatchObject({ generation: 2, undelivered: null });
  });
});

test("a retry in time whose grant cannot be read before the rotation keeps its right to the answer", async () => {
  const { token } = await redeemed();
  const first = await refresh(token);
  const by = { client, isProven: false };
  const delivery = createDelivery(by, { clientAddress: "203.0.113.9" }, world.parts);
  const gone = () => Promise.reject(new UnavailableError("the database is gone"));
  const parts = { ...world.parts, grants: { ...world.parts.grants, readGrant: gone } };
  const values = new Map([
    ["refresh_token", token],
    ["scope", "openid"],
  ]);
  const failed = rotateRefreshToken(by, values, parts, delivery);
  await failed.catch((error: unknown) => delivery.failed(error));
  await world.store.marksWritten();
  world.now += 9 * HOUR;
  expect((await refresh(token)).refresh_token).toBe(first.refresh_token);
});
