// At an external SP where this service has registered: how it authenticates there, and whose accounts come of it.

import { createRemoteJWKSet, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { type BentSp, type Json, type SpRequest, withRegistration } from "../support/bent-sp.ts";
import {
  codeOf,
  domainAt,
  expectRefusal,
  recordOf,
  startFederatedWorld,
  textOf,
  tokensOf,
  visit,
} from "../support/federated.ts";
import { fixture } from "../support/fixture.ts";
import { claimsOf } from "../support/flow.ts";
import { refresh } from "../support/sign-in.ts";
import { registered } from "../support/sp-trial.ts";

const world = fixture(() => startFederatedWorld());

const signIn = async (domain: string) => tokensOf(world, await visit(world, domain));

/** Registers every client as "client/1", with a secret that Basic has to encode (RFC 6749 §2.3.1). */
async function spThatOffers(methods: readonly string[]): Promise<BentSp> {
  const sp = await world.sp({
    metadata: (right) => ({
      ...withRegistration(right),
      token_endpoint_auth_methods_supported: methods,
    }),
  });
  const client = { client_id: "client/1", client_secret: "a secret: 100% of it" };
  sp.bends.reply = { register: registered({ ...client, client_secret_expires_at: 0 }) };
  return sp;
}

/** What authenticates a request to the token endpoint. */
function authenticationIn({ authorization, form }: SpRequest): Json {
  const names = ["client_id", "client_secret", "client_assertion_type"];
  const sent = names.flatMap((name) => (form.has(name) ? [[name, form.get(name)]] : []));
  return { ...(authorization && { authorization }), ...Object.fromEntries(sent) };
}

const BASIC = Buffer.from("client%2F1:a+secret%3A+100%25+of+it").toString("base64");
const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

test.each<[string, string[], Json]>([
  [
    "private_key_jwt",
    ["none", "client_secret_basic", "private_key_jwt"],
    { client_id: "client/1", client_assertion_type: JWT_BEARER },
  ],
  ["client_secret_basic", ["none", "client_secret_basic"], { authorization: `Basic ${BASIC}` }],
  [
    "client_secret_post",
    ["client_secret_post"],
    { client_id: "client/1", client_secret: "a secret: 100% of it" },
  ],
  ["none", ["none"], { client_id: "client/1" }],
])("registered once, we authenticate by %s at every sign-in", async (method, methods, sent) => {
  const sp = await spThatOffers(methods);
  const domain = domainAt(world, sp);
  const claims = claimsOf((await signIn(domain)).id_token);
  expect(claims).toMatchObject({ domain, amr: ["external"], aud: world.client.id });
  expect(claimsOf((await signIn(domain)).id_token).sub).toBe(claims.sub);
  const registrations = sp.asked("register").map(({ json }) => json);
  expect(registrations).toEqual([expect.objectContaining({ token_endpoint_auth_method: method })]);
  expect(sp.asked("token").map(authenticationIn)).toEqual([sent, sent]);
  const [row] = await world.test.store.spClients.findSpClients(sp.issuer);
  expect(row).toMatchObject({ source: "registered", clientId: "client/1" });
  expect(row?.sealedSecret === null).toBe(!method.startsWith("client_secret"));
});

test("the assertion of a registered client names the client_id that the SP gave out (RFC 7523 §3)", async () => {
  const sp = await spThatOffers(["private_key_jwt"]);
  await signIn(domainAt(world, sp));
  const [registration] = sp.asked("register");
  const keys = createRemoteJWKSet(new URL(String(registration?.json.jwks_uri)));
  const assertion = sp.asked("token")[0]?.form.get("client_assertion") ?? "";
  const { payload } = await jwtVerify(assertion, keys, { audience: sp.issuer });
  expect(payload).toMatchObject({ iss: "client/1", sub: "client/1" });
});

test("an account of a domain is refreshed, until the record names another account there", async () => {
  const sp = await spThatOffers(["client_secret_basic"]);
  const [domain, other] = [domainAt(world, sp), domainAt(world, sp)];
  const tokens = await signIn(domain);
  const { sub } = claimsOf(tokens.id_token);
  // One account at the SP, two domains: two accounts here.
  expect(claimsOf((await signIn(other)).id_token).sub).not.toBe(sub);
  const refreshed = await world.test.token(refresh(String(tokens.refresh_token)), world.client);
  expect(refreshed.status).toBe(200);

  world.publish(domain, recordOf(sp.issuer, sp.acct(domain, "bob")));
  world.advance(400);
  sp.bends.claims = (right) => ({ ...right, sub: "bob" });
  expect(claimsOf((await signIn(domain)).id_token).sub).not.toBe(sub);
  const former = { sp: sp.issuer, acct: sp.acct(domain) };
  expect(await world.test.store.accounts.findAccount(domain, former)).toMatchObject({
    ...{ id: sub, asleepSince: expect.any(Number) },
  });
  const again = refresh(String(refreshed.body.refresh_token));
  expect((await world.test.token(again, world.client)).status).toBe(503);
  world.advance(86_400);
  await world.test.walk();
  const ended = await world.test.token(again, world.client);
  expect([ended.status, ended.body.error]).toEqual([400, "invalid_grant"]);
});

test("the acct that the page tells of another account signs that one in, once it is published", async () => {
  const sp = await spThatOffers(["none"]);
  const domain = domainAt(world, sp);
  sp.bends.claims = (right) => ({ ...right, sub: "mallory" });
  const { page } = await visit(world, domain);
  expect([page.stopped, page.step]).toEqual([false, "external"]);
  const [, acct = ""] = /acct=([A-Za-z0-9_-]{64})/.exec(textOf(page)) ?? [];
  world.publish(domain, recordOf(sp.issuer, acct));
  world.advance(400);
  expect(codeOf(await visit(world, domain))).toMatch(/^dsc_/);
});

test("an SP that need not say iss is refused when it says another (RFC 9207 §2.4)", async () => {
  const sp = await world.sp({
    metadata: (right) => ({ ...right, authorization_response_iss_parameter_supported: undefined }),
  });
  const settings = { token_endpoint_auth_method: "none", allow: ["no_iss"] };
  await world.test.store.spClients.putSpClient({
    ...{ issuer: sp.issuer, source: "operator", clientId: "by hand" },
    ...{ settings: JSON.stringify(settings), sealedSecret: null, madeAt: 0 },
  });
  const saying = (iss: string | null) => {
    sp.bends.callback = (to) => {
      if (iss === null) to.searchParams.delete("iss");
      else to.searchParams.set("iss", iss);
      return to;
    };
    return visit(world, domainAt(world, sp));
  };
  expect(codeOf(await saying(null))).toMatch(/^dsc_/);
  expectRefusal(world, await saying("https://sp.example"), { sp, says: /iss/ });
  expect(sp.asked("token")).toHaveLength(1);
});
