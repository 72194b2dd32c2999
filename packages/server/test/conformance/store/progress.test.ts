// What every engine promises about the progress of a sign-in: it is read as it was written, and changes once.

import { describe, expect, test } from "vitest";
import {
  authenticatedBy,
  challengeFor,
  decided,
  externalOf,
  passkeyOf,
  SET_UP,
} from "../../../src/interaction/progress.ts";
import {
  type Authenticated,
  columnsOf,
  type Interaction,
  type InteractionRow,
  interactionOf,
  isAuthenticated,
  type Progress,
  type ProgressColumns,
  type Proving,
  rowOf,
} from "../../../src/store/interaction-row.ts";
import { changeProgress } from "../../support/progress.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  authenticatedProgress,
  begunInteraction,
  liveAccount,
  NOW,
  recordSignIn,
  someId,
  someInteraction,
  withoutVersion,
} from "../../support/store-rows.ts";

const ceremony = { statement: '{"typ":"domain-owner-statement"}', expiresAt: NOW + 300 };
const setUpPasskey = { step: "passkey", owner: "set-up", acct: "acct" } as const;
const challenge = challengeFor("acct", "chal");

/** Every progress before the authentication. Those of the first row are what a sign-in begins with. */
const PROVING: Readonly<Record<Proving["step"], readonly [Proving, ...Proving[]]>> = {
  "dns-setup": [SET_UP, { ...SET_UP, formerCode: "hash" }],
  passkey: [
    passkeyOf("acct"),
    { ...passkeyOf("acct"), ceremony },
    { ...setUpPasskey, ceremony: null, formerCode: null },
    { ...setUpPasskey, ceremony, formerCode: null },
    { ...setUpPasskey, ceremony: null, formerCode: "hash" },
    { ...setUpPasskey, ceremony, formerCode: "hash" },
  ],
  "dns-challenge": [
    challenge,
    { ...challenge, recoveryCode: "hash" },
    { ...challenge, unconfirmed: { credentialId: "credential", expiresAt: NOW + 900 } },
    {
      ...{ ...challenge, recoveryCode: "hash" },
      unconfirmed: { credentialId: "to be confirmed: ", expiresAt: NOW + 900 },
    },
  ],
  external: [externalOf("acct", '{"v":1}')],
};
const proving = Object.values(PROVING).flat();

/** The columns of a row, without those that a row of such a progress does not need. */
function stored({ version, progress }: Interaction): Partial<ProgressColumns> {
  const { method, recovery, codesSavedAt, newsFrom, decision } = version;
  if (progress.step === "authenticated") {
    return { method, recovery, codesSavedAt, newsFrom, decision };
  }
  const names = Object.keys(columnsOf(progress)) as (keyof ProgressColumns)[];
  return Object.fromEntries(names.map((name) => [name, version[name]]));
}

/** Reads it back, and compares what its row says with what the functions of the row say. */
function expectAgreement(interaction: Interaction, progress: Progress) {
  expect(interaction.progress).toEqual(progress);
  expect(columnsOf(progress, interaction.version.codesSavedAt)).toMatchObject(stored(interaction));
  expect(interactionOf(interaction.version as InteractionRow)).toEqual(interaction);
}

