// A database of the version before, in use: it is brought to this one, and everything in it goes on.

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { MIGRATIONS, migrate } from "../../../src/database/migrations.ts";
import { openKeyring } from "../../../src/keys/keyring.ts";
import { sealWith } from "../../../src/keys/seal.ts";
import { clockFrom } from "../../../src/lib/clock.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { OWN_SP } from "../../../src/store/shared-values.ts";
import { createStore } from "../../../src/store/store.ts";
import { onEveryEngine } from "../../support/store-engines.ts";
import { DAY, NOW, someDomain, someGrant, someId } from "../../support/store-rows.ts";

onEveryEngine(
  (database) => {
    test("schema 2 with an account, a grant and a key becomes this one, and a second time nothing", async () => {
      const { engine } = database;
      const before = MIGRATIONS.filter(({ version }) => version <= 2);
      await engine.migrate((applied) => before.filter(({ version }) => version > applied));
      const store = createStore(engine);
      const account = { id: someId(), domain: someDomain(), acct: someId() };
      const former = { ...account, id: someId(), acct: someId() };
      const sleeper = { ...account, id: someId(), acct: someId() };
      for (const { id, domain, acct } of [account, former, sleeper]) {
        const [asleep, ended] = [sleeper, former].map((one) => (one.id === id ? NOW : null));
        await engine.execute(
          "INSERT INTO accounts (id, domain, acct, created_at, asleep_since, ended_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
          [id, domain, acct, NOW, asleep ?? null, ended ?? null],
        );
      }
      const grant = someGrant(account.id, { resources: null });
      await engine.execute(
        `INSERT INTO grants (id, client_id, account_id, redirect_uri, scope, code_challenge, nonce, auth_time, amr,
           created_at, code_expires_at, generation, expires_at, control_checked_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 0, ?12, ?13)`,
        [
          ...[grant.id, grant.clientId, grant.accountId, grant.redirectUri, grant.scope],
          ...[grant.codeChallenge, grant.nonce, grant.authTime, grant.amr, grant.createdAt],
          ...[grant.codeExpiresAt, grant.expiresAt, grant.controlCheckedAt],
        ],
      );
      const seal = sealWith("a secret of this test, and of no other", systemRandom);
      const macKey = randomBytes(32);
      await engine.execute(
        "INSERT INTO keys (purpose, id, sealed, current_from) VALUES (?1, ?2, ?3, ?4)",
        ["grant-token", 1, seal.close("grant-token/1", macKey), 0],
      );
      // Records listed such a key as one of the owner.
      await engine.execute(
        "INSERT INTO keys (purpose, id, sealed, current_from) VALUES (?1, ?2, ?3, ?4)",
        ["owner-statement", 1, seal.close("owner-statement/1", macKey), 0],
      );

      expect(await migrate(engine)).toBe(MIGRATIONS.length);
      expect(await migrate(engine)).toBe(MIGRATIONS.length);

      const kept = {
        sp: OWN_SP,
        createdAt: NOW,
        asleepSince: null,
        walkedAt: null,
        lostConfirmedAt: null,
      };
      expect((await store.grants.readGrant(grant.id))?.account).toEqual({
        ...{ ...account, ...kept, endedAt: null },
      });
      expect(await store.accounts.readAccount(former.id)).toEqual({
        ...former,
        ...kept,
        endedAt: NOW,
      });
      // An account that slept before needs a second look to end.
      const ending = { accountId: sleeper.id, asleepBefore: NOW, now: NOW + DAY };
      expect(await store.accountWalk.endAccount(ending)).toBe(false);
      await store.accounts.putToSleep(sleeper.id, NOW + DAY);
      expect(await store.accountWalk.endAccount(ending)).toBe(true);
      expect((await store.remembered.rememberedOf(account.domain, NOW)).accepted).toBeNull();
      const external = { ...account, id: someId(), sp: "https://sp.example", now: NOW + 1 };
      expect(await store.accounts.adoptAccount(external)).toMatchObject({ id: external.id });
      expect(await store.evidences.readEvidence(grant.id, NOW)).toBeNull();
      expect(await store.secureDomains.findSecureDomain(account.domain)).toBeNull();
      const clock = clockFrom(() => NOW * 1000);
      const ring = await openKeyring({ ...store, seal, clock, random: systemRandom });
      expect(ring.currentAt("grant-token", NOW).key).toEqual(macKey);
      expect(ring.statementKeys()).toHaveLength(2);
      const purposes = (await store.keys.readKeys()).map(({ purpose }) => purpose);
      expect(purposes).not.toContain("owner-statement");
      const { kid } = ring.signingKeyAt("es256", NOW);
      expect(ring.publicKeys(NOW)[0]?.kid).toBe(kid);
    });
  },
  { empty: true },
);
