// Resources that no metadata can make known, and metadata that lies, each with a part of the problem that is told.

import { answerOf } from "./guarded-world.ts";

export const RESOURCE_ISSUER = "https://auth.example.com";
export const RESOURCE_URI = "https://sp.example/api";
export const METADATA_PATH = "/.well-known/oauth-protected-resource/api";

/** Good metadata. */
export const goodResourceDocument = {
  resource: RESOURCE_URI,
  authorization_servers: [RESOURCE_ISSUER],
  scopes_supported: ["tools:call"],
};
const good = goodResourceDocument;

/** No host is asked for any of these. */
export const badResourceUris: readonly (readonly [uri: string, problem: string])[] = [
  ["http://sp.example/api", "uses http"],
  ["http://localhost:8080/api", "is not registered"],
  ["https://sp.example:8443/api", "has a port"],
  ["https://sp.example:443/api", "not a normalized URL"],
  ["https://SP.example/api", "not a normalized URL"],
  ["https://sp.example/a/../api", "not a normalized URL"],
  ["https://sp.example/%2e%2e/api", "not a normalized URL"],
  ["https://user@sp.example/api", "contains a user name or password"],
  ["https://sp.example/api#part", "has a fragment"],
  ["https://auth.example.com/oauth/userinfo", "is not registered"],
  ["https://sp.example/my api", "contains a space or a character that is not allowed"],
  ['https://sp.example/"api"', "contains a space or a character that is not allowed"],
  ["https://sp.example/\u00e4pi", "contains a space or a character that is not allowed"],
  ["urn:example:api", "must be an https URI"],
  ["//sp.example/api", "is not an absolute URI"],
  [`https://sp.example/${"x".repeat(500)}`, "is longer than 500 characters"],
];

export const badResourceDocuments: readonly (readonly [what: string, document: unknown])[] = [
  ["of another resource", { ...good, resource: "https://sp.example/other" }],
  ["of the resource in other letters", { ...good, resource: "https://sp.example/API" }],
  ["of the resource with a slash behind", { ...good, resource: `${RESOURCE_URI}/` }],
  ["of another host", { ...good, resource: "https://notes.example/api" }],
  ["of several resources", { ...good, resource: [RESOURCE_URI] }],
  ["without resource", { ...good, resource: undefined }],
  ["of another issuer", { ...good, authorization_servers: ["https://evil.example"] }],
  [
    "of the issuer with a slash behind",
    { ...good, authorization_servers: [`${RESOURCE_ISSUER}/`] },
  ],
  [
    "of the issuer in capitals",
    { ...good, authorization_servers: [RESOURCE_ISSUER.toUpperCase()] },
  ],
  ["of an issuer outside of a list", { ...good, authorization_servers: RESOURCE_ISSUER }],
  ["of no issuer", { ...good, authorization_servers: [] }],
  ["of 101 issuers", { ...good, authorization_servers: Array(101).fill(RESOURCE_ISSUER) }],
  ["with scopes outside of a list", { ...good, scopes_supported: "tools:call" }],
  ["with scopes that are numbers", { ...good, scopes_supported: [1] }],
  ["that is a list", [good]],
  ["that is null", null],
  ["that is text", "x"],
];

const created = answerOf(
  JSON.stringify(good),
  "HTTP/1.1 201 Created\r\ncontent-type: application/json",
);

/** Each is asked for once, and what it points at never. */
export const badResourceResponses: readonly (readonly [
  what: string,
  response: string,
  problem: string,
])[] = [
  ["that is no JSON", answerOf("<html>"), "not JSON"],
  ["with status 404", answerOf("{}", "HTTP/1.1 404 Not Found"), "status 404"],
  ["with status 201", created, "status 201"],
  ["of more than 64 KiB", answerOf(JSON.stringify({ ...good, more: "x".repeat(65_536) })), ""],
  [
    "behind a redirect to itself, which is not followed",
    answerOf("", `HTTP/1.1 302 Found\r\nlocation: https://sp.example${METADATA_PATH}`),
    "",
  ],
  [
    "behind a redirect to a private address, which is not followed",
    answerOf("", "HTTP/1.1 307 Temporary Redirect\r\nlocation: https://10.0.0.1/"),
    "",
  ],
];
