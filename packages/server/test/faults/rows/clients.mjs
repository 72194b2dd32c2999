// Faults of clients that nobody vetted: what their documents and registrations may contain.

const oauth = (name) => `packages/server/src/oauth/${name}.ts`;
const flow = (name) => `packages/server/test/flows/${name}.test.ts`;

export const CLIENT_FAULTS = [
  {
    guard: "a client without a type is native if one of its redirect URIs is on the device",
    file: oauth("client-metadata"),
    find: 'redirectUris.some(isClaimableByAnyone) ? "native" : "web"',
    replace: '"web"',
    test: flow("published-documents"),
    title: "a terminal program",
  },
  {
    guard: "a document names no https redirect URI of another origin",
    file: oauth("client-document"),
    find: "isOfDevice || new URL(uri).origin === origin",
    replace: 'type === "native" || new URL(uri).origin === origin',
    test: flow("published-documents"),
    title: "gets a page that says why",
  },
  {
    guard: "a redirect URI with the scheme of browsers or devices is refused",
    file: oauth("redirect-target"),
    find: "COMMON_SCHEMES.has(url.protocol.slice(0, -1))",
    replace: "COMMON_SCHEMES.has(url.protocol)",
    test: flow("published-documents"),
    title: "gets a page that says why",
  },
  {
    guard: "one unusable redirect URI leaves the others usable",
    file: oauth("client-document"),
    find: "uris.redirect_uris.length === 0 ? uris.refused.values() : []",
    replace: "uris.refused.values()",
    test: flow("published-documents"),
    title: "a scheme of its own without a dot",
  },
];
