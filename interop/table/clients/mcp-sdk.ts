// The client of the MCP SDK, which calls a tool of a server that this service protects.

import {
  auth,
  type OAuthClientProvider,
  UnauthorizedError,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { protectResource } from "domain-signin-resource";
import express from "express";
import { type Driver, notOffered } from "../driver.ts";

export const mcpSdk: Driver = {
  name: "@modelcontextprotocol/sdk",
  source: import.meta.url,
  about:
    "Connected to an MCP server that domain-signin-resource protects; it finds the issuer, the resource and the scope in the metadata of that server. The refreshed token calls a tool there.",
  lacks: notOffered("ID token", "userinfo", "revocation", "logout"),
  async signIn({ issuer, id, secret, redirectUri, app, serve, visit, resources, domain }) {
    const resource = `${app}/mcp`;
    await resources.add(resource, {
      name: "Notes",
      scopes: [{ name: "notes:read", description: "Read your notes" }],
    });
    serve(mcpServer(issuer, resource));

    const seen: { url?: URL; tokens?: OAuthTokens; verifier?: string } = {};
    // configuration
    const provider: OAuthClientProvider = {
      redirectUrl: redirectUri,
      clientMetadata: { redirect_uris: [redirectUri] },
      clientInformation: () => ({ client_id: id, client_secret: secret }),
      // end of configuration
      tokens: () => seen.tokens,
      saveTokens: (tokens) => void Object.assign(seen, { tokens }),
      redirectToAuthorization: (url) => void Object.assign(seen, { url }),
      saveCodeVerifier: (verifier) => void Object.assign(seen, { verifier }),
      codeVerifier: () => seen.verifier ?? "",
    };
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(resource), { authProvider: provider });
    const first = transport();
    await newClient()
      .connect(first)
      .catch((error) => {
        if (!(error instanceof UnauthorizedError)) throw error;
      });
    const back = await visit(seen.url?.href ?? "");
    await first.finishAuth(new URL(back.url).searchParams.get("code") ?? "");

    return {
      accessToken: seen.tokens?.access_token ?? "",
      async accepts(accessToken) {
        if (seen.tokens?.access_token !== accessToken) return false;
        const client = newClient();
        await client.connect(transport());
        const { content } = await client.callTool({ name: "whoami", arguments: {} });
        await client.close();
        return JSON.stringify(content) === JSON.stringify([{ type: "text", text: domain }]);
      },
      async refresh() {
        await auth(provider, { serverUrl: resource });
        return seen.tokens?.access_token ?? "";
      },
    };
  },
};

function newClient(): Client {
  return new Client({ name: "test", version: "1" });
}

function mcpServer(issuer: string, resource: string) {
  const api = protectResource({ issuer, resource, scopes: ["notes:read"], name: "Notes" });
  const routes = express();
  routes.use(express.json());
  routes.use(api.metadataPath, api.express());
  routes.post("/mcp", api.express({ scope: "notes:read" }), async (request, response) => {
    const server = new McpServer({ name: "notes", version: "1" });
    server.registerTool("whoami", {}, ({ authInfo }) => ({
      content: [{ type: "text", text: String((authInfo as { domain?: unknown }).domain) }],
    }));
    const transport = new StreamableHTTPServerTransport({});
    response.on("close", () => void server.close());
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response, request.body);
  });
  routes.all("/mcp", api.express(), (_, response) => {
    response.status(405).set("allow", "POST").end();
  });
  return routes;
}
