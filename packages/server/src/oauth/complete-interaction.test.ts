// Tests of the end of an interaction: a code, a page of the account, or a reason why there is neither.

import { beforeEach, describe, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import {
  ISSUER,
  makeOAuthWorld,
  noResources,
  queryFor,
  requestTo,
} from "../../test/support/oauth-world.ts";
import { authenticatedProgress, begunInteraction } from "../../test/support/store-rows.ts";
import { accountSignIn, withAccountPage } from "../clients/account-client.ts";
import type { Client } from "../clients/client.ts";
import type { ClientRegistrationInput } from "../clients/client-registration.ts";
import { PageError } from "../interaction/pending-request.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import type { Account } from "../store/accounts.ts";
import type { GrantStore } from "../store/grants.ts";
import {
  type Authenticated,
  type Interaction,
  type InteractionRow,
  interactionOf,
  isAuthenticated,
} from "../store/interaction-row.ts";
import { createReadRequest } from "./authorization-request.ts";
import { createAuthorizationResponse } from "./authorization-response.ts";
import { AuthorizationError } from "./protocol-errors.ts";

const OWNER_PROOF = { credential: "the owner's" };

const world = fixture(makeOAuthWorld);
let account: Account;
let sid: string;
beforeEach(async () => {
  account = await world.addAccount();
  sid = await world.openSession(account);
  const [inception, notAfter] = [world.now - 9, world.now + 9];
  const proof = { chain: new Uint8Array(9), notBefore: inception, notAfter };
  world.look = world.lookOf(account, { assurance: "secure", inception, proof });
});

const appWith = async (input: Partial<ClientRegistrationInput> = {}) =>
  (await world.addClient(input)).client;

/** The answer to an authenticated interaction for this request. */
async function complete(
  query: string,
  changes: Partial<Authenticated> = {},
  meanwhile?: (interaction: Interaction) => Promise<unknown>,
) {
  const clients = withAccountPage(world.parts.clients, ISSUER);
  const read = createReadRequest({ clients, resources: noResources, issuer: ISSUER });
  const request = await read(query, { from: SERVICE, hasActed: true });
  const { now } = world;
  const progress = authenticatedProgress({
    ...{ accountId: account.id, authTime: now, amr: "dns", sid, decision: "allow" },
    ...{ controlCheckedAt: now, ...changes },
  });
  const times = { createdAt: now, expiresAt: now + 1800 };
  const begun = await begunInteraction(world.store, { ...times, progress });
  const interaction = { ...begun, progress };
  const http = requestTo(`/interaction/${interaction.id}/complete`);
  const issueWith: GrantStore["issueWith"] = async (grant, more) => {
    const issued = await world.store.grants.issueWith(grant, more);
    await meanwhile?.(interaction);
    return issued;
  };
  const grants = { ...world.store.grants, issueWith };
  const { completeInteraction } = createAuthorizationResponse({ ...world.parts, grants });
  const answer = await completeInteraction({ http, request, interaction });
  return { location: String(answer.headers.location), interaction };
}

const queryOf = (client: Client, more: Record<string, string> = {}) =>
  queryFor(client, { state: "s", ...more });

const problemOf = async (done: Promise<unknown>) => {
  const error = await done.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PageError);
  return (error as PageError).problem;
};
const toldOf = async (client: Client) => {
  await world.store.sessions.endSession({ sid, accountId: account.id }, "signed_out", world.now);
  const due = await world.store.logouts.dueLogouts(world.now, { each: 8, all: 64 });
  return due.filter(({ clientId }) => clientId === client.client_id).map((one) => one.sid);
};

describe("an authenticated interaction", () => {
  test("ends in a code for its grant", async () => {
    const { location, interaction } = await complete(queryOf(await appWith()));
    expect(location).toMatch(/^https:\/\/app\.example\.org\/callback\?code=dsc_/);
    expect(await world.grant(interaction.grantId)).toMatchObject({
      ...{ accountId: account.id, scope: "openid", authTime: world.now, amr: "dns" },
    });
  });

  test("ends where the user said no", async () => {
    const denied = complete(queryOf(await appWith()), { decision: "deny" });
    await expect(denied).rejects.toThrow(AuthorizationError);
    await expect(denied).rejects.toMatchObject({ code: "access_denied" });
  });

  test("ends on a page if its session was ended in the meantime", async () => {
    const client = await appWith();
    await world.store.sessions.endSession({ sid, accountId: account.id }, "elsewhere", world.now);
    expect(await problemOf(complete(queryOf(client)))).toBe("signedOut");
  });

  test("without an authentication is a mistake of ours", async () => {
    const { version } = await begunInteraction(world.store, { progress: authenticatedProgress() });
    const row = version as InteractionRow;
    expect(isAuthenticated(interactionOf(row))).toBe(true);
    for (const changes of [
      ...[{ accountId: null }, { authTime: null }, { amr: null }],
      ...[{ controlCheckedAt: null }, { sid: null }],
    ]) {
      expect(() => interactionOf({ ...row, ...changes })).toThrow("lacks its columns");
    }
  });
});

