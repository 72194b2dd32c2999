// What every engine promises about notifying apps of the end of a session: who is due, and each attempt once.

import { describe, expect, test } from "vitest";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { DAY, liveAccount, NOW, someGrant, someId, someSession } from "../../support/store-rows.ts";

const PER_ROUND = { each: 8, all: 64 };

onEveryEngine(({ store, stores, engine }) => {
  /** A session that signed in to a client, and what is due when it has ended. */
  async function begun(of: { clientId?: string; host?: string } = {}) {
    const account = await liveAccount(store);
    const session = someSession(account.id);
    await store.sessions.startSession(session);
    const { clientId = someId(), host = someId() } = of;
    const which = { sid: session.newSid, clientId };
    const noted = { ...which, host };
    for (const _ of ["once", "again"]) await store.logouts.noteSessionClient(noted);
    const due = { ...noted, accountId: account.id, domain: account.domain, claims: 0, pending: 1 };
    const end = (at = NOW) =>
      store.sessions.endSession({ sid: which.sid, accountId: account.id }, "signed_out", at);
    return { account, which, noted, due, end };
  }
  const isDue = async (clientId: string, now = NOW) => {
    const all = await store.logouts.dueLogouts(now, { each: 1000, all: 100_000 });
    return all.filter((one) => one.clientId === clientId);
  };
  const claim = async (due: { sid: string; clientId: string; claims: number }, now = NOW) => {
    const claimed = await store.logouts.claimLogout(due, { now, until: now + 60 });
    if (claimed === null) throw new Error("somebody else has claimed it");
    return claimed;
  };

  test("a client that got no code, because the session had ended, is not told of its end", async () => {
    const account = await liveAccount(store);
    const started = someSession(account.id);
    const { sid } = await store.sessions.startSession(started);
    const [found] = await store.sessions.findSessions([started.secretHash]);
    if (found === undefined) throw new Error("the session was not stored");
    await store.sessions.endSession({ sid, accountId: account.id }, "signed_out", NOW);
    const notified = { sid, clientId: someId(), host: someId() };
    const others = [store.sessions.requireSession(found.session, NOW)];
    const grant = someGrant(account.id, { sid, clientId: notified.clientId });
    expect(await store.grants.issueWith(grant, { others, notified })).toBe("withdrawn");
    expect(await isDue(notified.clientId)).toEqual([]);
  });

  test("a client is due from the end of the session on, for a day, until it was notified", async () => {
    const { which, due, end } = await begun();
    expect(await isDue(which.clientId)).toEqual([]);
    await end();
    // However many secrets the session had.
    expect(await isDue(which.clientId)).toEqual([due]);
    expect(await isDue(which.clientId, NOW + DAY - 1)).toEqual([due]);
    expect(await isDue(which.clientId, NOW + DAY)).toEqual([]);
    const claimed = await claim(due);
    await store.logouts.postponeLogout(claimed, NOW + 30);
    expect(await isDue(which.clientId, NOW + 29)).toEqual([]);
    expect(await isDue(which.clientId, NOW + 30)).toEqual([{ ...due, claims: 1 }]);
    await store.logouts.finishLogout(claimed, NOW + 31);
    expect(await isDue(which.clientId, NOW + 40)).toEqual([]);
  });

  test("of 20 nodes one claims each attempt, until its claim is over", async () => {
    const { which, due, end } = await begun();
    await end();
    for (const [claims, now] of [NOW, NOW + 60].entries()) {
      const claimed = await race(stores, 20, (node) =>
        node.logouts.claimLogout({ ...due, claims }, { now, until: now + 60 }),
      );
      expect(claimed.filter((one) => one !== null)).toEqual([
        { ...which, claims: claims + 1, attempt: claims + 1 },
      ]);
    }
    expect(
      await store.logouts.claimLogout({ ...due, claims: 2 }, { now: NOW + 119, until: 0 }),
    ).toBeNull();
    await store.logouts.finishLogout({ ...which, claims: 2, attempt: 2 }, NOW + 61);
    const late = { now: NOW + 200, until: NOW + 260 };
    expect(await store.logouts.claimLogout({ ...due, claims: 2 }, late)).toBeNull();
  });

  test("is due too when its account has ended, or two lookups a day apart did not find its record", async () => {
    const [ended, lost] = [await begun(), await begun()];
    await store.accountAdmin.endAccountNow({ accountId: ended.account.id, now: NOW + 5 });
    expect(await isDue(ended.which.clientId, NOW + 5)).toEqual([ended.due]);
    await store.accounts.putToSleep(lost.account.id, NOW + 5);
    expect(await isDue(lost.which.clientId, NOW + 5)).toEqual([]);
    await store.accounts.putToSleep(lost.account.id, NOW + DAY + 5);
    expect(await isDue(lost.which.clientId, NOW + DAY + 5)).toEqual([lost.due]);
  });

  describe("a session that goes on when its record returns", () => {
    /** The account was lost, and its app is notified of that. */
    async function lost() {
      const { account, which, noted, due, end } = await begun();
      await store.accounts.putToSleep(account.id, NOW);
      await store.accounts.putToSleep(account.id, NOW + DAY);
      const wake = () => store.accounts.wakeAccount(account, NOW + DAY + 10);
      return { which, noted, due, end, wake, claimed: await claim(due, NOW + DAY) };
    }
    const later = NOW + DAY + 20;

    test("and signs in to the app again is notified of its next end", async () => {
      const { which, noted, due, end, wake, claimed } = await lost();
      await store.logouts.finishLogout(claimed, NOW + DAY + 1);
      await wake();
      await end(later);
      // The app has ended its own session.
      expect(await isDue(which.clientId, later)).toEqual([]);
      await race(stores, 20, (node) => node.logouts.noteSessionClient(noted));
      expect(await isDue(which.clientId, later)).toEqual([{ ...due, claims: 2 }]);
      // Its first attempt, without the pauses of the former ones.
      expect(await claim({ ...due, claims: 2 }, later)).toMatchObject({ attempt: 1 });
    });

    test("is notified of its next end, whatever becomes of an attempt of the former one", async () => {
      for (const outcome of ["finished", "postponed", "moved"]) {
        const { which, noted, due, end, wake, claimed } = await lost();
        await wake();
        await store.logouts.noteSessionClient(noted);
        await end(later);
        if (outcome === "finished") await store.logouts.finishLogout(claimed, later);
        if (outcome === "postponed") await store.logouts.postponeLogout(claimed, later + 30);
        if (outcome === "moved")
          await store.logouts.moveLogout(claimed, { host: "moved", at: later + 30 });
        expect(await isDue(which.clientId, later)).toEqual([{ ...due, claims: 2 }]);
      }
    });

    test("is not notified of the former end after that", async () => {
      const { which, noted, due, wake, claimed } = await lost();
      await store.logouts.postponeLogout(claimed, NOW + DAY + 1);
      // A node finds it due, and before it claims the attempt, the session signs in again.
      expect(await isDue(which.clientId, NOW + DAY + 1)).toEqual([{ ...due, claims: 1 }]);
      await wake();
      await store.logouts.noteSessionClient(noted);
      const times = { now: later, until: later + 60 };
      expect(await store.logouts.claimLogout({ ...due, claims: 1 }, times)).toBeNull();
      expect(await isDue(which.clientId, later)).toEqual([]);
    });
  });

  test("a logout URI that has moved is due at its new host, and the attempt does not count", async () => {
    const { which, due, end } = await begun();
    await end();
    const moved = { host: "new.example", at: NOW + 5 };
    await store.logouts.moveLogout(await claim(due), moved);
    expect(await isDue(which.clientId, NOW + 4)).toEqual([]);
    expect(await isDue(which.clientId, NOW + 5)).toEqual([
      { ...due, claims: 1, host: "new.example" },
    ]);
    expect(await claim({ ...due, claims: 1 }, NOW + 5)).toMatchObject({ claims: 2, attempt: 1 });
  });

  describe("a flood of ended sessions", () => {
    // Past the window of the other tests of this file.
    let start = NOW + 100 * DAY;
    const nextStart = () => {
      start += 2 * DAY;
      return start;
    };

    /** Sessions of one account that signed in to the client and ended at once. */
    async function flood(count: number, of: { clientId?: string; host: string; at: number }) {
      const { id: accountId } = await liveAccount(store);
      const sids = Array.from({ length: count }, () => someId());
      for (let from = 0; from < count; from += 500) {
        const some = sids.slice(from, from + 500);
        const sessions = some.map(
          (sid) =>
            `('${sid}', '${sid}', '${sid}', 1, '${accountId}', 1, 'dns', 'x', 1, 1, 1, ${of.at}, 'elsewhere')`,
        );
        await engine.execute(
          `INSERT INTO sessions (secret_hash, sid, device_id, number, account_id, auth_time, amr, browser,
             issued_at, last_used_at, expires_at, ended_at, end_reason) VALUES ${sessions.join()}`,
          [],
        );
        const clients = some.map(
          (sid) => `('${sid}', '${of.clientId ?? sid}', '${of.host}', 0, 0, 0)`,
        );
        await engine.execute(
          `INSERT INTO session_clients (sid, client_id, host, next_at, attempts, claims) VALUES ${clients.join()}`,
          [],
        );
      }
    }

    test("of one client delays no other client", async () => {
      const at = nextStart();
      const clientId = someId();
      await flood(3000, { clientId, host: "flood.example", at });
      const others = [];
      for (let count = 0; count < 20; count++) others.push(await begun());
      for (const { end } of others) await end(at + 5);
      const due = await store.logouts.dueLogouts(at + 5, PER_ROUND);
      const ids = due.map((one) => one.clientId);
      expect(ids).toEqual(expect.arrayContaining(others.map(({ which }) => which.clientId)));
      expect(due.filter((one) => one.clientId === clientId)).toHaveLength(8);
      expect(due.find((one) => one.clientId === clientId)?.pending).toBe(3000);
      expect(due).toHaveLength(28);
    });

    test("of one client leaves turns to the other clients of its host", async () => {
      const at = nextStart();
      const clientId = someId();
      await flood(100, { clientId, host: "flood.example", at });
      const { which, end } = await begun({ host: "flood.example" });
      await end(at + 5);
      const due = await store.logouts.dueLogouts(at + 5, PER_ROUND);
      expect(due.filter((one) => one.clientId === clientId)).toHaveLength(7);
      expect(due.map(({ sid }) => sid)).toContain(which.sid);
      expect(due).toHaveLength(8);
    });

    test("of many clients at one host delays no other host", async () => {
      const at = nextStart();
      await flood(3000, { host: "flood.example", at });
      const { which, end } = await begun({ host: "one.example" });
      await end(at + 5);
      const due = await store.logouts.dueLogouts(at + 5, PER_ROUND);
      expect(due.map(({ host }) => host).sort()).toEqual([
        ...Array.from({ length: 8 }, () => "flood.example"),
        "one.example",
      ]);
      expect(due.map(({ sid }) => sid)).toContain(which.sid);
    });

    test("of many hosts delays others until those before them had their turn, and no longer", async () => {
      const at = nextStart();
      for (let count = 0; count < 70; count++) {
        await flood(1, { host: `host-${count}.example`, at });
      }
      const { which, end } = await begun();
      await end(at + 5);
      const first = await store.logouts.dueLogouts(at + 5, PER_ROUND);
      expect([first.length, first.some(({ sid }) => sid === which.sid)]).toEqual([64, false]);
      for (const one of first)
        await store.logouts.postponeLogout(await claim(one, at + 5), at + 35);
      const second = await store.logouts.dueLogouts(at + 10, PER_ROUND);
      expect([second.length, second.some(({ sid }) => sid === which.sid)]).toEqual([7, true]);
    });

    test("does not go before a further attempt that was due earlier", async () => {
      const at = nextStart();
      const clientId = someId();
      const { which, due, end } = await begun({ clientId, host: "flood.example" });
      await end(at);
      await store.logouts.postponeLogout(await claim(due, at), at + 30);
      await flood(100, { clientId, host: "flood.example", at: at + 31 });
      const found = await store.logouts.dueLogouts(at + 31, PER_ROUND);
      expect(found).toHaveLength(8);
      expect(found[0]).toMatchObject({ ...which, claims: 1 });
    });

    test("is bounded: the oldest are given up, each counted once of 20 callers", async () => {
      const at = nextStart();
      const clientId = someId();
      const [oldest, newest, other] = [
        await begun({ clientId }),
        await begun({ clientId }),
        await begun(),
      ];
      await oldest.end(at - 5);
      await store.logouts.postponeLogout(await claim(oldest.due, at), at + 30);
      await flood(1500, { clientId, host: "flood.example", at });
      for (const { end } of [newest, other]) await end(at + 5);
      const counts = await race(stores, 20, (node) =>
        node.logouts.dropLogouts({ clientId, kept: 1000, now: at + 10 }),
      );
      expect(counts.reduce((all, one) => all + one, 0)).toBe(502);
      const left = await isDue(clientId, at + 40);
      expect(left).toHaveLength(1000);
      const sids = left.map(({ sid }) => sid);
      expect([oldest, newest].map(({ which }) => sids.includes(which.sid))).toEqual([false, true]);
      expect(await isDue(other.which.clientId, at + 40)).toHaveLength(1);
      expect(await store.logouts.dropLogouts({ clientId, kept: 1000, now: at + 40 })).toBe(0);
    });
  });
});
