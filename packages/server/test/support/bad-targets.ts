// Hostile methods, paths and queries.

import { EVIL } from "./answer-words.ts";
import { allowedAt, type Endpoint } from "./endpoints.ts";
import { type HostileCase, NOT_HTTP, USUAL } from "./hostile.ts";

const NOWHERE = "404 problem page";

const method = (name: string): HostileCase["change"] => {
  return (orderly) => ({ ...orderly, method: name });
};
const wrongMethod = (endpoint: Endpoint) => `405 (${allowedAt(endpoint)})`;

export const badMethods: readonly HostileCase[] = [
  ...["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"].map((name) => ({
    title: `\`${name}\``,
    change: method(name),
    answer: (endpoint: Endpoint) =>
      allowedAt(endpoint).split(", ").includes(name) ? null : wrongMethod(endpoint),
  })),
  {
    title: "`POST` where only `GET` is allowed",
    change: method("POST"),
    answer: (endpoint) => (allowedAt(endpoint) === "GET, HEAD" ? wrongMethod(endpoint) : null),
  },
  {
    title: "`GET` where only `POST` is allowed",
    change: method("GET"),
    answer: (endpoint) => (allowedAt(endpoint) === "POST" ? wrongMethod(endpoint) : null),
  },
  {
    title: "`OPTIONS`",
    change: method("OPTIONS"),
    answer: (endpoint) => (endpoint.channel === "json" ? "204" : wrongMethod(endpoint)),
  },
  ...["FOO", "get", "GET\t"].map((name) => ({
    title: `the method \`${JSON.stringify(name).slice(1, -1)}\``,
    change: method(name),
    answer: NOT_HTTP,
  })),
  { title: "no method", change: method(""), answer: NOT_HTTP },
  { title: "`CONNECT`", change: method("CONNECT"), answer: "closed" },
];

const path = (change: (path: string) => string): HostileCase["change"] => {
  return (orderly) => {
    const [before = "", query] = orderly.target.split("?", 2);
    const target = query === undefined ? change(before) : `${change(before)}?${query}`;
    return { ...orderly, target };
  };
};
const target = (change: (target: string) => string): HostileCase["change"] => {
  return (orderly) => ({ ...orderly, target: change(orderly.target) });
};

const atOpenEnd = ({ openEnd = NOWHERE }: Endpoint) => openEnd;

/** What is left of a path without its only segment is that of `/`. */
const atRoot = ({ name, channel }: Endpoint) => {
  if (!/^\w+ \/[^/]+$/.test(name)) return NOWHERE;
  if (channel === "json") return null;
  return name.startsWith("GET ") ? "200 home page" : "405 (GET, HEAD)";
};

/** Most changes of a path leave `/` as it is. */
const exceptRoot = ({ answer, ...hostile }: HostileCase): HostileCase => ({
  ...hostile,
  answer: (endpoint) =>
    endpoint.name === "GET /" ? null : typeof answer === "string" ? answer : answer(endpoint),
});

