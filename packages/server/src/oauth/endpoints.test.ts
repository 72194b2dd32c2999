// Tests of the small endpoints: revocation, userinfo, validation_data, keys and metadata.

import { describe, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { ISSUER, makeOAuthWorld, requestTo } from "../../test/support/oauth-world.ts";
import type { Account } from "../store/accounts.ts";
import { createResourceEndpoints } from "./bearer.ts";
import { mintAccessToken, mintRefreshToken } from "./grant-token.ts";
import { createMetadataEndpoints } from "./metadata.ts";
import { createTokenEndpoints } from "./token.ts";

const world = fixture(makeOAuthWorld);
const app = fixture(() => world.addClient({ scope: "openid profile" }));

async function granted({ client = app.client, scope = "openid profile" } = {}) {
  const account = await world.addAccount();
  return { id: await world.issueGrant(client, account, { scope }), account };
}

function accessToken(grantId: string, scopeMask = 3): string {
  const { now, keyring, parts } = world;
  const expiresAt = now + 60;
  return mintAccessToken(keyring, grantId, { expiresAt, scopeMask, now, random: parts.random });
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe("the revocation endpoint (RFC 7009)", () => {
  const revoke = (form: Record<string, string>, headers: Record<string, string> = {}) => {
    const { client, secret } = app;
    const credentials = { client_id: client.client_id, client_secret: secret ?? "" };
    const http = requestTo("/oauth/revoke", { form: { ...credentials, ...form }, headers });
    return createTokenEndpoints(world.parts).revocationEndpoint(http);
  };

  test("answers with an empty JSON object if the client accepts JSON by name, and otherwise without a body", async () => {
    for (const [accept, type, body] of [
      ["application/json", "application/json", "{}"],
      ["text/html, Application/JSON;q=0.9", "application/json", "{}"],
      ["*/*", undefined, ""],
      ["application/jsonp", undefined, ""],
    ] as const) {
      const response = await revoke({ token: "of nobody" }, { accept });
      const answer = [response.status, response.headers["content-type"], response.body];
      expect([accept, ...answer]).toEqual([accept, 200, type, body]);
    }
  });

  test("ends the grant of a refresh token and of an access token", async () => {
    for (const tokenOf of [
      (id: string) => mintRefreshToken(world.keyring, id, 1, world.now),
      (id: string) => accessToken(id),
    ]) {
      const { id } = await granted();
      const response = await revoke({ token: tokenOf(id) });
      expect([response.status, response.body]).toEqual([200, ""]);
      expect(response.headers).not.toHaveProperty("content-type");
      expect(response.headers["cache-control"]).toBe("no-store");
      expect(response.headers["access-control-allow-origin"]).toBe("*");
      expect(await world.revokedAt(id)).toBe(world.now);
    }
  });

  test("says the same of a token that is unknown or another client's, and changes nothing (§2.2)", async () => {
    const { client: other } = await world.addClient();
    const { id } = await granted({ client: other });
    const gone = mintRefreshToken(world.keyring, "0".repeat(32), 1, world.now);
    for (const token of [accessToken(id), gone, "dsr_x", "what"]) {
      expect((await revoke({ token })).status).toBe(200);
    }
    expect(await world.revokedAt(id)).toBeNull();
  });

  test("refuses a request without token, and one of a client without its secret", async () => {
    const missing = { code: "invalid_request", message: "token is missing" };
    await expect(revoke({})).rejects.toMatchObject(missing);
    const unproven = revoke({ token: "x", client_secret: "" });
    await expect(unproven).rejects.toMatchObject({ code: "invalid_client" });
    // Revocation requires the secret even if a refresh by this client does not.
    const { client: lax } = await world.addClient({ refresh_client_auth: "optional" });
    const without = revoke({ token: "x", client_id: lax.client_id, client_secret: "" });
    await expect(without).rejects.toMatchObject({ code: "invalid_client" });
  });
});

describe("the userinfo endpoint (OIDC Core §5.3)", () => {
  const userinfo = (token: string) =>
    createResourceEndpoints(world.parts).userinfoEndpoint(
      requestTo("/oauth/userinfo", bearer(token)),
    );
  const claimsOf = ({ domain, createdAt }: Account) => ({ domain, domain_since: createdAt });

  test("says who the access token speaks of, in the client's kind of subject", async () => {
    const { id, account } = await granted();
    const response = await userinfo(accessToken(id));
    expect(response.status).toBe(200);
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(JSON.parse(response.body)).toEqual({
      ...{ sub: account.id, ...claimsOf(account) },
      ...{ name: account.domain, preferred_username: account.domain },
      website: `https://${account.domain}/`,
      client_id: expect.stringMatching(/^dsid_/),
    });
    const { client: byDomain } = await world.addClient({ subject_type: "domain" });
    const other = await granted({ client: byDomain, scope: "openid" });
    const said = JSON.parse((await userinfo(accessToken(other.id))).body);
    expect(said).toEqual({
      ...{ sub: other.account.domain, ...claimsOf(other.account) },
      client_id: byDomain.client_id,
    });
  });

  test("refuses an access token that lacks openid", async () => {
    const { id } = await granted();
    await expect(userinfo(accessToken(id, 2))).rejects.toMatchObject({
      ...{ status: 403, code: "insufficient_scope" },
      message: "the access token lacks the openid scope",
    });
    expect((await userinfo(accessToken(id, 1))).status).toBe(200);
    expect((await userinfo(accessToken(id, 1))).body).not.toContain("website");
  });
});

describe("the validation_data endpoint", () => {
  const ask = (token: string) =>
    createResourceEndpoints(world.parts).validationDataEndpoint(
      requestTo("/oauth/validation_data", bearer(token)),
    );

  test("gives what the token response gave, also without the scope openid", async () => {
    const { id, account } = await granted({ scope: "profile" });
    await world.keepEvidence(id, account);
    const response = await ask(accessToken(id, 1));
    expect(response.status).toBe(200);
    const { v, domain, attestation } = JSON.parse(response.body) as Record<string, string>;
    expect([v, domain, attestation?.split(".").length]).toEqual([1, account.domain, 3]);
  });

  test("is 404 without evidence, and for a client that does not want any", async () => {
    const { id } = await granted();
    const { client: plain } = await world.addClient({ validation_data: false });
    const unwanted = await granted({ client: plain });
    await world.keepEvidence(unwanted.id, unwanted.account);
    for (const grantId of [id, unwanted.id]) {
      const response = await ask(accessToken(grantId));
      expect(response.status).toBe(404);
      expect(JSON.parse(response.body)).toEqual({
        error: "not_found",
        error_description: "validation_data is not available for this grant or has expired",
      });
    }
  });
});

test("the key set is what the keyring publishes now, for an hour", async () => {
  const response = createMetadataEndpoints(world.parts).jwksEndpoint();
  expect(response.headers["cache-control"]).toBe("public, max-age=3600");
  expect(JSON.parse(response.body)).toEqual({ keys: world.keyring.publicKeys(world.now) });
});

test("security.txt names the contact, and never expires while the service runs (RFC 9116 §2.5)", () => {
  const contact = "mailto:security@example.org";
  const endpoints = createMetadataEndpoints({ ...world.parts, securityContact: contact });
  const before = world.now;
  for (let years = 0; years < 3; years++) {
    const { status, headers, body } = endpoints.securityTxt();
    expect([status, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    const [first, expires = "", canonical, ...rest] = body.split("\n");
    expect([first, canonical, rest]).toEqual([
      `Contact: ${contact}`,
      `Canonical: ${ISSUER}/.well-known/security.txt`,
      [""],
    ]);
    const [, time = ""] = /^Expires: (\S+Z)$/.exec(expires) ?? [];
    const days = (Date.parse(time) / 1000 - world.now) / 86_400;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
    world.now += 365 * 86_400;
  }
  world.now = before;
});

test("there is no security.txt without a contact", () => {
  const endpoints = createMetadataEndpoints({ ...world.parts, securityContact: null });
  expect(endpoints.securityTxt().status).toBe(404);
});

test("the metadata name every endpoint and all that is supported (RFC 8414, OIDC Discovery §3)", async () => {
  const response = createMetadataEndpoints(world.parts).metadataEndpoint();
  expect(response.headers["cache-control"]).toBe("public, max-age=300");
  expect(response.headers["content-type"]).toBe("application/json");
  const methods = ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"];
  const algorithms = ["RS256", "ES256", "EdDSA"];
  expect(JSON.parse(response.body)).toEqual({
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/oauth/authorize`,
    token_endpoint: `${ISSUER}/oauth/token`,
    userinfo_endpoint: `${ISSUER}/oauth/userinfo`,
    revocation_endpoint: `${ISSUER}/oauth/revoke`,
    introspection_endpoint: `${ISSUER}/oauth/introspect`,
    introspection_endpoint_auth_methods_supported: methods.filter((one) => one !== "none"),
    introspection_endpoint_auth_signing_alg_values_supported: algorithms,
    end_session_endpoint: `${ISSUER}/oauth/logout`,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    jwks_uri: `${ISSUER}/.well-known/jwks.json`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    scopes_supported: ["openid", "profile", "offline_access"],
    subject_types_supported: ["public"],
    acr_values_supported: ["urn:domain-signin:dns", "phr"],
    claims_parameter_supported: true,
    id_token_signing_alg_values_supported: algorithms,
    claims_supported: [
      ...["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "acr", "amr"],
      ...["domain", "domain_since", "acct", "sid"],
      ...["name", "preferred_username", "website"],
    ],
    prompt_values_supported: ["none", "login", "consent", "select_account"],
    request_uri_parameter_supported: false,
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: algorithms,
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: algorithms,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    domain_signin_version: 1,
    ui_locales_supported: expect.arrayContaining(["en", "de", "ar"]),
  });
});
