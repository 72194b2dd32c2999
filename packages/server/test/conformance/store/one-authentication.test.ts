// What every engine promises about authentications at once, of one interaction or by one challenge: one starts a session.

import { expect, test } from "vitest";
import { createFlow, type Proof } from "../../../src/interaction/flow.ts";
import { SET_UP, startedOver } from "../../../src/interaction/progress.ts";
import { clockFrom } from "../../../src/lib/clock.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { createBrowserSessions } from "../../../src/sessions/browser-sessions.ts";
import type { Account } from "../../../src/store/accounts.ts";
import { CLEAN_UP_TABLES } from "../../../src/store/clean-up.ts";
import { isAuthenticated } from "../../../src/store/interaction-row.ts";
import type { PasskeyUse } from "../../../src/store/passkeys.ts";
import { createStore, type Store } from "../../../src/store/store.ts";
import { jsonEvents } from "../../../src/telemetry/events.ts";
import { testCookies } from "../../support/cookies.ts";
import { httpRequest } from "../../support/http-request.ts";
import { changeProgress } from "../../support/progress.ts";
import { ROOMS } from "../../support/rooms.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  begunInteraction,
  cleanUpAt,
  DAY,
  liveAccount,
  NOW,
  recordSignIn,
  someId,
  somePasskey,
  someSession,
  startOnce,
} from "../../support/store-rows.ts";

const ISSUER = "https://auth.example.com";
const cookies = testCookies(ISSUER);
const request = { clientId: "app", consent: "never", scopes: [], prompt: new Set() };

