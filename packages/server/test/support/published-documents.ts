// Metadata documents as the hosts of the Model Context Protocol and similar clients publish them: written for these
// tests after what such clients describe, with hosts and names of our own.

export interface PublishedDocument {
  /** What kind of client publishes such a document, as the end of "the document of …". */
  readonly of: string;
  /** The members apart from `client_id`. `origin` is that of the document. */
  members(origin: string): Readonly<Record<string, unknown>>;
  /** The redirect_uri that the client sends. */
  redirectUri(origin: string): string;
  /** Where the person is told to be sent. */
  redirectHost(origin: string): string;
}

const grants = ["authorization_code", "refresh_token"];
const hostOfDocument = (origin: string) => new URL(origin).host;

export const publishedDocuments: readonly PublishedDocument[] = [
  {
    of: "a terminal program, which leaves out its type and the port that it listens on",
    members: (origin) => ({
      client_name: "Term Agent",
      client_uri: origin,
      redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
      grant_types: grants,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    }),
    redirectUri: () => "http://localhost:49731/callback",
    redirectHost: () => "localhost:49731",
  },
  {
    of: "an editor that listens on loopback, and names grants that exist nowhere here",
    members: (origin) => ({
      client_name: "Example Editor",
      client_uri: `${origin}/product`,
      logo_uri: `${origin}/logo.png`,
      application_type: "native",
      grant_types: [...grants, "urn:ietf:params:oauth:grant-type:device_code"],
      response_types: ["code"],
      redirect_uris: ["http://127.0.0.1:33418/", `${origin}/redirect`],
      token_endpoint_auth_method: "none",
    }),
    redirectUri: () => "http://127.0.0.1:33418/",
    redirectHost: () => "127.0.0.1:33418",
  },
  {
    of: "the same editor in the browser",
    members: (origin) => ({
      client_name: "Example Editor",
      redirect_uris: ["http://127.0.0.1:33418/", `${origin}/redirect`],
      token_endpoint_auth_method: "none",
    }),
    redirectUri: (origin) => `${origin}/redirect`,
    redirectHost: hostOfDocument,
  },
  {
    of: "a hosted assistant, with links to its policies",
    members: (origin) => ({
      client_name: "Assistant",
      redirect_uris: [`${origin}/api/mcp/auth_callback`],
      grant_types: grants,
      response_types: ["code"],
      scope: "openid offline_access assistant",
      token_endpoint_auth_method: "none",
      tos_uri: `${origin}/terms`,
      policy_uri: `${origin}/privacy`,
      contacts: ["security@assistant.example"],
      software_id: "8f1d3c52-assistant",
      software_version: "2.4.1",
    }),
    redirectUri: (origin) => `${origin}/api/mcp/auth_callback`,
    redirectHost: hostOfDocument,
  },
  {
    of: "a desktop app with a scheme of its own without a dot, beside a page on another host",
    members: () => ({
      client_name: "Desk",
      redirect_uris: [
        "desk-editor://example.desk-mcp/oauth/callback",
        "https://www.desk.example/agents/oauth/callback",
        "http://localhost:8787/callback",
      ],
      grant_types: grants,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    }),
    redirectUri: () => "desk-editor://example.desk-mcp/oauth/callback",
    redirectHost: () => "desk-editor:",
  },
  {
    of: "an inspector with a scheme after its domain, and no lists of grants",
    members: () => ({
      client_name: "Inspector",
      redirect_uris: ["example.inspector:/oauth/callback", "http://127.0.0.1:6274/oauth/callback"],
    }),
    redirectUri: () => "example.inspector:/oauth/callback",
    redirectHost: () => "example.inspector:",
  },
  {
    of: "a code generator that lists the methods that it could use",
    members: (origin) => ({
      client_name: "codegen",
      client_uri: origin,
      logo_uri: `${origin}/app-512.png`,
      application_type: "native",
      redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
      grant_types: grants,
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      token_endpoint_auth_methods_supported: ["none"],
    }),
    redirectUri: () => "http://127.0.0.1:52001/callback",
    redirectHost: () => "127.0.0.1:52001",
  },
];
