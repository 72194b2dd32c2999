// better-auth with its OAuth provider, in memory, with refresh tokens to begin with: `node better-auth.mjs GRANTS`.

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { oauthProvider } from "@better-auth/oauth-provider";
import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { toNodeHandler } from "better-auth/node";
import { jwt } from "better-auth/plugins";
import { CLIENT, printReady } from "./ready.mjs";

const tables = ["user", "session", "account", "verification", "jwks", "rateLimit"];
const own = ["oauthClient", "oauthRefreshToken", "oauthAccessToken", "oauthConsent"];
const auth = betterAuth({
  baseURL: "http://localhost:8080",
  secret: "a secret for benchmarks, and for nothing else",
  database: memoryAdapter(Object.fromEntries([...tables, ...own].map((name) => [name, []]))),
  plugins: [
    jwt(),
    oauthProvider({
      ...{ loginPage: "/sign-in", consentPage: "/consent", scopes: ["offline_access", "profile"] },
      silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
    }),
  ],
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
});

const { adapter } = await auth.$context;
const hashed = (text) => createHash("sha256").update(text).digest("base64url");
const now = new Date();
const later = new Date(Date.now() + 86_400_000);
const create = (model, data) => adapter.create({ model, data });
await create("oauthClient", {
  ...{ clientId: CLIENT.id, clientSecret: hashed(CLIENT.secret), public: false, disabled: false },
  ...{ redirectUris: ["https://app.example.org/callback"], scopes: ["offline_access", "profile"] },
  ...{ grantTypes: ["authorization_code", "refresh_token"], responseTypes: ["code"] },
  ...{ tokenEndpointAuthMethod: "client_secret_basic", createdAt: now, updatedAt: now },
});
const tokens = [];
for (let index = 0; index < Number(process.argv[2]); index++) {
  const email = `account-${index}@example.org`;
  const of = { emailVerified: true, createdAt: now, updatedAt: now };
  const user = await create("user", { name: email, email, ...of });
  const token = `refresh-token-${index}`;
  await create("oauthRefreshToken", {
    ...{ token: hashed(token), clientId: CLIENT.id, userId: user.id, createdAt: now },
    ...{ scopes: ["offline_access", "profile"], expiresAt: later },
  });
  tokens.push(token);
}
const server = createServer(toNodeHandler(auth));
server.listen(0, "127.0.0.1", () => printReady(server, "/api/auth/oauth2/token", tokens));
