// An MCP server with one tool, which only a client with an access token for it may call.

import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { protectResource } from "domain-signin-resource";

const { ISSUER = "http://localhost:8080", PORT = "3000" } = process.env;

const api = protectResource({
  issuer: ISSUER,
  resource: `http://localhost:${PORT}/mcp`,
  scopes: ["notes:read"],
  name: "Notes",
});

function createServer() {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  const description = "Says which domain the user has signed in with";
  // `authInfo` is what the middleware found in the token.
  server.registerTool("whoami", { description }, ({ authInfo }) => ({
    content: [{ type: "text", text: authInfo.domain }],
  }));
  return server;
}

const app = createMcpExpressApp();
app.use(api.metadataPath, api.express());
app.post("/mcp", api.express({ scope: "notes:read" }), async (req, res) => {
  // Without sessions: each request stands alone, with its own token.
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  const server = createServer();
  res.on("close", () => server.close());
  await server.connect(transport);
  await transport.handleRequest(req, res, req.body);
});
app.all("/mcp", api.express(), (_, res) => {
  res.status(405).set("allow", "POST").end();
});

app.listen(Number(PORT), "localhost");
