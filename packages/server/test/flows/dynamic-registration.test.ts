// Clients that register themselves (RFC 7591): they sign people in like clients by document, and are removed
// when nobody uses them.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { describe, expect, onTestFinished, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { claimsOf, flow } from "../support/flow.ts";
import { manage, OPEN, REDIRECT, register, registered } from "../support/registered-client.ts";
import { startTestService } from "../support/service.ts";
import {
  authorizationUrl,
  pkce,
  pkceParameters,
  redemption,
  refresh,
  signIn,
} from "../support/sign-in.ts";

const DAY = 86_400;
const at = flow({ start: () => startTestService({ config: OPEN }), client: "file" });

/** A service with other settings, which the end of the test closes. */
async function startOther(
  config: NonNullable<Parameters<typeof startTestService>[0]>["config"] = {},
) {
  const other = await startTestService({ config });
  onTestFinished(other.close);
  return other;
}

describe("a client that registers itself", () => {
  test("gets a secret, which is told once, and signs people in with it, who consent each time", async () => {
    const client = await registered(at, {
      client_name: "Your Bank",
      logo_uri: "https://x.example/",
    });
    expect(client.body).toEqual({
      client_id: client.id,
      client_id_issued_at: expect.any(Number),
      client_secret: client.secret,
      client_secret_expires_at: 0,
      registration_access_token: expect.stringMatching(/^dsm_[\w-]{43}$/),
      registration_client_uri: `${at.issuer}/oauth/register/${client.id}`,
      client_name: "Your Bank",
      application_type: "web",
      redirect_uris: [REDIRECT],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic",
      scope: "openid",
      owner_proof: "when_available",
      subject_type: "public",
      id_token_signed_response_alg: "RS256",
    });
    for (let round = 0; round < 2; round++) {
      const done = await at.signIn({ client, parameters: { scope: undefined } });
      expect(done.steps.at(-1)).toBe("consent");
      const { status, body } = await at.token(redemption(client, done), client);
      expect([status, body.scope]).toEqual([200, "openid"]);
      expect((await at.token(refresh(String(body.refresh_token)), client)).status).toBe(200);
    }
    const page = await at.agent.open(authorizationUrl(at, client, pkceParameters(pkce())));
    expect(page.html).toContain('<bdi class="client">app.example.org (Your Bank)</bdi>');
  });

  test("is told where people go after a sign-out, and no name if it has none", async () => {
    const signOut = { post_logout_redirect_uris: ["https://app.example.org/bye"] };
    const { body } = await registered(at, signOut);
    expect(body).toMatchObject(signOut);
    expect(body).not.toHaveProperty("client_name");
  });

  test("gets no back-channel logout, whatever it registers or has registered before (RFC 7591 §2)", async () => {
    for (const origin of ["https://app.example.org", "https://evil.example"]) {
      const client = await registered(at, { backchannel_logout_uri: `${origin}/signed-out` });
      expect(client.body).not.toHaveProperty("backchannel_logout_uri");
      const row = await at.store.registrations.findClient(client.id);
      const { registration: from = "" } = row ?? {};
      const former = { ...JSON.parse(from), backchannel_logout_uri: `${origin}/signed-out` };
      const to = JSON.stringify(former);
      expect(await at.store.registrations.updateClient(client.id, { from, to })).toBe(true);
      // A node has cached the client for five seconds.
      at.advance(6);
      await at.signIn({ client });
      const url = authorizationUrl(at, client, pkceParameters(pkce()));
      await at.agent.submit(await at.agent.open(url), "sign-out-form");
      const hours = Math.floor(Date.now() / 1000) + 36_000;
      expect(await at.store.logouts.dueLogouts(hours, { each: 8, all: 64 })).toEqual([]);
    }
  });

  test("on a device needs no type and no secret, and may use any port", async () => {
    const client = await registered(at, {
      redirect_uris: ["http://127.0.0.1/callback", "example-editor://oauth/callback"],
      token_endpoint_auth_method: "none",
    });
    expect(client.body).toMatchObject({ application_type: "native" });
    expect(client.body).not.toHaveProperty("client_secret");
    for (const redirectUri of [
      "http://127.0.0.1:49152/callback",
      "example-editor://oauth/callback",
    ]) {
      const here = { ...client, redirectUri };
      const done = await at.signIn({ client: here });
      expect((await at.token(redemption(here, done), here)).status).toBe(200);
    }
  });

  test("with redirect URIs on two hosts is called by the host that the person is sent to", async () => {
    const uris = ["https://bank.example/cb", "https://evil.example/cb"];
    const client = await registered(at, { redirect_uris: uris, client_name: "Bank" });
    for (const redirectUri of uris) {
      const url = authorizationUrl(at, { ...client, redirectUri }, pkceParameters(pkce()));
      const { host } = new URL(redirectUri);
      expect((await at.agent.open(url)).html).toContain(`<bdi class="client">${host} (Bank)</bdi>`);
    }
  });

  test("without a secret is refused without PKCE, and an error that nobody had part in is a page", async () => {
    const client = await registered(at, { token_endpoint_auth_method: "none" });
    for (const parameters of [{}, { nonce: "n" }]) {
      const bare = await fetch(authorizationUrl(at, client, parameters), { redirect: "manual" });
      expect([bare.status, bare.headers.get("location")]).toEqual([400, null]);
      expect(await bare.text()).toContain("this client must use PKCE");
    }
  });

  test("with a secret may send a nonce instead of PKCE, which its ID token has (RFC 9700 §2.1.1)", async () => {
    const client = await registered(at);
    const done = await at.signIn({ client, withPkce: false, parameters: { nonce: "n-0S6" } });
    const { status, body } = await at.token(redemption(client, done), client);
    expect(status).toBe(200);
    expect(claimsOf(body.id_token)).toMatchObject({ nonce: "n-0S6" });
  });

  test.each([
    [{}, "without PKCE, this client must send a nonce"],
    [{ nonce: "" }, "without PKCE, this client must send a nonce"],
    [{ nonce: "n", scope: "profile" }, "without PKCE, this client must ask for openid"],
  ])("with a secret is refused without PKCE and %o", async (parameters, words) => {
    const client = await registered(at);
    const bare = await fetch(authorizationUrl(at, client, parameters), { redirect: "manual" });
    expect([bare.status, bare.headers.get("location")]).toEqual([400, null]);
    expect(await bare.text()).toContain(words);
  });

  test("with a secret must use PKCE where the operator requires it, also after a replacement", async () => {
    const service = await startOther({ ...OPEN, registrationPkce: "required" });
    const client = await registered(service);
    const expectRefusal = async () => {
      const bare = await fetch(authorizationUrl(service, client, { nonce: "n" }));
      expect([bare.status, await bare.text()]).toEqual([
        ...[400, expect.stringContaining("this client must use PKCE")],
      ]);
    };
    await expectRefusal();
    const members = { client_id: client.id, redirect_uris: [REDIRECT] };
    expect((await manage("PUT", client, { members })).status).toBe(200);
    service.advance(6);
    await expectRefusal();
  });

  test("gets tokens for a resource, like any other client", async () => {
    const resource = "https://notes.example/mcp";
    const scopes = [{ name: "notes:read", description: "Read your notes" }];
    await at.service.resources.add(resource, { name: "Notes", scopes });
    const client = await registered(at, { scope: "openid notes:read" });
    const parameters = { scope: "openid notes:read", resource };
    const done = await at.signIn({ client, parameters });
    const { body } = await at.token(redemption(client, done), client);
    expect(body.scope).toBe("openid notes:read");
    expect(String(body.access_token).split(".")).toHaveLength(3);
  });
});

