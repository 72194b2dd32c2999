// An owner proof by way of another service: the owner's passkey, kept by the SP, approves the request of the broker's app.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { type ValidationData, verifyValidationData } from "domain-signin-verify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { givePasskey, usePasskey } from "../../support/passkeys.ts";
import { startTestService, type TestClient, type TestService } from "../../support/service.ts";
import {
  answerPage,
  authorizationUrl,
  openDomainPage,
  type Pkce,
  pkce,
  pkceParameters,
  redemption,
  signIn,
} from "../../support/sign-in.ts";
import { startSignedZones } from "../../support/signed-zones.ts";

const DOMAIN = "alice.test";
const RECORD = `_domain-signin.${DOMAIN}`;
type Parameters = Readonly<Record<string, string>>;

let sp: TestService;
let broker: TestService;
let zones: Awaited<ReturnType<typeof startSignedZones>>;
let passkey: Awaited<ReturnType<typeof givePasskey>>;
let client: TestClient;

beforeAll(async () => {
  zones = await startSignedZones(() => sp.zone.records());
  const { config } = zones;
  sp = await startTestService({ config });
  broker = await startTestService({ config });
  client = await broker.addClient({ consent: "never" });
  await signIn(sp, await sp.addClient(), { agent: createUserAgent(), domain: DOMAIN });
  passkey = await givePasskey(sp, DOMAIN);
  const record = sp.zone.records().find(({ name }) => name === RECORD);
  if (record === undefined) throw new Error("no record");
  sp.zone.remove(record);
  sp.zone.add({ ...record, value: `${record.value}; jkt=${passkey.thumbprint}` });
  for (const service of [sp, broker]) service.advance(400);
});
afterAll(async () => {
  await broker.close();
  await sp.close();
  zones.close();
});

/** As far as the SP's page that asks for the passkey, or where it led instead. */
async function askedForPasskey(
  agent: UserAgent,
  {
    app = client,
    proof,
    parameters = {},
  }: { app?: TestClient; proof: Pkce; parameters?: Parameters },
): Promise<Page> {
  const stopAt = app.redirectUri;
  const url = authorizationUrl(broker, app, { ...pkceParameters(proof), ...parameters });
  const first = await openDomainPage(agent, url, { stopAt });
  let page = await agent.submit(first, "domain-form", { domain: DOMAIN }, { stopAt });
  if (page.step === "domain") {
    page = await agent.submit(page, "domain-form", { domain: DOMAIN }, { stopAt });
  }
  return page;
}

async function tokensOf(page: Page, proof: Pkce, app = client) {
  const answer = new URL(page.url).searchParams;
  const code = answer.get("code") ?? `no code but ${answer.get("error")} at ${page.url}`;
  const done = { code, verifier: proof.verifier, answer, agent: createUserAgent(), steps: [] };
  const { status, body } = await broker.token(redemption(app, done), app);
  expect(status).toBe(200);
  return body.validation_data as ValidationData;
}

/** What comes after the passkey: consent at the SP, and the way back. */
async function onwards(agent: UserAgent, from: Page, app = client): Promise<Page> {
  let page = from;
  const stopAt = app.redirectUri;
  while (!page.stopped && page.step === "consent") {
    page = await answerPage(sp, agent, page, { domain: DOMAIN, stopAt });
  }
  return page;
}

const verify = (data: unknown, proof: Pkce, more: object = {}) =>
  verifyValidationData(data, {
    ...{ clientId: client.id, redirectUri: client.redirectUri, issuer: broker.issuer },
    ...{ codeVerifier: proof.verifier, require: "owner_proof" as const },
    trustAnchors: zones.trustAnchors,
    now: Math.floor(Date.now() / 1000) + 400,
    ...more,
  });

test("the app verifies it with the DNS root alone: the owner approved its request at the SP", async () => {
  const [agent, proof] = [createUserAgent(), pkce()];
  const asked = await askedForPasskey(agent, { proof });
  expect([asked.step, new URL(asked.url).origin]).toEqual(["passkey", sp.issuer]);
  const stopAt = client.redirectUri;
  const back = await onwards(agent, await usePasskey(agent, asked, passkey, { stopAt }));
  const data = await tokensOf(back, proof);
  expect(data.owner_proof).toMatchObject({ kind: "webauthn" });
  const proven = await verify(data, proof);
  expect(proven).toMatchObject({ how: "owner_proof", domain: DOMAIN, sp: sp.issuer });
  const { statement } = data.owner_proof as { statement: string };
  expect(JSON.parse(Buffer.from(statement, "base64url").toString())).toMatchObject({
    ...{ typ: "domain-owner-statement", aud: client.id, redirect_uri: client.redirectUri },
    ...{ cch: proof.challenge, svc: broker.issuer, sp: sp.issuer },
  });
  // For no other app, no other request, and by way of no other service.
  const others = [
    { clientId: "another" },
    { codeVerifier: pkce().verifier },
    { issuer: sp.issuer },
    { redirectUri: "https://other.example/callback" },
  ];
  for (const other of others) await expect(verify(data, proof, other)).rejects.toThrow();
});

test("an app that insists has the SP ask for the passkey, also where the person is signed in", async () => {
  const [agent, first] = [createUserAgent(), pkce()];
  const stopAt = client.redirectUri;
  const asked = await askedForPasskey(agent, { proof: first });
  await onwards(agent, await usePasskey(agent, asked, passkey, { stopAt }));
  // Both services know this browser now.
  const strict = await broker.addClient({ consent: "never", owner_proof: "required" });
  const proof = pkce();
  const page = await askedForPasskey(agent, { app: strict, proof });
  expect([page.step, new URL(page.url).origin]).toEqual(["passkey", sp.issuer]);
  const to = { stopAt: strict.redirectUri };
  const back = await onwards(agent, await usePasskey(agent, page, passkey, to), strict);
  const data = await tokensOf(back, proof, strict);
  const options = { clientId: strict.id, redirectUri: strict.redirectUri };
  expect(await verify(data, proof, options)).toMatchObject({ how: "owner_proof" });
});

describe("the SP", () => {
  test("makes none for its own apps of a statement for another's, and none for a stranger's app", async () => {
    const own = await sp.addClient({ consent: "never" });
    const [agent, proof] = [createUserAgent(), pkce()];
    const app = { ds_aud: "evil", ds_redirect_uri: "https://evil.example/cb", ds_nonce: "n" };
    const url = authorizationUrl(sp, own, { ...pkceParameters(proof), ...app });
    const stopAt = own.redirectUri;
    const first = await openDomainPage(agent, url, { stopAt });
    const asked = await agent.submit(first, "domain-form", { domain: DOMAIN }, { stopAt });
    const done = await usePasskey(agent, asked, passkey, { stopAt });
    const code = new URL(done.url).searchParams.get("code") ?? "";
    const fields = { grant_type: "authorization_code", redirect_uri: stopAt, code };
    const { body } = await sp.token({ ...fields, code_verifier: proof.verifier }, own);
    const { owner_proof } = body.validation_data as { owner_proof: { statement: string } };
    const statement = JSON.parse(Buffer.from(owner_proof.statement, "base64url").toString());
    expect(statement).toMatchObject({ aud: own.id, svc: sp.issuer });
    const [, claims = ""] = String(body.id_token).split(".");
    expect(JSON.parse(Buffer.from(claims, "base64url").toString())).not.toHaveProperty(
      "owner_proof",
    );
  });
});
