// The middleware in a Fetch handler, in Hono and in a server of node:http: what each passes on and answers.

import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AccessToken } from "../src/access-token.ts";
import type { AuthVariables } from "../src/hono.ts";
import { type ProtectedResource, protectResource } from "../src/protect-resource.ts";
import { startTestIssuer, TEST_RESOURCE, type TestIssuer } from "./support/test-issuer.ts";

const ORIGIN = "https://notes.example";
const METADATA_PATH = "/.well-known/oauth-protected-resource/api";
const CHALLENGE = `Bearer resource_metadata="${ORIGIN}${METADATA_PATH}"`;

let at: TestIssuer;
let api: ProtectedResource;
let validToken: string;
let server: Server;
beforeAll(async () => {
  at = await startTestIssuer();
  validToken = await at.sign(at.claims());
  const scopes = ["notes:read", "notes:write"];
  api = protectResource({ issuer: at.issuer, resource: TEST_RESOURCE, scopes });
  server = createServer(nodeApp());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await at.close();
});

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** Each app answers `/api/read` and `/api/write`, which need the scope of that name, with the domain. */
const apps: [string, () => Ask][] = [
  ["a Fetch handler", fetchApp],
  ["Hono", honoApp],
  ["node:http", () => (path, init) => fetch(`http://127.0.0.1:${portOf(server)}${path}`, init)],
];

function fetchApp(): Ask {
  const read = api.fetch((_, { domain }) => new Response(domain), { scope: "notes:read" });
  const write = api.fetch((_, { domain }) => new Response(domain), { scope: "notes:write" });
  return (path, init) => {
    const request = new Request(ORIGIN + path, init);
    return path.startsWith("/api/write") ? write(request) : read(request);
  };
}

function honoApp(): Ask {
  const app = new Hono<{ Variables: AuthVariables }>();
  app.use(api.metadataPath, api.hono());
  app.all("/api/read", api.hono({ scope: "notes:read" }), (c) => c.text(c.get("auth").domain));
  app.all("/api/write", api.hono({ scope: "notes:write" }), (c) => c.text(c.get("auth").domain));
  return async (path, init) => app.request(ORIGIN + path, init);
}

function nodeApp(): Parameters<typeof createServer>[1] & object {
  const read = api.express({ scope: "notes:read" });
  const write = api.express({ scope: "notes:write" });
  return (request: IncomingMessage & { auth?: AccessToken }, response) => {
    const middleware = request.url?.startsWith("/api/write") ? write : read;
    middleware(request, response, (error) => {
      response.statusCode = error === undefined ? 200 : 500;
      response.end(request.auth?.domain);
    });
  };
}

describe.each(apps)("in %s", (_, start) => {
  let ask: Ask;
  beforeAll(() => {
    ask = start();
  });

  const sent = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  test("a valid token passes, and the handler knows whose it is", async () => {
    const answer = await ask("/api/read?page=2", sent(validToken));
    expect([answer.status, await answer.text()]).toEqual([200, "alice.test"]);
  });

  test("a request without a token gets 401 and the address of the document", async () => {
    const answer = await ask("/api/read");
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
      401,
      `${CHALLENGE}, scope="notes:read"`,
    ]);
    expect(await answer.text()).toBe("");
  });

  test("an expired token gets 401 invalid_token", async () => {
    const expired = await at.sign(at.claims({ exp: 1 }));
    const answer = await ask("/api/read", sent(expired));
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
      401,
      `${CHALLENGE}, error="invalid_token", error_description="The access token has expired", scope="notes:read"`,
    ]);
    expect(await answer.json()).toEqual({
      error: "invalid_token",
      error_description: "The access token has expired",
    });
  });

  test("a token without the scope of the route gets 403, and passes with it", async () => {
    const answer = await ask("/api/write", sent(validToken));
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
      403,
      `${CHALLENGE}, error="insufficient_scope", error_description="The access token lacks a required scope", scope="notes:write"`,
    ]);
    const both = await at.sign(at.claims({ scope: "notes:read notes:write" }));
    expect((await ask("/api/write", sent(both))).status).toBe(200);
    // A scope that begins like another one.
    const longer = await at.sign(at.claims({ scope: "notes:write-all openid" }));
    expect((await ask("/api/write", sent(longer))).status).toBe(403);
  });

  test("a token in the query or in a form is ignored", async () => {
    const body = new URLSearchParams({ access_token: validToken });
    const statuses = [
      (await ask(`/api/read?access_token=${validToken}`)).status,
      (await ask("/api/read", { method: "POST", body })).status,
    ];
    expect(statuses).toEqual([401, 401]);
  });

  test("two Authorization headers get 400", async () => {
    const headers = new Headers({ authorization: `Bearer ${validToken}` });
    headers.append("authorization", `Bearer ${validToken}`);
    const answer = await ask("/api/read", { headers });
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
      400,
      expect.stringContaining('error="invalid_request"'),
    ]);
  });

  test("the document is served without a token, also to a preflight and without a body", async () => {
    const answer = await ask(METADATA_PATH);
    expect([answer.status, await answer.json()]).toEqual([200, api.metadata]);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const preflight = await ask(METADATA_PATH, { method: "OPTIONS" });
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
      204,
      "*",
    ]);
    const head = await ask(METADATA_PATH, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
});

