// Access tokens for APIs: asked for, made, accepted by one API alone, and gone when the control of the domain is.

import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import { type Asked, resourceSignIns } from "../support/resource-sign-in.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  answerPage,
  authorizationUrl,
  pkce,
  pkceParameters,
  redemption,
  refresh,
  revoke,
  signIn,
} from "../support/sign-in.ts";

const NOTES = "https://notes.example/api";
const FILES = "https://files.example";
const SCOPE = "openid notes:read notes:write files:read";

const at = flow({ client: "file" });
const signIns = resourceSignIns(at);
let app: TestClient;
let other: TestClient;
let notes: Caller;
let files: Caller;
beforeAll(async () => {
  app = at.client;
  other = await at.addClient({ consent: "never" });
  const scopes = (...names: string[]) =>
    names.map((name) => ({ name, description: `may do ${name}` }));
  const ofNotes = { name: "Notes", scopes: scopes("notes:read", "notes:write") };
  notes = await at.service.resources.add(NOTES, ofNotes);
  const ofFiles = { name: "Files", scopes: scopes("files:read"), signing_alg: "EdDSA" } as const;
  files = await at.service.resources.add(FILES, ofFiles);
});

/** Whoever asks for an introspection: a resource, or a client. */
interface Caller {
  readonly client_id: string;
  readonly client_secret: string | null;
}

const tokensFor = (asked: Asked, more: Record<string, string> = {}, client = app) =>
  signIns.tokensFor(client, asked, more);
const signedIn = (asked: Asked) => signIns.signedIn(app, asked);

async function claimsOf(token: unknown) {
  const answer = await fetch(`${at.issuer}/.well-known/jwks.json`);
  const keys = createLocalJWKSet((await answer.json()) as JSONWebKeySet);
  return (await jwtVerify(String(token), keys, { issuer: at.issuer, typ: "at+jwt" })).payload;
}

async function introspect(
  token: unknown,
  { client_id, client_secret }: Caller,
  { issuer }: Pick<TestService, "issuer"> = at,
): Promise<Record<string, unknown>> {
  const pair = Buffer.from(`${client_id}:${client_secret}`).toString("base64");
  const headers = client_secret === null ? {} : { authorization: `Basic ${pair}` };
  const body = new URLSearchParams({
    ...{ token: String(token), ...(client_secret === null && { client_id }) },
  });
  const answer = await fetch(`${issuer}/oauth/introspect`, { method: "POST", headers, body });
  return (await answer.json()) as Record<string, unknown>;
}

const asCaller = ({ id, secret }: TestClient) => ({ client_id: id, client_secret: secret });

/** The tokens for the resource, which another service knows, as by a client of its own. */
async function elsewhere(test: TestService) {
  const client = await test.addClient({ consent: "never" });
  const added = await test.service.resources.add(NOTES, { name: "Notes" });
  const done = await signIn(test, client, { parameters: { resource: NOTES } });
  const { body } = await test.token(redemption(client, done), client);
  return { client, added, body };
}

