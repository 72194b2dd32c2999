// What every engine promises of a grant and all that is stored with it, also beside what ends its basis.

import { beforeEach, describe, expect, test } from "vitest";
import { createAccountAccess } from "../../../src/account/account-access.ts";
import type { SqlEngine } from "../../../src/database/engine.ts";
import { clockFrom } from "../../../src/lib/clock.ts";
import type { Grant } from "../../../src/store/grant-row.ts";
import type { IssueRefusal } from "../../../src/store/issue.ts";
import { CLIENTS_OF_SESSION } from "../../../src/store/logouts.ts";
import type { Store } from "../../../src/store/store.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import {
  authenticatedProgress,
  DAY,
  liveAccount,
  NOW,
  redemptionOf,
  someClient,
  someGrant,
  someId,
  someInteraction,
  someSession,
} from "../../support/store-rows.ts";

const clock = clockFrom(() => (NOW + 5) * 1000);
const SCOPES = ["openid", "profile"];

type Clicked = Awaited<ReturnType<typeof clickIn>>;
type World = Awaited<ReturnType<typeof signedIn>>;

/** An account with a session and a consent, to a client that registered itself and wants to be notified. */
async function signedIn(store: Store) {
  const { id: accountId } = await liveAccount(store);
  const started = someSession(accountId);
  const { newSid: sid, secretHash } = started;
  await store.sessions.startSession(started);
  const client = someClient({ accessTokenHash: someId(), usedAt: NOW, expiresAt: NOW + DAY });
  await store.registrations.addClient(client);
  const clientId = client.id;
  await store.registrations.useClient(clientId, { now: NOW, expiresAt: NOW + DAY });
  await store.consents.rememberConsent({ accountId, clientId, scopes: SCOPES, now: NOW });
  const [found] = await store.sessions.findSessions([secretHash]);
  if (found === undefined) throw new Error("no session");
  return { accountId, clientId, sid, session: found.session };
}

async function begunIn({ accountId, sid, clientId }: World, store: Store): Promise<string> {
  const progress = authenticatedProgress({ accountId, sid });
  const interaction = someInteraction({ progress, clientId });
  await store.interactions.beginInteraction(interaction);
  return interaction.id;
}

/** What a click has read, and asks the store for. `index` is in everything that is stored. */
async function clickIn(
  world: World,
  store: Store,
  same: { id?: string; of?: string; index?: number } = {},
) {
  const { accountId, clientId, sid, session } = world;
  const { id = someId(), of: interactionId = await begunIn(world, store), index = 0 } = same;
  const codeExpiresAt = NOW + 60 + index;
  const more = {
    evidence: { grantId: id, expiresAt: NOW + DAY, body: `evidence ${index}` },
    notified: { sid, clientId, host: `app-${index}.example.org` },
    used: { clientId, now: NOW + 1 + index, expiresAt: NOW + DAY },
    interactionId,
    others: [
      store.sessions.requireSession(session, NOW + 5),
      store.consents.requireConsent({ accountId, clientId, scopes: SCOPES }),
    ],
  };
  return { grant: { ...someGrant(accountId, { id, clientId, sid }), codeExpiresAt }, more };
}

/** What is there of a click. */
async function storedOf({ grant, more }: Clicked, engine: SqlEngine) {
  const one = async (sql: string, ...values: string[]) =>
    (await engine.execute(`SELECT ${sql}`, values))[0]?.one ?? null;
  const { sid, clientId } = more.notified;
  const noted = "host AS one FROM session_clients WHERE sid = ?1 AND client_id = ?2";
  return {
    grants: Number(await one("count(*) AS one FROM grants WHERE id = ?1", grant.id)),
    evidence: await one("body AS one FROM evidence WHERE grant_id = ?1", grant.id),
    host: await one(noted, sid, clientId),
    end: await one("expires_at AS one FROM interactions WHERE id = ?1", more.interactionId),
    used: await one("used_at AS one FROM clients WHERE id = ?1", clientId),
  };
}

interface Ending {
  readonly name: string;
  /** As the service ends it. */
  readonly end: (store: Store, world: World) => Promise<unknown>;
  /** What the store says of a later grant. */
  readonly refusal: IssueRefusal;
  /** Whether earlier grants are worth nothing either. */
  readonly endsGrants: boolean;
  /** Whether the handler finds it after its commit too. The others end the grant themselves, or its account. */
  readonly isOfBasis: boolean;
}

const accessOf = (store: Store) => createAccountAccess({ ...store, clock });
const ENDINGS: readonly Ending[] = [
  {
    ...{ name: "the session is signed out", refusal: "withdrawn" },
    ...{ endsGrants: false, isOfBasis: true },
    end: (store, world) => store.sessions.endSession(world, "signed_out", NOW + 5),
  },
  {
    ...{ name: "all sessions are signed out", refusal: "withdrawn" },
    ...{ endsGrants: false, isOfBasis: true },
    end: (store, world) => accessOf(store).signOutEverywhere(world.accountId, "elsewhere"),
  },
  {
    ...{ name: "the access of the app is revoked", refusal: "withdrawn" },
    ...{ endsGrants: true, isOfBasis: true },
    end: (store, world) => accessOf(store).revokeApps(world.accountId, world.clientId),
  },
  {
    ...{ name: "the account is put to sleep", refusal: "withdrawn" },
    ...{ endsGrants: true, isOfBasis: false },
    end: (store, world) => store.accounts.putToSleep(world.accountId, NOW + 5),
  },
  {
    ...{ name: "the account is ended", refusal: "withdrawn" },
    ...{ endsGrants: true, isOfBasis: true },
    end: (store, world) => accessOf(store).endAccount(world.accountId, NOW + 5),
  },
  {
    ...{ name: "the client is removed", refusal: "client_gone" },
    ...{ endsGrants: true, isOfBasis: false },
    end: (store, world) => store.registrations.removeClient(world.clientId, NOW + 5),
  },
  {
    ...{ name: "the session gets too many clients", refusal: "too_many_clients" },
    ...{ endsGrants: false, isOfBasis: false },
    end: (store, { sid }) =>
      race([store], CLIENTS_OF_SESSION, (store) =>
        store.logouts.noteSessionClient({ sid, clientId: someId(), host: "h.test" }),
      ),
  },
];