onEveryEngine(({ store, stores }) => {
  const read = async (id: string) => {
    const interaction = await store.interactions.readInteraction(id);
    if (interaction === null) throw new Error("the interaction is gone");
    return interaction;
  };

  describe("a progress is read as it was written", () => {
    test.each(Object.values(PROVING).map(([first]) => first))(
      "at the beginning: %o",
      async (progress) => {
        const interaction = someInteraction({ progress });
        await store.interactions.beginInteraction(interaction);
        const begun = await read(interaction.id);
        expect(withoutVersion(begun)).toEqual(interaction);
        expectAgreement(begun, progress);
        expect(begun.version).toMatchObject(rowOf(interaction));
      },
    );

    test("after every change before the authentication, from every other", async () => {
      for (const [index, from] of proving.entries()) {
        const begun = await begunInteraction(store, { progress: SET_UP });
        let current = (await store.interactions.advance(begun, from, { now: NOW })) ?? begun;
        for (const to of [...proving.slice(index), ...proving.slice(0, index)]) {
          const changed = await store.interactions.advance(current, to, { now: NOW });
          if (changed === null) throw new Error("the progress did not change");
          expect(withoutVersion(changed)).toEqual({ ...withoutVersion(begun), progress: to });
          expect(await read(begun.id)).toEqual(changed);
          expectAgreement(changed, to);
          current = changed;
        }
      }
    });

    test.each(["session", "passkey"] as const)(
      "of a sign-in that begins with a %s: with news and without",
      async (method) => {
        for (const newsFrom of [null, 0, NOW]) {
          const proof = { accountId: "sub", authTime: NOW - 5, amr: "pop user" };
          const made = { ...proof, controlCheckedAt: NOW, sid: "sid" };
          const progress = authenticatedBy(method, made, newsFrom);
          const interaction = someInteraction({ progress });
          await store.interactions.beginInteraction(interaction);
          const begun = await read(interaction.id);
          expect(withoutVersion(begun)).toEqual(interaction);
          expectAgreement(begun, progress);
        }
      },
    );

    test.each(proving)("after an authentication, from: %o", async (from) => {
      const open = await begunInteraction(store, { progress: SET_UP });
      const current = await store.interactions.advance(open, from, { now: NOW });
      const code = someId();
      const { id: accountId } = await liveAccount(store, { codes: [code] });
      const by = { accountId, authTime: NOW, amr: "dns", controlCheckedAt: NOW, sid: someId() };
      const proof = { ...by, proofs: "{}", usedCode: code, recovery: "asked" } as const;
      const offered = { ...proof, codesOfferedFrom: "set" };
      const known = { ...(current ?? open), progress: from };
      const authenticated = await recordSignIn(store, known, offered, NOW);
      const method = columnsOf(from).method;
      const codes = { of: "offer", replaces: "set" } as const;
      const progress = authenticatedProgress({ ...proof, method, codes });
      if (authenticated === null) throw new Error("nobody was authenticated");
      expectAgreement(authenticated, progress);
      expect(await read(open.id)).toEqual(authenticated);
      // What the sign-in needed before stays in the row.
      expect(authenticated.version).toMatchObject({
        ...columnsOf(from),
        ...{ recovery: "asked", newsFrom: null },
      });
    });

    test.each([
      ["dns-setup", null, { of: "set-up" }],
      ["dns-setup", "", { of: "offer", replaces: null }],
      ["dns-challenge", "", { of: "offer", replaces: null }],
      ["dns-challenge", "set", { of: "offer", replaces: "set" }],
      ["dns-challenge", null, null],
    ] as const)("codes after %s that offers to replace %j: %j", async (step, from, codes) => {
      const progress = PROVING[step][0];
      const open = await begunInteraction(store, { progress });
      const by = { accountId: "sub", authTime: NOW, amr: "dns", controlCheckedAt: NOW };
      const proof = { ...by, sid: "sid", codesOfferedFrom: from };
      const authenticated = await recordSignIn(store, open, proof, NOW);
      expect(authenticated?.progress.codes).toEqual(codes);
      expect((await read(open.id)).progress).toMatchObject({ codes });
    });

    test("after every change after the authentication, and nothing else changes", async () => {
      const progress = authenticatedProgress({ newsFrom: NOW });
      const open = await begunInteraction(store);
      const { accountId, authTime, amr, controlCheckedAt, sid } = progress;
      const by = { accountId, authTime, amr, controlCheckedAt, sid };
      const offered = { ...by, codesOfferedFrom: "set", recovery: "asked" } as const;
      let current: Interaction | null = await recordSignIn(store, open, offered, NOW);
      const changes: readonly Partial<Authenticated>[] = [
        ...[{ newsFrom: NOW }, { recovery: "added" }, { decision: "deny" }, { recovery: "done" }],
        ...[{ codes: null }, { newsFrom: null }, { decision: "allow" }],
      ] as const;
      for (const [index, change] of changes.entries()) {
        if (current === null || !isAuthenticated(current)) throw new Error("not authenticated");
        const to = { ...current.progress, ...change };
        const changed = await store.interactions.advance(current, to, { now: NOW + index });
        if (changed === null) throw new Error("the progress did not change");
        const expected = { ...withoutVersion(current), progress: to };
        expect(withoutVersion(changed)).toEqual(expected);
        expect(await read(open.id)).toEqual(changed);
        expectAgreement(changed, to);
        current = changed;
      }
      // The time of the change that saved them, and no later one.
      expect(current?.version.codesSavedAt).toBe(NOW + 4);
    });

    test("an end that is given is stored with the progress, and otherwise the end stays", async () => {
      const open = await begunInteraction(store);
      const longer = await store.interactions.advance(open, SET_UP, {
        now: NOW,
        expiresAt: NOW + 86_400,
      });
      expect(longer?.expiresAt).toBe(NOW + 86_400);
      if (longer === null) throw new Error("the progress did not change");
      const same = await store.interactions.advance(longer, challenge, { now: NOW });
      expect(same?.expiresAt).toBe(NOW + 86_400);
    });
  });

  describe("of changes of one progress", () => {
    test("30 at once, one counts, before the authentication and after it", async () => {
      for (let round = 0; round < 5; round++) {
        const open = await begunInteraction(store);
        const moved = await race(stores, 30, (node, index) =>
          node.interactions.advance(
            open,
            { ...open.progress, recoveryCode: `${index}` },
            { now: NOW },
          ),
        );
        const [winner, ...others] = moved.filter((one) => one !== null);
        expect(others).toEqual([]);
        expect(await store.interactions.readInteraction(open.id)).toEqual(winner);

        const progress = authenticatedProgress({ newsFrom: NOW });
        const begun = await begunInteraction(store, { progress });
        // Changes of different columns: only one of them may count, or the other would be undone.
        const changes = [{ newsFrom: null }, { decision: "allow" }, { decision: "deny" }] as const;
        const passed = await race(stores, 30, (node, index) =>
          node.interactions.advance(begun, { ...progress, ...changes[index % 3] }, { now: NOW }),
        );
        const [first, ...rest] = passed.filter((one) => one !== null);
        expect(rest).toEqual([]);
        expect(await store.interactions.readInteraction(begun.id)).toEqual(first);
      }
    });

    test("each is refused that was made of a progress that is no longer the one", async () => {
      const open = await begunInteraction(store);
      for (const to of proving.filter((one) => one !== challenge)) {
        const stale = await read(open.id);
        expect(await store.interactions.advance(stale, to, { now: NOW })).not.toBeNull();
        expect(await store.interactions.advance(stale, SET_UP, { now: NOW })).toBeNull();
        expect((await read(open.id)).progress).toEqual(to);
      }
    });

    test("none goes back to before the authentication, or comes before it", async () => {
      const open = await begunInteraction(store);
      const by = { accountId: "sub", authTime: NOW, amr: "dns", controlCheckedAt: NOW, sid: "s" };
      const { progress } = (await recordSignIn(store, open, by, NOW)) ?? open;
      expect(await store.interactions.advance(open, SET_UP, { now: NOW })).toBeNull();
      expect((await read(open.id)).progress).toEqual(progress);
      const other = await begunInteraction(store);
      const ahead = { ...other, progress: authenticatedProgress() };
      const allowed = { ...ahead.progress, decision: "allow" } as const;
      expect(await store.interactions.advance(ahead, allowed, { now: NOW })).toBeNull();
      expect(await read(other.id)).toEqual(other);
    });
  });

  describe("an interaction that was ended between the reading and the change", () => {
    const begun = () => begunInteraction(store, { progress: authenticatedProgress() });
    const allow = (one: Interaction<Authenticated>, more: { expiresAt?: number } = {}) =>
      store.interactions.advance(
        one,
        { ...one.progress, decision: "allow" },
        { now: NOW, ...more },
      );

    test.each([undefined, NOW + 3600])("stays ended, with the end %s", async (expiresAt) => {
      const more = expiresAt === undefined ? {} : { expiresAt };
      const [expired, ended] = [await begun(), await begun()];
      await store.interactions.expireInteraction(expired.id, NOW);
      const { accountId } = ended.progress;
      await store.interactions.endInteractionsOf({ accountId, clientId: null, now: NOW });
      for (const one of [expired, ended]) {
        const before = await read(one.id);
        expect(before.expiresAt).toBeLessThanOrEqual(NOW);
        expect(await allow(one, more)).toBeNull();
        expect(await changeProgress(store, one.id, decided("allow"), NOW, more)).toBeNull();
        expect(await read(one.id)).toEqual(before);
      }
    });

    test("keeps an earlier end that is still ahead", async () => {
      const one = await begun();
      await store.interactions.expireInteraction(one.id, NOW + 600);
      expect((await allow(one))?.expiresAt).toBe(NOW + 600);
      expect((await read(one.id)).expiresAt).toBe(NOW + 600);
    });

    test("of both at once stays ended, whichever is first", async () => {
      for (let round = 0; round < 10; round++) {
        const one = await begun();
        const { accountId } = one.progress;
        await race<unknown>(stores, 12, (node, index) =>
          index % 4 === round % 4
            ? node.interactions.endInteractionsOf({ accountId, clientId: null, now: NOW })
            : node.interactions.advance(one, { ...one.progress, decision: "allow" }, { now: NOW }),
        );
        expect((await read(one.id)).expiresAt).toBeLessThan(NOW);
      }
    });
  });
});