onEveryEngine(({ store, stores, engine }) => {
  /** An interaction of a live account, and how a browser with this cookie authenticates in it on a node. */
  async function begun(of?: Account, proof: Partial<Proof> = {}) {
    const account = of ?? (await liveAccount(store));
    const interaction = await begunInteraction(store, { domain: account.domain });
    const authenticate = (node: Store, cookie?: string) => {
      const headers = cookie === undefined ? {} : { cookie };
      const http = httpRequest(new Request(`${ISSUER}/interaction/x/y`, { headers }));
      const deps = {
        ...node,
        ...{ cookies, random: systemRandom, clock: clockFrom(() => NOW * 1000) },
        events: jsonEvents({ write: () => {} }),
        returningBrowsers: { cookieFor: () => "", read: () => null },
        ...ROOMS,
      };
      const browserSessions = createBrowserSessions(deps);
      const noCode = () => Promise.reject(new Error("no code here"));
      const flow = createFlow({ ...deps, browserSessions, completeInteraction: noCode });
      const authenticated = { account, amr: "dns", ...proof };
      return flow.authenticate({ http, interaction, request } as never, authenticated);
    };
    const sid = async () => {
      const read = await store.interactions.readInteraction(interaction.id);
      return read !== null && isAuthenticated(read) ? read.progress.sid : null;
    };
    return { account, interaction, authenticate, sid };
  }

  /** With an assertion, which is answered with a page if it must not be used. */
  function refusable(use: PasskeyUse): Partial<Proof> {
    const refused = async () => ({ status: 400, headers: {}, body: "" });
    return { amr: "pop user", beside: { use, refused } };
  }

  const sessionsSet = ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
    [headers["set-cookie"] ?? []].flat().filter((cookie) => String(cookie).includes("_session_"));

  test("of 20 in a new browser one starts a session, and its answer alone has the secret", async () => {
    for (let round = 0; round < 5; round++) {
      const { account, authenticate, sid } = await begun();
      const answers = await race(stores, 20, (node) => authenticate(node));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 303));
      const secrets = answers.flatMap(sessionsSet);
      expect(secrets).toHaveLength(1);
      expect(await store.sessions.countBrowsersOf(account.id, NOW)).toBe(1);
      const [session, ...others] = await store.sessions.sessionsOf(account.id, NOW);
      expect(others).toEqual([]);
      expect(await sid()).toBe(session?.sid);
    }
  });

  test("of 10 in a known browser the one that counts continues its session", async () => {
    const first = await begun();
    const [set] = sessionsSet(await first.authenticate(store));
    const cookie = String(set).split(";")[0];
    // That interaction is done: it starts nothing any more.
    expect(sessionsSet(await first.authenticate(store, cookie))).toEqual([]);
    const second = await begun(first.account);
    const answers = await race(stores, 10, (node) => second.authenticate(node, cookie));
    expect(answers.flatMap(sessionsSet)).toHaveLength(1);
    expect(await second.sid()).toBe(await first.sid());
    expect(await store.sessions.countBrowsersOf(first.account.id, NOW)).toBe(1);
    // The secret of another account continues nothing.
    const stranger = await begun();
    await stranger.authenticate(store, cookie);
    expect(await stranger.sid()).not.toBe(await first.sid());
  });

  test("of 20 by one challenge, in two browsers of several accounts, one starts a session", async () => {
    for (let round = 0; round < 5; round++) {
      const accounts = [await liveAccount(store), await liveAccount(store)];
      const challenge = someId();
      const started = await race(stores, 20, (node, index) =>
        startOnce(node, someSession(accounts[index % 2]?.id ?? ""), challenge),
      );
      expect(started.filter((one) => one !== null)).toEqual([
        expect.objectContaining({ isNewBrowser: true }),
      ]);
      const counts = accounts.map(({ id }) => store.sessions.countBrowsersOf(id, NOW));
      expect((await Promise.all(counts)).sort()).toEqual([0, 1]);
    }
  });

  test("of 20 with one assertion of a passkey that counts, in two interactions, one starts a session", async () => {
    for (let round = 0; round < 5; round++) {
      const account = await liveAccount(store);
      const { id: accountId } = account;
      const passkey = somePasskey(accountId);
      await store.passkeys.addPasskey(passkey);
      const { credentialId } = passkey;
      const use = { credentialId, accountId, counter: 7, backedUp: 0, now: NOW } as const;
      const all = [await begun(account, refusable(use)), await begun(account, refusable(use))];
      const answers = await race(stores, 20, async (node, index) => {
        // The page that asks for a domain starts a session without an interaction.
        const hash = someId();
        return index % 4 === 0
          ? startOnce(node, someSession(accountId), hash, use)
          : all[index % 2]?.authenticate(node);
      });
      const started = answers.flatMap((one) =>
        one && "headers" in one ? sessionsSet(one) : (one ?? []),
      );
      expect(started).toHaveLength(1);
      expect(await store.sessions.countBrowsersOf(accountId, NOW)).toBe(1);
      expect((await store.passkeys.findPasskey(credentialId))?.counter).toBe(7);
      const sids = await Promise.all(all.map(({ sid }) => sid()));
      const stored = (await store.sessions.sessionsOf(accountId, NOW)).map(({ sid }) => sid);
      expect(stored).toEqual([expect.any(String)]);
      for (const sid of sids) expect([null, ...stored]).toContain(sid);
    }
  });

  test("a passkey that is removed, or whose account sleeps, when its assertion comes starts no session", async () => {
    for (const end of ["removed", "asleep"]) {
      const account = await liveAccount(store);
      const { id: accountId } = account;
      const passkey = somePasskey(accountId);
      await store.passkeys.addPasskey(passkey);
      const { credentialId } = passkey;
      const use = { credentialId, accountId, counter: 0, backedUp: 0, now: NOW } as const;
      const { authenticate, sid } = await begun(account, refusable(use));
      if (end === "removed") await store.passkeys.removePasskey(passkey, NOW);
      else await store.accounts.putToSleep(accountId, NOW + 1);
      expect((await authenticate(store)).status).toBe(400);
      const once = startOnce(store, someSession(accountId), someId(), use);
      expect([await once, await sid()]).toEqual([null, null]);
      expect(await store.sessions.countBrowsersOf(accountId, NOW)).toBe(0);
    }
  });

  test("a session that ends while it is continued has ended for the new secret", async () => {
    for (let round = 0; round < 10; round++) {
      const { account, authenticate } = await begun();
      const cookie = String(sessionsSet(await authenticate(store))[0]).split(";")[0];
      const [session] = await store.sessions.sessionsOf(account.id, NOW);
      const next = await begun(account);
      await race(stores, 8, async (node, index) => {
        for (let turn = (index + round) % 4; turn > 0; turn--) await node.ping();
        if (index % 2 === 0) return next.authenticate(node, cookie);
        const of = { accountId: account.id, sid: session?.sid ?? "" };
        return node.sessions.endSession(of, "elsewhere", NOW);
      });
      // Continued before its end, or a session of its own after it.
      const sid = String(await next.sid());
      const isOpen = (await store.sessions.sessionsOf(account.id, NOW)).some(
        (one) => one.sid === sid,
      );
      expect(isOpen).toBe(sid !== session?.sid);
      expect(await store.sessions.isWithoutSession(sid)).toBe(sid === session?.sid);
    }
  });

  test("of 20 interactions with one DNS challenge, each with a code, one starts a session and uses up its code", async () => {
    for (let round = 0; round < 5; round++) {
      const codes = Array.from({ length: 20 }, () => someId());
      const account = await liveAccount(store, { codes });
      const usedChallenge = someId();
      const all = await Promise.all(
        codes.map((usedCode) => begun(account, { usedChallenge, usedCode })),
      );
      const answers = await race(stores, 20, async (node, index) =>
        all[index]?.authenticate(node).catch((error) => error),
      );
      expect(answers.flatMap((answer) => sessionsSet(answer ?? { headers: {} }))).toHaveLength(1);
      expect(await store.sessions.countSessionsOf(account.id, NOW)).toBe(1);
      expect(await store.recoveryCodes.countRecoveryCodesOf(account.id)).toBe(19);
      const sids = (await Promise.all(all.map(({ sid }) => sid()))).filter((sid) => sid !== null);
      expect(sids).toEqual([await store.sessions.sidStartedBy(usedChallenge)]);
    }
  });

  test("a row that is removed while its owner proves it: the proof wins, once", async () => {
    for (let round = 0; round < 10; round++) {
      const { account, interaction, authenticate } = await begun(undefined, {
        usedChallenge: someId(),
      });
      const evict = "DELETE FROM interactions WHERE id = ?1 AND account_id IS NULL";
      const answers = await race(stores, 12, async (node, index) => {
        for (let turn = (index + round) % 3; turn > 0; turn--) await node.ping();
        if (index % 3 > 0) return authenticate(node);
        await engine.execute(evict, [interaction.id]);
        return null;
      });
      expect(answers.flatMap((answer) => sessionsSet(answer ?? { headers: {} }))).toHaveLength(1);
      expect(await store.sessions.countSessionsOf(account.id, NOW)).toBe(1);
    }
  });

  test("a used DNS challenge is refused for eight days of floor time, also after its row and its session", async () => {
    const account = await liveAccount(store);
    const usedChallenge = someId();
    const short = createStore(engine, { sessionIdleDays: 1, sessionAbsoluteDays: 1 });
    const first = await begun(account, { usedChallenge });
    expect(await store.interactions.isChallengeUsed(usedChallenge)).toBe(false);
    expect(sessionsSet(await first.authenticate(short))).toHaveLength(1);
    await store.accountAdmin.endAccountNow({ accountId: account.id, now: NOW });
    // What is deleted by the clock is out of date for seven days of floor time.
    for (const table of CLEAN_UP_TABLES)
      await short.cleanUp.removeEnded(table, null, cleanUpAt(NOW + DAY - 1));
    expect(await store.interactions.readInteraction(first.interaction.id)).toBeNull();
    expect(await store.interactions.isChallengeUsed(usedChallenge)).toBe(true);
    const again = await begun(account, { usedChallenge });
    expect(sessionsSet(await again.authenticate(store))).toEqual([]);
    expect(await again.sid()).toBeNull();
  });

  test("a used challenge stays known for as long as any challenge is valid, even if its session has ended", async () => {
    const account = await liveAccount(store);
    const passkey = somePasskey(account.id);
    await store.passkeys.addPasskey(passkey);
    const [hash, counted, attempt] = [someId(), someId(), someId()];
    const isUsed = async (of: { hash: string; attempt: string }, now = NOW) =>
      (await store.passkeys.findPasskeyAndAccount(passkey.credentialId, of, now))?.isChallengeUsed;
    expect(await isUsed({ hash, attempt })).toBe(false);
    const session = someSession(account.id);
    expect(await startOnce(store, session, hash)).not.toBeNull();
    // Other sessions have no challenge, and are no conflict.
    for (let count = 0; count < 3; count++)
      await store.sessions.startSession(someSession(account.id));
    await store.attempts.countAttempt({ name: attempt, windowSeconds: 600, now: NOW });
    expect(await isUsed({ hash: counted, attempt })).toBe(true);
    expect(await isUsed({ hash: counted, attempt }, NOW + 600)).toBe(false);
    const { accountId } = session;
    await store.sessions.endSessionsOf(accountId, { reason: "operator", now: NOW });
    await store.sessions.forgetBrowsersOf(accountId, "operator");
    for (const days of [1, 29]) {
      for (const table of CLEAN_UP_TABLES)
        await store.cleanUp.removeEnded(table, null, cleanUpAt(NOW + days * DAY));
      expect(await isUsed({ hash, attempt: someId() })).toBe(true);
      expect(await startOnce(store, someSession(accountId), hash)).toBeNull();
    }
    await store.accountWalk.endAccount({ accountId, asleepBefore: NOW, now: NOW });
    expect(await startOnce(store, someSession(accountId), hash)).toBeNull();
  });

  test("an interaction that is switched to a set-up while its challenge succeeds is one of both", async () => {
    const proof = { accountId: someId(), authTime: NOW, amr: "dns", controlCheckedAt: NOW };
    for (let round = 0; round < 10; round++) {
      const interaction = await begunInteraction(store);
      const results = await race(stores, 20, async (node, index) => {
        for (let turn = (index + round) % 4; turn > 0; turn--) await node.ping();
        return index % 2 === 0
          ? recordSignIn(node, interaction, { ...proof, sid: someId() }, NOW)
          : changeProgress(node, interaction.id, startedOver, NOW);
      });
      const authenticated = results.filter((row, index) => index % 2 === 0 && row !== null);
      const switched = results.filter((row, index) => index % 2 === 1 && row !== null);
      const row = await store.interactions.readInteraction(interaction.id);
      const isSetUp = row?.progress.step === "dns-setup";
      expect([authenticated.length, switched.length, row?.progress]).toEqual(
        isSetUp ? [0, 10, SET_UP] : [1, 0, expect.objectContaining({ accountId: proof.accountId })],
      );
    }
  });
});
