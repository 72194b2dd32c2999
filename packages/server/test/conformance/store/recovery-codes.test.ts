// What every engine promises about sets of recovery codes: one of them is valid, as a whole.

import { describe, expect, test } from "vitest";
import { recoveryAnswered } from "../../../src/interaction/progress.ts";
import { cleanUp } from "../../../src/store/clean-up.ts";
import { changeProgress } from "../../support/progress.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  begunInteraction,
  cleanUpAt,
  DAY,
  liveAccount,
  NOW,
  recordSignIn,
  signInByCode,
  someId,
} from "../../support/store-rows.ts";

onEveryEngine(({ store, stores, engine }) => {
  const ten = () => Array.from({ length: 10 }, () => someId());
  const isValid = async (accountId: string, codes: readonly string[]) => {
    const found = codes.map((code) => store.recoveryCodes.hasRecoveryCode(accountId, code));
    return [...new Set(await Promise.all(found))];
  };

  test("a new set replaces the former one as a whole, used codes too, and no other account's", async () => {
    const [former, shared] = [ten(), someId()];
    const { id } = await liveAccount(store, { codes: [...former, shared] });
    const other = await liveAccount(store, { codes: [shared] });
    await signInByCode(store, { accountId: id, codeHash: String(former[0]), now: NOW });
    const renewal = { accountId: id, from: null, to: someId(), codeHashes: ten() };
    expect(await store.recoveryCodes.recoveryCodeSet(id)).toBeNull();
    expect(await store.recoveryCodes.renewRecoveryCodes(renewal)).toBe("renewed");
    expect(await store.recoveryCodes.recoveryCodeSet(id)).toBe(renewal.to);
    expect(await isValid(id, former)).toEqual([false]);
    expect(await isValid(id, renewal.codeHashes)).toEqual([true]);
    expect(await store.recoveryCodes.countRecoveryCodesOf(id)).toBe(10);
    expect(await isValid(other.id, [shared])).toEqual([true]);
    const use = { accountId: id, codeHash: String(former[1]), now: NOW };
    expect(await signInByCode(store, use)).toBe(false);
    expect(await signInByCode(store, { ...use, codeHash: shared })).toBe(false);
  });

  test("a repetition is harmless: it renews nothing again, and brings no used code back", async () => {
    const { id } = await liveAccount(store);
    const first = { accountId: id, from: null, to: someId(), codeHashes: ten() };
    await store.recoveryCodes.renewRecoveryCodes(first);
    const codeHash = String(first.codeHashes[0]);
    expect(await signInByCode(store, { accountId: id, codeHash, now: NOW })).toBe(true);
    expect(await store.recoveryCodes.renewRecoveryCodes(first)).toBe("renewed");
    expect(await store.recoveryCodes.countRecoveryCodesOf(id)).toBe(9);
    const second = { accountId: id, from: first.to, to: someId(), codeHashes: ten() };
    expect(await store.recoveryCodes.renewRecoveryCodes(second)).toBe("renewed");
    expect(await store.recoveryCodes.renewRecoveryCodes(first)).toBe("stale");
    expect(await isValid(id, first.codeHashes)).toEqual([false]);
    expect(await isValid(id, second.codeHashes)).toEqual([true]);
  });

  test("of 30 renewals of one set one counts, with all its codes", async () => {
    const { id } = await liveAccount(store, { codes: ten() });
    const results = await race(stores, 30, async (node) => {
      const renewal = { accountId: id, from: null, to: someId(), codeHashes: ten() };
      return { renewal, result: await node.recoveryCodes.renewRecoveryCodes(renewal) };
    });
    const renewed = results.filter(({ result }) => result === "renewed");
    expect(renewed).toHaveLength(1);
    for (const { renewal, result } of results) {
      expect(await isValid(id, renewal.codeHashes)).toEqual([result === "renewed"]);
    }
  });

  test("an account that sleeps, has ended or does not exist keeps what it has", async () => {
    const asleep = await liveAccount(store);
    await store.accounts.putToSleep(asleep.id, NOW);
    const ended = await liveAccount(store);
    await store.accountAdmin.endAccountNow({ accountId: ended.id, now: NOW });
    for (const accountId of [asleep.id, ended.id, someId("sub_")]) {
      const renewal = { accountId, from: null, to: someId(), codeHashes: ten() };
      expect(await store.recoveryCodes.renewRecoveryCodes(renewal)).toBe("stale");
      expect(await store.recoveryCodes.recoveryCodeSet(accountId)).toBeNull();
      expect(await isValid(accountId, renewal.codeHashes)).toEqual([false]);
    }
  });

  describe("a code and the authentication that uses it up", () => {
    const by = (accountId: string, usedCode: string) => ({
      ...{ accountId, amr: "dns", authTime: NOW, controlCheckedAt: NOW },
      ...{ sid: someId(), usedCode },
    });
    const begun = () => begunInteraction(store);

    test("are one statement: of 30 interactions with one code, one is authenticated", async () => {
      const code = someId();
      const { id } = await liveAccount(store, { codes: [code] });
      const interactions = await Promise.all(Array.from({ length: 30 }, begun));
      const results = await race(stores, 30, async (node, index) =>
        recordSignIn(node, interactions[index] ?? (await begun()), by(id, code), NOW),
      );
      const [winner, ...others] = results.filter((result) => result !== null);
      expect(others).toEqual([]);
      expect(winner).toMatchObject({ progress: { accountId: id, usedCode: code } });
      const read = await Promise.all(
        interactions.map((one) => store.interactions.readInteraction(one.id)),
      );
      expect(read.filter((one) => one?.progress.step !== "dns-challenge")).toEqual([winner]);
      expect(await isValid(id, [code])).toEqual([false]);
    });

    test("of 30 callers with different codes for one interaction, one is authenticated and uses up its own", async () => {
      const codes = Array.from({ length: 30 }, () => someId());
      const { id } = await liveAccount(store, { codes });
      const interaction = await begun();
      const results = await race(stores, 30, (node, index) =>
        recordSignIn(node, interaction, by(id, codes[index] ?? ""), NOW),
      );
      const [winner, ...others] = results.filter((result) => result !== null);
      expect(others).toEqual([]);
      expect(await store.recoveryCodes.countRecoveryCodesOf(id)).toBe(29);
      expect(await isValid(id, [winner?.progress.usedCode ?? ""])).toEqual([false]);
    });

    test("are refused together: by a code of another account, of a former set, or an interaction that has ended", async () => {
      const [code, foreign] = [someId(), someId()];
      const { id } = await liveAccount(store, { codes: [code] });
      await liveAccount(store, { codes: [foreign] });
      const interaction = await begun();
      const { expiresAt } = interaction;
      expect(await recordSignIn(store, interaction, by(id, foreign), NOW)).toBeNull();
      expect(await recordSignIn(store, interaction, by(id, code), expiresAt)).toBeNull();
      expect(await isValid(id, [code])).toEqual([true]);
      const renewal = { accountId: id, from: null, to: someId(), codeHashes: [someId()] };
      await store.recoveryCodes.renewRecoveryCodes(renewal);
      expect(await recordSignIn(store, interaction, by(id, code), NOW)).toBeNull();
      const current = by(id, renewal.codeHashes[0] ?? "");
      expect(await recordSignIn(store, interaction, current, NOW)).not.toBeNull();
    });

    test("stay together where a crash came before the code was marked, also after a clean-up", async () => {
      const [code, left] = [someId(), someId()];
      const { id } = await liveAccount(store, { codes: [code, left] });
      const interaction = await begun();
      await recordSignIn(store, interaction, by(id, code), NOW);
      const marked =
        "UPDATE recovery_codes SET used_at = ?1 WHERE account_id = ?2 AND code_hash = ?3";
      const walk = (now: number) =>
        cleanUp(
          "interactions",
          { store: store.cleanUp, time: () => cleanUpAt(now) },
          async () => {},
        );
      await engine.execute(marked, [null, id, code]);
      expect(await signInByCode(store, { accountId: id, codeHash: code })).toBe(false);
      expect(await isValid(id, [code])).toEqual([false]);
      expect(await store.recoveryCodes.countRecoveryCodesOf(id)).toBe(1);
      await walk(interaction.expiresAt + 7 * DAY);
      expect(await store.interactions.readInteraction(interaction.id)).not.toBeNull();
      expect(await isValid(id, [code])).toEqual([false]);
      await engine.execute(marked, [NOW, id, code]);
      await walk(interaction.expiresAt + 7 * DAY);
      expect(await store.interactions.readInteraction(interaction.id)).toBeNull();
      expect(await isValid(id, [code])).toEqual([false]);
    });
  });

  test("of 30 answers after a recovery each counts once, and nobody comes back from the last", async () => {
    const code = someId();
    const { id: accountId } = await liveAccount(store, { codes: [code] });
    const interaction = await begunInteraction(store);
    const answer = (by: "added" | "done", { node = store, now = NOW } = {}) =>
      changeProgress(node, interaction.id, recoveryAnswered(by), now);
    expect(await answer("added")).toBeNull();
    const proof = { accountId, amr: "dns", authTime: NOW, controlCheckedAt: NOW, sid: someId() };
    const asked = { ...proof, usedCode: code, recovery: "asked" } as const;
    expect((await recordSignIn(store, interaction, asked, NOW))?.progress).toMatchObject(asked);
    const answers = async (by: "added" | "done") =>
      (await race(stores, 30, (node) => answer(by, { node }))).filter((row) => row !== null);
    expect(await answer("done", { now: NOW + 3600 })).toBeNull();
    expect(await answers("added")).toHaveLength(1);
    expect(await answers("done")).toHaveLength(1);
    expect(await answers("added")).toHaveLength(0);
    const { progress } = (await store.interactions.readInteraction(interaction.id)) ?? {};
    expect(progress).toMatchObject({ recovery: "done" });
  });

  test("recoveries of an account that may still add a passkey are ended, and no others", async () => {
    const codes = Array.from({ length: 4 }, () => someId());
    const owner = await liveAccount(store, { codes });
    const other = await liveAccount(store, { codes: [codes[0] ?? ""] });
    const recovered = async (accountId: string, usedCode: string, recovery: "asked" | null) => {
      const interaction = await begunInteraction(store);
      const by = { accountId, amr: "dns", authTime: NOW, controlCheckedAt: NOW, sid: someId() };
      await recordSignIn(store, interaction, { ...by, usedCode, recovery }, NOW);
      return interaction.id;
    };
    const [kept, ended, done, signedIn] = [
      await recovered(owner.id, codes[0] ?? "", "asked"),
      await recovered(owner.id, codes[1] ?? "", "asked"),
      await recovered(owner.id, codes[2] ?? "", "asked"),
      await recovered(owner.id, codes[3] ?? "", null),
    ];
    const foreign = await recovered(other.id, codes[0] ?? "", "asked");
    await changeProgress(store, done, recoveryAnswered("done"), NOW);
    const of = { accountId: owner.id, keptId: kept, now: NOW };
    const results = await race(stores, 10, (node) => node.interactions.endRecoveriesOf(of));
    expect(results.filter(Boolean)).toHaveLength(1);
    const isOpen = async (id: string) =>
      ((await store.interactions.readInteraction(id))?.expiresAt ?? 0) > NOW;
    const all = [kept, ended, done, signedIn, foreign];
    expect(await Promise.all(all.map(isOpen))).toEqual([true, false, true, true, true]);
  });
});
