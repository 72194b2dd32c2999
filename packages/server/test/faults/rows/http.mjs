// Faults at the edge of the service: forms, cookies, origins, addresses, floods, and the route table.

import { flow, inFile, src, testOf } from "../row-helpers.mjs";

/** The columns of a page's POST up to its origin, as in the route table. */
function postRow(path) {
  return `row("POST", ${`"${path}",`.padEnd(42)} "page", "turns",    "same-origin"`;
}

export const HTTP_FAULTS = [
  ...inFile(src("http/pipeline"), testOf("http/same-origin"), {
    "a post from another site of the same owner is refused": {
      find: 'return site === "same-origin";',
      replace: 'return site !== "cross-site";',
    },
    "a post without Sec-Fetch-Site must bring our Origin": {
      find: 'return http.header("origin") === issuer;',
      replace: 'return [issuer, null, "null"].includes(http.header("origin"));',
    },
  }),
  ...inFile(src("http/client-address"), testOf("http/client-address"), {
    "a proxy on this machine that is not declared is reported": {
      find: "    parsed(peer) !== null &&\n",
      replace: "    addressKey(peer) !== SHARED_KEY &&\n",
    },
    "a proxy that sends Forwarded alone is reported": {
      find: ' ?? http.header("forwarded")',
    },
    "a proxy that names no client is reported when a limit refuses": {
      find: 'isTrusted(peer) && http.header("x-forwarded-for") === null',
      replace: "false",
    },
    "a proxy on this machine that names no client does not switch the limits off": {
      find: "address === null || isLoopback(address) ? SHARED_KEY",
      replace: "address === null || isLoopback(address) ? String(Math.random())",
    },
  }),
  ...inFile(src("http/cookies"), testOf("http/cookies"), {
    "all cookies together have a bounded room": {
      find: "if (octets <= MAX_OCTETS) return false;",
      replace: "if (octets > 0) return false;",
    },
  }),
  ...inFile(src("routes"), flow("sessions"), {
    "a page makes a browser drop cookies": {
      find: "if (fitting.length === set.length) return response;",
      replace: "if (fitting.length > 0) return response;",
      title: "drop the cookies for which it has no room",
    },
  }),
  ...inFile(src("http/cookies"), testOf("http/cookies"), {
    "cookies without a space between them count as what a browser keeps": {
      find: "<= MAX_OCTETS / 2) return setCookies;",
      replace: "<= MAX_OCTETS) return setCookies;",
      title: "count with what a browser puts between them",
    },
  }),
  ...inFile(src("routes"), flow("security-headers"), {
    "no site that opened the account page keeps a handle of it": {
      find: "SIGN_IN_PATHS.test(path) ? kept",
      replace: 'path !== "" ? kept',
    },
    "a sign-in in a popup keeps its opener": {
      find: "(?:oauth|sign-in|interaction|federation)",
      replace: "(?:oauth|sign-in|federation)",
    },
  }),
  ...inFile(src("service"), flow("security-headers"), {
    "browsers use https alone for an https issuer": {
      find: 'hsts === "on" && issuer.startsWith("https:")',
      replace: 'hsts === "on" && issuer.startsWith("http:")',
    },
  }),
  ...inFile(src("http/cookies"), testOf("http/cookies"), {
    "no script reads a cookie (HttpOnly)": {
      find: "; Path=/; HttpOnly;",
      replace: "; Path=/;",
    },
    "no other site's post carries a cookie (SameSite)": {
      find: "SameSite=Lax",
      replace: "SameSite=None",
    },
    "no cookie travels in the clear (Secure)": {
      find: 'secure ? "; Secure" : ""',
      replace: 'secure ? "" : ""',
    },
    "no other host can set a cookie of ours (__Host-)": {
      find: 'secure ? "__Host-" : ""',
      replace: 'secure ? "" : ""',
    },
    "a value that was not set by us is no cookie of ours": {
      find: "name === wanted && pattern.test(value)",
      replace: 'name === wanted && value !== ""',
    },
  }),
  ...inFile(src("http/message"), testOf("http/form"), {
    "a body without a length is counted while it arrives": {
      find: "    size += chunk.byteLength;\n",
    },
  }),
  ...inFile(src("http/form"), testOf("http/form"), {
    "a duplicate parameter is reported": { find: "repeated.push(name);" },
    "no NUL gets into a parameter": {
      find: '!decoded.includes("\\0")',
      replace: '!decoded.includes("\\0\\0\\0")',
    },
    "two media types are none": { find: 'if (contentType.includes(",")) return false;' },
  }),
  ...inFile(src("http/node-adaptor"), testOf("http/node-adaptor"), {
    "a client that disconnects at once counts for the limits": {
      find: 'const clientAddress = incoming.socket.remoteAddress ?? "";',
      replace: 'const clientAddress = "";',
      title: "a client that disconnects at once",
    },
  }),
  ...inFile(src("http/client-address"), testOf("http/client-address"), {
    "only a trusted proxy speaks for a client": {
      find: "      if (!isTrusted(peer)) {",
      replace: "      if (trusted.length === 0) {",
    },
    "what stands before the last untrusted address is made up": {
      find: "        if (!isTrusted(hop)) break;\n",
    },
  }),
  ...inFile(src("http/pipeline"), flow("dynamic-registration"), {
    "a page of another site cannot register clients": {
      find: "return origin === null || origins.includes(origin);",
      replace: "return true;",
    },
  }),
  ...inFile(src("http/responses"), flow("dynamic-registration"), {
    "a page of another site cannot read the answers of registration": {
      find: 'isListed || !name.startsWith("access-control-")',
      replace: "true",
    },
  }),
  ...inFile(src("lib/network-key"), testOf("http/client-address"), {
    "a household's IPv6 network counts as one address": {
      find: ".slice(0, 8).join",
      replace: ".slice(0, 16).join",
    },
  }),
  ...inFile(src("http/rate-limit"), testOf("http/rate-limit"), {
    "refusals over the limit become 429": {
      find: "if (isRefusal(error)) counter.take(addressKey(http.clientAddress));",
      replace: "void [isRefusal, counter];",
    },
  }),
  ...inFile(src("http/responses"), flow("bad-authorization-requests"), {
    "no page of ours is shown in a frame": { find: "; frame-ancestors 'none'" },
    "no page of ours is kept by a cache": {
      find: `  "referrer-policy": "same-origin",
  "cache-control": "no-store",
};`,
      replace: `  "referrer-policy": "same-origin",
};`,
      only: "requests that are in order are answered as usual",
      test: flow("strict-http"),
    },
  }),
  ...inFile(src("answer"), flow("rate-limit"), {
    "refusals of the token endpoint are limited": {
      find: "const refusals = limitRefusals(REFUSALS_PER_MINUTE, isRefusal, clock);",
      replace: "const refusals = unlimited;",
    },
  }),
  ...inFile(src("http/node-adaptor"), flow("strict-http"), {
    "two Host headers are refused": {
      find: "/^[\\w.:[\\]-]+$/.test(host) && URL.canParse(`http://${host}`)",
      replace: '/^[\\w.:[\\]-]+$/.test(host.split(", ")[0])',
      only: "Host and forwarding: two Hosts",
    },
  }),
  ...inFile(src("http/message"), flow("strict-http"), {
    "a request target with a fragment is refused": {
      find: 'text.includes("#") || ',
      only: "a fragment after the target",
    },
    "a user name before the host is refused": {
      find: ' || username !== "" || password !== ""',
      only: "`http://user:password@localhost` before the path",
    },
  }),
  ...inFile(src("http/pipeline"), flow("strict-http"), {
    "a post from another site is refused": {
      find: "if (mayComeFrom !== null && !mayComeFrom(http)) throw new CrossSiteError();",
      only: "`Sec-Fetch-Site` twice",
    },
  }),
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
      file: src("routes"),
      guard: `a post to ${path} must come from our own page`,
      find: row,
      replace: row.replace('"same-origin"', '"any"'),
      test: testOf("routes"),
    };
  }),
  ...inFile(src("keys/claim-issuer"), flow("issuer"), {
    "a database belongs to one issuer": {
      find: "if (claimed !== host) {",
      replace: 'if (claimed === "") {',
    },
  }),
  ...inFile(src("http/page-gate"), testOf("http/page-gate"), {
    "time that the thread did not get is not shared": {
      find: "const lost = Math.max(0, next.active - last.active - (next.cpu - last.cpu));",
      replace: "const lost = 0 * next.active;",
    },
    "pages get only their share beside other requests": {
      find: "const isBeside = (at: number) => others.open > 0 ||",
      replace: "const isBeside = (at: number) => others.open > 9 ||",
    },
  }),
  ...inFile(src("lib/cache"), testOf("lib/cache"), {
    "a flood of new addresses does not make each of them expensive to count": {
      find: "if (entries.size >= maxEntries) remove(byUse.first);",
      replace:
        "if (entries.size >= maxEntries) for (const old of entries.values()) { remove(old); break; }",
    },
  }),
];
