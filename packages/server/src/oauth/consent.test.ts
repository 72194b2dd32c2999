// Tests of the end of a sign-in: the consent page, the decision, and the code.

import { beforeEach, describe, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import {
  ISSUER,
  makeOAuthWorld,
  prepared,
  queryFor,
  REDIRECT_URI,
  requestTo,
} from "../../test/support/oauth-world.ts";
import { changeProgress } from "../../test/support/progress.ts";
import {
  authenticatedProgress,
  begunInteraction,
  recordSignIn,
  someId,
} from "../../test/support/store-rows.ts";
import { createAccountAccess } from "../account/account-access.ts";
import type { Client } from "../clients/client.ts";
import type { HttpResponse } from "../http/message.ts";
import { createFlow } from "../interaction/flow.ts";
import { challengeFor, decided as decidedAs } from "../interaction/progress.ts";
import { createRequirements } from "../interaction/requirements.ts";
import { randomText, sha256 } from "../lib/random.ts";
import type { Account } from "../store/accounts.ts";
import type {
  Authenticated,
  DnsChallenge,
  Interaction,
  NewInteraction,
  Progress,
} from "../store/interaction-row.ts";
import type { InteractionStore } from "../store/interactions.ts";
import { createAuthorizationResponse } from "./authorization-response.ts";
import { createConsent } from "./consent.ts";
import { readGrantToken } from "./grant-token.ts";

const world = fixture(makeOAuthWorld);
let client: Client;
let account: Account;
let browser: string;
let sid: string;
beforeEach(async () => {
  client = (await world.addClient({ name: "Notes", scope: "openid profile" })).client;
  account = await world.addAccount();
  sid = await world.openSession(account);
  browser = randomText(world.parts.random, 32);
  world.look = world.lookOf(account);
});

async function begun<P extends Progress = Authenticated>(
  changes: Partial<NewInteraction> & { readonly progress?: P } = {},
  more: Record<string, string> = {},
): Promise<Interaction<P>> {
  const { now, parts } = world;
  const { domain, id: accountId } = account;
  const query = queryFor(client, { scope: "openid profile", state: "s", ...more });
  const by = { accountId, authTime: now - 9, amr: "dns", controlCheckedAt: now - 8, sid };
  const interaction = await begunInteraction<Progress>(world.store, {
    ...{ id: randomText(parts.random, 16), browserHash: sha256(browser), query },
    ...{ clientId: client.client_id, domain, createdAt: now, expiresAt: now + 60 },
    ...{ grantId: now.toString(16).padStart(12, "0") + parts.random(10).toString("hex") },
    ...{ progress: authenticatedProgress(by), ...changes },
  });
  return interaction as Interaction<P>;
}
const unproven = () => begun<DnsChallenge>({ progress: challengeFor(account.acct, someId()) });

function request({ id }: Interaction, step: string, form?: Record<string, string>) {
  const cookie = world.parts.cookies.set("browser", browser).split(";")[0] ?? "";
  const headers = { cookie };
  const sent = form === undefined ? { headers } : { headers, form };
  return requestTo(`/interaction/${id}/${step}`, { ...sent, params: { id } });
}

function show(interaction: Interaction) {
  const requirement = createRequirements(world.parts).step("consent");
  const http = request(interaction, "consent");
  return prepared({ requirement, http }, createConsent(world.parts).showConsent);
}
function decide(interaction: Interaction, decision: string, parts = world.parts) {
  const requirement = createRequirements(parts).interaction;
  const http = request(interaction, "consent", { decision });
  return prepared({ requirement, http }, createConsent(parts).decideConsent);
}
function complete(interaction: Interaction) {
  const requirement = createRequirements(world.parts).step("complete");
  const { completeInteraction } = createAuthorizationResponse(world.parts);
  return prepared({ requirement, http: request(interaction, "complete") }, completeInteraction);
}
async function decided(
  decision: "allow" | "deny",
  ...options: Parameters<typeof begun<Authenticated>>
) {
  const interaction = await begun(...options);
  await answered(interaction, decision);
  return interaction;
}
function answered({ id }: Interaction, decision: "allow" | "deny") {
  return changeProgress(world.store, id, decidedAs(decision), world.now);
}
async function decisionOf({ id }: Interaction) {
  const { progress } = (await world.store.interactions.readInteraction(id)) ?? {};
  return progress?.step === "authenticated" ? progress.decision : undefined;
}
const whereTo = (response: HttpResponse, { id }: Interaction) =>
  response.headers.location?.toString().replace(`/interaction/${id}/`, "").split("?")[0];
const allowed = () => world.store.consents.readConsent(account.id, client.client_id);
/** The parts of the world on these interactions. */
function partsWith(interactions: InteractionStore) {
  const parts = { ...world.parts, interactions };
  const { completeInteraction } = createAuthorizationResponse(parts);
  const complete = (context: object) => completeInteraction(context as never);
  return { ...parts, flow: createFlow({ ...parts, completeInteraction: complete }) };
}
function onPage(problem: string) {
  return { status: 400, problem, pending: { clientHost: "app.example.org" } };
}

describe("the consent page", () => {
  test("says who asks, for which domain and for what, and posts to itself", async () => {
    const interaction = await begun();
    const response = await show(interaction);
    expect(response.status).toBe(200);
    const html = response.body;
    expect(html).toContain(`action="/interaction/${interaction.id}/consent"`);
    const shown = ["Notes", "app.example.org", account.domain, "name and website of this domain"];
    for (const words of shown) expect(html).toContain(words);
    // The translated text for a scope that has one.
    expect(html).not.toContain("<code>openid</code>");
  });

  test("is in the language that the app asked for", async () => {
    const html = (await show(await begun({}, { ui_locales: "de" }))).body;
    expect(html).toContain('lang="de"');
  });

  test("is left for the step that the sign-in waits for", async () => {
    const allowed = await decided("allow");
    const response = await show(allowed);
    expect([response.status, whereTo(response, allowed)]).toEqual([303, "complete"]);
    const open = await unproven();
    expect(whereTo(await show(open), open)).toBe("dns-challenge");
  });
});

describe("the person's answer", () => {
  test("allows what was asked for, now and the next time", async () => {
    const interaction = await begun();
    const response = await decide(interaction, "allow");
    expect([response.status, whereTo(response, interaction)]).toEqual([303, REDIRECT_URI]);
    expect(await decisionOf(interaction)).toBe("allow");
    expect(await allowed()).toEqual(new Set(["openid", "profile"]));
  });

  test("is remembered for a client that asks each time too, but not where it denies", async () => {
    const interaction = await begun();
    await decide(interaction, "deny");
    expect(await allowed()).toEqual(new Set());
    client = (await world.addClient({ consent: "always", scope: "openid profile" })).client;
    await decide(await begun(), "allow");
    expect(await allowed()).toEqual(new Set(["openid", "profile"]));
  });

  test("is the same answer a second time, and no other answer", async () => {
    const interaction = await begun();
    await decide(interaction, "allow");
    expect(whereTo(await decide(interaction, "allow"), interaction)).toBe(REDIRECT_URI);
    await expect(decide(interaction, "deny")).rejects.toMatchObject(onPage("alreadyUsed"));
    expect(await decisionOf(interaction)).toBe("allow");
  });

  test("of two at once is the one that the store took", async () => {
    const interaction = await begun();
    await answered(interaction, "deny");
    const late = (decision: string) => {
      const interactions = {
        ...world.store.interactions,
        readPending: async (id: string) => {
          const pending = await world.store.interactions.readPending(id);
          return pending && { ...pending, interaction };
        },
      };
      return decide(interaction, decision, partsWith(interactions));
    };
    expect(whereTo(await late("deny"), interaction)).toBe("complete");
    await expect(late("allow")).rejects.toMatchObject({ problem: "alreadyUsed" });
  });

  test("is not remembered if the app was revoked after the request read the first answer", async () => {
    const interaction = await begun();
    await decide(interaction, "allow");
    const { clock } = world.parts;
    const access = createAccountAccess({ ...world.store, clock });
    const interactions = {
      ...world.store.interactions,
      readPending: async (id: string) => {
        const stored = await world.store.interactions.readPending(id);
        await access.revokeApps(account.id, client.client_id);
        return stored;
      },
    };
    const late = decide(interaction, "allow", partsWith(interactions));
    await expect(late).rejects.toMatchObject({ problem: "alreadyUsed" });
    expect(await allowed()).toEqual(new Set());
  });

  test("is one of two words", async () => {
    const interaction = await begun();
    for (const decision of ["", "maybe"]) {
      const refused = decide(interaction, decision);
      await expect(refused).rejects.toMatchObject(onPage("malformedRequest"));
    }
    expect(await decisionOf(interaction)).toBeNull();
  });
});

describe("the last step", () => {
  test("logs the scopes that were not granted, once there is a code", async () => {
    const interaction = await decided("allow", {}, { scope: "openid email über" });
    expect((await complete(interaction)).status).toBe(303);
    const noted = world.reported.filter(({ event }) => event === "scopesIgnored");
    const fields = { clientId: client.client_id, scope: "email ?ber" };
    expect(noted).toEqual([{ event: "scopesIgnored", fields }]);
  });

  test("logs twenty of them at most", async () => {
    const ignored = Array.from({ length: 25 }, (_, index) => `scope${index}`);
    await complete(await decided("allow", {}, { scope: `openid ${ignored.join(" ")}` }));
    const noted = world.reported.filter(({ event }) => event === "scopesIgnored").at(-1);
    expect(noted?.fields).toMatchObject({ scope: ignored.slice(0, 20).join(" ") });
  });

  test("sends the code of the reserved grant, as the person was authenticated", async () => {
    const interaction = await decided("allow");
    const response = await complete(interaction);
    const location = new URL(String(response.headers.location));
    expect([response.status, location.searchParams.get("iss")]).toEqual([303, ISSUER]);
    const code = location.searchParams.get("code") ?? "";
    const read = await readGrantToken(world.keyring, "code", code);
    expect(read?.grantId).toBe(interaction.grantId);
    const { now } = world;
    expect(await world.grant(interaction.grantId)).toMatchObject({
      ...{ scope: "openid profile", redirectUri: REDIRECT_URI, authTime: now - 9, amr: "dns" },
      ...{ controlCheckedAt: now - 8, codeExpiresAt: now + 600 },
      expiresAt: now + client.refresh_absolute_lifetime,
    });
    // A double click gets the same code while it is unused.
    const again = await complete(interaction);
    expect(again.headers.location).toBe(location.href);
    await world.store.grants.revokeGrant({ id: interaction.grantId, now });
    await expect(complete(interaction)).rejects.toMatchObject(onPage("alreadyUsed"));
  });

  test("gives no code for a grant that was redeemed, or whose code has ended", async () => {
    const used = await decided("allow");
    await complete(used);
    await world.store.grants.redeemCode({
      ...{ id: used.grantId, clientId: client.client_id, redirectUri: REDIRECT_URI },
      ...{ codeChallenge: null, refreshExpiresAt: world.now + 60, now: world.now },
    });
    await expect(complete(used)).rejects.toMatchObject({ problem: "alreadyUsed" });
    const late = await decided("allow", { expiresAt: world.now + 3600 });
    await complete(late);
    world.now += 600;
    await expect(complete(late)).rejects.toMatchObject({ problem: "expired" });
    world.now -= 600;
  });

  test("sends access_denied to the client if the user denies the request", async () => {
    await expect(complete(await decided("deny"))).rejects.toMatchObject({
      ...{ code: "access_denied", message: "the user denied the request" },
      target: { uri: REDIRECT_URI, state: "s" },
    });
  });

  test("is left for the step that the sign-in waits for", async () => {
    const interaction = await begun();
    expect(whereTo(await complete(interaction), interaction)).toBe("consent");
  });

  test("keeps the proofs of an SP with the evidence, and evidence only for clients that want it", async () => {
    const proofs = { owner_proof: { kind: "jws", key: {}, jws: "a.b.c" } };
    const open = await unproven();
    const proof = { accountId: account.id, authTime: world.now, amr: "external", sid };
    const interaction = await recordSignIn(
      world.store,
      open,
      { ...proof, controlCheckedAt: world.now, proofs: JSON.stringify(proofs) },
      world.now,
    );
    if (interaction === null) throw new Error("nobody was authenticated");
    await answered(interaction, "allow");
    await complete(interaction);
    const evidenceOf = async ({ grantId }: Interaction) =>
      JSON.parse((await world.store.evidences.readEvidence(grantId, world.now))?.body ?? "null");
    expect(await evidenceOf(interaction)).toMatchObject({
      ...{ domain: account.domain, sp: ISSUER, ...proofs },
    });
    client = (await world.addClient({ scope: "openid profile", validation_data: false })).client;
    const plain = await decided("allow");
    await complete(plain);
    expect(await evidenceOf(plain)).toBeNull();
  });

  test("keeps with the grant what the ID token says: the session, the nonce, and the claims that were requested", async () => {
    const claims = JSON.stringify({ id_token: { website: null, name: null, email: null } });
    const asked = await decided("allow", {}, { claims, nonce: "n" });
    await complete(asked);
    const { progress } = asked;
    const { sid } = "sid" in progress ? progress : { sid: "" };
    expect(sid).not.toBe("");
    expect(await world.grant(asked.grantId)).toMatchObject({
      ...{ sid, nonce: "n", claims: "name website" },
    });
    const plain = await decided("allow");
    await complete(plain);
    expect(await world.grant(plain.grantId)).toMatchObject({ nonce: null, claims: null });
  });

  test.each([
    ["authTime", "auth_time"],
    ["amr", "amr"],
    ["controlCheckedAt", "control_checked_at"],
  ] as const)("is never taken for complete without %s", async (_, column) => {
    const interaction = await decided("allow");
    const { id } = interaction;
    await world.engine.execute(`UPDATE interactions SET ${column} = NULL WHERE id = ?1`, [id]);
    await expect(complete(interaction)).rejects.toThrow(
      `the row of interaction ${id} has the method dns-challenge and lacks its columns`,
    );
  });
});