const paths: readonly HostileCase[] = [
  ...["/", ";x=1", "%00", "%ff", "%", "%zz", "%25", "%20", "%2f", "%3f", "%c0%af", "/..", "//"].map(
    (behind) => ({
      title: `\`${behind}\` appended to the path`,
      change: path((text) => text + behind),
      answer: behind === "/.." ? NOT_HTTP : behind.startsWith("/") ? NOWHERE : atOpenEnd,
    }),
  ),
  {
    title: "an escaped header appended to the path: `%0d%0aLocation:%20…`",
    change: path((text) => `${text}%0d%0aLocation:%20https://${EVIL}/`),
    answer: NOWHERE,
  },
  { title: "`//` before the path", change: path((text) => `/${text}`), answer: NOWHERE },
  {
    title: "another host before the path: `//host/…`",
    change: path((text) => `//${EVIL}${text}`),
    answer: NOWHERE,
  },
  { title: "the path in capitals", change: path((text) => text.toUpperCase()), answer: NOWHERE },
  {
    title: "a slash inside the path as `%2f`",
    change: path((text) => text.replace(/(?<=.)\//g, "%2f")),
    answer: ({ name }) => (/^\w+ \/[^/]+$/.test(name) ? null : NOWHERE),
  },
  {
    title: "`\\` instead of a slash",
    change: path((text) => text.replace(/\/([^/]*)$/, "\\$1")),
    answer: NOT_HTTP,
  },
  {
    title: "a letter of the path as an escape: `/oauth/%74oken`",
    change: path((text) =>
      text.replace(/[a-z](?=[a-z-]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    ),
    answer: USUAL,
  },
  ...["/.", "/x/..", "/../..", "/%2e", "/x/%2E%2e"].map((before) => ({
    title: `\`${before}\` before the path`,
    change: path((text) => before + text),
    answer: NOT_HTTP,
  })),
  ...["\t", "\0", " ", "\xff", "\xc3\xbc", "\x7f"].map((raw) => ({
    title: `the raw octets \`${[...raw].map((c) => c.charCodeAt(0).toString(16).padStart(2, "0")).join(" ")}\` in the path`,
    change: path((text) => `${text.slice(0, 3)}${raw}${text.slice(3)}`),
    answer: NOT_HTTP,
  })),
  {
    title: "the target in absolute form, with another host",
    change: target((text) => `http://${EVIL}${text}`),
    answer: USUAL,
  },
  {
    title: "the same with `https:`",
    change: target((text) => `https://${EVIL}:8443${text}`),
    answer: USUAL,
  },
  ...["http://user:password@localhost", "http://256.256.256.256", "ftp://localhost"].map(
    (before) => ({
      title: `\`${before}\` before the path`,
      change: target((text) => before + text),
      answer: NOT_HTTP,
    }),
  ),
  {
    title: "`http://` before the path: its first segment is the host",
    change: target((text) => `http://${text}`),
    answer: atRoot,
  },
  { title: "`*` as the target", change: target(() => "*"), answer: NOT_HTTP },
  { title: "a target without a slash", change: target((text) => text.slice(1)), answer: NOT_HTTP },
  {
    title: "a fragment after the target",
    change: target((text) => `${text}#fragment`),
    answer: NOT_HTTP,
  },
  {
    title: "a target of 20 KiB",
    change: target((text) => `${text}${text.includes("?") ? "&" : "?"}x=${"x".repeat(20_480)}`),
    answer: "431 bare",
  },
];

export const badPaths = paths.map(exceptRoot);

/** Where an interaction's id should stand. */
export const badIds: readonly HostileCase[] = [
  ...["%00", "%ff", "%", "%ed%a0%80", "__proto__", "constructor", "..%2f..%2flivez"],
  ...["%f0%9f%99%82", "'%20OR%201=1--", "A".repeat(22), "A".repeat(10_000), "%0d%0aX:%20y"],
].map((id) => ({
  title: `the id \`${id.length > 100 ? `${id.slice(0, 3)}… (10,000)` : id}\``,
  change: path((text) => text.replace(/(?<=^\/interaction\/)[^/]+/, () => id)),
  answer: ({ name }: Endpoint) => (name.includes("/interaction/:id") ? "400 problem page" : null),
}));

const query = (more: string): HostileCase["change"] =>
  target((text) => `${text}${text.includes("?") ? "&" : "?"}${more}`);
/** The answer of those who read the authorization request in the query. A logout request has no app to answer to. */
const asRequest = (words: string, more: string): HostileCase["answer"] => {
  const readsLogout = /^(GET \/oauth\/logout|POST \/oauth\/logout\/decision)$/;
  // It has no parameter yet that these would repeat.
  const isUsual = /^(state|scope|redirect_uri)=/.test(more);
  return ({ query, name }) => {
    if (query) return words;
    return readsLogout.test(name) && !isUsual ? "400 problem page" : USUAL;
  };
};

export const badQueries: readonly HostileCase[] = [
  ...["x=%00", "x=%ff", "x=%zz", "x=%", "%=x", "x=%c0%af", "x=%ed%a0%80", "%00"].map((more) => ({
    title: `\`${more}\` appended to the query`,
    change: query(more),
    answer: asRequest("400 problem page", more),
  })),
  ...["x=1&x=1", "x&x", "__proto__=1&__proto__=1", "state=x", "state=", "scope=openid"].map(
    (more) => ({
      title: `\`${more}\` appended to the query`,
      change: query(more),
      answer: asRequest("303 to the app: invalid_request", more),
    }),
  ),
  ...["client_id=x", "redirect_uri=https%3A%2F%2Felsewhere.example", "redirect_uri="].map(
    (more) => ({
      title: `\`${more}\` appended to the query`,
      change: query(more),
      answer: asRequest("400 problem page", more),
    }),
  ),
  ...[
    "__proto__=1",
    "constructor[prototype]=1",
    "=",
    "=x",
    "x",
    "\"'<>{|}^`\\",
    "?",
    "%E2%98%83=%F0%9F%99%82",
  ].map((more) => ({
    title: `\`${more.replace("`", "")}\` appended to the query`,
    change: query(more),
    answer: USUAL,
  })),
  {
    title: "10,000 empty fields appended to the query",
    change: query("&".repeat(10_000)),
    answer: USUAL,
  },
  {
    title: "1,000 distinct parameters appended to the query",
    change: query(Array.from({ length: 1000 }, (_, i) => `p${i}=${i}`).join("&")),
    answer: USUAL,
  },
];
