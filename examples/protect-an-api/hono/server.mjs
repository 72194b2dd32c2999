// An API on Hono that checks access tokens with domain-signin-resource.

import { serve } from "@hono/node-server";
import { protectResource } from "domain-signin-resource";
import { Hono } from "hono";

const { ISSUER = "http://localhost:8080", PORT = "3000", CLIENT_ID, CLIENT_SECRET } = process.env;

const api = protectResource({
  issuer: ISSUER,
  resource: `http://localhost:${PORT}/api`,
  scopes: ["notes:read", "notes:write"],
  name: "Notes",
  // With the credentials of a registered resource, revoked tokens are refused at once.
  ...(CLIENT_ID && { introspection: { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET ?? "" } }),
});

/** The notes of each account. */
const notes = new Map();

const app = new Hono();
app.use(api.metadataPath, api.hono());
app.get("/api/notes", api.hono({ scope: "notes:read" }), (c) => {
  const { sub, domain } = c.get("auth");
  return c.json({ domain, notes: notes.get(sub) ?? [] });
});
app.post("/api/notes", api.hono({ scope: "notes:write" }), async (c) => {
  const { sub } = c.get("auth");
  notes.set(sub, [...(notes.get(sub) ?? []), await c.req.text()]);
  return c.body(null, 201);
});

serve({ fetch: app.fetch, hostname: "localhost", port: Number(PORT) });