describe("a grant that was stored when", () => {
  let client: Client;
  let grantId: string;
  beforeEach(async () => {
    client = await appWith();
  });
  const completeWhile = (
    meanwhile: (of: { accountId: string; clientId: string }) => Promise<unknown>,
    changes: Partial<Authenticated> = {},
  ) =>
    complete(queryOf(client), changes, async (interaction) => {
      grantId = interaction.grantId;
      await meanwhile({ accountId: account.id, clientId: interaction.clientId });
    });

  test("its interaction was ended is revoked, and ends on a page", async () => {
    const done = completeWhile(({ accountId }) =>
      world.store.interactions.endInteractionsOf({ accountId, clientId: null, now: world.now }),
    );
    expect(await problemOf(done)).toBe("expired");
    expect(await world.revokedAt(grantId)).toBe(world.now);
  });

  test("its session was ended is revoked, and ends on a page that says so", async () => {
    const done = completeWhile(({ accountId }) =>
      world.store.sessions.endSession({ sid, accountId }, "elsewhere", world.now),
    );
    expect(await problemOf(done)).toBe("signedOut");
    expect(await world.revokedAt(grantId)).toBe(world.now);
  });

  test("a consent was forgotten is revoked if it needed that consent", async () => {
    const { client_id: clientId } = client;
    const remembered = { accountId: account.id, clientId, now: world.now };
    const forget = () => world.store.consents.forgetConsents({ accountId: account.id, clientId });
    await world.store.consents.rememberConsent({ ...remembered, scopes: ["openid"] });
    expect((await completeWhile(async () => {}, { decision: null })).location).toContain("code=");
    expect(await problemOf(completeWhile(forget, { decision: null }))).toBe("expired");
    expect(await world.revokedAt(grantId)).toBe(world.now);
    expect((await completeWhile(forget)).location).toContain("code=");
    client = await appWith({ consent: "never" });
    expect((await completeWhile(async () => {}, { decision: null })).location).toContain("code=");
    expect(await world.revokedAt(grantId)).toBeNull();
  });
});

describe("an app that wants to be told of the end of a session", () => {
  test("is noted with it, and no other", async () => {
    const told = await appWith({ backchannel_logout_uri: "https://app.example.org/logout" });
    const other = await appWith();
    await complete(queryOf(told));
    await complete(queryOf(other));
    expect([await toldOf(told), await toldOf(other)]).toEqual([[sid], []]);
  });
});

describe("the account page", () => {
  test("gets no code, but the domain", async () => {
    const query = accountSignIn(ISSUER).split("?")[1] ?? "";
    const { location, interaction } = await complete(query);
    expect(location).toBe(`${ISSUER}/account?domain=${account.domain}`);
    expect(await world.store.grants.readGrant(interaction.grantId)).toBeNull();
  });

  test("has its changes as steps of the interaction", async () => {
    const query = accountSignIn(ISSUER, { change: "new-codes" }).split("?")[1] ?? "";
    const { location, interaction } = await complete(query);
    expect(location).toBe(`/interaction/${interaction.id}/new-codes`);
  });

  test("lends its changes to no other client, whatever its redirect_uri", async () => {
    const redirect_uri = `${ISSUER}/account/new-codes`;
    const client = await appWith({ redirect_uris: [redirect_uri] });
    const { location } = await complete(queryOf(client, { redirect_uri }));
    expect(location).toContain(`${redirect_uri}?code=`);
  });
});

describe("an app that requires an owner proof", () => {
  let client: Client;
  beforeEach(async () => {
    client = await appWith({ owner_proof: "required" });
  });
  const withProof = { proofs: JSON.stringify({ owner_proof: OWNER_PROOF }) };

  test("gets a code with one", async () => {
    expect((await complete(queryOf(client), withProof)).location).toContain("code=");
  });

  test.each<[string, Partial<Authenticated>]>([
    ["any proof", {}],
    ["one by the owner", { proofs: JSON.stringify({ provider_proof: {} }) }],
  ])("gets none without %s", async (_, changes) => {
    expect(await problemOf(complete(queryOf(client), changes))).toBe("ownerProofRequired");
  });

  test("gets none if the zone proves nothing, now or at all", async () => {
    const { look } = world;
    world.look = { ...look, assurance: "corroborated", proof: null, inception: null };
    expect(await problemOf(complete(queryOf(client), withProof))).toBe("ownerProofRequired");
    const failed = { outcome: "indeterminate", reason: "timeout" } as const;
    world.look = { ...look, ...failed, proof: null, inception: null };
    expect(await problemOf(complete(queryOf(client), withProof))).toBe("ownerProofRequired");
  });

  test.each(["none", "when_available"] as const)(
    "a setting of %s asks for none",
    async (setting) => {
      const other = await appWith({ owner_proof: setting });
      expect((await complete(queryOf(other))).location).toContain("code=");
    },
  );
});
