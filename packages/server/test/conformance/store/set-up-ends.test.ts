// What every engine promises about the end of a set-up, which is one commit: account, passkey, codes and session.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { SqlEngine } from "../../../src/database/engine.ts";
import { write, writeWhen } from "../../../src/database/rows.ts";
import { SET_UP } from "../../../src/interaction/progress.ts";
import type { Enrolment } from "../../../src/store/enrolments.ts";
import { createStore } from "../../../src/store/store.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  begunInteraction,
  NOW,
  someEnrolment,
  someId,
  somePasskey,
  someProof,
  someSession,
} from "../../support/store-rows.ts";

onEveryEngine(({ store, stores, engine }) => {
  /** The end of a set-up with a passkey, in an interaction of its own. */
  async function someEnd(changes: Partial<Enrolment> = {}) {
    const { accountId: _, ...passkey } = somePasskey("none");
    const enrolment = someEnrolment({ passkey, ...changes });
    const { accountId, domain } = enrolment;
    const interaction = await begunInteraction(store, { domain, progress: SET_UP });
    const session = someSession(accountId, { now: NOW + 5 });
    const signIn = { interaction, proof: someProof({ accountId }), session };
    return { enrolment, recoveryCodeHashes: [someId(), someId()], now: NOW, signIn };
  }

  test("is all or nothing: account, codes, passkey, authentication and session", async () => {
    const { signIn, ...input } = await someEnd();
    const { accountId } = input.enrolment;
    const left = async () => ({
      account: (await store.accounts.readAccount(accountId))?.id,
      codes: await store.recoveryCodes.countRecoveryCodesOf(accountId),
      passkeys: (await store.passkeys.passkeysOf(accountId)).length,
      sessions: await store.sessions.countSessionsOf(accountId, NOW + 5),
      step: (await store.interactions.readInteraction(signIn.interaction.id))?.progress.step,
    });
    const nothing = { account: undefined, codes: 0, passkeys: 0, sessions: 0, step: "dns-setup" };
    const failing: SqlEngine = {
      ...engine,
      commit: (writes, options) =>
        engine.commit([...writes, writeWhen("SELECT 1 AS one WHERE 1 = 0")], options),
    };
    const enrol = createStore(failing).enrolments.enrol({ ...input, signIn });
    expect(await enrol).toBe("conflict");
    expect(await left()).toEqual(nothing);
    const done = await store.enrolments.enrol({ ...input, signIn });
    expect(done).toMatchObject({ isNew: true, signedIn: { session: { isNewBrowser: true } } });
    const all = { account: accountId, codes: 2, passkeys: 1, sessions: 1, step: "authenticated" };
    expect(await left()).toEqual(all);
  });

  test("of 20 requests of one interaction one signs in, and its secret alone is stored", async () => {
    for (let round = 0; round < 5; round++) {
      const { signIn, ...input } = await someEnd();
      const { accountId } = input.enrolment;
      const sessions = Array.from({ length: 20 }, () => someSession(accountId, { now: NOW + 5 }));
      const results = await race(stores, 20, (node, index) =>
        node.enrolments.enrol({
          ...input,
          signIn: { ...signIn, session: sessions[index] ?? signIn.session },
        }),
      );
      const done = results.filter((one) => typeof one !== "string");
      expect(done).toEqual([expect.objectContaining({ isNew: true })]);
      expect(results.filter((one) => one === "not waiting")).toHaveLength(19);
      const hashes = sessions.map(({ secretHash }) => secretHash);
      const [found, ...others] = await store.sessions.findSessions(hashes);
      expect(others).toEqual([]);
      const { progress } =
        (await store.interactions.readInteraction(signIn.interaction.id)) ?? signIn.interaction;
      expect(progress).toMatchObject({ accountId, sid: found?.session.sid });
    }
  });

  test("of 12 interactions with one set-up one signs in, and the others are told", async () => {
    for (let round = 0; round < 5; round++) {
      const { domain, acct, accountId } = someEnrolment();
      const ends = await Promise.all(
        Array.from({ length: 12 }, () => someEnd({ domain, acct, accountId })),
      );
      const [first] = ends;
      const results = await race(stores, 12, (node, index) =>
        node.enrolments.enrol(ends[index] ?? (first as NonNullable<typeof first>)),
      );
      expect(results.filter((one) => typeof one !== "string")).toHaveLength(1);
      expect(results.filter((one) => one === "elsewhere")).toHaveLength(11);
      expect(await store.sessions.countSessionsOf(accountId, NOW + 5)).toBe(1);
    }
  });

  test("an account that is put to sleep, or ended, while its set-up is finished again starts no session", async () => {
    for (const end of ["asleep", "ended"] as const) {
      const { signIn, ...input } = await someEnd();
      const { accountId } = input.enrolment;
      await store.enrolments.enrol(input);
      // A newer look than that of the set-up.
      await store.accounts.putToSleep(accountId, NOW + 60);
      if (end === "ended") await store.accountAdmin.endAccountNow({ accountId, now: NOW + 60 });
      const result = await store.enrolments.enrol({ ...input, signIn });
      expect(result).toBe(end === "ended" ? "ended" : "conflict");
      expect(await store.sessions.countSessionsOf(accountId, NOW + 5)).toBe(0);
      const row = await store.interactions.readInteraction(signIn.interaction.id);
      expect(row?.progress.step).toBe("dns-setup");
    }
  });

  test("an account that ends while its set-up is finished again keeps no code and no passkey", async () => {
    // Only PostgreSQL does anything between the writes of an array.
    const pause = write("SELECT 1 AS slept FROM pg_sleep(0.2)");
    const pauses = engine.statementTime === undefined ? [] : [pause];
    const slow: SqlEngine = {
      ...engine,
      commit: (writes, options) =>
        engine.commit([...writes.slice(0, 4), ...pauses, ...writes.slice(4)], options),
    };
    for (const endsAfterMs of [0, 50, 100]) {
      const { signIn, ...input } = await someEnd();
      const { accountId, passkey } = input.enrolment;
      await store.enrolments.enrol(input);
      const again = createStore(slow).enrolments.enrol({ ...input, signIn });
      await sleep(endsAfterMs);
      await store.accountAdmin.endAccountNow({ accountId, now: NOW + 1 });
      await again;
      const left = "SELECT 1 AS one FROM recovery_codes WHERE account_id = ?1";
      expect(await engine.execute(left, [accountId])).toEqual([]);
      expect(await store.passkeys.findPasskey(passkey?.credentialId ?? "")).toBeNull();
      expect((await store.accounts.readAccount(accountId))?.endedAt).toBe(NOW + 1);
    }
  });
});