/** What the handler of `authorization-response` does: the grant whose code it sends, or why it sends none. */
async function issued(
  store: Store,
  { grant, more }: Clicked,
  whenCommitted = async () => {},
): Promise<Grant | IssueRefusal> {
  const row = await store.grants.issueWith(grant, more);
  if (typeof row === "string") return row;
  await whenCommitted();
  const { accountId, clientId, sid, id } = row;
  const of = { interactionId: more.interactionId, sid: sid ?? "", accountId, clientId };
  const { interactionEnded, sessionEnded, consented } = await store.grants.readBasis(of);
  const isWithdrawn = interactionEnded || sessionEnded || SCOPES.some((one) => !consented.has(one));
  if (!isWithdrawn) return row;
  await store.grants.revokeGrant({ id, now: NOW + 6 });
  return "withdrawn";
}

onEveryEngine(({ store, stores, engine }) => {
  let world: World;
  beforeEach(async () => {
    world = await signedIn(store);
  });
  const issuedBy = (store: Store, click?: Clicked, whenCommitted?: () => Promise<void>) =>
    click ? issued(store, click, whenCommitted) : Promise.reject(new Error("no click"));

  test("of many calls with one id, on all nodes, one stores what belongs to it, and all get its row", async () => {
    for (let round = 0; round < 5; round++) {
      world = await signedIn(store);
      const same = { id: someId(), of: await begunIn(world, store) };
      const clicks = await race([store], 30, (_, index) =>
        clickIn(world, store, { ...same, index }),
      );
      const rows = await race(stores, 30, (store, index) => issuedBy(store, clicks[index]));
      const [first] = rows;
      if (first === undefined || typeof first === "string") throw new Error(`refused: ${first}`);
      for (const row of rows) expect(row).toEqual(first);
      const winner = first.codeExpiresAt - NOW - 60;
      expect(await storedOf(await clickIn(world, store, same), engine)).toEqual({
        ...{ grants: 1, evidence: `evidence ${winner}`, host: `app-${winner}.example.org` },
        ...{ end: first.codeExpiresAt, used: NOW + 1 + winner },
      });
    }
  });

  describe.each(ENDINGS.map((ending) => [ending.name, ending] as const))(
    "when %s,",
    (_, ending) => {
      const { end, refusal, endsGrants, isOfBasis } = ending;

      test("nothing is stored of a grant that is refused", async () => {
        const click = await clickIn(world, store);
        await end(store, world);
        const before = await storedOf(click, engine);
        expect(await store.grants.issueWith(click.grant, click.more)).toBe(refusal);
        expect(await storedOf(click, engine)).toEqual(before);
        expect(before).toMatchObject({ grants: 0, evidence: null, host: null });
      });

      test("a grant that stood before keeps all that was stored with it", async () => {
        const click = await clickIn(world, store);
        const first = await store.grants.issueWith(click.grant, click.more);
        const before = await storedOf(click, engine);
        await end(store, world);
        const again = await store.grants.issueWith(click.grant, click.more);
        expect(again).toMatchObject({ id: click.grant.id, createdAt: NOW });
        expect(typeof first).toBe("object");
        const after = await storedOf(click, engine);
        expect([after.grants, after.evidence]).toEqual([before.grants, before.evidence]);
      });

      test("of grants that are issued at that moment on all nodes, each has all or nothing, and none comes later", async () => {
        for (let round = 0; round < 4; round++) {
          world = await signedIn(store);
          const clicks = await race([store], 12, (_, index) => clickIn(world, store, { index }));
          let isOver = false;
          const late = new Set<number>();
          const results = await race(stores, 13, async (store, index) => {
            // So that some come before, some at the moment, and some after.
            for (let turn = (index * 5) % (4 * round + 3); turn > 0; turn--) await store.ping();
            if (index === 12) {
              await end(store, world);
              isOver = true;
              return null;
            }
            if (isOver) late.add(index);
            return issuedBy(store, clicks[index], async () => {
              for (let turn = index % 4; turn > 0; turn--) await store.ping();
              if (isOver && isOfBasis) late.add(index);
            });
          });
          for (const [index, click] of clicks.entries()) {
            const result = results[index] ?? "withdrawn";
            // A session can go on with a client that it had before it had too many.
            if (late.has(index) && refusal !== "too_many_clients") expect(result).toBe(refusal);
            const { grants, evidence, host } = await storedOf(click, engine);
            expect(evidence).toBe(grants === 1 ? click.more.evidence.body : null);
            if (grants === 1) expect(host).toMatch(/^app-\d+\.example\.org$/);
            const isRedeemed = (await store.grants.redeemCode(redemptionOf(click.grant))) !== null;
            expect(isRedeemed).toBe(typeof result !== "string" && !endsGrants);
          }
        }
      });
    },
  );
});
