// What this service sends to an external SP, and how it checks the keys and times of what comes back.

import { createRemoteJWKSet, jwtVerify } from "jose";
import { expect, test } from "vitest";
import {
  type BentSp,
  type Json,
  provingDomains,
  publicJwk,
  withKeys,
} from "../../support/bent-sp.ts";
import { codeOf, federation } from "../../support/federated.ts";
import { bent } from "../../support/two-sps.ts";

const world = federation();

const askedOf = (sp: BentSp) =>
  Object.fromEntries(sp.asked("authorize")[0]?.url.searchParams ?? []);

test("the request says all that the SP needs, and our document at its client_id says who we are", async () => {
  const sp = await world.sp({ metadata: withKeys });
  const domain = world.domainAt(sp);
  const parameters = {
    ui_locales: "pt",
    max_age: "600",
    prompt: "login",
    nonce: "the app's nonce",
  };
  expect(codeOf(await world.visit(domain, { parameters }))).toMatch(/^dsc_/);
  const { issuer } = world.test;
  const asked = askedOf(sp);
  expect(asked).toEqual({
    ...{ response_type: "code", scope: "openid", code_challenge_method: "S256" },
    ...{ login_hint: domain, prompt: "login", max_age: "600", ui_locales: "pt", ds_hop: "1" },
    client_id: expect.stringMatching(/\/federation\/client\/[A-Za-z0-9_-]{43}$/),
    redirect_uri: expect.stringMatching(/\/federation\/callback\/[A-Za-z0-9_-]{43}$/),
    state: expect.stringMatching(/^[A-Za-z0-9_-]{65}$/),
    nonce: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    code_challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
  });
  const document = await (await fetch(String(asked.client_id))).json();
  expect(document).toEqual({
    ...{ client_id: asked.client_id, client_name: `domain-signin at ${new URL(issuer).host}` },
    ...{ redirect_uris: [asked.redirect_uri], scope: "openid", issuer, domain_signin_version: 1 },
    ...{ grant_types: ["authorization_code"], response_types: ["code"] },
    ...{ token_endpoint_auth_method: "private_key_jwt", token_endpoint_auth_signing_alg: "ES256" },
    jwks_uri: `${issuer}/federation/jwks.json`,
  });
});

test("we authenticate by a key of our own, for this SP alone and for a minute", async () => {
  const sp = await world.sp({ metadata: withKeys });
  expect(codeOf(await world.visit(world.domainAt(sp)))).toMatch(/^dsc_/);
  const [token] = sp.asked("token");
  const assertion = token?.form.get("client_assertion") ?? "";
  const keys = createRemoteJWKSet(new URL(`${world.test.issuer}/federation/jwks.json`));
  const { payload } = await jwtVerify(assertion, keys, { algorithms: ["ES256"] });
  const clientId = askedOf(sp).client_id;
  expect(payload).toMatchObject({ iss: clientId, sub: clientId, aud: sp.issuer });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(60);
  expect(payload.jti).toBeTruthy();
  expect(token?.authorization).toBeUndefined();
});

test("a statement of the owner is asked for at an SP that knows of domains, for who wants one", async () => {
  const sp = await world.sp({ metadata: provingDomains });
  const domain = world.domainAt(sp);
  sp.bends.claims = (claims) => ({ ...claims, domain, acct: sp.acct(domain) });
  expect(codeOf(await world.visit(domain, { parameters: { nonce: "n" } }))).toMatch(/^dsc_/);
  const { client } = world;
  expect(askedOf(sp)).toMatchObject({
    ...{ ds_aud: client.id, ds_redirect_uri: client.redirectUri, ds_nonce: "n" },
    ds_cch: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
  });

  const unaware = await world.sp();
  await world.visit(world.domainAt(unaware), { parameters: { nonce: "n" } });
  expect(Object.keys(askedOf(unaware)).filter((name) => name.startsWith("ds_"))).toEqual([
    "ds_hop",
  ]);
});

test("a bad statement is left out and told to the log, and fails nobody's sign-in", async () => {
  const sp = await world.sp({ metadata: provingDomains });
  const domain = world.domainAt(sp);
  const owner_proof = { kind: "jws", key: publicJwk(), jws: "a.b.c" };
  sp.bends.claims = (claims) => ({ ...claims, domain, acct: sp.acct(domain), owner_proof });
  expect(codeOf(await world.visit(domain))).toMatch(/^dsc_/);
  const told = world.test.events.filter((line) => line.includes("a proof was dropped"));
  expect(told).toHaveLength(1);
});

test("a key that the SP has made since is found", async () => {
  const sp = await world.sp();
  expect(codeOf(await world.visit(world.domainAt(sp)))).toMatch(/^dsc_/);
  sp.bends.idToken = (claims, sign) => sign(claims, { kid: "new" });
  sp.bends.keys = (keys) => [...keys, publicJwk(undefined, "new")];
  world.test.advance(6);
  expect(codeOf(await world.visit(world.domainAt(sp)))).toMatch(/^dsc_/);
  expect(sp.asked("jwks")).toHaveLength(2);
});

test.each([
  ["fresh enough when it was asked for", -500, true],
  ["older than max_age when it was asked for", -700, false],
])("an authentication that was %s", async (_, ago, isGood) => {
  const sp = await world.sp();
  sp.bends.claims = (claims) => ({ ...claims, auth_time: Number(claims.iat) + ago });
  const done = await world.visit(world.domainAt(sp), { parameters: { max_age: "600" } });
  if (isGood) expect(codeOf(done)).toMatch(/^dsc_/);
  else world.expectRefusal(done, { sp, says: /max_age/ });
});

test("with max_age an ID token has to say when the person was authenticated", async () => {
  const sp = await world.sp();
  sp.bends.claims = ({ auth_time: _, ...claims }) => claims;
  expect(codeOf(await world.visit(world.domainAt(sp)))).toMatch(/^dsc_/);
  const asked = await world.visit(world.domainAt(sp), { parameters: { max_age: "600" } });
  world.expectRefusal(asked, { sp, says: /auth_time/ });
});

test("what the operator lets an SP do without is not asked of it, and its client there is used", async () => {
  const keysElsewhere = await world.sp();
  const metadata = (right: Json) => ({
    ...right,
    jwks_uri: `${keysElsewhere.issuer}/jwks`,
    code_challenge_methods_supported: undefined,
    authorization_response_iss_parameter_supported: undefined,
  });
  const sp = await world.sp({ metadata });
  sp.bends.callback = (to) => bent(to, { iss: null });
  const refused = await world.visit(world.domainAt(sp));
  world.expectRefusal(refused, { sp, says: /S256/ });

  const allow = ["endpoints_elsewhere", "no_iss", "no_pkce"];
  await world.test.store.spClients.putSpClient({
    ...{
      issuer: sp.issuer,
      source: "operator",
      clientId: "by hand",
      sealedSecret: null,
      madeAt: 0,
    },
    settings: JSON.stringify({ token_endpoint_auth_method: "none", allow }),
  });
  expect(codeOf(await world.visit(world.domainAt(sp)))).toMatch(/^dsc_/);
  expect(askedOf(sp).client_id).toBe("by hand");
  expect(keysElsewhere.requests.map(({ path }) => path)).toEqual(["jwks"]);
});
