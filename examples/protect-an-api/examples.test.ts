// Runs each of these APIs as a reader would, and calls it as clients do: `npm run test:interop`.

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
import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js";
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { protectResource } from "domain-signin-resource";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  startTestIssuer,
  type TestIssuer,
} from "../../packages/resource/test/support/test-issuer.ts";
import { freePort } from "../../packages/server/test/support/serve.ts";

const TIMEOUT_MS = 20_000;
const folder = fileURLToPath(new URL(".", import.meta.url));

let at: TestIssuer;
beforeAll(async () => {
  at = await startTestIssuer();
});
afterAll(() => at.close());

let running: ChildProcess | undefined;
afterEach(async () => {
  if (running === undefined || running.exitCode !== null) return;
  running.kill();
  await once(running, "exit");
  running = undefined;
});

/** Its origin, once it answers. */
async function start(example: string, env: Record<string, string> = {}): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [`${example}/server.mjs`], {
    cwd: folder,
    env: { ...process.env, ISSUER: at.issuer, PORT: String(port), ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  running = child;
  const origin = `http://localhost:${port}`;
  for (const until = Date.now() + TIMEOUT_MS; ; ) {
    if (await fetch(origin).catch(() => null)) return origin;
    if (child.exitCode !== null || Date.now() > until) throw new Error(`${example} did not start`);
    await sleep(20);
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe.each(["express", "hono"])("the API on %s", (example) => {
  test("publishes where clients get a token, and gives a user's notes to a client that has one", async () => {
    const origin = await start(example);
    const resource = `${origin}/api`;
    const metadata = `${origin}/.well-known/oauth-protected-resource/api`;

    const asked = await fetch(`${resource}/notes`);
    expect([asked.status, asked.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining(`resource_metadata="${metadata}"`),
    ]);
    expect(asked.headers.get("www-authenticate")).not.toContain("error=");
    expect(await (await fetch(metadata)).json()).toEqual({
      resource,
      authorization_servers: [at.issuer],
      scopes_supported: ["notes:read", "notes:write"],
      bearer_methods_supported: ["header"],
      resource_name: "Notes",
    });

    for (const alg of ["ES256", "RS256", "EdDSA"] as const) {
      const claims = at.claims({ aud: resource, scope: "notes:read notes:write" });
      const headers = bearer(await at.sign(claims, { alg }));
      const added = await fetch(`${resource}/notes`, { method: "POST", headers, body: alg });
      const read = await fetch(`${resource}/notes`, { headers });
      expect([added.status, await read.json()]).toEqual([
        201,
        { domain: "alice.test", notes: expect.arrayContaining([alg]) },
      ]);
    }
    const bob = bearer(await at.sign(at.claims({ aud: [resource, at.issuer], sub: "sub_bob" })));
    const own = await fetch(`${resource}/notes`, { headers: bob });
    expect(await own.json()).toMatchObject({ notes: [] });
  });

  test("refuses tokens for others, without the scope, expired, and of another kind", async () => {
    const origin = await start(example);
    const aud = `${origin}/api`;
    const cases: [string, Promise<string>, number, string][] = [
      ["of another API", at.sign(at.claims()), 401, "invalid_token"],
      ["for userinfo", at.sign(at.claims({ aud: at.issuer })), 401, "invalid_token"],
      ["expired", at.sign(at.claims({ aud, exp: 1 })), 401, "invalid_token"],
      ["of another issuer", at.sign(at.claims({ aud, iss: aud })), 401, "invalid_token"],
      [
        "an ID token",
        at.sign(at.claims({ aud }), { header: { typ: "JWT" } }),
        401,
        "invalid_token",
      ],
      ["without the scope", at.sign(at.claims({ aud, scope: "a" })), 403, "insufficient_scope"],
    ];
    for (const [name, token, status, code] of cases) {
      const answer = await fetch(`${aud}/notes`, { headers: bearer(await token) });
      const challenge = answer.headers.get("www-authenticate");
      expect([name, answer.status, challenge]).toEqual([
        name,
        status,
        expect.stringContaining(`error="${code}"`),
      ]);
    }
  });
});

test("the API on Hono refuses a revoked token at once if it has credentials", async () => {
  const { clientId, clientSecret } = at.credentials;
  const origin = await start("hono", { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret });
  const token = await at.sign(at.claims({ aud: `${origin}/api` }));
  const statusOf = async () =>
    (await fetch(`${origin}/api/notes`, { headers: bearer(token) })).status;
  expect(await statusOf()).toBe(200);
  at.revoke(token);
  expect(await statusOf()).toBe(401);
});

test("a client of the MCP SDK finds the issuer, gets a token for the server, and calls its tool", async () => {
  const origin = await start("mcp");
  const provider = memoryProvider();
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: provider });

  const first = transport();
  await expect(new Client({ name: "test", version: "1" }).connect(first)).rejects.toThrow(
    UnauthorizedError,
  );
  const { authorizationUrl } = provider.seen;
  expect(authorizationUrl?.href).toMatch(new RegExp(`^${at.issuer}/oauth/authorize\\?`));
  expect(Object.fromEntries(authorizationUrl?.searchParams ?? [])).toMatchObject({
    ...{ resource: `${origin}/mcp`, scope: "notes:read", client_id: "dsid_mcp" },
    code_challenge_method: "S256",
  });

  await first.finishAuth("the code");
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["whoami"]);
  const result = await client.callTool({ name: "whoami", arguments: {} });
  expect(result.content).toEqual([{ type: "text", text: "alice.test" }]);
  await client.close();
});

test("a verified token is what the MCP SDK expects of a verifier of tokens", async () => {
  const api = protectResource({ issuer: at.issuer, resource: "https://notes.example/api" });
  const token = await at.sign(at.claims());
  const info: AuthInfo = await api.verify(token);
  expect(info).toMatchObject({ token, clientId: "dsid_app", scopes: ["notes:read"] });
  expect(info.expiresAt).toBeGreaterThan(Date.now() / 1000);
});

test("the MCP server refuses a token for another server", async () => {
  const origin = await start("mcp");
  const answer = await fetch(`${origin}/mcp`, {
    method: "POST",
    headers: { ...bearer(await at.sign(at.claims())), "content-type": "application/json" },
    body: "{}",
  });
  const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
  expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
    401,
    `Bearer resource_metadata="${metadata}", error="invalid_token", error_description="The access token is for another resource", scope="notes:read"`,
  ]);
});

/** What an MCP host keeps; instead of opening a browser, it notes the URL. */
function memoryProvider(): OAuthClientProvider & { seen: { authorizationUrl?: URL } } {
  const seen: { authorizationUrl?: URL } = {};
  let tokens: OAuthTokens | undefined;
  let verifier = "";
  return {
    seen,
    redirectUrl: "http://127.0.0.1:9/callback",
    clientMetadata: { redirect_uris: ["http://127.0.0.1:9/callback"] },
    clientInformation: () => ({ client_id: "dsid_mcp" }),
    tokens: () => tokens,
    saveTokens(saved) {
      tokens = saved;
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
