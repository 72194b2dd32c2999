// Tests of the end of an interaction: a code, a page of the account, or a reason why there is neither.

import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  ISSUER,
  makeOAuthWorld,
  type OAuthWorld,
  REDIRECT_URI,
  requestTo,
} from "../../test/support/oauth-world.ts";
import { someInteraction, someSession } from "../../test/support/store-rows.ts";
import { PageError } from "../interaction/pending-request.ts";
import type { Account } from "../store/accounts.ts";
import type { Interaction } from "../store/interactions.ts";
import { accountSignIn, withAccountPage } from "./account-client.ts";
import { readAuthorizationRequest } from "./authorization-request.ts";
import { createAuthorizationResponse } from "./authorization-response.ts";
import type { Client } from "./client.ts";
import type { ClientRegistrationInput } from "./client-registration.ts";
import { AuthorizationError } from "./errors.ts";

const OWNER_PROOF = { credential: "the owner's" };

let world: OAuthWorld;
let account: Account;
let sid: string;
beforeAll(async () => {
  world = await makeOAuthWorld();
});
beforeEach(async () => {
  account = await world.addAccount();
  const times = { now: world.now, authTime: world.now, expiresAt: world.now + 86_400 };
  ({ sid } = await world.store.startSession(someSession(account.id, times)));
  const record = { acct: account.acct, jkt: [], spk: [], name: `_domain-signin.${account.domain}` };
  world.look = {
    ...{ outcome: "own", ...record, assurance: "secure", checkedAt: world.now, resolvers: 3 },
    ...{ records: [], inception: world.now - 9 },
    proof: { chain: new Uint8Array(9), notBefore: world.now - 9, notAfter: world.now + 9 },
  };
});

const appWith = async (input: Partial<ClientRegistrationInput> = {}) =>
  (await world.addClient(input)).client;

/** The answer to an authenticated interaction for this request. */
async function complete(query: string, changes: Partial<Interaction> = {}) {
  const clients = withAccountPage(world.parts.clients, ISSUER);
  const request = await readAuthorizationRequest(query, { clients, issuer: ISSUER });
  const proof = { accountId: account.id, authTime: world.now, amr: "dns", sid };
  const interaction = someInteraction({ ...proof, controlCheckedAt: world.now, ...changes });
  const http = requestTo(`/interaction/${interaction.id}/complete`);
  const { completeInteraction } = createAuthorizationResponse(world.parts);
  const answer = await completeInteraction({ http, request, interaction });
  return { location: String(answer.headers.location), interaction };
}

const queryOf = (client: Client, more: Record<string, string> = {}) =>
  new URLSearchParams({
    ...{ client_id: client.client_id, redirect_uri: REDIRECT_URI, response_type: "code" },
    ...{ scope: "openid", state: "s", ...more },
  }).toString();

const problemOf = async (done: Promise<unknown>) => {
  const error = await done.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PageError);
  return (error as PageError).problem;
};
const toldOf = async (client: Client) => {
  await world.store.endSession({ sid, accountId: account.id }, "signed_out", world.now);
  const due = await world.store.dueLogouts(world.now);
  return due.filter(({ clientId }) => clientId === client.client_id).map((one) => one.sid);
};

describe("an authenticated interaction", () => {
  test("ends in a code for its grant", async () => {
    const { location, interaction } = await complete(queryOf(await appWith()));
    expect(location).toMatch(/^https:\/\/app\.example\.org\/callback\?code=dsc_/);
    expect((await world.store.readGrant(interaction.grantId))?.grant).toMatchObject({
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
    await world.store.endSession({ sid, accountId: account.id }, "elsewhere", world.now);
    expect(await problemOf(complete(queryOf(client)))).toBe("signedOut");
  });

  test("without an authentication is a mistake of ours", async () => {
    const query = queryOf(await appWith());
    for (const changes of [
      ...[{ accountId: null }, { authTime: null }, { amr: null }],
      ...[{ controlCheckedAt: null }, { sid: null }],
    ]) {
      await expect(complete(query, changes)).rejects.toThrow("has no authentication");
    }
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
    expect(await world.store.readGrant(interaction.grantId)).toBeNull();
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

  test.each<[string, Partial<Interaction>]>([
    ["any proof", {}],
    ["one by the owner", { proofs: JSON.stringify({ provider_proof: {} }) }],
  ])("gets none without %s", async (_, changes) => {
    expect(await problemOf(complete(queryOf(client), changes))).toBe("ownerProofRequired");
  });

  test("gets none if the zone proves nothing, now or at all", async () => {
    const { look } = world;
    world.look = { ...look, assurance: "corroborated", proof: null, inception: null };
    expect(await problemOf(complete(queryOf(client), withProof))).toBe("ownerProofRequired");
    const failed = { outcome: "unavailable", reason: "timeout" } as const;
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