describe("an access token", () => {
  test("for a resource is a JWT that says whose it is, for whom, and what it allows", async () => {
    const { status, body } = await tokensFor({ scope: SCOPE, resource: NOTES });
    expect([status, body.scope, body.token_type, body.expires_in]).toEqual([
      ...[200, "openid notes:read notes:write", "bearer", 3600],
    ]);
    const header = decodeProtectedHeader(String(body.access_token));
    expect(header).toMatchObject({ alg: "ES256", typ: "at+jwt" });
    const claims = await claimsOf(body.access_token);
    expect(claims).toEqual({
      iss: at.issuer,
      sub: expect.stringMatching(/^sub_/),
      aud: [NOTES, at.issuer],
      client_id: app.id,
      scope: "notes:read notes:write",
      domain: "alice.test",
      domain_since: expect.any(Number),
      iat: expect.any(Number),
      exp: Number(claims.iat) + 3600,
      auth_time: expect.any(Number),
      acr: "urn:domain-signin:dns",
      amr: ["dns"],
      jti: expect.stringMatching(/^[\w-]{66}$/),
    });
  });

  test("without a resource stays opaque, and userinfo says whose client it is", async () => {
    const { body } = await tokensFor({ scope: SCOPE });
    expect(body.access_token).toMatch(/^dsa_/);
    // A scope of a resource needs the resource.
    expect(body.scope).toBe("openid");
    const answer = await (await at.userinfo(body.access_token)).json();
    expect(answer).toMatchObject({ client_id: app.id, domain: "alice.test" });
    expect(answer).not.toHaveProperty("aud");
  });

  test("is for one of the resources that were authorized: the named one, or the first", async () => {
    const resources = [NOTES, FILES].map((uri): [string, string] => ["resource", uri]);
    const both: Asked = [["scope", SCOPE], ...resources];
    const first = await tokensFor(both);
    expect((await claimsOf(first.body.access_token)).aud).toEqual([NOTES, at.issuer]);
    const again = refresh(String(first.body.refresh_token), { resource: FILES });
    const second = await at.token(again, app);
    expect(second.body.scope).toBe("openid files:read");
    expect(decodeProtectedHeader(String(second.body.access_token)).alg).toBe("EdDSA");
    expect((await claimsOf(second.body.access_token)).scope).toBe("files:read");
    const third = await tokensFor(both, { resource: FILES });
    expect((await claimsOf(third.body.access_token)).aud).toEqual([FILES, at.issuer]);
  });

  test("for another resource, or for two, is refused and costs neither the code nor the refresh token", async () => {
    const done = await signedIn({ scope: SCOPE, resource: NOTES });
    const redeem = redemption(app, done);
    const wrong = await at.token({ ...redeem, resource: FILES }, app);
    expect([wrong.status, wrong.body.error]).toEqual([400, "invalid_target"]);
    const never = await at.token({ ...redeem, resource: "https://new.example/" }, app);
    expect(never.body.error).toBe("invalid_target");
    const two = new URLSearchParams({ ...redeem, client_id: app.id, resource: NOTES });
    two.append("resource", FILES);
    const answer = await fetch(`${at.issuer}/oauth/token`, { method: "POST", body: two });
    expect(((await answer.json()) as { error: string }).error).toBe("invalid_target");
    const { status, body } = await at.token({ ...redeem, resource: NOTES }, app);
    expect(status).toBe(200);
    const again = refresh(String(body.refresh_token));
    expect((await at.token({ ...again, resource: FILES }, app)).body.error).toBe("invalid_target");
    expect((await at.token({ ...again, resource: NOTES }, app)).status).toBe(200);
  });

  test("is narrowed by a refresh, and no refresh widens it", async () => {
    const { body } = await tokensFor({ scope: "openid notes:read", resource: NOTES });
    const narrow = refresh(String(body.refresh_token), { scope: "notes:read" });
    const narrowed = await at.token(narrow, app);
    expect(narrowed.body.scope).toBe("notes:read");
    const claims = await claimsOf(narrowed.body.access_token);
    expect([claims.aud, claims.scope]).toEqual([NOTES, "notes:read"]);
    // Without openid it opens no userinfo.
    expect((await at.userinfo(narrowed.body.access_token)).status).toBe(401);
    const wide = refresh(String(narrowed.body.refresh_token), { scope: "openid notes:write" });
    expect((await at.token(wide, app)).body.error).toBe("invalid_request");
  });
});

