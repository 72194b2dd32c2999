// The middleware for APIs in Express, and its verification in a hook of Fastify.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type AccessToken, AccessTokenError, protectResource } from "domain-signin-resource";
import express, { type Request } from "express";
import fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestIssuer, type TestIssuer } from "../packages/resource/test/support/test-issuer.ts";

const RESOURCE = "https://notes.example/api";
const METADATA = "https://notes.example/.well-known/oauth-protected-resource/api";

let at: TestIssuer;
beforeAll(async () => {
  at = await startTestIssuer({ resource: RESOURCE });
});
afterAll(() => at.close());

const bearer = async (changes = {}) => ({
  authorization: `Bearer ${await at.sign(at.claims(changes))}`,
});

test("Express: below a router, for one route, and with an error handler of the app", async () => {
  const api = protectResource({ issuer: at.issuer, resource: RESOURCE });
  const app = express();
  app.use(api.metadataPath, api.express());
  const router = express.Router();
  router.use(api.express());
  router.get("/me", (req, res) => {
    const { auth } = req as Request & { auth: AccessToken };
    res.json({ domain: auth.domain });
  });
  router.delete("/me", api.express({ scope: "notes:delete" }), (_, res) => {
    res.end();
  });
  app.use("/api", router);

  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const me = await fetch(`${origin}/api/me`, { headers: await bearer() });
    expect([me.status, await me.json()]).toEqual([200, { domain: "alice.test" }]);
    const refused = await fetch(`${origin}/api/me`, { method: "DELETE", headers: await bearer() });
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      403,
      expect.stringContaining(`Bearer resource_metadata="${METADATA}", error="insufficient_scope"`),
    ]);
    expect((await fetch(`${origin}/api/me`)).status).toBe(401);
    const document = await fetch(origin + api.metadataPath);
    expect(await document.json()).toEqual(api.metadata);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test("Fastify: a hook that verifies the token and answers what the error says", async () => {
  const api = protectResource({ issuer: at.issuer, resource: RESOURCE });
  const app = fastify();
  app.addHook("onRequest", async (request, reply) => {
    const [, token = ""] = request.headers.authorization?.split(" ") ?? [];
    try {
      request.headers["x-domain"] = (await api.verify(token)).domain;
    } catch (error) {
      if (!(error instanceof AccessTokenError)) throw error;
      await reply.code(error.status).send({ error: error.code });
    }
  });
  app.get("/", async (request) => ({ domain: request.headers["x-domain"] }));
  const good = await app.inject({ url: "/", headers: await bearer() });
  expect([good.statusCode, good.json()]).toEqual([200, { domain: "alice.test" }]);
  const expired = await app.inject({ url: "/", headers: await bearer({ exp: 1 }) });
  expect([expired.statusCode, expired.json()]).toEqual([401, { error: "invalid_token" }]);
  await app.close();
});
