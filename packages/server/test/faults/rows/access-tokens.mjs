// Faults in the access tokens for resources, and in what is known of resources.

const src = (name) => `packages/server/src/oauth/${name}`;
const flow = (name) => `packages/server/test/flows/${name}.test.ts`;

export const ACCESS_TOKEN_FAULTS = [
  {
    file: src("introspection.ts"),
    guard: "a resource learns about its own tokens alone",
    find: "return uri === null ? grant.clientId === client_id : resource?.uri === uri;",
    replace: "return uri !== null || grant.clientId === client_id;",
    test: flow("resources"),
    title: "nobody about those of others",
  },
  {
    file: src("introspection.ts"),
    guard: "only who proves to be a resource or a client asks about tokens",
    find: "if (!isProven) {",
    replace: "if (false) {",
    test: flow("resources"),
    title: "asks who asks",
  },
  {
    file: src("resource-token.ts"),
    guard: "an ID token is no access token",
    find: "if (header?.typ !== TYPE) return null;",
    replace: "if (header === null) return null;",
    test: src("resource-token.test.ts"),
    title: "another type of JWT",
  },
  {
    file: src("resource-token.ts"),
    guard: "the signature of an access token is verified",
    find: 'return verify(digest, Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }, octets);',
    replace:
      'return verify(digest, Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }, octets) || true;',
    test: flow("resources"),
    title: "no access token that was changed",
  },
  {
    file: src("bearer.ts"),
    guard: "the token of a resource opens userinfo with openid alone",
    find: "if (!isForUserinfo) throw invalid();",
    replace: "",
    test: flow("resources"),
    title: "is narrowed by a refresh",
  },
  {
    file: src("bearer.ts"),
    guard: "the token of a resource opens nothing but userinfo",
    find: "if (resource !== null) throw invalid();",
    replace: "",
    test: flow("resources"),
    title: "nothing else of this service is",
  },
  {
    file: src("grant-resources.ts"),
    guard: "a token is for an authorized resource",
    find: "if (named !== undefined && resource.uri !== named) continue;",
    replace: "",
    test: flow("resources"),
    title: "is refused and costs neither",
  },
  {
    file: "packages/server/src/resources/documents.ts",
    guard: "metadata that does not name this issuer makes no resource known",
    find: "if (!servers.includes(issuer)) throw",
    replace: "if (servers.length === 0) throw",
    test: flow("resource-documents"),
    title: "names another issuer",
  },
  {
    file: "packages/server/src/resources/known-resources.ts",
    guard: "metadata makes known only the resource that it is about",
    find: "if (resource !== uri) {",
    replace: "if (false) {",
    test: flow("resource-documents"),
    title: "with a final slash",
  },
  {
    file: "packages/server/src/resources/documents.ts",
    guard: "metadata about another resource is not remembered as good",
    find: "if (!URL.canParse(resource) || metadataUrl(resource) !== url) {",
    replace: "if (!URL.canParse(resource)) {",
    test: flow("resource-documents"),
    title: "names another resource",
  },
  {
    file: "packages/server/src/resources/known-resources.ts",
    guard: "a document cannot claim the scope of a registered resource",
    find: "!reserved.includes(name) && !taken.has(name)",
    replace: "!reserved.includes(name)",
    test: flow("resource-documents"),
    title: "named on the consent page",
  },
  {
    file: "packages/server/src/resources/known-resources.ts",
    guard: "nothing is fetched before the person has acted",
    find: "if (!mayFetch) return",
    replace: "if (false) return",
    test: flow("resource-documents"),
    title: "is fetched once the person has acted",
  },
];
