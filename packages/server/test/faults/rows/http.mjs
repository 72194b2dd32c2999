// Faults at the edge of the service: forms, cookies, origins, addresses, floods, and the route table.

const src = (name) => `packages/server/src/http/${name}`;
const testOf = (name) => src(`${name}.test.ts`);
const flow = (name) => `packages/server/test/flows/${name}.test.ts`;
const ROUTES = "packages/server/src/routes.ts";
const ASSEMBLE = "packages/server/src/assemble.ts";

/** The columns of a page's POST up to its origin, as in the route table. */
function postRow(path) {
  return `row("POST", ${`"${path}",`.padEnd(42)} "page", "requests", "same-origin"`;
}

export const HTTP_FAULTS = [
  {
    file: src("pipeline.ts"),
    guard: "a post from another site of the same owner is refused",
    find: 'return site === "same-origin";',
    replace: 'return site !== "cross-site";',
    test: testOf("same-origin"),
  },
  {
    file: src("pipeline.ts"),
    guard: "a post without Sec-Fetch-Site must bring our Origin",
    find: 'return http.header("origin") === issuer;',
    replace: 'return [issuer, null, "null"].includes(http.header("origin"));',
    test: testOf("same-origin"),
  },
  {
    file: src("client-address.ts"),
    guard: "a proxy on this machine that is not declared is reported",
    find: "!isReported && parsed(peer) !== null",
    replace: "!isReported && addressKey(peer) !== null",
    test: testOf("client-address"),
  },
  {
    file: src("client-address.ts"),
    guard: "a proxy that sends Forwarded alone is reported",
    find: ' || http.header("forwarded") !== null;',
    replace: ";",
    test: testOf("client-address"),
  },
  {
    file: ROUTES,
    guard: "no site that opened the account page keeps a handle of it",
    find: 'channel === "json" || isSignIn ? answered',
    replace: 'channel !== "" || isSignIn ? answered',
    test: flow("security-headers"),
  },
  {
    file: ROUTES,
    guard: "a sign-in in a popup keeps its opener",
    find: "(?:oauth|sign-in|interaction|federation)",
    replace: "(?:oauth|sign-in|federation)",
    test: flow("security-headers"),
  },
  {
    file: "packages/server/src/service.ts",
    guard: "browsers use https alone for an https issuer",
    find: 'hsts === "on" && issuer.startsWith("https:")',
    replace: 'hsts === "on" && issuer.startsWith("http:")',
    test: flow("security-headers"),
  },
  {
    file: src("cookies.ts"),
    guard: "no script reads a cookie (HttpOnly)",
    find: "; Path=/; HttpOnly;",
    replace: "; Path=/;",
    test: testOf("cookies"),
  },
  {
    file: src("cookies.ts"),
    guard: "no other site's post carries a cookie (SameSite)",
    find: "SameSite=Lax",
    replace: "SameSite=None",
    test: testOf("cookies"),
  },
  {
    file: src("cookies.ts"),
    guard: "no cookie travels in the clear (Secure)",
    find: 'secure ? "; Secure" : ""',
    replace: 'secure ? "" : ""',
    test: testOf("cookies"),
  },
  {
    file: src("cookies.ts"),
    guard: "no other host can set a cookie of ours (__Host-)",
    find: 'secure ? "__Host-" : ""',
    replace: 'secure ? "" : ""',
    test: testOf("cookies"),
  },
  {
    file: src("cookies.ts"),
    guard: "a value that was not set by us is no cookie of ours",
    find: "name === wanted && pattern.test(value)",
    replace: 'name === wanted && value !== ""',
    test: testOf("cookies"),
  },
  {
    file: src("message.ts"),
    guard: "a body without a length is counted while it arrives",
    find: "    size += chunk.byteLength;\n",
    replace: "",
    test: testOf("form"),
  },
  {
    file: src("form.ts"),
    guard: "a duplicate parameter is reported",
    find: "repeated.push(name);",
    replace: "",
    test: testOf("form"),
  },
  {
    file: src("form.ts"),
    guard: "no NUL gets into a parameter",
    find: 'if (decoded.includes("\\0"))',
    replace: 'if (decoded.includes("\\0\\0\\0"))',
    test: testOf("form"),
  },
  {
    file: src("form.ts"),
    guard: "two media types are none",
    find: ' || contentType.includes(",")',
    replace: "",
    test: testOf("form"),
  },
  {
    file: src("client-address.ts"),
    guard: "only a trusted proxy speaks for a client",
    find: "if (networks.length === 0 || !isTrusted(peer)) {",
    replace: "if (networks.length === 0) {",
    test: testOf("client-address"),
  },
  {
    file: src("client-address.ts"),
    guard: "what stands before the last untrusted address is made up",
    find: "      if (!isTrusted(hop)) break;\n",
    replace: "",
    test: testOf("client-address"),
  },
  {
    file: "packages/server/src/lib/network-key.ts",
    guard: "a household's IPv6 network counts as one address",
    find: ".slice(0, 8).join",
    replace: ".slice(0, 16).join",
    test: testOf("client-address"),
  },
  {
    file: src("rate-limit.ts"),
    guard: "refusals over the limit become 429",
    find: "if (key !== null) counter.takeOrRefuse(key);",
    replace: "if (key !== null) counter.take(key);",
    test: testOf("rate-limit"),
  },
  {
    file: src("rate-limit.ts"),
    guard: "a returning browser is not counted with the strangers at its address",
    find: "      return { key: browser, isReturning: true };\n",
    replace: "",
    test: testOf("rate-limit"),
  },
  {
    file: src("responses.ts"),
    guard: "no page of ours is shown in a frame",
    find: "; frame-ancestors 'none'",
    replace: "",
    test: flow("bad-authorization-requests"),
  },
  {
    file: src("responses.ts"),
    guard: "no page of ours is kept by a cache",
    find: `  "referrer-policy": "same-origin",
  "cache-control": "no-store",
};`,
    replace: `  "referrer-policy": "same-origin",
};`,
    test: flow("strict-http"),
    only: "requests that are in order are answered as usual",
  },
  {
    file: ROUTES,
    guard: "requests for pages are limited",
    find: "requests: limitRequests(PAGES_PER_MINUTE, deps)",
    replace: "requests: unlimited",
    test: flow("rate-limit"),
  },
  {
    file: ROUTES,
    guard: "refusals of the token endpoint are limited",
    find: "refusals: limitRefusals(REFUSALS_PER_MINUTE, isRefusal, deps.clock)",
    replace: "refusals: unlimited",
    test: flow("rate-limit"),
  },
  {
    file: src("node-adaptor.ts"),
    guard: "two Host headers are refused",
    find: "more.length > 0 || ",
    replace: "",
    test: flow("strict-http"),
    only: "Host and forwarding: two Hosts",
  },
  {
    file: src("message.ts"),
    guard: "a request target with a fragment is refused",
    find: 'text.includes("#") || ',
    replace: "",
    test: flow("strict-http"),
    only: "a fragment after the target",
  },
  {
    file: src("message.ts"),
    guard: "a user name before the host is refused",
    find: ' || username !== "" || password !== ""',
    replace: "",
    test: flow("strict-http"),
    only: "`http://user:password@localhost` before the path",
  },
  {
    file: src("pipeline.ts"),
    guard: "a post from another site is refused",
    find: "if (sameOrigin !== null && !isSameOrigin(http, sameOrigin)) throw new CrossSiteError();",
    replace: "",
    test: flow("strict-http"),
    only: "`Sec-Fetch-Site` twice",
  },
  ...[
    "/sign-in",
    "/sign-in/continue",
    "/sign-in/other",
    "/interaction/:id/dns-setup",
    "/interaction/:id/start-over",
    "/interaction/:id/dns-challenge",
    "/interaction/:id/consent",
  ].map((path) => {
    const row = postRow(path);
    return {
      file: ROUTES,
      guard: `a post to ${path} must come from our own page`,
      find: row,
      replace: row.replace('"same-origin"', '"any"'),
      test: "packages/server/src/routes.test.ts",
    };
  }),
  {
    file: ASSEMBLE,
    guard: "a database belongs to one issuer",
    find: "if (claimed !== host) {",
    replace: 'if (claimed === "") {',
    test: flow("issuer"),
  },
  {
    file: src("request-cost.ts"),
    guard: "pages get half of the time that there is, where the process gets less than a processor",
    find: "return ofProcess.eventLoopUtilization().active;",
    replace: "return process.cpuUsage().user / 1000;",
    test: testOf("request-cost"),
  },
  {
    file: "packages/server/src/lib/cache.ts",
    guard: "a flood of new addresses does not make each of them expensive to count",
    find: "if (entries.size >= maxEntries) remove(byUse.oldest());",
    replace:
      "if (entries.size >= maxEntries) for (const old of entries.values()) { remove(old); break; }",
    test: "packages/server/src/lib/cache.test.ts",
  },
];