describe("what cannot be registered is refused with the member that is wrong:", () => {
  type Rows<Value> = readonly (readonly [name: string, value: Value, words: string])[];
  const bodies: Rows<unknown> = [
    ["nothing", "", "the request body is not valid JSON"],
    ["a list", [], "the request body: must be of type object"],
  ];
  const redirectUris: Rows<string[] | undefined> = [
    ["no redirect_uris", undefined, "redirect_uris: is missing"],
    ["an empty list", [], "redirect_uris: must contain"],
    ["11 redirect_uris", Array(11).fill(REDIRECT), "redirect_uris: "],
    [
      "http on another host",
      [REDIRECT, "http://app.example.org/"],
      "redirect_uris.1: uses http for a host",
    ],
    ["a script", ["javascript:alert(1)"], "redirect_uris.0: uses the scheme javascript"],
    ["a fragment", [`${REDIRECT}#`], "redirect_uris.0: has a fragment"],
    ["a wildcard", ["https://*.example.org/"], "redirect_uris.0: contains a wildcard"],
  ];
  const long = (path: number) => `https://app.example.org/${path}${"x".repeat(1500)}`;
  const changes: Rows<object> = [
    [
      "the implicit grant",
      { grant_types: ["implicit"] },
      "grant_types: must include authorization_code",
    ],
    ["response_types token", { response_types: ["token"] }, "response_types: must include code"],
    ["a key", { token_endpoint_auth_method: "private_key_jwt" }, "token_endpoint_auth_method: "],
    [
      "a name with a control character",
      { client_name: "a\u202eb" },
      "client_name: contains a control character",
    ],
    [
      "more than is kept",
      { redirect_uris: [0, 1, 2].map(long) },
      "the request body: describes a client",
    ],
    ["more than is read", { x: "x".repeat(17_000) }, "the request body is larger than 16 KiB"],
  ];
  const rows = [
    ...bodies,
    ...redirectUris.map(([name, uris, words]) => [name, { redirect_uris: uris }, words] as const),
    ...changes.map(([name, change, words]) => {
      return [name, { redirect_uris: [REDIRECT], ...change }, words] as const;
    }),
  ];
  test.each(rows)("%s", async (_, members, words) => {
    const isUri = words.startsWith("redirect_uris");
    const error = isUri ? "invalid_redirect_uri" : "invalid_client_metadata";
    const { status, body } = await register(at, members);
    expect([status, body.error]).toEqual([400, error]);
    expect(body.error_description).toMatch(words);
    expect(body.error_id).toEqual(expect.any(String));
  });

  test("a form", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const { status, body } = await register(at, "redirect_uris=x", { headers });
    expect([status, body.error_description]).toEqual([
      ...[400, "the Content-Type must be application/json"],
    ]);
  });
});

