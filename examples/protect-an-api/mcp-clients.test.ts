// The MCP server of these examples and the client of the MCP SDK, against the real service, up to a call of a tool:
// with a registered client, with each document that clients publish, and with a client that registers itself. Run by
// `npm run test:interop`.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  type OAuthClientProvider,
  UnauthorizedError,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type DocumentHost,
  serveClient,
  startDocumentHost,
} from "../../packages/server/test/support/document-client.ts";
import { publishedDocuments } from "../../packages/server/test/support/published-documents.ts";
import { freePort } from "../../packages/server/test/support/serve.ts";
import { startTestService, type TestService } from "../../packages/server/test/support/service.ts";
import { answerPage, signIn } from "../../packages/server/test/support/sign-in.ts";

const TIMEOUT_MS = 20_000;
const folder = fileURLToPath(new URL(".", import.meta.url));
const browser = createUserAgent();
const browserOfStrict = createUserAgent();

let host: DocumentHost;
/** A service that knows two MCP servers by their metadata, and one that knows a third by its registration. */
let at: TestService;
let strict: TestService;
let notes: string;
let other: string;
let registered: string;
let credentials = "";
const children: ChildProcess[] = [];
beforeAll(async () => {
  at = await startTestService({ config: { registration: "open" } });
  strict = await startTestService({ config: { registration: "open", resourceDocuments: "off" } });
  host = await startDocumentHost();
  [notes, other, registered] = [
    await startServer(at),
    await startServer(at),
    await startServer(strict),
  ];
  const scopes = [{ name: "notes:read", description: "Read your notes" }];
  const added = await strict.service.resources.add(registered, { name: "Notes", scopes });
  const pair = `${added.client_id}:${added.client_secret}`;
  credentials = `Basic ${Buffer.from(pair).toString("base64")}`;
});
afterAll(async () => {
  for (const child of children) {
    child.kill();
    await once(child, "exit");
  }
  await at.close();
  await strict.close();
  await host.close();
});

