// What every engine promises about lists of accounts and grants, and about taking access away.

import { describe, expect, test } from "vitest";
import { decided } from "../../../src/interaction/progress.ts";
import { statusOf } from "../../../src/store/accounts.ts";
import type { Grant } from "../../../src/store/grant-row.ts";
import { changeProgress } from "../../support/progress.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  authenticatedProgress,
  DAY,
  issuedGrant,
  liveAccount,
  NOW,
  redeemedGrant,
  redemptionOf,
  rotationOf,
  someDomain,
  someEnrolment,
  someId,
  someInteraction,
  someSession,
} from "../../support/store-rows.ts";

onEveryEngine(({ store, stores, engine }) => {
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

  describe("a list of accounts", () => {
    test("has pages in the order of the ids, and can be of one status", async () => {
      // Before any other id of this file.
      const prefix = someId("0");
      const made = [];
      for (const letter of ["a", "b", "c", "d"]) {
        made.push(await liveAccount(store, { accountId: `${prefix}${letter}` }));
      }
      const [live, asleep, ended, last] = made.map(({ id }) => id);
      await store.accounts.putToSleep(String(asleep), NOW);
      await store.accountAdmin.endAccountNow({ accountId: String(ended), now: NOW });
      const list = async (status: "live" | "asleep" | "ended" | null, after: string | null) => {
        const page = await store.accountAdmin.listAccounts({ status, after, limit: 3 });
        const ids = page.accounts.map(({ id }) => id);
        return { ids: ids.filter((id) => id.startsWith(prefix)), next: page.next };
      };
      expect(await list(null, prefix)).toEqual({ ids: [live, asleep, ended], next: ended });
      expect((await list(null, String(ended))).ids).toEqual([last]);
      expect((await list("live", prefix)).ids).toEqual([live, last]);
      expect((await list("asleep", prefix)).ids).toEqual([asleep]);
      expect((await list("ended", prefix)).ids).toEqual([ended]);
      const { accounts } = await store.accountAdmin.listAccounts({
        status: null,
        after: prefix,
        limit: 3,
      });
      expect(accounts.map(statusOf)).toEqual(["live", "asleep", "ended"]);
      const all = await store.accountAdmin.listAccounts({
        status: null,
        after: null,
        limit: 10_000,
      });
      expect(all.next).toBeNull();
    });

    test("of a domain begins with the one that is awake, however many sleep", async () => {
      const domain = someDomain();
      let last = "";
      for (let index = 0; index < 22; index++) {
        last = (await liveAccount(store, { domain, now: NOW + index })).id;
      }
      const found = await store.accounts.accountsOf(domain);
      expect(found).toHaveLength(20);
      expect(found[0]).toMatchObject({ id: last, asleepSince: null });
    });

    test("of a domain has those that have ended too, the newest first", async () => {
      const domain = someDomain();
      const first = await liveAccount(store, { domain, now: NOW - 10 });
      await store.accountAdmin.endAccountNow({ accountId: first.id, now: NOW - 5 });
      const second = await liveAccount(store, { domain });
      expect((await store.accountAdmin.everyAccountOf(domain)).map(({ id }) => id)).toEqual([
        second.id,
        first.id,
      ]);
      expect((await store.accounts.accountsOf(domain)).map(({ id }) => id)).toEqual([second.id]);
      expect(await store.accountAdmin.everyAccountOf(someDomain())).toEqual([]);
    });
  });

  describe("an account that an operator ends", () => {
    test("ends once, of 20 callers, live or asleep, and never again", async () => {
      for (const isAsleep of [false, true]) {
        const { id: accountId } = await liveAccount(store);
        if (isAsleep) await store.accounts.putToSleep(accountId, NOW);
        const ended = await race(stores, 20, (store) =>
          store.accountAdmin.endAccountNow({ accountId, now: NOW + 5 }),
        );
        expect(ended.filter(Boolean)).toHaveLength(1);
        expect((await store.accounts.readAccount(accountId))?.endedAt).toBe(NOW + 5);
        expect(await store.accountAdmin.endAccountNow({ accountId, now: NOW + 9 })).toBe(false);
      }
      expect(await store.accountAdmin.endAccountNow({ accountId: someId(), now: NOW })).toBe(false);
    });

    test("leaves nothing that opens it, and no set-up that would make it again", async () => {
      const enrolment = someEnrolment();
      const account = await liveAccount(store, enrolment);
      const session = someSession(account.id);
      await store.sessions.startSession(session);
      const consent = { accountId: account.id, clientId: someId(), scopes: ["openid"], now: NOW };
      await store.consents.rememberConsent(consent);
      const code = await issuedGrant(store, { accountId: account.id });
      const grant = await redeemedGrant(store, { accountId: account.id });
      await store.accountAdmin.endAccountNow({ accountId: account.id, now: NOW });

      const [found] = await store.sessions.findSessions([session.secretHash]);
      expect(found?.account.endedAt).toBe(NOW);
      const again = { enrolment, recoveryCodeHashes: [someId()], now: NOW + 1 };
      expect(await store.enrolments.enrol(again)).toBe("ended");
      expect(await store.grants.redeemCode(redemptionOf(code))).toBeNull();
      expect(await store.grants.rotateRefreshToken(rotationOf(grant))).toBeNull();
      expect(await store.accounts.wakeAccount(account, NOW + 1)).toBe("conflict");
      for (const table of ["consents"]) {
        const sql = `SELECT 1 AS left_over FROM ${table} WHERE account_id = ?1`;
        expect([table, await engine.execute(sql, [account.id])]).toEqual([table, []]);
      }
      const next = await liveAccount(store, { domain: account.domain, now: NOW + 2 });
      expect(next.id).not.toBe(account.id);
    });
  });

  describe("the grants of an account", () => {
    const idsOf = (grants: readonly Grant[]) => grants.map(({ id }) => id).sort();

    test("are listed while a code or a token of theirs can be used", async () => {
      const { id: accountId } = await liveAccount(store);
      const code = await issuedGrant(store, { accountId });
      const grant = await redeemedGrant(store, { accountId });
      const revoked = await redeemedGrant(store, { accountId });
      await store.grants.revokeGrant({ id: revoked.id, now: NOW });
      await redeemedGrant(store);
      const at = async (now: number) => idsOf(await store.grants.grantsOf(accountId, now));
      expect(await at(NOW + 599)).toEqual(idsOf([code, grant]));
      expect(await at(NOW + 600)).toEqual(idsOf([grant]));
      const end = NOW + 30 * DAY;
      expect(await at(end - 1)).toEqual(idsOf([grant]));
      expect(await at(end)).toEqual([]);
      // Its access token outlives a refresh token that is short.
      const short = await store.grants.redeemCode({
        ...redemptionOf(code),
        refreshExpiresAt: NOW + 2,
      });
      expect(idsOf(await store.grants.grantsOf(accountId, NOW + 1 + 3599))).toContain(short?.id);
      expect(idsOf(await store.grants.grantsOf(accountId, NOW + 1 + 3600))).not.toContain(
        short?.id,
      );
    });

    test("of one app are revoked, and those of other apps and accounts stay", async () => {
      const { id: accountId } = await liveAccount(store);
      const [clientId, other] = [someId(), someId()];
      const code = await issuedGrant(store, { accountId, clientId });
      const grant = await redeemedGrant(store, { accountId, clientId });
      const kept = await redeemedGrant(store, { accountId, clientId: other });
      const stranger = await redeemedGrant(store, { clientId });
      expect(await store.grants.revokeGrantsOf({ accountId, clientId, now: NOW + 5 })).toBe(2);
      expect(await store.grants.redeemCode(redemptionOf(code))).toBeNull();
      expect(await store.grants.rotateRefreshToken(rotationOf(grant))).toBeNull();
      expect(await store.grants.rotateRefreshToken(rotationOf(kept))).not.toBeNull();
      expect(await store.grants.rotateRefreshToken(rotationOf(stranger))).not.toBeNull();
      expect(idsOf(await store.grants.grantsOf(accountId, NOW + 5))).toEqual([kept.id]);
      expect(await store.grants.revokeGrantsOf({ accountId, clientId, now: NOW + 6 })).toBe(0);
      expect(await store.grants.revokeGrantsOf({ accountId, clientId: null, now: NOW + 6 })).toBe(
        1,
      );
      expect((await store.grants.readGrant(grant.id))?.grant.revokedAt).toBe(NOW + 5);
    });

    test("are counted once, of 20 callers that revoke them, without those that had expired", async () => {
      const { id: accountId } = await liveAccount(store);
      for (let count = 0; count < 3; count++) await redeemedGrant(store, { accountId });
      await issuedGrant(store, { accountId, codeExpiresAt: NOW + 1 });
      const counts = await race(stores, 20, (store) =>
        store.grants.revokeGrantsOf({ accountId, clientId: null, now: NOW + 5 }),
      );
      expect(sum(counts)).toBe(3);
    });

    test("never rotate after they were revoked: of both at once, the revocation stands", async () => {
      for (let round = 0; round < 10; round++) {
        const grant = await redeemedGrant(store);
        const { accountId, clientId } = grant;
        const [, rotated] = await Promise.all([
          stores.at(-1)?.grants.revokeGrantsOf({ accountId, clientId, now: NOW + 2 }),
          store.grants.rotateRefreshToken(rotationOf(grant)),
        ]);
        expect((await store.grants.readGrant(grant.id))?.grant.revokedAt).toBe(NOW + 2);
        const next = rotationOf(rotated ?? grant);
        expect(await store.grants.rotateRefreshToken(next)).toBeNull();
      }
    });
  });

  describe("signing out", () => {
    test("ends the sessions of one account, each that was not over counted once of 20 callers", async () => {
      const { id: accountId } = await liveAccount(store);
      const bystander = await liveAccount(store);
      const [first, second, other] = [
        someSession(accountId),
        someSession(accountId),
        someSession(bystander.id),
      ];
      for (const session of [first, second, other]) await store.sessions.startSession(session);
      const over = someSession(accountId, { expiresAt: NOW });
      await store.sessions.startSession(over);
      expect(await store.sessions.countSessionsOf(accountId, NOW)).toBe(2);
      expect(await store.sessions.countSessionsOf(accountId, NOW + 30 * DAY)).toBe(0);
      const counts = await race(
        stores,
        20,
        async (node) =>
          (await node.sessions.endSessionsOf(accountId, { reason: "operator", now: NOW })).length,
      );
      expect(sum(counts)).toBe(2);
      const endOf = async ({ secretHash }: { secretHash: string }) =>
        (await store.sessions.findSessions([secretHash]))[0]?.session.endedAt;
      expect([await endOf(first), await endOf(over), await endOf(other)]).toEqual([NOW, NOW, null]);
      expect(await store.sessions.countSessionsOf(accountId, NOW)).toBe(0);
    });

    test("ends sign-ins that are authenticated, of one app or of all, and no others", async () => {
      const { id: accountId } = await liveAccount(store);
      const clientId = someId();
      const progress = authenticatedProgress({ accountId });
      const [ofApp, ofOther, open] = [
        someInteraction({ progress, clientId }),
        someInteraction({ progress }),
        someInteraction({ clientId }),
      ];
      for (const one of [ofApp, ofOther, open]) await store.interactions.beginInteraction(one);
      const endOf = async ({ id }: typeof open) =>
        (await store.interactions.readInteraction(id))?.expiresAt;
      const ended = await race(stores, 20, (node) =>
        node.interactions.endInteractionsOf({ accountId, clientId, now: NOW + 5 }),
      );
      expect(ended.filter(Boolean)).toHaveLength(1);
      // In the past by the clock of every node.
      expect(await endOf(ofApp)).toBe(ofApp.createdAt - 300);
      expect(await endOf(ofOther)).toBe(ofOther.expiresAt);
      const all = { accountId, clientId: null, now: NOW + 6 };
      expect(await store.interactions.endInteractionsOf(all)).toBe(true);
      expect(await store.interactions.endInteractionsOf(all)).toBe(false);
      expect(await endOf(ofOther)).toBe(ofOther.createdAt - 300);
      expect(await endOf(open)).toBe(open.expiresAt);
    });

    test("ends sign-ins in 2040 as well, when times no longer fit into 32 bits", async () => {
      const now = 2_208_988_800;
      const { id: accountId } = await liveAccount(store, { now });
      const proof = { accountId, authTime: now, controlCheckedAt: now };
      const progress = authenticatedProgress(proof);
      const times = { createdAt: now, expiresAt: now + 600 };
      const [ofApp, ofOther] = [
        someInteraction({ progress, ...times }),
        someInteraction({ progress, ...times }),
      ];
      for (const one of [ofApp, ofOther]) await store.interactions.beginInteraction(one);
      const { clientId } = ofApp;
      expect(
        await store.interactions.endInteractionsOf({ accountId, clientId, now: now + 5 }),
      ).toBe(true);
      expect(
        await store.interactions.endInteractionsOf({ accountId, clientId: null, now: now + 5 }),
      ).toBe(true);
      expect((await store.interactions.readInteraction(ofOther.id))?.expiresAt).toBe(now - 300);
    });

    test("ends sign-ins of one app except one, also those that began a moment ago elsewhere", async () => {
      const { id: accountId } = await liveAccount(store);
      const clientId = someId();
      const progress = authenticatedProgress({ accountId });
      const [kept, other] = [
        someInteraction({ progress, clientId }),
        someInteraction({ progress, clientId }),
      ];
      for (const one of [kept, other]) await store.interactions.beginInteraction(one);
      // The clock of this node is behind that of the node that began them.
      const of = { accountId, clientId, keptId: kept.id, now: NOW - 100 };
      const ended = await race(stores, 20, (node) => node.interactions.endInteractionsOf(of));
      expect(ended.filter(Boolean)).toHaveLength(1);
      const allow = ({ id }: typeof kept) => changeProgress(store, id, decided("allow"), NOW - 100);
      expect(await allow(other)).toBeNull();
      expect(await allow(kept)).not.toBeNull();
    });

    test("a consent is remembered or forgotten whole, whatever the order of allowing and revoking", async () => {
      const scopes = ["openid", "profile"];
      for (let round = 0; round < 20; round++) {
        const { id: accountId } = await liveAccount(store);
        const clientId = someId();
        const progress = authenticatedProgress({ accountId });
        const interaction = someInteraction({ progress, clientId });
        await store.interactions.beginInteraction(interaction);
        await race(stores, 2, async (node, index) => {
          if (index === 0) {
            const others = node.consents.writeConsent({ accountId, clientId, scopes, now: NOW });
            await changeProgress(node, interaction.id, decided("allow"), NOW, { others });
          } else {
            await node.interactions.endInteractionsOf({ accountId, clientId, now: NOW });
            await node.consents.forgetConsents({ accountId, clientId });
          }
        });
        expect(await store.consents.readConsent(accountId, clientId)).toEqual(new Set());
      }
    });

    test("consents are forgotten for one app, or for all", async () => {
      const { id: accountId } = await liveAccount(store);
      const [clientId, other] = [someId(), someId()];
      for (const id of [clientId, other]) {
        const scopes = ["openid", "email"];
        await store.consents.rememberConsent({ accountId, clientId: id, scopes, now: NOW });
      }
      const forgotten = await race(stores, 20, (node) =>
        node.consents.forgetConsents({ accountId, clientId }),
      );
      expect(forgotten).toContain(true);
      expect((await store.consents.readConsent(accountId, clientId)).size).toBe(0);
      expect((await store.consents.readConsent(accountId, other)).size).toBe(2);
      expect(await store.consents.forgetConsents({ accountId, clientId: null })).toBe(true);
      expect(await store.consents.forgetConsents({ accountId, clientId: null })).toBe(false);
    });
  });
});
