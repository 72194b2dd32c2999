// Clients as the hosts of the Model Context Protocol publish them: each signs in with the scopes and the resource that
// it asks for, and the person sees where the document is and where the code goes.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeAll, expect, test } from "vitest";
import { makeAssertionKey, serveClient, startDocumentHost } from "../support/document-client.ts";
import { fixture } from "../support/fixture.ts";
import { claimsOf } from "../support/flow.ts";
import { publishedDocuments } from "../support/published-documents.ts";
import { resourceSignIns } from "../support/resource-sign-in.ts";
import { startTestService, type TestClient } from "../support/service.ts";
import {
  authorizationUrl,
  pkce,
  pkceParameters,
  redemption,
  refresh,
  signIn,
} from "../support/sign-in.ts";

const NOTES = "https://notes.example/mcp";
const ASKED = { scope: "openid offline_access notes:read", resource: NOTES };

const at = fixture(startTestService);
const host = fixture(startDocumentHost);
const agent = createUserAgent();
beforeAll(async () => {
  const scopes = [{ name: "notes:read", description: "Read your notes" }];
  await at.service.resources.add(NOTES, { name: "Notes", scopes });
});
/** A request with PKCE for what the document's client asks for. */
const requestOf = (client: TestClient, more = {}) =>
  authorizationUrl(at, client, { ...pkceParameters(pkce()), ...more });

const published = publishedDocuments.map((document, index) => [document.of, index] as const);

test.each(published)("the document of %s", async (_, index) => {
  const document = publishedDocuments[index];
  if (document === undefined) throw new Error("no document");
  const client: TestClient = {
    ...serveClient(host, `/published/${index}`, document.members(host.origin)),
    redirectUri: document.redirectUri(host.origin),
  };
  const { tokensFor } = resourceSignIns(at, agent);
  const { status, body } = await tokensFor(client, ASKED);
  expect([status, body.scope]).toEqual([200, ASKED.scope]);
  const claims = { client_id: client.id, scope: "notes:read", domain: "alice.test" };
  expect(claimsOf(body.access_token)).toMatchObject(claims);
  expect((await at.token(refresh(String(body.refresh_token)), client)).status).toBe(200);

  const page = await agent.open(requestOf(client, ASKED), { stopAt: client.redirectUri });
  const consent = await agent.submit(page, "continue-form", {}, { stopAt: client.redirectUri });
  expect(consent.step).toBe("consent");
  const { client_name: name } = document.members(host.origin);
  const { host: ofDocument } = new URL(host.origin);
  expect(consent.html).toContain(`<bdi class="client">${ofDocument} (${name})</bdi>`);
  expect(consent.html).toMatch(
    new RegExp(`class="lead"><span class="host"[^>]*>${document.redirectHost(host.origin)}<`),
  );
});

test("the document of a hosted chat, which signs assertions with the keys at its jwks_uri", async () => {
  const key = await makeAssertionKey();
  host.serve("/chat/jwks.json", { keys: [key.jwk] });
  const client = serveClient(host, "/chat/client.json", {
    client_name: "Chat",
    redirect_uris: [`${host.origin}/connector/oauth`],
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_signing_alg: "ES256",
    jwks_uri: `${host.origin}/chat/jwks.json`,
  });
  const done = await signIn(at, client, { agent });
  const now = Math.floor(Date.now() / 1000);
  const proof = await key.assert({ clientId: client.id, issuer: at.issuer, now });
  expect((await at.token({ ...redemption(client, done), ...proof })).status).toBe(200);
});

test("a redirect_uri of the document that cannot be used gets a page that says why", async () => {
  const cases: [uri: string, words: string][] = [
    ["https://www.desk.example/cb", "redirect_uris.1: must have the same origin as client_id"],
    ["http://desk.example/cb", "redirect_uris.2: uses http for a host that is not loopback"],
    ["javascript://%0aalert(1)", "redirect_uris.3: uses the scheme javascript"],
    ["desk:/*", "redirect_uris.4: contains a wildcard"],
    ["HTTPS://evil.example/cb", "redirect_uris.5: must have the same origin as client_id"],
    ["ms-settings:/cb", "redirect_uris.6: uses the scheme ms-settings"],
    ["web+desk:/cb", "redirect_uris.7: uses the scheme web+desk"],
  ];
  const redirect_uris = ["http://localhost/cb", ...cases.map(([uri]) => uri)];
  const client = serveClient(host, "/unusable", { redirect_uris });
  for (const [redirectUri, words] of cases) {
    const answer = await fetch(requestOf({ ...client, redirectUri }), { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")], redirectUri).toEqual([400, null]);
    expect(await answer.text(), redirectUri).toContain(words);
  }
});

test("a type that the document states is not second-guessed", async () => {
  const { origin } = host;
  const redirect_uris = [`${origin}/cb`, "http://localhost/cb"];
  const client = serveClient(host, "/web", { application_type: "web", redirect_uris });
  const url = requestOf({ ...client, redirectUri: "http://localhost:4711/cb" });
  expect((await fetch(url, { redirect: "manual" })).status).toBe(400);
});
