// What every engine promises about a grant that is issued while its access is revoked.

import { describe, expect, test } from "vitest";
import { createAccountAccess } from "../../../src/account/account-access.ts";
import { clockFrom } from "../../../src/lib/clock.ts";
import type { NewInteraction } from "../../../src/store/interaction-row.ts";
import type { Store } from "../../../src/store/store.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  authenticatedProgress,
  liveAccount,
  NOW,
  redemptionOf,
  someGrant,
  someId,
  someInteraction,
  someSession,
} from "../../support/store-rows.ts";

const clock = clockFrom(() => (NOW + 5) * 1000);

onEveryEngine(({ store, stores }) => {
  /** An account that is signed in, has allowed an app, and has an interaction with it. */
  async function allowed() {
    const { id: accountId } = await liveAccount(store);
    const session = someSession(accountId);
    await store.sessions.startSession(session);
    const [clientId, sid] = [someId(), session.newSid];
    await store.consents.rememberConsent({
      accountId,
      clientId,
      scopes: ["openid", "profile"],
      now: NOW,
    });
    const begin = async () => {
      const progress = authenticatedProgress({ accountId, sid });
      const interaction = someInteraction({ progress, clientId });
      await store.interactions.beginInteraction(interaction);
      return interaction;
    };
    const of = { accountId, clientId };
    return {
      ...of,
      sid,
      begin,
      basisOf: (interactionId: string | null) => ({ ...of, sid, interactionId }),
    };
  }
  const revoke = (store: Store, of: { accountId: string; clientId: string | null }) =>
    createAccountAccess({ ...store, clock }).revokeApps(of.accountId, of.clientId);

  describe("what a grant is issued for", () => {
    test("stands while nobody revokes it, also when its time is over", async () => {
      const { begin, basisOf } = await allowed();
      const interaction = await begin();
      const standing = {
        ...{ interactionEnded: false, sessionEnded: false },
        ...{ consented: new Set(["openid", "profile"]), hasSurplus: false },
      };
      expect(await store.grants.readBasis(basisOf(interaction.id))).toEqual(standing);
      expect(await store.grants.readBasis(basisOf(null))).toEqual(standing);
      // Its row may have been removed because it was ended.
      const missing = await store.grants.readBasis(basisOf(someId()));
      expect(missing).toEqual({ ...standing, interactionEnded: true });
      const other = { ...basisOf(null), clientId: someId() };
      expect(await store.grants.readBasis(other)).toEqual({ ...standing, consented: new Set() });
    });

    test("is marked by a revocation, and by the end of the session", async () => {
      const { accountId, clientId, sid, begin, basisOf } = await allowed();
      const [interaction, bystander] = [await begin(), await allowed()];
      const others = bystander.basisOf((await bystander.begin()).id);
      await revoke(store, { accountId, clientId });
      const revoked = {
        ...{ interactionEnded: true, sessionEnded: false, consented: new Set(), hasSurplus: false },
      };
      expect(await store.grants.readBasis(basisOf(interaction.id))).toEqual(revoked);
      await store.sessions.endSession({ sid, accountId }, "elsewhere", NOW + 6);
      const ended = { ...revoked, sessionEnded: true };
      expect(await store.grants.readBasis(basisOf(interaction.id))).toEqual(ended);
      expect(await store.grants.readBasis(others)).toMatchObject({
        ...{ interactionEnded: false, sessionEnded: false },
      });
      // A failure kept it from being stored.
      const never = { ...others, sid: someId() };
      expect(await store.grants.readBasis(never)).toMatchObject({
        ...{ interactionEnded: false, sessionEnded: true },
      });
    });
  });

  test.each(["one app", "all apps"])(
    "of 30 grants that are issued while three nodes revoke %s, none can be used",
    async (which) => {
      for (let round = 0; round < 5; round++) {
        const { accountId, clientId, begin, basisOf } = await allowed();
        const interactions: NewInteraction[] = [];
        for (let count = 0; count < 30; count++) interactions.push(await begin());
        const issued = await race(stores, 33, async (store, index) => {
          const interaction = interactions[index - 3];
          if (interaction === undefined) {
            for (let turn = round; turn > 0; turn--) await store.ping();
            await revoke(store, { accountId, clientId: which === "all apps" ? null : clientId });
            return null;
          }
          const { grantId: id } = interaction;
          // So that grants are stored before, during and after the revocation.
          for (let turn = index % 9; turn > 0; turn--) await store.ping();
          const grant = await store.grants.issueGrant(someGrant(accountId, { id, clientId }));
          const basis = await store.grants.readBasis(basisOf(interaction.id));
          // Its code leaves if nothing was withdrawn.
          return basis.interactionEnded ? null : grant;
        });
        for (const grant of issued) {
          if (grant === null) continue;
          expect(await store.grants.redeemCode(redemptionOf(grant))).toBeNull();
        }
      }
    },
  );
});
