// An API with our middleware, and the tokens of the real service: registered, and known by the document it serves.

import { listenForWeb, type WebListener } from "domain-signin-demo/web-listener";
import { AccessTokenError, type ProtectedResource, protectResource } from "domain-signin-resource";
import { beforeAll, expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import { resourceSignIns } from "../support/resource-sign-in.ts";
import { revoke } from "../support/sign-in.ts";

const NOTES = "https://notes.example/api";
const FILES = "https://files.example/api";
const SCOPE = "openid notes:read";

const at = flow({ client: "file" });
const signIns = resourceSignIns(at);
let credentials: { clientId: string; clientSecret: string };
let notes: ProtectedResource;
let files: ProtectedResource;
beforeAll(async () => {
  const scopes = ["notes:read", "notes:write"].map((name) => ({ name, description: `do ${name}` }));
  const added = await at.service.resources.add(NOTES, { name: "Notes", scopes });
  credentials = { clientId: added.client_id, clientSecret: added.client_secret };
  await at.service.resources.add(FILES, { name: "Files", signing_alg: "EdDSA" });
  notes = protectResource({ issuer: at.issuer, resource: NOTES });
  files = protectResource({ issuer: at.issuer, resource: FILES });
});

async function tokensFor(parameters: Record<string, string>) {
  const { status, body } = await signIns.tokensFor(at.client, parameters);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body;
}

/** "valid", or the code and the description of the refusal. */
async function outcome(api: ProtectedResource, token: unknown, scope = ""): Promise<string> {
  try {
    await api.verify(String(token), { scope });
    return "valid";
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

test("an API knows whose the token is, which app has it, and what it allows", async () => {
  const { access_token } = await tokensFor({ scope: SCOPE, resource: NOTES });
  const auth = await notes.verify(String(access_token), { scope: "notes:read" });
  expect(auth).toMatchObject({
    ...{ sub: expect.stringMatching(/^sub_/), domain: "alice.test", clientId: at.client.id },
    ...{ scopes: ["notes:read"], domainSince: expect.any(Number) },
    claims: { acr: "urn:domain-signin:dns", aud: [NOTES, at.issuer] },
  });
  expect(await outcome(notes, access_token, "notes:write")).toMatch(/^insufficient_scope/);
});

test("an API accepts its own tokens, and none that this service made for another purpose", async () => {
  const own = await tokensFor({ scope: SCOPE, resource: NOTES });
  const other = await tokensFor({ scope: "openid", resource: FILES });
  const opaque = await tokensFor({ scope: "openid" });
  expect(await outcome(files, other.access_token)).toBe("valid");
  expect(await outcome(notes, other.access_token)).toContain("is for another resource");
  expect(await outcome(files, own.access_token)).toContain("is for another resource");
  const data = own.validation_data as { attestation: string };
  for (const token of [own.id_token, data.attestation, own.refresh_token, opaque.access_token])
    expect(await outcome(notes, token)).toMatch(/^invalid_token/);
});

test("a token that the app revoked is refused at once with introspection, and later without", async () => {
  const { access_token } = await tokensFor({ scope: SCOPE, resource: NOTES });
  const { issuer } = at;
  const asking = protectResource({ issuer, resource: NOTES, introspection: credentials });
  expect(await outcome(asking, access_token)).toBe("valid");
  await revoke(at, at.client, access_token);
  expect(await outcome(asking, access_token)).toBe("invalid_token: The access token is not active");
  expect(await outcome(notes, access_token)).toBe("valid");
});

test("wrong credentials of the API are no fault of its caller", async () => {
  const { access_token } = await tokensFor({ scope: SCOPE, resource: NOTES });
  const introspection = { ...credentials, clientSecret: "wrong" };
  const wrong = protectResource({ issuer: at.issuer, resource: NOTES, introspection });
  expect(await outcome(wrong, access_token)).toMatch(
    /^temporarily_unavailable.*the credentials of this resource were refused/,
  );
});

test("an API that is not registered is known by the document that the middleware serves", async () => {
  let handler: (request: Request) => Promise<Response> = () => Promise.reject(new Error());
  const here = { host: "127.0.0.1", port: 0 };
  const listener: WebListener = await listenForWeb((request) => handler(request), here);
  const resource = `http://localhost:${listener.port}/tools`;
  const api = protectResource({ issuer: at.issuer, resource, scopes: ["tools:call"] });
  handler = api.fetch((_, { domain }) => new Response(domain), { scope: "tools:call" });
  try {
    const { access_token, scope } = await tokensFor({ scope: "openid tools:call", resource });
    expect(scope).toBe("openid tools:call");
    const headers = { authorization: `Bearer ${access_token}` };
    const answer = await fetch(resource, { headers });
    expect([answer.status, await answer.text()]).toEqual([200, "alice.test"]);
  } finally {
    await listener.close();
  }
});
