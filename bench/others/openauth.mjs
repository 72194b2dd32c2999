// @openauthjs/openauth in memory, with refresh tokens to begin with: `node openauth.mjs GRANTS`. It authenticates no client.

import { serve } from "@hono/node-server";
import { issuer } from "@openauthjs/openauth";
import { MemoryStorage } from "@openauthjs/openauth/storage/memory";
import { createSubjects } from "@openauthjs/openauth/subject";
import { CLIENT, printReady } from "./ready.mjs";

const storage = MemoryStorage();
const anything = { "~standard": { version: 1, vendor: "bench", validate: (value) => ({ value }) } };
const tokens = [];
for (let index = 0; index < Number(process.argv[2]); index++) {
  const subject = `user:${index}`;
  await storage.set(["oauth:refresh", subject, `token-${index}`], {
    ...{ type: "user", properties: { id: String(index) }, subject, clientID: CLIENT.id },
    ...{ ttl: { access: 3600, refresh: 86_400 }, nextToken: crypto.randomUUID() },
  });
  tokens.push(`${subject}:token-${index}`);
}
const app = issuer({ storage, subjects: createSubjects({ user: anything }), providers: {} });
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () =>
  printReady(server, "/token", tokens),
);
