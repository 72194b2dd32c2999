// Faults in the middleware with which an API checks access tokens.

import { inFile } from "../row-helpers.mjs";

const src = (name) => `packages/resource/src/${name}.ts`;
const testOf = (name) => `packages/resource/src/${name}.test.ts`;

export const RESOURCE_FAULTS = [
  ...inFile(src("access-token"), testOf("access-token"), {
    "a token for another resource is refused": {
      find: "    audience: resource,\n",
      title: "with another resource are refused",
    },
    "a token of another issuer is refused": {
      find: "    issuer,\n    audience",
      replace: "    audience",
      title: "with another issuer are refused",
    },
    "an ID token is not an access token": {
      find: '    typ: "at+jwt",\n',
      title: "even with the claims of an access token: an ID token",
    },
    "only the algorithms of the list are allowed": {
      find: "    algorithms: ALGORITHMS,\n",
      title: "with an algorithm that is not allowed",
    },
    "a token that never expires is refused": {
      find: '["exp", "iat"',
      replace: '["iat"',
      title: "with no expiry are refused",
    },
    "a token that is bound to a key is refused": {
      find: "if (cnf !== undefined)",
      replace: "if (cnf === null)",
      title: "with a key it is bound to",
    },
    "a signature can be written in one way only": {
      find: "[\\w-][AQgw]",
      replace: "[\\w-][\\w-]",
      title: "with any one bit flipped",
    },
  }),
  ...inFile(src("key-set"), testOf("key-set"), {
    "a key set that cannot be fetched does not make a token invalid": {
      find: "if (isOfToken(error)) throw error;",
      replace: "if (error instanceof errors.JOSEError) throw error;",
      title: "a token is neither valid nor invalid",
    },
    "tokens with unknown keys cannot flood the issuer": {
      find: "    cooldownDuration: REFETCH_MS,\n",
      replace: "    cooldownDuration: 0,\n",
      title: "an unknown key causes a fetch once a minute",
    },
    "an issuer that failed is left alone for a while": {
      find: "if (failure && Date.now() < failure.until) throw failure.error;",
      title: "is left alone for five seconds",
    },
  }),
  ...inFile(src("introspection"), testOf("introspection"), {
    "only true means active": {
      find: "return answer.active === true;",
      replace: "return Boolean(answer.active);",
      title: "only true means active",
    },
    "without an answer about the token the request is refused": {
      find: "if (response.status !== 200) throw new Error(`status ${response.status}`);",
      replace: "if (response.status !== 200) return true;",
      title: "if the answer is a failure, the request gets 503",
    },
    "an answer is not remembered for longer than allowed": {
      find: "> Date.now()) return;",
      replace: "> 0) return;",
      title: "an answer is reused for the seconds that were allowed",
    },
  }),
  ...inFile(src("protect-resource"), "packages/resource/test/frameworks.test.ts", {
    "nonsense costs the issuer no request": {
      find: "    const auth = await verifyAccessToken(token, { issuer, resource, keys });\n    await requireActive?.(token);",
      replace:
        "    await requireActive?.(token);\n    const auth = await verifyAccessToken(token, { issuer, resource, keys });",
      title: "a token that is refused without the issuer",
      test: testOf("introspection"),
    },
    "a route needs all of its scopes": {
      find: "!requiredScopes.every(",
      replace: "!requiredScopes.slice(0, 1).every(",
      title: "a route that requires two scopes needs both",
    },
    "a scope is not a part of another": {
      find: "auth.scopes.includes(scope)",
      replace: "auth.scopes.join().includes(scope)",
      title: "a token without the scope of the route gets 403",
    },
  }),
  ...inFile(src("gate"), testOf("gate"), {
    "two Authorization headers are not one token": {
      find: "[A-Za-z0-9._~+/-]+=*)$/i",
      replace: "[A-Za-z0-9._~+/-]+=*)/i",
      title: "two headers",
    },
  }),
  ...inFile(src("express"), "packages/resource/test/frameworks.test.ts", {
    "a second Authorization header that Node hides is seen": {
      find: 'values.join(", ")',
      replace: "values[0]",
      title: "two headers on the wire get 400",
    },
  }),
  ...inFile(src("options"), testOf("options"), {
    "the issuer is asked over https only": {
      find: 'if (url.protocol !== "https:" && !isLoopback)',
      replace: 'if (url.protocol === "ftp:")',
      title: "may not have an http issuer",
    },
  }),
];
