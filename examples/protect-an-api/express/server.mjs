// An API on Express that checks access tokens with express-oauth2-jwt-bearer.

import express from "express";
import { auth, requiredScopes, UnauthorizedError } from "express-oauth2-jwt-bearer";

const { ISSUER = "http://localhost:8080", PORT = "3000" } = process.env;
const origin = `http://localhost:${PORT}`;
const resource = `${origin}/api`;
const metadataPath = "/.well-known/oauth-protected-resource/api";

const app = express();

// The document with which clients find the issuer (RFC 9728).
app.get(metadataPath, (_, res) => {
  res.set("access-control-allow-origin", "*").json({
    resource,
    authorization_servers: [ISSUER],
    scopes_supported: ["notes:read", "notes:write"],
    bearer_methods_supported: ["header"],
    resource_name: "Notes",
  });
});

// `strict` requires an access token: without it, an ID token with this audience would do.
app.use(
  "/api",
  auth({ issuerBaseURL: ISSUER, audience: resource, strict: true, dpop: { enabled: false } }),
);

/** The notes of each account. */
const notes = new Map();

app.get("/api/notes", requiredScopes("notes:read"), (req, res) => {
  const { sub, domain } = req.auth.payload;
  res.json({ domain, notes: notes.get(sub) ?? [] });
});
app.post("/api/notes", requiredScopes("notes:write"), express.text({ type: "*/*" }), (req, res) => {
  const { sub } = req.auth.payload;
  notes.set(sub, [...(notes.get(sub) ?? []), req.body]);
  res.status(201).end();
});

// Adds where the document is, which the library does not.
app.use((error, _req, res, next) => {
  if (!(error instanceof UnauthorizedError)) return next(error);
  const challenge = error.headers["WWW-Authenticate"];
  res.set("WWW-Authenticate", `${challenge}, resource_metadata="${origin}${metadataPath}"`);
  res.status(error.status).json({ error: error.code, error_description: error.message });
});

app.listen(Number(PORT), "localhost");
