// Invalid client metadata documents, each with a part of its error message.

export const ID = "https://app.example.org/oauth/client.json";
export const KEY = { kty: "EC", crv: "P-256", x: "x", y: "y" };

/** A minimal valid document, and one of a client that signs assertions. */
export const good = { client_id: ID, redirect_uris: ["https://app.example.org/callback"] };
export const signing = {
  ...good,
  token_endpoint_auth_method: "private_key_jwt",
  jwks: { keys: [KEY] },
};

/** Each gets a page with status 400, or `invalid_client` at the token endpoint. */
export const badDocuments: readonly (readonly [what: string, body: unknown, words: string])[] = [
  ["that is not an object", ["x"], "document: must be of type object"],
  ["that is null", null, "document: must be of type object"],
  ["without client_id", { ...good, client_id: undefined }, "client_id: is missing"],
  ["of another client", { ...good, client_id: `${ID}?` }, "client_id: does not match the URL"],
  ["with client_id in capitals", { ...good, client_id: ID.toUpperCase() }, "client_id: "],
  ["without redirect_uris", { client_id: ID }, "redirect_uris: is missing"],
  [
    "with an empty list of redirect_uris",
    { ...good, redirect_uris: [] },
    "redirect_uris: must contain at least one entry",
  ],
  [
    "with 51 redirect_uris",
    { ...good, redirect_uris: Array(51).fill(good.redirect_uris[0]) },
    "redirect_uris: ",
  ],
  [
    "with a redirect_uri that is a number",
    { ...good, redirect_uris: [1] },
    "redirect_uris.0: must be of type string",
  ],
  ...[
    ["on another host", "https://evil.example/cb", "must have the same origin"],
    ["on a subdomain", "https://sub.app.example.org/cb", "must have the same origin"],
    ["at another port", "https://app.example.org:8443/cb", "must have the same origin"],
    ["over http", "http://app.example.org/cb", "uses http"],
    ["on loopback", "http://localhost/cb", "must have the same origin"],
    ["with a fragment", "https://app.example.org/cb#x", "has a fragment"],
    ["with a user name", "https://app.example.org@evil.example/", "contains a user name"],
    ["with the scheme javascript", "javascript:alert(1)", "must use https"],
    ["with a wildcard", "https://app.example.org/*", "contains a wildcard (*)"],
    ...["code", "state", "iss", "error"].map((name): [string, string, string] => [
      `with ${name} in its query`,
      `https://app.example.org/cb?${name}=1`,
      `has the parameter "${name}" in its query`,
    ]),
  ].map(([what, uri, words]): readonly [string, unknown, string] => [
    `with a redirect_uri ${what}`,
    { ...good, application_type: "web", redirect_uris: [uri] },
    `redirect_uris.0: ${words}`,
  ]),
  [
    "of a native app with a scheme that is not its own",
    { ...good, redirect_uris: ["javascript://app.example.org/%0aalert(1)"] },
    "redirect_uris.0: uses the scheme javascript, which no app can have for itself",
  ],
  ["with a control character in its name", { ...good, client_name: "a\u202eb" }, "client_name: "],
  ["with a long name", { ...good, client_name: "x".repeat(101) }, "client_name: "],
  ["for the implicit grant", { ...good, grant_types: ["implicit"] }, "grant_types: "],
  ["with response_types token", { ...good, response_types: ["token"] }, "response_types: "],
  ["with a secret", { ...good, client_secret: "s" }, "client_secret: must not be present"],
  [
    "with client_secret_expires_at",
    { ...good, client_secret_expires_at: 0 },
    "client_secret_expires_at: ",
  ],
  ...["client_secret_basic", "client_secret_post", "client_secret_jwt", "tls_client_auth"].map(
    (method): readonly [string, unknown, string] => [
      `that authenticates by ${method}`,
      { ...good, token_endpoint_auth_method: method },
      "token_endpoint_auth_method: ",
    ],
  ),
  [
    "with private_key_jwt and no keys",
    { ...signing, jwks: undefined },
    "jwks: private_key_jwt requires",
  ],
  ["with an empty key set", { ...signing, jwks: { keys: [] } }, "jwks.keys: is empty"],
  [
    "with both jwks and jwks_uri",
    { ...signing, jwks_uri: "https://app.example.org/jwks" },
    "jwks: cannot be combined",
  ],
  [
    "with a jwks_uri at another origin",
    { ...signing, jwks: undefined, jwks_uri: "https://evil.example/jwks" },
    "jwks_uri: must have the same origin",
  ],
  [
    "with a jwks_uri that is not normalized",
    { ...signing, jwks: undefined, jwks_uri: " HTTPS://app.example.org/jwks" },
    "jwks_uri: must have the same origin",
  ],
  [
    "with a private key",
    { ...signing, jwks: { keys: [{ ...KEY, d: "d" }] } },
    "jwks.keys.0: contains a private key",
  ],
  [
    "with a symmetric key",
    { ...signing, jwks: { keys: [{ kty: "oct", k: "k" }] } },
    "jwks.keys.0: must be a public key, not a shared secret",
  ],
  [
    "that signs with HS256",
    { ...signing, token_endpoint_auth_signing_alg: "HS256" },
    "token_endpoint_auth_signing_alg: ",
  ],
  [
    "with an issuer at another origin",
    { ...signing, issuer: "https://bank.example" },
    "issuer: must have the same origin",
  ],
  [
    "with an issuer whose host only begins with its own host",
    { ...signing, issuer: "https://app.example.org.evil.example" },
    "issuer: must have the same origin",
  ],
  [
    "with a query in its issuer",
    { ...signing, issuer: "https://app.example.org?x" },
    "issuer: must have the same origin",
  ],
  [
    "with id_token_signed_response_alg none",
    { ...good, id_token_signed_response_alg: "none" },
    "id_token_signed_response_alg: ",
  ],
];