describe("userinfo", () => {
  test("is opened by the token of a resource with openid, and nothing else of this service is", async () => {
    const { body } = await tokensFor({ scope: SCOPE, resource: NOTES });
    const answer = await at.userinfo(body.access_token);
    expect(await answer.json()).toMatchObject({ aud: [NOTES, at.issuer], client_id: app.id });
    const headers = { authorization: `Bearer ${body.access_token}` };
    const data = await fetch(`${at.issuer}/oauth/validation_data`, { headers });
    expect(data.status).toBe(401);
  });

  test("is opened by no ID token, and by no access token that was changed", async () => {
    const { body } = await tokensFor({ scope: SCOPE, resource: NOTES });
    const token = String(body.access_token);
    const [header = "", payload = "", signature = ""] = token.split(".");
    const flipped = Buffer.from(signature, "base64url");
    flipped[5] = (flipped[5] ?? 0) ^ 1;
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: "sub_other" }));
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
    const wrong = [
      body.id_token,
      token.slice(0, -1),
      `${token}A`,
      `${token}.`,
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${none}.${payload}.`,
      `${header}.${payload}.${flipped.toString("base64url")}`,
      `${header}.${forged.toString("base64url")}.${signature}`,
      "a.b.c",
      "..",
    ];
    for (const one of wrong) expect([one, (await at.userinfo(one)).status]).toEqual([one, 401]);
    expect((await at.userinfo(token)).status).toBe(200);
  });
});

describe("introspection", () => {
  test("tells a resource about its tokens, and nobody about those of others", async () => {
    const { body } = await tokensFor({ scope: SCOPE, resource: NOTES });
    const claims = await claimsOf(body.access_token);
    const { iss, sub, aud, client_id, scope, domain, domain_since, iat, exp } = claims;
    const told = { iss, sub, aud, client_id, scope, domain, domain_since, iat, exp };
    const known = { active: true, ...told, token_type: "bearer" };
    expect(await introspect(body.access_token, notes)).toEqual(known);
    expect(await introspect(body.access_token, asCaller(app))).toEqual(known);
    expect(await introspect(body.access_token, files)).toEqual({ active: false });
    expect(await introspect(body.access_token, asCaller(other))).toEqual({ active: false });
    const opaque = (await tokensFor({ scope: "openid" })).body.access_token;
    expect(await introspect(opaque, asCaller(app))).toMatchObject({ aud: at.issuer });
    expect(await introspect(opaque, notes)).toEqual({ active: false });
  });

  test("asks who asks: a wrong secret and a public client are refused", async () => {
    const { body } = await tokensFor({ scope: SCOPE, resource: NOTES });
    const wrong = { ...notes, client_secret: files.client_secret };
    expect((await introspect(body.access_token, wrong)).error).toBe("invalid_client");
    const open = asCaller(await at.addClient({ type: "public" }));
    expect((await introspect(body.access_token, open)).error).toBe("invalid_client");
  });

  test("of a revoked token, of ID and refresh tokens and of junk is inactive", async () => {
    const { body } = await tokensFor({ scope: SCOPE, resource: NOTES });
    const junk = ["x", body.id_token, body.refresh_token, `${body.access_token}x`];
    for (const one of junk) expect(await introspect(one, notes)).toEqual({ active: false });
    await revoke(at, app, body.access_token);
    expect(await introspect(body.access_token, notes)).toEqual({ active: false });
    expect((await at.userinfo(body.access_token)).status).toBe(401);
  });

  test("of an expired one is inactive", async () => {
    const late = await startTestService();
    const { added, body } = await elsewhere(late);
    const active = async () => (await introspect(body.access_token, added, late)).active;
    expect(await active()).toBe(true);
    late.advance(3600);
    expect(await active()).toBe(false);
    await late.close();
  });
});

test.each([
  ["https://unknown.example/#part", "has a fragment"],
  ["http://notes.example/api", "uses http"],
  ["notes", "is not an absolute URI"],
  [`${NOTES}/`, "resource"],
])("a request for %s gets invalid_target before anybody signs in", async (resource) => {
  const strict = await startTestService({ config: { resourceDocuments: "off" } });
  const client = await strict.addClient();
  const url = authorizationUrl(strict, client, { ...pkceParameters(pkce()), resource });
  const answer = await fetch(url, { redirect: "manual" });
  const target = new URL(answer.headers.get("location") ?? "");
  expect(target.searchParams.get("error")).toBe("invalid_target");
  await strict.close();
});

test("the consent page says what the operator wrote, by resource, and consent is remembered for each", async () => {
  const client = await at.addClient({ consent: "first" });
  const url = (parameters: Record<string, string>) =>
    authorizationUrl(at, client, { ...pkceParameters(pkce()), ...parameters });
  const stopAt = client.redirectUri;
  const upToConsent = async (resource: string) => {
    let next = await signIns.agent.open(url({ scope: SCOPE, resource }), { stopAt });
    for (let step = 0; !next.stopped && next.step !== "consent" && step < 9; step++) {
      next = await answerPage(at, signIns.agent, next, { domain: "alice.test", stopAt });
    }
    return next;
  };
  const page = await upToConsent(NOTES);
  expect(page.html).toContain("may do notes:read");
  expect(page.html).toContain("notes.example");
  expect(page.html).not.toContain("may do files:read");
  await answerPage(at, signIns.agent, page, { domain: "alice.test", stopAt });
  expect((await upToConsent(NOTES)).step ?? "done").toBe("done");
  expect((await upToConsent(FILES)).step).toBe("consent");
});

test("a resource that the operator removes gets no more tokens, and the grant stays", async () => {
  const own = await startTestService();
  const { client, added, body } = await elsewhere(own);
  await own.service.clients.remove(added.client_id);
  own.advance(6);
  const again = refresh(String(body.refresh_token));
  const named = await own.token({ ...again, resource: NOTES }, client);
  expect(named.body.error).toBe("invalid_target");
  expect((await own.token(again, client)).body.access_token).toMatch(/^dsa_/);
  await own.close();
});

describe("a scope that the operator removes from a resource", () => {
  const describedAs = (...names: string[]) =>
    names.map((name) => ({ name, description: `may do ${name}` }));
  let count = 0;
  /** The tokens of an app for a resource of its own, and what the operator and the app do next. */
  async function granted(asked: string, options: { consent?: "first" } = {}) {
    const uri = `https://removes-${count++}.example`;
    const ofNotes = { name: "Notes", scopes: describedAs("read", "write") };
    const caller = await at.service.resources.add(uri, ofNotes);
    const client = options.consent === undefined ? app : await at.addClient(options);
    const { body } = await tokensFor({ scope: asked, resource: uri }, {}, client);
    let token = String(body.refresh_token);
    return {
      ...{ uri, caller, client, access: body.access_token },
      keep: (...names: string[]) =>
        at.service.resources.update(uri, { scopes: describedAs(...names) }),
      async refresh(more: Record<string, string> = {}) {
        const answer = await at.token(refresh(token, more), client);
        if (answer.status === 200) token = String(answer.body.refresh_token);
        return answer.body.error ?? answer.body.scope;
      },
    };
  }

  test("is gone at once, from new tokens and from those that exist", async () => {
    const grant = await granted("openid read write");
    expect(await introspect(grant.access, grant.caller)).toMatchObject({ scope: "read write" });
    await grant.keep("read");
    expect(await introspect(grant.access, grant.caller)).toMatchObject({ scope: "read" });
    expect(await grant.refresh()).toBe("openid read");
    expect(await grant.refresh({ resource: grant.uri })).toBe("openid read");
    expect(await grant.refresh({ scope: "write" })).toBe("invalid_request");
  });

  test("is another one if it is added again, and a scope that stays is the same", async () => {
    const grant = await granted("read write", { consent: "first" });
    await grant.keep("read");
    await grant.keep("write", "read");
    expect(await grant.refresh()).toBe("read");
    expect(await introspect(grant.access, grant.caller)).toMatchObject({ scope: "read" });
    // The consent was to the former one.
    const asked = { scope: "write", resource: grant.uri };
    const url = authorizationUrl(at, grant.client, { ...pkceParameters(pkce()), ...asked });
    const page = await signIns.agent.open(url, { stopAt: grant.client.redirectUri });
    const next = await signIns.agent.submit(page, "continue-form", {}, { stopAt: "x" });
    expect(next.step).toBe("consent");
  });

  test("leaves no token if it was the last, and neither uses up the refresh token nor revokes", async () => {
    const grant = await granted("write");
    await grant.keep("read");
    expect(await introspect(grant.access, grant.caller)).toEqual({ active: false });
    expect(await introspect(grant.access, asCaller(app))).toEqual({ active: false });
    for (const more of [{}, { resource: grant.uri }, {}]) {
      expect(await grant.refresh(more)).toBe("invalid_grant");
    }
    expect(at.events.filter((event) => event.startsWith("replayed"))).toEqual([]);
  });

  test("leaves what else was granted", async () => {
    const grant = await granted("openid write");
    await grant.keep("read");
    expect(await grant.refresh({ resource: grant.uri })).toBe("invalid_grant");
    expect(await grant.refresh()).toBe("openid");
    expect((await at.userinfo(grant.access)).status).toBe(200);
  });

  test("is not in the token of a code that was issued before", async () => {
    const uri = `https://removes-${count++}.example`;
    await at.service.resources.add(uri, { name: "Notes", scopes: describedAs("read", "write") });
    const done = await signedIn({ scope: "read write", resource: uri });
    await at.service.resources.update(uri, { scopes: describedAs("read") });
    const { body } = await at.token(redemption(app, done), app);
    expect([body.scope, (await claimsOf(body.access_token)).scope]).toEqual(["read", "read"]);
    const late = await signedIn({ scope: "read", resource: uri });
    await at.service.resources.update(uri, { scopes: [] });
    const refused = await at.token({ ...redemption(app, late), resource: uri }, app);
    expect(refused.body.error).toBe("invalid_grant");
  });
});

test("the account page says which APIs an app may call", async () => {
  const client = await at.addClient({ name: "Writer", consent: "never" });
  await tokensFor({ scope: "notes:read", resource: NOTES }, {}, client);
  const { html } = await signIns.agent.open(`${at.issuer}/account`);
  const [, app = ""] = /<bdi[^>]*>Writer<\/bdi>([\s\S]*?)<\/li>/.exec(html) ?? [];
  expect([...app.matchAll(/<code>(.*?)<\/code>/g)].map(([, text]) => text)).toEqual([
    ...[NOTES, "notes:read"],
  ]);
});
