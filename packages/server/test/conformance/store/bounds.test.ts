// What every engine promises about how many rows one owner or one account can have.

import { describe, expect, test } from "vitest";
import { CONSENTS_OF_ACCOUNT } from "../../../src/store/consents.ts";
import type { Grant } from "../../../src/store/grant-row.ts";
import { GRANTS_OF_ACCOUNT, GRANTS_OF_CLIENT } from "../../../src/store/grants.ts";
import type { NewGrant } from "../../../src/store/issue.ts";
import { CLIENTS_OF_SESSION } from "../../../src/store/logouts.ts";
import { PASSKEYS_OF_ACCOUNT } from "../../../src/store/passkeys.ts";
import { SECURE_DOMAINS_PER_OWNER } from "../../../src/store/remembered.ts";
import { createStore, type Store } from "../../../src/store/store.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  cleanUpAt,
  DAY,
  dueRow,
  issuedGrant,
  liveAccount,
  NOW,
  redeemedGrant,
  rotationOf,
  someDomain,
  someEnrolment,
  someGrant,
  someId,
  somePasskey,
} from "../../support/store-rows.ts";

const MAX = 10;

onEveryEngine(({ store, stores, engine, engines }) => {
  const small = (): readonly Store[] =>
    engines.map((engine) => createStore(engine, { accountsPerDomain: MAX }));
  const countOf = async (table: string, where: string, ...values: readonly (string | number)[]) => {
    const sql = `SELECT count(*) AS count FROM ${table} WHERE ${where}`;
    const [row] = await engine.execute(sql, values);
    return Number(row?.count);
  };
  const accountsOf = (owner: string) => countOf("accounts", "owned_domain = ?1", owner);

  describe("the accounts of the names of one owner", () => {
    const nameIn = (owner: string) => `${someId("n")}.${owner}`;
    const enrolIn = (store: Store, owner: string, changes = {}) => {
      const enrolment = someEnrolment({ domain: nameIn(owner), ...changes });
      return store.enrolments.enrol({ enrolment, recoveryCodeHashes: [someId()], now: NOW });
    };
    const adoptIn = (store: Store, owner: string) =>
      store.accounts.adoptAccount({
        ...{ id: someId("sub_"), domain: nameIn(owner), sp: "https://sp.example" },
        ...{ acct: someId(), now: NOW },
      });

    // Several owners, since on PostgreSQL it is chance which statements count the same rows.
    test("are never more than the limit, however many enrolments are concurrent", async () => {
      for (const free of [4, 1, 1, 1, 1, 1]) {
        const owner = someDomain();
        for (let number = free; number < MAX; number++)
          await liveAccount(store, { domain: nameIn(owner) });
        const results = await race<unknown>(small(), 20, (store, index) =>
          index % 2 === 0 ? enrolIn(store, owner) : adoptIn(store, owner),
        );
        expect(results.filter((result) => typeof result !== "string")).toHaveLength(free);
        expect(results.filter((result) => result === "full")).toHaveLength(20 - free);
        expect(await accountsOf(owner)).toBe(MAX);
      }
    });

    test("are all made while there is room, also if 20 enrolments are concurrent", async () => {
      const owner = someDomain();
      const results = await race(stores, 20, (store) => enrolIn(store, owner));
      for (const result of results) expect(result).toMatchObject({ isNew: true });
      expect(await accountsOf(owner)).toBe(20);
    });

    test("beyond the limit are refused and leave nothing behind, and those that exist still work", async () => {
      const [limited = store] = small();
      const owner = someDomain();
      const mine = someEnrolment({ domain: nameIn(owner) });
      const again = { enrolment: mine, recoveryCodeHashes: [someId()], now: NOW };
      await limited.enrolments.enrol(again);
      const external = { domain: nameIn(owner), sp: "https://sp.example", acct: "a", now: NOW };
      const adopted = await limited.accounts.adoptAccount({ ...external, id: someId("sub_") });
      for (let number = 2; number < MAX; number++)
        await liveAccount(limited, { domain: nameIn(owner) });
      // Also an account that sleeps counts, and the present one of the domain does not sleep for a refused one.
      const refused = someEnrolment({
        domain: mine.domain,
        passkey: { ...somePasskey("none"), credentialId: someId() },
      });
      expect(await enrolIn(limited, owner, refused)).toBe("full");
      expect(await adoptIn(limited, owner)).toBe("full");
      expect(await countOf("recovery_codes", "account_id = ?1", refused.accountId)).toBe(0);
      expect(await countOf("passkeys", "account_id = ?1", refused.accountId)).toBe(0);
      expect((await limited.accounts.readAccount(mine.accountId))?.asleepSince).toBeNull();

      expect(await limited.enrolments.enrol(again)).toMatchObject({ isNew: false });
      expect(await limited.accounts.adoptAccount({ ...external, id: someId("sub_") })).toEqual(
        adopted,
      );
      // Another owner has room, and so has each name below a public suffix.
      expect(await enrolIn(limited, someDomain())).toMatchObject({ isNew: true });
      for (let number = 0; number <= MAX; number++) {
        expect(await enrolIn(limited, "github.io")).toMatchObject({ isNew: true });
      }
    });

    test("that have ended count for 90 days, or as long as their data is kept", async () => {
      const [limited = store] = small();
      const owner = someDomain();
      const ended = await liveAccount(limited, { domain: nameIn(owner) });
      for (let number = 1; number < MAX; number++)
        await liveAccount(limited, { domain: nameIn(owner) });
      const grant = await issuedGrant(limited, { accountId: ended.id });
      await limited.accountAdmin.endAccountNow({ accountId: ended.id, now: NOW });
      const kept = async (now: number) => {
        await limited.cleanUp.removeEnded("accounts", null, cleanUpAt(now));
        return accountsOf(owner);
      };
      expect(await kept(NOW + 90 * DAY)).toBe(MAX);
      expect(await enrolIn(limited, owner)).toBe("full");
      await engine.execute("DELETE FROM grants WHERE id = ?1", [grant.id]);
      expect(await kept(NOW + 90 * DAY - 1)).toBe(MAX);
      expect(await kept(NOW + 90 * DAY)).toBe(MAX - 1);
      expect(await limited.accounts.readAccount(ended.id)).toBeNull();
      expect(await enrolIn(limited, owner)).toMatchObject({ isNew: true });
    });

    test("of an earlier version are counted once the account walk has come to them", async () => {
      const owner = someDomain();
      const account = await liveAccount(store, { domain: nameIn(owner) });
      const forget = "UPDATE accounts SET owned_domain = NULL, owned_number = NULL WHERE id = ?1";
      await engine.execute(forget, [account.id]);
      expect(await accountsOf(owner)).toBe(0);
      const due = await dueRow(engine, account);
      expect(await store.accountWalk.claimWalk(due, NOW + 1)).toBe(true);
      expect(await accountsOf(owner)).toBe(1);
    });
  });

  test("what a set-up stored that was never finished is removed after 31 days", async () => {
    const account = await liveAccount(store);
    const lost = { ...somePasskey(someId("sub_")), createdAt: NOW };
    await engine.execute(
      "INSERT INTO recovery_codes (account_id, code_hash, made_at) VALUES (?1, ?2, ?3)",
      [lost.accountId, someId(), NOW],
    );
    await engine.execute(
      `INSERT INTO passkeys (credential_id, account_id, user_handle, public_key, thumbprint, counter,
         backed_up, name, created_at) VALUES (?1, ?2, '', '', '', 0, 0, '', ?3)`,
      [lost.credentialId, lost.accountId, NOW],
    );
    await store.passkeys.addPasskey({ ...somePasskey(account.id), createdAt: NOW });
    const left = async (now: number) => {
      const counts: number[] = [];
      for (const table of ["recovery_codes", "passkeys"] as const) {
        await store.cleanUp.removeEnded(table, null, cleanUpAt(now));
        counts.push(await countOf(table, "account_id = ?1", lost.accountId));
        counts.push(await countOf(table, "account_id = ?1", account.id));
      }
      return counts;
    };
    expect(await left(NOW + 31 * DAY - 1)).toEqual([1, 1, 1, 1]);
    expect(await left(NOW + 31 * DAY)).toEqual([0, 1, 0, 1]);
  });

  test("a signed zone has at most 1,000 names noted, and those with accounts besides", async () => {
    const owner = someDomain();
    const isNoted = async (domain: string) => {
      await store.secureDomains.noteSecure(domain, NOW);
      return (await store.secureDomains.findSecureDomain(domain)) !== null;
    };
    const account = await liveAccount(store, { domain: `account.${owner}` });
    expect(await isNoted(owner)).toBe(true);
    await engine.execute(
      `WITH RECURSIVE numbers (number) AS (
         SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?2)
       INSERT INTO secure_domains (domain, secure_at, owned_domain)
       SELECT CAST(number AS TEXT) || '.' || ?1, 0, ?1 FROM numbers`,
      [owner, SECURE_DOMAINS_PER_OWNER - 1],
    );
    expect(await isNoted(`one-more.${owner}`)).toBe(false);
    expect(await isNoted(account.domain)).toBe(true);
    expect(await isNoted(someDomain())).toBe(true);
    await store.secureDomains.noteSecure(owner, NOW + 1);
    expect((await store.secureDomains.findSecureDomain(owner))?.secureAt).toBe(NOW + 1);
  });

  describe("the grants of an account", () => {
    const live = (accountId: string) =>
      countOf("grants", "account_id = ?1 AND revoked_at IS NULL", accountId);
    /** As an authorization response does. */
    const issue = async (store: Store, accountId: string, changes: Partial<NewGrant> = {}) => {
      const grant = await store.grants.issueGrant(someGrant(accountId, changes));
      const { clientId, id: grantId } = grant;
      const of = { interactionId: null, sid: "", accountId, clientId };
      const { hasSurplus } = await store.grants.readBasis(of);
      if (hasSurplus) await store.grants.endSurplus({ grantId, accountId, now: NOW });
      return grant;
    };

    test("of one client that can be used are at most 20: a further one ends the oldest", async () => {
      const { id: accountId } = await liveAccount(store);
      const clientId = someId();
      const other = await issue(store, accountId, { createdAt: NOW - 900 });
      const grants: Grant[] = [];
      for (let number = 0; number < GRANTS_OF_CLIENT; number++) {
        const of = { accountId, clientId, createdAt: NOW - 100 + number };
        grants.push(await redeemedGrant(store, of));
      }
      const [oldest = other, second = other] = grants;
      const basis = { interactionId: null, sid: "", accountId, clientId };
      expect((await store.grants.readBasis(basis)).hasSurplus).toBe(false);
      // The clock of this node is behind: its own grant stays all the same.
      const last = await issue(store, accountId, { clientId, createdAt: NOW - 500 });
      const endOf = async ({ id }: Grant) => (await store.grants.readGrant(id))?.grant.revokedAt;
      const ends = await Promise.all([oldest, second, last, other].map(endOf));
      expect(ends).toEqual([NOW, null, null, null]);
      expect(await store.grants.rotateRefreshToken(rotationOf(oldest))).toBeNull();
      expect(await store.grants.rotateRefreshToken(rotationOf(second))).toMatchObject({
        generation: 2,
      });
    });

    test("of one client are at most 20 also after 60 concurrent ones", async () => {
      const { id: accountId } = await liveAccount(store);
      const clientId = someId();
      await race(stores, 60, (store) => issue(store, accountId, { clientId }));
      // Of the same second, each node spares its own, so together they may end a few more.
      expect(await live(accountId)).toBeLessThanOrEqual(GRANTS_OF_CLIENT);
      expect(await live(accountId)).toBeGreaterThan(0);
    });

    test("of all clients are at most 200", async () => {
      const { id: accountId } = await liveAccount(store);
      const first = await store.grants.issueGrant(someGrant(accountId));
      await engine.execute(
        `WITH RECURSIVE numbers (number) AS (
           SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?2)
         INSERT INTO grants (id, client_id, account_id, redirect_uri, scope, auth_time, amr, created_at,
           code_expires_at, generation, expires_at, control_checked_at)
         SELECT id || ' ' || CAST(numbers.number AS TEXT), CAST(numbers.number AS TEXT), account_id,
           redirect_uri, scope, auth_time, amr, created_at, code_expires_at, 0, expires_at,
           control_checked_at
         FROM grants CROSS JOIN numbers WHERE id = ?1`,
        [first.id, GRANTS_OF_ACCOUNT - 6],
      );
      await race(stores, 10, (node) => issue(node, accountId, { createdAt: NOW + 1 }));
      expect(await live(accountId)).toBeLessThanOrEqual(GRANTS_OF_ACCOUNT);
      expect(await live(accountId)).toBeGreaterThan(GRANTS_OF_ACCOUNT - 10);
    });
  });

  test("the consents of an account are at most 1,000: the oldest are forgotten", async () => {
    const { id: accountId } = await liveAccount(store);
    const remember = (clientId: string, now: number) =>
      store.consents.rememberConsent({ accountId, clientId, scopes: ["openid", "profile"], now });
    for (let number = 0; number < CONSENTS_OF_ACCOUNT / 50; number++) {
      const scopes = Array.from({ length: 50 }, (_, index) => `scope ${index}`);
      const consent = { accountId, clientId: `client ${number}`, scopes, now: NOW + number };
      await store.consents.rememberConsent(consent);
    }
    const scopesOf = async (clientId: string) =>
      (await store.consents.readConsent(accountId, clientId)).size;
    expect(await scopesOf("client 0")).toBe(50);
    await remember("new", NOW + DAY);
    expect(await scopesOf("client 0")).toBe(48);
    expect([await scopesOf("client 1"), await scopesOf("new")]).toEqual([50, 2]);
    expect(await countOf("consents", "account_id = ?1", accountId)).toBe(CONSENTS_OF_ACCOUNT);
  });

  test("a session signs in to at most 100 clients that want to be notified, and drops none of them", async () => {
    const sid = someId();
    const note = (clientId: string) =>
      store.logouts.noteSessionClient({ sid, clientId, host: "a.example" });
    for (let number = 0; number < CLIENTS_OF_SESSION; number++) {
      expect(await note(`client ${number}`)).toBe(true);
    }
    expect(await note("one more")).toBe(false);
    expect(await note("client 0")).toBe(true);
    expect(await countOf("session_clients", "sid = ?1", sid)).toBe(CLIENTS_OF_SESSION);
  });

  test("the clients of a session go when it is too late to notify them of its end", async () => {
    const { id: accountId } = await liveAccount(store);
    const session = { accountId, authTime: NOW, amr: "pop", browser: "", formerHash: null };
    const started = { ...session, secretHash: someId(), newSid: someId(), now: NOW };
    const { sid } = await store.sessions.startSession({ ...started, expiresAt: NOW + 180 * DAY });
    await store.logouts.noteSessionClient({ sid, clientId: "a", host: "a.example" });
    const left = async (now: number) => {
      await store.cleanUp.removeEnded("session_clients", null, cleanUpAt(now));
      return countOf("session_clients", "sid = ?1", sid);
    };
    expect(await left(NOW + 9 * DAY)).toBe(1);
    await store.sessions.endSession({ sid, accountId }, "signed_out", NOW + 9 * DAY);
    expect(await left(NOW + 10 * DAY - 1)).toBe(1);
    expect(await left(NOW + 10 * DAY)).toBe(0);
  });

  test("an account has at most 50 passkeys", async () => {
    const { id } = await liveAccount(store);
    const add = (passkey = somePasskey(id), interactionId = someId()) =>
      store.passkeys.addPasskey(passkey, interactionId);
    const [first, interactionId] = [somePasskey(id), someId()];
    expect(await add(first, interactionId)).toBe("added");
    for (let number = 1; number < PASSKEYS_OF_ACCOUNT; number++) expect(await add()).toBe("added");
    expect(await add()).toBe("full");
    expect(await add(first, interactionId)).toBe("repeated");
    await store.passkeys.removePasskey(first, NOW);
    expect(await add()).toBe("added");
  });

  describe("the browsers that an account knows", () => {
    const start = (
      store: Store,
      accountId: string,
      now: number,
      formerHash: string | null = null,
    ) => {
      const secretHash = someId();
      const session = { secretHash, accountId, authTime: now, amr: "pop", browser: "", now };
      return store.sessions
        .startSession({ ...session, newSid: someId(), expiresAt: now + 180 * DAY, formerHash })
        .then(({ sid }) => ({ secretHash, sid }));
    };

    test("are at most 100: the one that was used longest ago is signed out and forgotten", async () => {
      const { id } = await liveAccount(store);
      const first = await start(store, id, NOW);
      for (let number = 1; number < 100; number++) await start(store, id, NOW + number);
      expect(await store.sessions.countBrowsersOf(id, NOW + 100)).toBe(100);
      expect(await store.sessions.isWithoutSession(first.sid)).toBe(false);
      // By a clock that is behind: the new one stays.
      const last = await start(store, id, NOW - 1);
      expect(await store.sessions.countBrowsersOf(id, NOW + 100)).toBe(100);
      // Its clients are notified, because its session has ended.
      expect(await store.sessions.isWithoutSession(first.sid)).toBe(true);
      expect(await store.sessions.isWithoutSession(last.sid)).toBe(false);
      const by = { secretHash: first.secretHash, accountId: id };
      expect(await store.sessions.knowsBrowser(by, NOW + 100)).toEqual({ known: "no" });
    });

    test("have at most 1,000 rows, of which the oldest go", async () => {
      const { id } = await liveAccount(store);
      const first = await start(store, id, NOW);
      await engine.execute(
        `WITH RECURSIVE numbers (number) AS (
           SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 999)
         INSERT INTO sessions (secret_hash, sid, number, account_id, auth_time, amr, browser,
           issued_at, last_used_at, expires_at, device_id)
         SELECT secret_hash || ' ' || CAST(numbers.number AS TEXT), sid, numbers.number + 1, account_id,
           auth_time, amr, browser, issued_at + numbers.number, last_used_at, expires_at, device_id
         FROM sessions CROSS JOIN numbers WHERE secret_hash = ?1`,
        [first.secretHash],
      );
      const rows = () => countOf("sessions", "account_id = ?1", id);
      expect(await rows()).toBe(1000);
      const last = await start(store, id, NOW - 1);
      expect(await rows()).toBe(1000);
      const found = await store.sessions.findSessions([first.secretHash, last.secretHash]);
      expect(found.map(({ session }) => session.secretHash)).toEqual([last.secretHash]);
    });
  });

  test("the history of an account keeps its newest 2,000 entries, and others keep theirs", async () => {
    const [accountId, other] = [someId("sub_"), someId("sub_")];
    const entry = (id: string, of: string) =>
      ({ accountId: of, kind: "signed_out", detail: {}, id, at: NOW }) as const;
    const ids = Array.from({ length: 2600 }, (_, number) => String(number).padStart(5, "0"));
    for (let first = 0; first < ids.length; first += 100) {
      const some = ids.slice(first, first + 100);
      await store.histories.recordHistory(some.map((id) => entry(id, accountId)));
    }
    await store.histories.recordHistory([entry("00000", other)]);
    const walk = async () => {
      let after: readonly string[] | null = null;
      do {
        const step = await store.cleanUp.removeEnded("history", after, cleanUpAt(NOW + 1));
        after = step.next;
      } while (after !== null);
      return countOf("history", "account_id = ?1", accountId);
    };
    // At most 500 in a step.
    expect(await walk()).toBe(2100);
    expect(await walk()).toBe(2000);
    expect(await walk()).toBe(2000);
    const [newest, ...older] = await store.histories.historyOf(accountId, {
      since: 0,
      limit: 3000,
    });
    expect([newest?.id, older.at(-1)?.id]).toEqual(["02599", "00600"]);
    expect(await countOf("history", "account_id = ?1", other)).toBe(1);
  });
});