test("a flood from an address and a /48 takes nobody's registration, used or not", async () => {
  const small = await startTestService({
    config: { registration: "open", limits: { unusedClients: 20 } },
  });
  try {
    const own = await register(small, { redirect_uris: [REDIRECT] }, { from: "198.51.100.1" });
    const id = String(own.body.client_id);
    for (let index = 0; index < 30; index++) {
      for (const from of ["203.0.113.9", `2001:db8:7:${index.toString(16)}::1`]) {
        expect((await register(small, { redirect_uris: [REDIRECT] }, { from })).status).toBe(201);
      }
    }
    expect(await small.store.registrations.findClient(id)).not.toBeNull();
    const stored = async () => (await small.store.registrations.listClients()).length;
    await expect.poll(stored).toBe(20);
  } finally {
    await small.close();
  }
});

test("a sign-in that ends after its client was removed gets a page, and no grant", async () => {
  const client = await registered(at);
  const page = await at.open(pkceParameters(pkce()), { client });
  const consent = await at.until("consent", page);
  // Another node, or the clean-up, removes it while this one still remembers it.
  await at.store.registrations.removeClient(client.id, 0);
  const end = await at.submit(consent, "consent-form", {}, { button: "allow", client });
  expect([end.stopped, end.status]).toEqual([false, 400]);
});

test("the end of a client is put off by a sign-in, to the end of its grants", async () => {
  const client = await registered(at);
  const before = await at.store.registrations.findClient(client.id);
  expect(before).toMatchObject({ usedAt: null, expiresAt: (before?.createdAt ?? 0) + 30 * DAY });
  await at.signIn({ client });
  const after = await at.store.registrations.findClient(client.id);
  expect(after?.expiresAt).toBeGreaterThanOrEqual((before?.createdAt ?? 0) + 365 * DAY);
});

test("an account brings ten clients a day into use that registered themselves, and keeps using those", async () => {
  const service = await startOther(OPEN);
  const mine = { agent: createUserAgent() };
  const clients = [];
  for (let index = 0; index < 11; index++) clients.push(await registered(service));
  const [first, ...others] = clients;
  const last = others.pop();
  if (!first || !last) throw new Error("no clients");
  for (const client of [first, ...others]) await signIn(service, client, mine);
  await expect(signIn(service, last, mine)).rejects.toThrow("access_denied");
  service.advance(6);
  await signIn(service, first, mine);
  service.advance(DAY);
  await signIn(service, last, mine);
});