/** Its resource, once it answers. */
async function startServer({ issuer }: TestService): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, ["mcp/server.mjs"], {
    cwd: folder,
    env: { ...process.env, ISSUER: issuer, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  children.push(child);
  const origin = `http://localhost:${port}`;
  for (const until = Date.now() + TIMEOUT_MS; ; ) {
    if (await fetch(origin).catch(() => null)) return `${origin}/mcp`;
    if (child.exitCode !== null || Date.now() > until) throw new Error("the server did not start");
    await sleep(20);
  }
}

interface Host extends OAuthClientProvider {
  readonly seen: {
    authorizationUrl?: URL;
    tokens?: OAuthTokens;
    client?: OAuthClientInformationMixed;
  };
}

/** What an MCP host keeps. With null for its client_id it registers itself. */
function mcpHost(clientId: string | null, redirectUrl: string): Host {
  const seen: Host["seen"] = clientId === null ? {} : { client: { client_id: clientId } };
  let verifier = "";
  return {
    seen,
    redirectUrl,
    clientMetadata: {
      client_name: "An MCP host",
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => seen.client,
    saveClientInformation(saved) {
      seen.client = saved;
    },
    tokens: () => seen.tokens,
    saveTokens(saved) {
      seen.tokens = saved;
    },
    redirectToAuthorization(url) {
      seen.authorizationUrl = url;
    },
    saveCodeVerifier(saved) {
      verifier = saved;
    },
    codeVerifier: () => verifier,
  };
}

/** Goes through the pages of the service as its user, and returns the code. */
async function allow({ href, origin }: URL, stopAt: string): Promise<string> {
  const service = origin === at.issuer ? at : strict;
  const agent = origin === at.issuer ? browser : browserOfStrict;
  let page = await agent.open(href, { stopAt });
  for (let step = 0; !page.stopped; step++) {
    if (step > 8) throw new Error(`no end at ${page.step}: ${page.text}`);
    page = await answerPage(service, agent, page, { domain: "alice.test", stopAt });
  }
  return new URL(page.url).searchParams.get("code") ?? "";
}

const transportTo = (server: string, provider: Host) =>
  new StreamableHTTPClientTransport(new URL(server), { authProvider: provider });

/** Connects, signs in, and asks the tool who the user is. */
async function callTool(server: string, provider: Host): Promise<unknown> {
  const first = transportTo(server, provider);
  await expect(new Client({ name: "test", version: "1" }).connect(first)).rejects.toThrow(
    UnauthorizedError,
  );
  const { authorizationUrl } = provider.seen;
  if (authorizationUrl === undefined) throw new Error("the host was not sent to sign in");
  await first.finishAuth(await allow(authorizationUrl, String(provider.redirectUrl)));
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transportTo(server, provider));
  const { content } = await client.callTool({ name: "whoami", arguments: {} });
  await client.close();
  return content;
}

const ALICE = [{ type: "text", text: "alice.test" }];
const LOOPBACK = "http://127.0.0.1:33999/callback";

test.each([
  ["by its metadata", () => [at, notes] as const],
  ["by its registration", () => [strict, registered] as const],
])("a registered client calls a tool of a server that the service knows %s", async (_, where) => {
  const [service, server] = where();
  const { id } = await service.addClient({
    type: "public",
    application_type: "native",
    redirect_uris: [LOOPBACK],
  });
  expect(await callTool(server, mcpHost(id, LOOPBACK))).toEqual(ALICE);
});

test.each(publishedDocuments.map((document, index) => [document.of, index] as const))(
  "the document of %s is enough to call a tool",
  async (_, index) => {
    const document = publishedDocuments[index];
    if (document === undefined) throw new Error("no document");
    const { id } = serveClient(host, `/${index}`, document.members(host.origin));
    const provider = mcpHost(id, document.redirectUri(host.origin));
    expect(await callTool(notes, provider)).toEqual(ALICE);
  },
);

test("a host that registers itself calls a tool, and refreshes its tokens", async () => {
  const provider = mcpHost(null, LOOPBACK);
  expect(await callTool(notes, provider)).toEqual(ALICE);
  expect(provider.seen.client).toMatchObject({ client_id: expect.stringMatching(/^dsid_/) });
  const { tokens } = provider.seen;
  if (tokens === undefined) throw new Error("no tokens");
  // The host notices by the answer that the token is not accepted any more.
  provider.seen.tokens = { ...tokens, access_token: "expired" };
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transportTo(notes, provider));
  expect((await client.callTool({ name: "whoami", arguments: {} })).content).toEqual(ALICE);
  await client.close();
});

test("a token for one server is refused by another", async () => {
  const provider = mcpHost(null, LOOPBACK);
  await callTool(notes, provider);
  const { access_token: token = "" } = provider.seen.tokens ?? {};
  const answer = await fetch(other, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
    401,
    expect.stringContaining('error_description="The access token is for another resource"'),
  ]);
});

test("the token of a sold domain is inactive as soon as the service knows", async () => {
  const provider = mcpHost(null, LOOPBACK);
  await callTool(registered, provider);
  const { access_token: token = "" } = provider.seen.tokens ?? {};
  expect(await isActive(token)).toBe(true);
  // The new owner removes the record, and signs in to another app: the service looks, and knows.
  for (const record of strict.zone.records()) strict.zone.remove(record);
  strict.advance(60);
  await signIn(strict, await strict.addClient(), { agent: createUserAgent() });
  expect(await isActive(token)).toBe(false);
});

/** What the registered server is told. */
async function isActive(token: string): Promise<unknown> {
  const answer = await fetch(`${strict.issuer}/oauth/introspect`, {
    method: "POST",
    headers: { authorization: credentials },
    body: new URLSearchParams({ token }),
  });
  return ((await answer.json()) as { active?: unknown }).active;
}