test("node:http: two headers on the wire get 400, though Node shows the first alone", async () => {
  const two = [`Authorization: Bearer ${validToken}`, "authorization: Bearer other"];
  expect(await answerToHeaders(two)).toMatch(/^HTTP\/1\.1 400 /);
});

test("node:http: another header with the value authorization is not one", async () => {
  const others = ["X-A: authorization", `X-B: Bearer ${validToken}`, "Y: Authorization"];
  expect(await answerToHeaders(others)).toMatch(/^HTTP\/1\.1 401 /);
  const one = [...others, `Authorization: Bearer ${validToken}`, "X-C: authorization", "Z: z"];
  expect(await answerToHeaders(one)).toMatch(/^HTTP\/1\.1 200 /);
});

test("Fetch: the arguments of the platform follow the token", async () => {
  const handler = api.fetch(
    (request: Request, { sub }, env: { greeting: string }, count: number) =>
      new Response(`${request.method} ${env.greeting} ${sub} ${count}`),
  );
  const request = new Request(ORIGIN, { headers: { authorization: `Bearer ${validToken}` } });
  const answer = await handler(request, { greeting: "hello" }, 7);
  expect(await answer.text()).toBe("GET hello sub_alice 7");
});

test("a fault of the handler is not answered as one of the token", async () => {
  const handler = api.fetch(() => Promise.reject(new Error("a fault")));
  const headers = { authorization: `Bearer ${validToken}` };
  await expect(handler(new Request(ORIGIN, { headers }))).rejects.toThrow("a fault");
  expect(() => api.fetch(() => new Response(), { scope: "notes:reed" })).toThrow(TypeError);
});

test("a route that requires two scopes needs both", async () => {
  const scope = "notes:read notes:write";
  await expect(api.verify(validToken, { scope })).rejects.toMatchObject({
    code: "insufficient_scope",
  });
  const both = await at.sign(at.claims({ scope: "notes:write notes:read" }));
  expect(await api.verify(both, { scope })).toMatchObject({ sub: "sub_alice" });
});

test("tokens of two resources of one issuer are not confused", async () => {
  const mail = protectResource({ issuer: at.issuer, resource: "https://notes.example/api/mail" });
  const forMail = await at.sign(at.claims({ aud: "https://notes.example/api/mail" }));
  const outcomes = await Promise.allSettled([
    ...[mail.verify(forMail), api.verify(forMail), mail.verify(validToken), api.verify(validToken)],
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...["fulfilled", "rejected", "rejected", "fulfilled"],
  ]);
});

/** What the server of node:http answers, as text, to these lines. */
function answerToHeaders(headers: readonly string[]): Promise<string> {
  const start = ["GET /api/read HTTP/1.1", "Host: notes.example", "Connection: close"];
  const socket = connect(portOf(server), "127.0.0.1");
  socket.write([...start, ...headers, "", ""].join("\r\n"));
  return text(socket);
}

function portOf(listening: Server): number {
  return (listening.address() as AddressInfo).port;
}