test("with registration off there is no endpoint, and the metadata names none", async () => {
  const service = await startOther();
  const metadata = async (issuer: string) =>
    (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  expect(await metadata(service.issuer)).not.toHaveProperty("registration_endpoint");
  const registration_endpoint = `${at.issuer}/oauth/register`;
  expect(await metadata(at.issuer)).toMatchObject({ registration_endpoint });
  const { status, body } = await register(service, { redirect_uris: [REDIRECT] });
  expect([status, body.error]).toEqual([404, "not_found"]);
});

test("with registration by token, nobody registers without it", async () => {
  const registrationToken = "initial-access-token-of-32-characters-or-more";
  const service = await startOther({ registration: "token", registrationToken });
  const members = { redirect_uris: [REDIRECT] };
  const statusWith = async (headers: Record<string, string>) =>
    (await register(service, members, { headers })).status;
  expect(await statusWith({})).toBe(401);
  expect(await statusWith({ authorization: "Bearer wrong" })).toBe(401);
  expect(await statusWith({ authorization: `Bearer ${registrationToken}` })).toBe(201);
});

describe("a web page of another site", () => {
  const members = { redirect_uris: [REDIRECT] };
  const listed = "https://inspector.example";
  const inspected = fixture(() =>
    startTestService({ config: { ...OPEN, registrationOrigins: [listed] } }),
  );
  const corsOf = (headers: Headers) =>
    [...headers].filter(([name]) => name.startsWith("access-control-"));
  const preflight = (path: string, origin: string) =>
    fetch(`${inspected.issuer}${path}`, { method: "OPTIONS", headers: { origin } });

  test.each([
    "https://evil.example",
    "http://inspector.example",
    "https://inspector.example:8443",
    "https://sub.inspector.example",
    "https://inspector.example.evil.example",
    "https://inspector.example, https://evil.example",
    "null",
  ])("cannot register by the browsers of its visitors: %s", async (origin) => {
    const { status, headers, body } = await register(inspected, members, { headers: { origin } });
    expect([status, body.error, corsOf(headers)]).toEqual([403, "access_denied", []]);
    expect(headers.get("vary")).toBe("origin");
    for (const path of ["/oauth/register", "/oauth/register/dsid_x"]) {
      const answer = await preflight(path, origin);
      expect([answer.status, corsOf(answer.headers)]).toEqual([403, []]);
    }
  });

  test("cannot use up the registrations of its visitors' address either", async () => {
    const from = "203.0.113.99";
    const headers = { origin: "https://evil.example" };
    for (let index = 0; index < 12; index++) {
      expect((await register(at, members, { from, headers })).status).toBe(403);
    }
    expect((await register(at, members, { from })).status).toBe(201);
  });

  test("cannot read, replace or remove a registration, even with its token", async () => {
    const client = await registered(inspected);
    const headers = {
      authorization: `Bearer ${client.body.registration_access_token}`,
      origin: "https://evil.example",
    };
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await fetch(String(client.body.registration_client_uri), { method, headers });
      expect([answer.status, corsOf(answer.headers)]).toEqual([403, []]);
    }
    expect((await manage("GET", client)).status).toBe(200);
  });

  test("that the operator lists can, after a preflight", async () => {
    const before = await preflight("/oauth/register", listed);
    expect([before.status, Object.fromEntries(corsOf(before.headers))]).toEqual([
      204,
      {
        "access-control-allow-origin": listed,
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "Authorization, Content-Type",
        "access-control-max-age": "86400",
      },
    ]);
    const cors = {
      "access-control-allow-origin": listed,
      "access-control-expose-headers": "WWW-Authenticate, Retry-After",
    };
    const headers = { origin: listed };
    const made = await register(inspected, members, { headers });
    expect([made.status, Object.fromEntries(corsOf(made.headers))]).toEqual([201, cors]);
    const refused = await register(inspected, {}, { headers });
    expect([refused.status, Object.fromEntries(corsOf(refused.headers))]).toEqual([400, cors]);
    const managing = await preflight("/oauth/register/dsid_x", listed);
    const methods = managing.headers.get("access-control-allow-methods");
    expect(methods).toBe("GET, HEAD, PUT, DELETE");
  });

  test("is not what a program is, which sends no Origin", async () => {
    const { status, headers } = await register(inspected, members);
    expect([status, corsOf(headers)]).toEqual([201, []]);
    expect(headers.get("cache-control")).toBe("no-store");
  });
});
