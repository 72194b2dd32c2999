// Faults in the access tokens for resources, and in what is known of resources.

import { flow, inFile, src, testOf } from "../row-helpers.mjs";

export const ACCESS_TOKEN_FAULTS = [
  ...inFile(src("oauth/token"), flow("resources"), {
    "a resource learns about its own tokens alone": {
      find: "return uri === undefined ? grant.clientId === client_id : resource?.uri === uri;",
      replace: "return uri !== undefined || grant.clientId === client_id;",
      title: "nobody about those of others",
    },
    "only who proves to be a resource or a client asks about tokens": {
      find: "if (!caller.isProven) {",
      replace: "if (false) {",
      title: "asks who asks",
    },
  }),
  ...inFile(src("oauth/resource-token"), testOf("oauth/resource-token"), {
    "an ID token is no access token": {
      find: "if (header?.typ !== RESOURCE_TOKEN_TYPE) return null;",
      replace: "if (header === null) return null;",
      title: "another type of JWT",
    },
    "the signature of an access token is verified": {
      find: 'return verify(digest, Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }, octets);',
      replace:
        'return verify(digest, Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }, octets) || true;',
      title: "no access token that was changed",
      test: flow("resources"),
    },
  }),
  ...inFile(src("oauth/access-tokens"), testOf("oauth/resource-token"), {
    "an access token ends with the key that signed it": {
      find: "if (!keyring.publicKeys(now).some(({ kid }) => kid === verified.kid)) return null;",
      title: "one that was read before is still refused",
    },
    "an access token ends with the key that sealed its id": {
      find: 'if ((await keyring.find("grant-token", verified.macKeyId)) === null) return null;',
      title: "one that was read before is still refused",
    },
  }),
  ...inFile(src("oauth/bearer"), flow("resources"), {
    "the token of a resource opens userinfo with openid alone": {
      find: "if (!isForUserinfo) throw invalid();",
      title: "is narrowed by a refresh",
    },
    "the token of a resource opens nothing but userinfo": {
      find: "if (resource !== null) throw invalid();",
      title: "nothing else of this service is",
    },
  }),
  ...inFile(src("oauth/grant-resources"), flow("resources"), {
    "a token is for an authorized resource": {
      find: "if (named !== undefined && resource.uri !== named) continue;",
      title: "is refused and costs neither",
    },
    "a scope that is added again is another one": {
      find: '(one.id ?? "") === (ids?.[index] ?? "")',
      replace: "true",
      title: "is another one if it is added again",
    },
  }),
  ...inFile(src("oauth/grant-resources"), flow("resources"), {
    "a removed scope is gone before a cache expires": {
      find: "    const known = resource.registered ? await registered.readByUri(resource.uri) : null;\n    if (",
      replace:
        "    const known = resource.registered ? await registered.findByUri(resource.uri) : null;\n    if (",
      title: "leaves no token if it was the last",
    },
  }),
  ...inFile(src("clients/document-reader"), flow("resource-documents"), {
    "metadata that does not name this issuer makes no resource known": {
      find: "if (!servers.includes(issuer)) throw",
      replace: "if (servers.length === 0) throw",
      title: "names another issuer",
    },
  }),
  ...inFile(src("clients/known-resources"), flow("resource-documents"), {
    "metadata makes known only the resource that it is about": {
      find: "if (resource !== uri) return",
      replace: "if (false) return",
      title: "with a final slash",
    },
  }),
  ...inFile(src("clients/document-reader"), flow("resource-documents"), {
    "metadata about another resource is not remembered as good": {
      find: "if (!URL.canParse(resource) || metadataUrl(resource) !== url) {",
      replace: "if (!URL.canParse(resource)) {",
      title: "names another resource",
    },
  }),
  ...inFile(src("clients/known-resources"), flow("resource-documents"), {
    "a document cannot claim the scope of a registered resource": {
      find: "!SERVICE_SCOPES.includes(name) && !taken.has(name)",
      replace: "!SERVICE_SCOPES.includes(name)",
      title: "named on the consent page",
    },
    "nothing is fetched before the person has acted": {
      find: "if (!mayFetch) return",
      replace: "if (false) return",
      title: "is fetched once the person has acted",
    },
  }),
  ...inFile(src("clients/registered-clients"), flow("forged-access-tokens"), {
    "the credentials of a resource are those of no client": {
      find: "registered?.uri === undefined ? (registered ?? null) : null",
      replace: "registered ?? null",
      title: "are those of no client",
    },
  }),
  ...inFile(src("clients/known-resources"), testOf("clients/known-resources"), {
    "this service is no resource by a document of its own": {
      find: "if (origin === own.origin) return",
      replace: "if (false) return",
      title: "auth.example.com/oauth/userinfo is unknown",
    },
    "metadata is not fetched at the ports of other hosts": {
      find: 'if (port !== "" && own.port === "") return',
      replace: "if (false) return",
      title: "8443/api is unknown",
    },
    "a resource has one form of its URI": {
      find: "return href === uri || href === `${uri}/` ? null",
      replace: "return href !== null ? null",
      title: "SP.example/api is unknown",
    },
  }),
];
