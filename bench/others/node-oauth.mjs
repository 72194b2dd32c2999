// @node-oauth/oauth2-server in memory, with refresh tokens to begin with: `node node-oauth.mjs GRANTS`.

import { createServer } from "node:http";
import OAuth2Server from "@node-oauth/oauth2-server";
import { CLIENT, printReady } from "./ready.mjs";

const client = { id: CLIENT.id, grants: ["refresh_token"] };
const byRefreshToken = new Map();
const byAccessToken = new Map();
const oauth = new OAuth2Server({
  model: {
    getClient: async (id, secret) =>
      id === CLIENT.id && decodeURIComponent(secret) === CLIENT.secret ? client : null,
    getRefreshToken: async (token) => byRefreshToken.get(token),
    getAccessToken: async (token) => byAccessToken.get(token),
    revokeToken: async ({ refreshToken, accessToken }) => {
      byAccessToken.delete(accessToken);
      return byRefreshToken.delete(refreshToken);
    },
    async saveToken(token, ofClient, user) {
      const saved = { ...token, client: ofClient, user };
      byRefreshToken.set(saved.refreshToken, saved);
      byAccessToken.set(saved.accessToken, saved);
      return saved;
    },
  },
});

const tokens = Array.from({ length: Number(process.argv[2]) }, (_, index) => {
  const refreshToken = `refresh-token-${index}`;
  byRefreshToken.set(refreshToken, {
    ...{ refreshToken, client, user: { id: `account-${index}` }, scope: ["profile"] },
    refreshTokenExpiresAt: new Date(Date.now() + 86_400_000),
  });
  return refreshToken;
});

const server = createServer((request, response) => {
  let text = "";
  request.on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", async () => {
    const body = Object.fromEntries(new URLSearchParams(text));
    const { headers, method } = request;
    const answer = new OAuth2Server.Response({});
    try {
      await oauth.token(new OAuth2Server.Request({ headers, method, query: {}, body }), answer);
    } catch {
      // The response has the error.
    }
    response.writeHead(answer.status, { ...answer.headers, "content-type": "application/json" });
    response.end(JSON.stringify(answer.body));
  });
});
server.listen(0, "127.0.0.1", () => printReady(server, "/token", tokens));
