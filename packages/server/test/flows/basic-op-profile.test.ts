// The tests of the certification profile Basic OP of OpenID Connect, by their names in the suite of the
// OpenID Foundation, and those tests of Config OP and Dynamic OP that this service can have.

import { decodeProtectedHeader, type JSONWebKeySet } from "jose";
import { describe, expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { flow } from "../support/flow.ts";
import { openidClient } from "../support/openid-client.ts";
import type { TestClient } from "../support/service.ts";
import { authorizationUrl, pkce, pkceParameters, refresh } from "../support/sign-in.ts";

const at = flow({ client: "file" });
const op = fixture(async () => openidClient(at));

/** A page of this service in the place of a redirect. */
async function expectPage(app: TestClient, parameters: Record<string, string | undefined>) {
  const answer = await fetch(authorizationUrl(at, app, parameters), { redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  expect(await answer.text()).toContain('data-step="problem"');
}

describe("the response", () => {
  test("oidcc-server: code, tokens, ID token and userinfo are what the request asked for", async () => {
    const done = await op.signIn(at.client);
    expect([...done.response.keys()].sort()).toEqual(["code", "iss", "state"]);
    expect(done.body.scope).toBe("openid");
    expect(done.idToken).toMatchObject({ iss: at.issuer, aud: at.client.id });
  });

  test("oidcc-response-type-missing: invalid_request", async () => {
    expect(await op.refusal(at.client, { response_type: undefined })).toBe("invalid_request");
  });

  test("oidcc-idtoken-signature: the ID token is signed by a key of jwks_uri that its kid names", async () => {
    const { rawIdToken } = await op.signIn(at.client);
    const answer = await fetch(`${at.issuer}/.well-known/jwks.json`);
    const { keys } = (await answer.json()) as JSONWebKeySet;
    const { kid: signer } = decodeProtectedHeader(rawIdToken);
    expect(keys.filter(({ kid }) => kid === signer)).toMatchObject([{ alg: "RS256" }]);
  });

  test("oidcc-idtoken-unsigned: no client can have an ID token without a signature", async () => {
    const none = { id_token_signed_response_alg: "none" as never };
    await expect(at.addClient(none)).rejects.toThrow("id_token_signed_response_alg");
  });

  test("oidcc-ensure-request-without-nonce-succeeds-for-code-flow: the ID token has no nonce", async () => {
    const { idToken } = await op.signIn(at.client, { nonce: undefined });
    expect(idToken).not.toHaveProperty("nonce");
  });
});

describe("userinfo", () => {
  test("oidcc-userinfo-get: a GET with the token in the header", async () => {
    expect(await op.signIn(at.client)).toMatchObject({ userinfo: { domain: "alice.test" } });
  });

  test("oidcc-userinfo-post-header: a POST with the token in the header", async () => {
    const { accessToken, idToken } = await op.signIn(at.client);
    const headers = { authorization: `Bearer ${accessToken}` };
    await op.userinfo(accessToken, idToken.sub, { method: "POST", headers });
  });

  test("oidcc-userinfo-post-body: a POST with the token in the form", async () => {
    const { accessToken, idToken } = await op.signIn(at.client);
    const body = new URLSearchParams({ access_token: accessToken });
    await op.userinfo(accessToken, idToken.sub, { method: "POST", body, headers: {} });
  });
});

describe("scope", () => {
  test("oidcc-scope-profile: userinfo has the claims of profile that a domain has", async () => {
    const { body, userinfo } = await op.signIn(at.client, { scope: "openid profile" });
    expect(body.scope).toBe("openid profile");
    expect(userinfo).toMatchObject({ name: "alice.test", website: "https://alice.test/" });
  });

  test.each(["email", "address", "phone"])(
    "oidcc-scope-%s: no error, no claim, and the response says that it was not granted",
    async (scope) => {
      const { body, userinfo } = await op.signIn(at.client, { scope: `openid ${scope}` });
      expect(body.scope).toBe("openid");
      for (const claim of ["email", "email_verified", "address", "phone_number"]) {
        expect(userinfo).not.toHaveProperty(claim);
      }
    },
  );

  test("oidcc-scope-all: of all standard scopes those are granted that there are", async () => {
    const { body } = await op.signIn(at.client, { scope: "openid profile email address phone" });
    expect(body.scope).toBe("openid profile");
  });

  test("oidcc-ensure-other-scope-order-succeeds: openid need not be the first", async () => {
    const { body } = await op.signIn(at.client, { scope: "profile openid" });
    expect(String(body.scope).split(" ").sort()).toEqual(["openid", "profile"]);
  });
});

describe("parameters that guide the sign-in", () => {
  test.each(["page", "popup"])("oidcc-display-%s: the person signs in", async (display) => {
    await op.signIn(at.client, { display });
  });

  test("oidcc-prompt-login: the person authenticates again, and auth_time is later", async () => {
    const first = await op.signIn(at.client);
    at.advance(2);
    const again = await op.signIn(at.client, { prompt: "login" });
    expect(again.steps).toContain("dns-challenge");
    expect(again.idToken.sub).toBe(first.idToken.sub);
    expect(Number(again.idToken.auth_time)).toBeGreaterThan(Number(first.idToken.auth_time));
  });

  test("oidcc-prompt-none-not-logged-in: login_required, and no page", async () => {
    const stranger = openidClient(at);
    expect(await stranger.refusal(at.client, { prompt: "none" })).toBe("login_required");
  });

  test("oidcc-prompt-none-logged-in: a code without a page, for the same sub and auth_time", async () => {
    const first = await op.signIn(at.client);
    const silent = await op.signIn(at.client, { prompt: "none" });
    expect(silent.steps).toEqual([]);
    const { sub, auth_time } = first.idToken;
    expect(silent.idToken).toMatchObject({ sub, auth_time });
  });

  test("oidcc-max-age-1: after two seconds the person authenticates again", async () => {
    const first = await op.signIn(at.client);
    at.advance(2);
    const again = await op.signIn(at.client, { max_age: "1" });
    expect(again.steps).toContain("dns-challenge");
    const { sub, auth_time: authTime } = again.idToken;
    expect(sub).toBe(first.idToken.sub);
    expect(Number(authTime)).toBeGreaterThanOrEqual(Number(first.idToken.iat) + 2);
  });

  test("oidcc-max-age-10000: the session counts, and auth_time is the same", async () => {
    const first = await op.signIn(at.client);
    at.advance(2);
    const again = await op.signIn(at.client, { max_age: "10000" });
    expect(again.steps).toEqual(["continue"]);
    expect(again.idToken.auth_time).toBe(first.idToken.auth_time);
  });

  test("oidcc-ensure-request-with-unknown-parameter-succeeds: it is ignored", async () => {
    await op.signIn(at.client, { extra: "foobar" });
  });

  test("oidcc-id-token-hint: with prompt=none, a code for the same sub", async () => {
    const { rawIdToken, idToken } = await op.signIn(at.client);
    const silent = await op.signIn(at.client, { prompt: "none", id_token_hint: rawIdToken });
    expect(silent.idToken.sub).toBe(idToken.sub);
  });

  test("oidcc-login-hint: an e-mail address, which is no domain, does not hinder the sign-in", async () => {
    await op.signIn(at.client, { login_hint: "buffy@example.com" });
  });

  test("oidcc-ui-locales: a list with unknown languages does not hinder it", async () => {
    const page = await op.open(at.client, { ui_locales: "se de" });
    expect(page.html).toContain('lang="de"');
    await op.signIn(at.client, { ui_locales: "se" });
  });

  test("oidcc-claims-locales: it is ignored", async () => {
    await op.signIn(at.client, { claims_locales: "se" });
  });

  test("oidcc-ensure-request-with-acr-values-succeeds: the ID token says what was done", async () => {
    const { idToken } = await op.signIn(at.client, { acr_values: "1 2" });
    expect(idToken.acr).toBe("urn:domain-signin:dns");
  });

  test("oidcc-claims-essential: an essential name comes from userinfo", async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
    expect((await op.signIn(at.client, { claims })).userinfo).toHaveProperty("name", "alice.test");
  });
});

describe("requests of other forms", () => {
  test("oidcc-ensure-registered-redirect-uri: another one is shown to the person, and not followed", async () => {
    await expectPage(at.client, { redirect_uri: `${at.client.redirectUri}/other` });
  });

  test("oidcc-ensure-redirect-uri-in-authorization-request: without one a page says so", async () => {
    await expectPage(at.client, { redirect_uri: undefined });
  });

  test("oidcc-ensure-post-request-succeeds: the parameters may be in a form", async () => {
    const { origin, pathname, search } = new URL(authorizationUrl(at, at.client, { nonce: "n" }));
    const body = new URLSearchParams(search);
    const posted = await fetch(origin + pathname, { method: "POST", body, redirect: "manual" });
    expect(posted.status).toBe(303);
    const url = new URL(posted.headers.get("location") ?? "", at.issuer);
    const page = await op.agent.open(url.href, { stopAt: at.client.redirectUri });
    const { response } = await op.follow(at.client, page);
    await op.redeem(at.client, response.get("code") ?? "", { nonce: "n" });
  });

  test("oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported: rejected", async () => {
    const request_uri = "https://app.example.org/request.jwt";
    expect(await op.refusal(at.client, { request_uri })).toBe("request_uri_not_supported");
  });

  const requestObject = (claims: object) =>
    [{ alg: "none" }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".")
      .concat(".");

  test("oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported: rejected", async () => {
    const request = requestObject({ nonce: "another nonce" });
    expect(await op.refusal(at.client, { request })).toBe("request_not_supported");
  });

  test("oidcc-ensure-request-object-with-redirect-uri: the one inside leads nowhere", async () => {
    const request = requestObject({ redirect_uri: "https://evil.example/" });
    expect(await op.refusal(at.client, { request })).toBe("request_not_supported");
    await expectPage(at.client, { request, redirect_uri: undefined });
  });

  test("oidcc-ensure-request-with-valid-pkce-succeeds: the verifier redeems the code", async () => {
    const proof = pkce();
    const { response } = await op.authorize(at.client, pkceParameters(proof));
    const code = response.get("code") ?? "";
    await op.redeem(at.client, code, { code_verifier: proof.verifier });
  });

  test("oidcc-redirect-uri-query-OK: a registered query comes back with the code", async () => {
    const redirect_uris = ["https://app.example.org/callback?foo=bar&x=%20"];
    const app = await at.addClient({ consent: "never", redirect_uris });
    const { url, response } = await op.authorize(app);
    expect(url.startsWith(`${redirect_uris[0]}&`)).toBe(true);
    await op.redeem(app, response.get("code") ?? "");
    // oidcc-redirect-uri-query-mismatch
    await expectPage(app, { redirect_uri: "https://app.example.org/callback?foo=baz&x=%20" });
  });

  test("oidcc-redirect-uri-query-added: a query that is not registered is not followed", async () => {
    await expectPage(at.client, { redirect_uri: `${at.client.redirectUri}?foo=bar` });
  });

  test("oidcc-redirect-uri-regfrag: a redirect URI with a fragment cannot be registered", async () => {
    const redirect_uris = ["https://app.example.org/callback#foo"];
    await expect(at.addClient({ redirect_uris })).rejects.toThrow("fragment");
  });
});

describe("the token endpoint", () => {
  const codeOf = async () => (await op.authorize(at.client)).response.get("code") ?? "";
  const form = (code: string) => ({
    ...{ grant_type: "authorization_code", code, redirect_uri: at.client.redirectUri },
  });

  test("oidcc-codereuse: a code that was used is invalid_grant", async () => {
    const code = await codeOf();
    await op.redeem(at.client, code);
    const again = await at.token(form(code), at.client);
    expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
  });

  test("oidcc-codereuse-30seconds: later too, and then its access token is revoked", async () => {
    const code = await codeOf();
    const { accessToken } = await op.redeem(at.client, code);
    at.advance(31);
    const again = await at.token(form(code), at.client);
    expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
    expect((await at.userinfo(accessToken)).status).toBe(401);
  });

  test("oidcc-server-client-secret-post: id and secret may be in the form", async () => {
    const { id, secret } = at.client;
    const sent = { ...form(await codeOf()), client_id: id, client_secret: secret ?? "" };
    expect((await at.token(sent)).status).toBe(200);
  });

  test("invalid client credentials are invalid_client, and the code still works", async () => {
    const code = await codeOf();
    const wrong = await at.token(form(code), { id: at.client.id, secret: "wrong" });
    expect([wrong.status, wrong.body.error]).toEqual([400, "invalid_client"]);
    await op.redeem(at.client, code);
  });

  test("oidcc-refresh-token: new tokens for the same grant, and none for another client", async () => {
    const { refreshToken, accessToken, idToken } = await op.signIn(at.client);
    const stolen = await at.token(refresh(refreshToken), await at.addClient());
    expect([stolen.status, stolen.body.error]).toEqual([400, "invalid_grant"]);
    const { status, body } = await at.token(refresh(refreshToken), at.client);
    expect([status, body.scope, body.id_token]).toEqual([200, "openid", undefined]);
    expect(body.access_token).not.toBe(accessToken);
    await op.userinfo(String(body.access_token), idToken.sub);
  });
});

test("oidcc-discovery-endpoint-verification: the metadata has what a client needs, and all of it works", async () => {
  const answer = await fetch(`${at.issuer}/.well-known/openid-configuration`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
  const metadata = (await answer.json()) as Record<string, string>;
  expect(metadata.issuer).toBe(at.issuer);
  expect(metadata.response_types_supported).toContain("code");
  expect(metadata.subject_types_supported).toEqual(["public"]);
  expect(metadata.id_token_signing_alg_values_supported).toContain("RS256");
  expect(metadata.scopes_supported).toContain("openid");
  expect(metadata.claims_supported).toContain("sub");
  expect(metadata.grant_types_supported).toContain("authorization_code");
  for (const [name, value] of Object.entries(metadata)) {
    if (!/_endpoint$|_uri$/.test(name)) continue;
    expect(new URL(value).origin, name).toBe(at.issuer);
    expect((await fetch(value, { redirect: "manual" })).status, name).not.toBe(404);
  }
  const { keys } = (await (await fetch(metadata.jwks_uri ?? "")).json()) as JSONWebKeySet;
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
  for (const key of keys)
    for (const secret of ["d", "p", "k"]) expect(key).not.toHaveProperty(secret);
});
