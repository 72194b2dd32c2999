// What every engine promises about grants: a code once, a refresh token once, an end for good.

import { describe, expect, test } from "vitest";
import type { Grant } from "../../../src/store/grant-row.ts";
import type { GrantStore } from "../../../src/store/grants.ts";
import type { NewGrant } from "../../../src/store/issue.ts";
import type { Store } from "../../../src/store/store.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  DAY,
  issuedGrant,
  liveAccount,
  NOW,
  redeemedGrant,
  redemptionOf,
  rotationOf,
  someGrant,
  someId,
} from "../../support/store-rows.ts";

/** The row as it stands. */
async function standing(store: Store, id: string): Promise<Grant | undefined> {
  return (await store.grants.readGrant(id))?.grant;
}

/** What a redemption or a rotation returns of a row, besides what it changes. */
function ofTokens({ id, clientId, accountId, scope, resources, authTime, amr }: Grant) {
  return { id, clientId, accountId, scope, resources, authTime, amr };
}

onEveryEngine(({ store, stores, engine }) => {
  const asleep = (grant: Grant) => store.accounts.putToSleep(grant.accountId, NOW);
  const ended = (grant: Grant) =>
    engine.execute("UPDATE accounts SET ended_at = ?1 WHERE id = ?2", [NOW, grant.accountId]);
  const revoked = (grant: Grant) => store.grants.revokeGrant({ id: grant.id, now: NOW });

  describe("issuing a grant", () => {
    test("makes the row, with every field as it was given", async () => {
      const account = await liveAccount(store);
      const grant = someGrant(account.id);
      const made = {
        ...grant,
        generation: 0,
        rotatedAt: null,
        refreshExpiresAt: null,
        revokedAt: null,
        attempt: null,
        undelivered: null,
        redeliveredAt: null,
      };
      expect(await store.grants.issueGrant(grant)).toEqual(made);
      expect(await store.grants.readGrant(grant.id)).toEqual({ grant: made, account });
      const bare = someGrant(account.id, { codeChallenge: null, nonce: null });
      expect(await store.grants.issueGrant(bare)).toMatchObject({
        codeChallenge: null,
        nonce: null,
      });
      expect(await store.grants.readGrant(someId())).toBeNull();
    });

    test("a second time changes nothing and gives back what stands", async () => {
      const grant = await redeemedGrant(store);
      const again = someGrant(grant.accountId, { id: grant.id, nonce: "another" });
      expect(await store.grants.issueGrant(again)).toEqual(grant);
      expect(await standing(store, grant.id)).toEqual(grant);
    });

    test("of 50 calls with one id one makes it, and all get that row", async () => {
      const { id: accountId } = await liveAccount(store);
      const id = someId();
      const rows = await race(stores, 50, (store, index) =>
        store.grants.issueGrant(someGrant(accountId, { id, nonce: `attempt ${index}` })),
      );
      const winner = await standing(store, id);
      for (const row of rows) expect(row).toEqual(winner);
    });
  });

  describe("redeeming a code", () => {
    test("makes generation 1, which ends no later than the grant", async () => {
      const grant = await issuedGrant(store);
      const attempt = expect.any(String);
      const redeemed = { ...grant, generation: 1, rotatedAt: NOW + 1, attempt };
      const returned = await store.grants.redeemCode(redemptionOf(grant));
      const now = await standing(store, grant.id);
      expect(now).toEqual({ ...redeemed, refreshExpiresAt: NOW + 30 * DAY });
      expect(returned).toMatchObject({ ...ofTokens(grant), generation: 1, rotatedAt: NOW + 1 });
      const short = await issuedGrant(store, { expiresAt: NOW + DAY, codeChallenge: null });
      expect(await store.grants.redeemCode(redemptionOf(short))).not.toBeNull();
      expect(await standing(store, short.id)).toMatchObject({ refreshExpiresAt: NOW + DAY });
    });

    test("returns what its ID token says, alone and among others, and once more to who lost it", async () => {
      const said = { nonce: "of the request", sid: "a session", claims: "name website" };
      for (const count of [1, 3]) {
        const grants = await Promise.all(
          Array.from({ length: count }, () => issuedGrant(store, said)),
        );
        await Promise.all(
          grants.map(async (grant) => {
            const { account } = (await store.grants.readGrant(grant.id)) ?? {};
            const ofAccount = {
              ...{ domain: account?.domain, acct: account?.acct, domainSince: account?.createdAt },
            };
            const redeemed = await store.grants.redeemCode(redemptionOf(grant));
            expect(redeemed).toMatchObject({ ...said, ...ofAccount });
            await engine.execute("UPDATE grants SET undelivered = 1 WHERE id = ?1", [grant.id]);
            const again = await store.grants.redeliverCode(redemptionOf(grant));
            expect(again).toMatchObject({ ...said, ...ofAccount });
          }),
        );
      }
    });

    test("of 100 callers one gets the row", async () => {
      const grant = await issuedGrant(store);
      const results = await race(stores, 100, (store) =>
        store.grants.redeemCode(redemptionOf(grant)),
      );
      expect(results.filter((row) => row !== null)).toHaveLength(1);
      expect(await standing(store, grant.id)).toMatchObject({ generation: 1 });
    });

    const wrong: [string, Partial<Parameters<GrantStore["redeemCode"]>[0]>, Partial<NewGrant>?][] =
      [
        ["another client", { clientId: "another" }],
        ["another redirect_uri", { redirectUri: "https://app.example.org/callback?a=B" }],
        ["another challenge", { codeChallenge: "another" }],
        ["no challenge where one was set", { codeChallenge: null }],
        ["a challenge where none was set", { codeChallenge: "one" }, { codeChallenge: null }],
        ["an unknown id", { id: "unknown" }],
        ["the second in which it expires", { now: NOW + 600 }],
      ];
    test.each(wrong)("with %s changes nothing", async (_, input, row = {}) => {
      const grant = await issuedGrant(store, row);
      expect(await store.grants.redeemCode({ ...redemptionOf(grant), ...input })).toBeNull();
      expect(await standing(store, grant.id)).toEqual(grant);
      expect(await store.grants.redeemCode(redemptionOf(grant))).toMatchObject({ generation: 1 });
    });

    test.each([
      ["is revoked", revoked],
      ["has an account that sleeps", asleep],
      ["has an account that has ended", ended],
      ["was redeemed", (grant: Grant) => store.grants.redeemCode(redemptionOf(grant))],
    ])("of a grant that %s changes nothing", async (_, prepare) => {
      const grant = await issuedGrant(store);
      await prepare(grant);
      const before = await standing(store, grant.id);
      expect(await store.grants.redeemCode(redemptionOf(grant))).toBeNull();
      expect(await standing(store, grant.id)).toEqual(before);
    });
  });

  describe("rotating a refresh token", () => {
    test("makes the next generation each time, which ends no later than the grant", async () => {
      let grant = await redeemedGrant(store, { expiresAt: NOW + 31 * DAY + 1 });
      for (const generation of [2, 3, 4, 5]) {
        const rotated = await store.grants.rotateRefreshToken(rotationOf(grant));
        const now = await standing(store, grant.id);
        expect(now).toEqual({
          ...grant,
          generation,
          rotatedAt: NOW + 2,
          refreshExpiresAt: NOW + 31 * DAY,
          attempt: expect.any(String),
        });
        expect(now).toMatchObject(rotated as object);
        expect(rotated).toMatchObject(ofTokens(grant));
        grant = now ?? grant;
      }
      const late = { ...rotationOf(grant), refreshExpiresAt: NOW + 32 * DAY };
      expect(await store.grants.rotateRefreshToken(late)).not.toBeNull();
      const end = { refreshExpiresAt: NOW + 31 * DAY + 1 };
      expect(await standing(store, grant.id)).toMatchObject(end);
    });

    test("of 50 callers that present one generation one gets the row", async () => {
      const grant = await redeemedGrant(store);
      const results = await race(stores, 50, (store) =>
        store.grants.rotateRefreshToken(rotationOf(grant)),
      );
      expect(results.filter((row) => row !== null)).toHaveLength(1);
      expect(await standing(store, grant.id)).toMatchObject({ generation: 2 });
    });

    const wrong: [string, Partial<Parameters<GrantStore["rotateRefreshToken"]>[0]>][] = [
      ["another client", { clientId: "another" }],
      ["half of a surrogate pair as the client", { clientId: "\ud800" }],
      ["the generation before", { generation: 1 }],
      ["the generation to come", { generation: 3 }],
      ["an unknown id", { id: "unknown" }],
      ["the second in which it expires", { now: NOW + 31 * DAY }],
      ["DNS looked at no later than it must be", { controlCheckedAfter: NOW - 5 }],
    ];
    test.each(wrong)("with %s changes nothing", async (_, input) => {
      const first = await redeemedGrant(store);
      expect(await store.grants.rotateRefreshToken(rotationOf(first))).not.toBeNull();
      const grant = (await standing(store, first.id)) ?? first;
      expect(await store.grants.rotateRefreshToken({ ...rotationOf(grant), ...input })).toBeNull();
      expect(await standing(store, grant.id)).toEqual(grant);
      expect(await store.grants.rotateRefreshToken(rotationOf(grant))).toMatchObject({
        generation: 3,
      });
    });

    test("a code is no refresh token", async () => {
      const grant = await issuedGrant(store);
      expect(await store.grants.rotateRefreshToken(rotationOf(grant))).toBeNull();
      expect(await standing(store, grant.id)).toEqual(grant);
    });

    test.each([
      ["is revoked", revoked],
      ["has an account that sleeps", asleep],
      ["has an account that has ended", ended],
    ])("of a grant that %s changes nothing", async (_, prepare) => {
      const grant = await redeemedGrant(store);
      await prepare(grant);
      const before = await standing(store, grant.id);
      expect(await store.grants.rotateRefreshToken(rotationOf(grant))).toBeNull();
      expect(await standing(store, grant.id)).toEqual(before);
    });
  });

  describe("revoking a grant", () => {
    test("of 50 callers one ended it, and the first time stands", async () => {
      const grant = await redeemedGrant(store);
      const results = await race(stores, 50, (store) =>
        store.grants.revokeGrant({ id: grant.id, now: NOW + 3 }),
      );
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await store.grants.revokeGrant({ id: grant.id, now: NOW + 9 })).toBe(false);
      expect(await standing(store, grant.id)).toEqual({ ...grant, revokedAt: NOW + 3 });
      expect(await store.grants.revokeGrant({ id: someId(), now: NOW })).toBe(false);
    });

    test("among rotations leaves none that came later, and none comes after", async () => {
      const first = await redeemedGrant(store);
      let revocation: Promise<boolean> | undefined;
      let rotations = 0;
      // Each chain presents what stands; one of them is interrupted by the revocation.
      await race(stores, 6, async (store, index) => {
        for (let turn = 0; turn < 12; turn++) {
          const grant = (await standing(store, first.id)) ?? first;
          if (await store.grants.rotateRefreshToken(rotationOf(grant))) rotations++;
          if (index === 0 && turn === 5) {
            revocation = store.grants.revokeGrant({ id: first.id, now: NOW + 3 });
          }
        }
      });
      expect(await revocation).toBe(true);
      const end = await standing(store, first.id);
      expect(end).toMatchObject({ revokedAt: NOW + 3, generation: 1 + rotations });
      expect(await store.grants.rotateRefreshToken(rotationOf(end ?? first))).toBeNull();
    });
  });

  test("a look at DNS is never moved back", async () => {
    const grant = await issuedGrant(store);
    await race(stores, 20, (node, index) =>
      node.grants.recordControl({
        grantId: grant.id,
        checkedAt: NOW + ((index * 7) % 20),
        now: NOW,
      }),
    );
    await store.grants.recordControl({ grantId: grant.id, checkedAt: NOW - DAY, now: NOW });
    expect(await standing(store, grant.id)).toEqual({ ...grant, controlCheckedAt: NOW + 19 });
  });
});
