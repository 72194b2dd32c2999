// What every engine promises about pending sign-ins: each change and each answer counts once.

import { describe, expect, test } from "vitest";
import {
  challengeFor,
  codesSaved,
  decided,
  newsSeen,
  passkeyOf,
  recordSeen,
  recoveryAnswered,
  recoveryCodeEntered,
  SET_UP,
  startedOver,
  statementOffered,
  type Transition,
} from "../../../src/interaction/progress.ts";
import type { Interaction, NewInteraction } from "../../../src/store/interaction-row.ts";
import { changeProgress } from "../../support/progress.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  authenticatedProgress,
  begunInteraction,
  DAY,
  NOW,
  recordSignIn,
  someId,
  someInteraction,
  someProof,
  withoutVersion,
} from "../../support/store-rows.ts";

onEveryEngine(({ store, stores }) => {
  describe("an interaction", () => {
    const change = ({ id }: { id: string }, transition: Transition, now = NOW) =>
      changeProgress(store, id, transition, now);

    test("of a set-up whose record was seen asks for its passkey, until somebody is authenticated", async () => {
      const setUp = await begunInteraction(store, { progress: SET_UP });
      const other = await begunInteraction(store);
      const offered = statementOffered(null, { statement: "statement", expiresAt: NOW + 300 });
      expect(await change(setUp, offered)).toBeNull();
      expect(await change(other, recordSeen("acct"))).toBeNull();
      expect(await change(setUp, recordSeen("acct"), setUp.expiresAt)).toBeNull();
      const seen = { step: "passkey", owner: "set-up", acct: "acct" } as const;
      expect(withoutVersion(await change(setUp, recordSeen("acct")))).toEqual({
        ...withoutVersion(setUp),
        progress: { ...seen, ceremony: null, formerCode: null },
      });
      expect(await change(setUp, offered)).not.toBeNull();
      // Starting over asks for none.
      expect(await change(setUp, startedOver)).toEqual(setUp);
      await change(setUp, recordSeen("acct"));
      await recordSignIn(store, setUp, someProof(), NOW);
      expect(await change(setUp, recordSeen("again"))).toBeNull();
    });

    test("keeps the recovery code that was entered, until it is authenticated or set up anew", async () => {
      const asked = await begunInteraction(store);
      const other = await begunInteraction(store, { progress: passkeyOf(someId()) });
      const entered = recoveryCodeEntered("hash");
      expect(await change(other, entered)).toBeNull();
      expect(await change(asked, entered, asked.expiresAt)).toBeNull();
      const kept = await change(asked, entered);
      const progress = { ...asked.progress, recoveryCode: "hash" };
      expect(withoutVersion(kept)).toEqual({ ...withoutVersion(asked), progress });
      expect(await store.interactions.readInteraction(asked.id)).toEqual(kept);
      expect(await change(asked, startedOver)).toMatchObject({ progress: SET_UP });
      // In a set-up it shows the record of a former account.
      const again = await change(asked, entered);
      expect(again).toMatchObject({ progress: { step: "dns-setup", formerCode: "hash" } });
      await recordSignIn(store, { ...asked, progress: SET_UP }, someProof(), NOW);
      expect(await change(asked, recoveryCodeEntered("other"))).toBeNull();
    });

    test("is read as it was begun", async () => {
      const pending = someInteraction();
      const authenticated = someInteraction({
        progress: authenticatedProgress({ method: "session", ...someProof() }),
      });
      const open = someInteraction({ progress: SET_UP });
      for (const interaction of [pending, authenticated, open]) {
        await store.interactions.beginInteraction(interaction);
        expect(withoutVersion(await store.interactions.readInteraction(interaction.id))).toEqual(
          interaction,
        );
      }
      expect(await store.interactions.readInteraction(someId())).toBeNull();
    });

    test("is begun again as it was once its row is gone or has expired: by one of 20 requests of its browser", async () => {
      const confirmed = { credentialId: "credential", expiresAt: NOW + DAY };
      const asked = challengeFor(someId(), someId(), "code");
      const gone = someInteraction({ progress: { ...asked, unconfirmed: confirmed } });
      const old = await begunInteraction(store);
      const { expiresAt } = old;
      const later = { createdAt: expiresAt, expiresAt: expiresAt + 3600, progress: asked };
      for (const again of [gone, { ...withoutVersion(old), ...later }] as NewInteraction[]) {
        const results = await race(stores, 20, (node) => node.interactions.beginAgain(again));
        const [made = null, ...others] = results.filter((result) => result !== null);
        expect(others).toEqual([]);
        expect(withoutVersion(made)).toEqual(again);
        expect(await store.interactions.readInteraction(again.id)).toEqual(made);
      }
    });

    test("is not begun again while it is open, after an authentication, or by others", async () => {
      const open = await begunInteraction(store);
      const times = { createdAt: open.expiresAt, expiresAt: open.expiresAt + 3600 };
      const again = (of: Interaction, changes: Partial<NewInteraction>) =>
        store.interactions.beginAgain({ ...of, ...changes });
      expect(await again(open, { createdAt: NOW + 5, expiresAt: NOW + 3600 })).toBeNull();
      expect(await again(open, { ...times, browserHash: someId() })).toBeNull();
      expect(await again(open, { ...times, query: "of=another" })).toBeNull();
      expect(await again(open, { ...times, domain: "other.test" })).toBeNull();
      expect(await store.interactions.readInteraction(open.id)).toEqual(open);
      const done = await recordSignIn(store, open, someProof(), NOW);
      expect(await again(open, { createdAt: NOW + DAY, expiresAt: NOW + 2 * DAY })).toBeNull();
      expect(await store.interactions.readInteraction(open.id)).toEqual(done);
    });

    test("of 50 authentications one counts, and it stands", async () => {
      const interaction = await begunInteraction(store);
      const results = await race(stores, 50, (node) =>
        recordSignIn(node, interaction, someProof(), NOW + 1),
      );
      const [winner, ...others] = results.filter((result) => result !== null);
      expect(others).toEqual([]);
      expect(await store.interactions.readInteraction(interaction.id)).toEqual(winner);
      expect(winner?.progress.accountId).toMatch(/^sub_/);
    });

    test("of 50 answers one counts, and it stands", async () => {
      const interaction = await begunInteraction(store, { progress: authenticatedProgress() });
      const results = await race(stores, 50, (node, index) => {
        const answered = decided(index % 2 === 0 ? "allow" : "deny");
        return changeProgress(node, interaction.id, answered, NOW + 1);
      });
      const [winner = null, ...others] = results.filter((result) => result !== null);
      expect(others).toEqual([]);
      expect(await store.interactions.readInteraction(interaction.id)).toEqual(winner);
      const decision = results.indexOf(winner) % 2 === 0 ? "allow" : "deny";
      const progress = { ...interaction.progress, decision };
      expect(withoutVersion(winner)).toEqual({ ...withoutVersion(interaction), progress });
    });

    test("of a set-up stays open for a day after it was finished, of a challenge for an hour, and no other", async () => {
      const setUp = await begunInteraction(store, { progress: SET_UP });
      const expiresAt = NOW + 2 * DAY;
      const long = await begunInteraction(store, { progress: SET_UP, expiresAt });
      const challenge = await begunInteraction(store);
      const other = await begunInteraction(store, { progress: passkeyOf("acct") });
      const endOf = async (one: typeof setUp | typeof challenge | typeof other) =>
        (await recordSignIn(store, one, someProof(), NOW + 5))?.expiresAt;
      expect(await endOf(setUp)).toBe(NOW + 5 + DAY);
      expect(await endOf(long)).toBe(long.expiresAt);
      expect(await endOf(challenge)).toBe(NOW + 5 + 3600);
      expect(await endOf(other)).toBe(other.expiresAt);
      // Only the first authentication counts: a later one does not keep it open.
      expect(await recordSignIn(store, setUp, someProof(), NOW + 60)).toBeNull();
      expect((await store.interactions.readInteraction(setUp.id))?.expiresAt).toBe(NOW + 5 + DAY);
    });

    test("takes no answer before somebody was authenticated", async () => {
      const interaction = await begunInteraction(store);
      expect(await change(interaction, decided("allow"))).toBeNull();
      const proof = someProof();
      const progress = authenticatedProgress(proof);
      const proven = { ...withoutVersion(interaction), progress, expiresAt: NOW + 3600 };
      expect(withoutVersion(await recordSignIn(store, interaction, proof, NOW))).toEqual(proven);
      expect(withoutVersion(await change(interaction, decided("deny")))).toEqual({
        ...proven,
        progress: { ...progress, decision: "deny" },
      });
    });

    test("switches to a set-up as long as nobody was authenticated", async () => {
      const interaction = await begunInteraction(store);
      const setUp = { ...withoutVersion(interaction), progress: SET_UP };
      for (const result of await race(stores, 10, (node) =>
        changeProgress(node, interaction.id, startedOver, NOW),
      )) {
        expect(withoutVersion(result)).toEqual(setUp);
      }
      // What was proved for the challenge does not count for the set-up.
      expect(await recordSignIn(store, interaction, someProof(), NOW)).toBeNull();
      await recordSignIn(store, { ...interaction, progress: SET_UP }, someProof(), NOW);
      expect(await change(interaction, startedOver)).toBeNull();
    });

    test("changes no more once it has expired", async () => {
      const interaction = await begunInteraction(store, { progress: passkeyOf("acct") });
      const { id, expiresAt } = interaction;
      expect(await recordSignIn(store, interaction, someProof(), expiresAt)).toBeNull();
      expect(await change(interaction, startedOver, expiresAt)).toBeNull();
      expect(await store.interactions.readInteraction(id)).toEqual(interaction);
      const proven = await recordSignIn(store, interaction, someProof(), expiresAt - 1);
      expect(await change(interaction, decided("allow"), expiresAt)).toBeNull();
      expect(await store.interactions.readInteraction(id)).toEqual(proven);
    });

    test("records after its end that codes are saved and news seen, but no answer", async () => {
      const progress = authenticatedProgress({ codes: { of: "set-up" }, newsFrom: NOW });
      const own = { ...progress, method: "dns-setup" } as const;
      const begun = await begunInteraction(store, { progress: { ...own, codes: null } });
      const { expiresAt } = begun;
      // The set-up that has begun so has unsaved codes.
      expect((await store.interactions.readInteraction(begun.id))?.progress).toEqual(own);
      expect(await change(begun, decided("allow"), expiresAt)).toBeNull();
      expect((await change(begun, codesSaved, expiresAt))?.progress).toMatchObject({ codes: null });
      expect((await change(begun, newsSeen, expiresAt))?.progress).toMatchObject({
        newsFrom: null,
      });
      expect(await change(begun, recoveryAnswered("done"), expiresAt)).toBeNull();
    });
  });
});
