// An owner proof by way of another service: the owner's passkey, kept by the SP, approves the request of the broker's app.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { type ValidationData, verifyValidationData } from "domain-signin-verify";
import { beforeAll, describe, expect, test } from "vitest";
import { fixture } from "../../support/fixture.ts";
import { claimsOf, flow } from "../../support/flow.ts";
import { givePasskey, usePasskey } from "../../support/passkeys.ts";
import { startTestService } from "../../support/service.ts";
import { answerPage, type Pkce, pkce, pkceParameters, redeemed } from "../../support/sign-in.ts";
import { startSignedZones } from "../../support/signed-zones.ts";

const DOMAIN = "alice.test";
const RECORD = `_domain-signin.${DOMAIN}`;

const zones: Awaited<ReturnType<typeof startSignedZones>> = fixture(() =>
  startSignedZones(() => sp.zone.records()),
);
const start = () => startTestService({ config: zones.config });
const sp = flow({ start, client: "file" });
const broker = flow({ start });
let passkey: Awaited<ReturnType<typeof givePasskey>>;

beforeAll(async () => {
  await sp.signIn({ domain: DOMAIN });
  passkey = await givePasskey(sp, DOMAIN);
  const record = sp.zone.records().find(({ name }) => name === RECORD);
  if (record === undefined) throw new Error("no record");
  sp.zone.remove(record);
  sp.zone.add({ ...record, value: `${record.value} jkt=${passkey.thumbprint}` });
  for (const service of [sp, broker]) service.advance(400);
});

/** As far as the SP's page that asks for the passkey, or where it led instead. */
async function askedForPasskey(proof: Pkce): Promise<Page> {
  const page = await broker.begin({ domain: DOMAIN, parameters: pkceParameters(proof) });
  if (page.step !== "domain") return page;
  return broker.submit(page, "domain-form", { domain: DOMAIN });
}

/** What the passkey leads to: consent at the SP, the way back, and the tokens. */
async function received(asked: Page, proof: Pkce): Promise<ValidationData> {
  const { agent, client } = broker;
  const way = { domain: DOMAIN, stopAt: client.redirectUri };
  let page = await usePasskey(agent, asked, passkey, way);
  while (!page.stopped && page.step === "consent") page = await answerPage(sp, agent, page, way);
  const { status, body } = await redeemed(broker, client, page, proof.verifier);
  expect(status).toBe(200);
  return body.validation_data as ValidationData;
}

const verify = (data: unknown, proof: Pkce, more: object = {}) =>
  verifyValidationData(data, {
    ...{ clientId: broker.client.id, redirectUri: broker.client.redirectUri },
    issuer: broker.issuer,
    ...{ codeVerifier: proof.verifier, require: "owner_proof" as const },
    trustAnchors: zones.trustAnchors,
    now: Math.floor(Date.now() / 1000) + 400,
    ...more,
  });

test("the app verifies it with the DNS root alone: the owner approved its request at the SP", async () => {
  const proof = pkce();
  const asked = await askedForPasskey(proof);
  expect([asked.step, new URL(asked.url).origin]).toEqual(["passkey", sp.issuer]);
  const data = await received(asked, proof);
  expect(data.owner_proof).toMatchObject({ kind: "webauthn" });
  const proven = await verify(data, proof);
  expect(proven).toMatchObject({ how: "owner_proof", domain: DOMAIN, sp: sp.issuer });
  const { statement } = data.owner_proof as { statement: string };
  expect(JSON.parse(Buffer.from(statement, "base64url").toString())).toMatchObject({
    ...{ typ: "domain-owner-statement", aud: broker.client.id },
    redirect_uri: broker.client.redirectUri,
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
  const [first, proof] = [pkce(), pkce()];
  await received(await askedForPasskey(first), first);
  // Both services know this browser now.
  broker.client = await broker.addClient({ consent: "never", owner_proof: "required" });
  const page = await askedForPasskey(proof);
  expect([page.step, new URL(page.url).origin]).toEqual(["passkey", sp.issuer]);
  const data = await received(page, proof);
  expect(await verify(data, proof)).toMatchObject({ how: "owner_proof" });
});

describe("the SP", () => {
  test("makes none for its own apps of a statement for another's, and none for a stranger's app", async () => {
    const own = await sp.addClient({ consent: "never" });
    const [agent, proof]: [UserAgent, Pkce] = [createUserAgent(), pkce()];
    const app = { ds_aud: "evil", ds_redirect_uri: "https://evil.example/cb", ds_nonce: "n" };
    const parameters = { ...pkceParameters(proof), ...app };
    const asked = await sp.begin({ client: own, agent, domain: DOMAIN, parameters });
    const done = await usePasskey(agent, asked, passkey, { stopAt: own.redirectUri });
    const { body } = await redeemed(sp, own, done, proof.verifier);
    const { owner_proof } = body.validation_data as { owner_proof: { statement: string } };
    const statement = JSON.parse(Buffer.from(owner_proof.statement, "base64url").toString());
    expect(statement).toMatchObject({ aud: own.id, svc: sp.issuer });
    expect(claimsOf(body.id_token)).not.toHaveProperty("owner_proof");
  });
});
