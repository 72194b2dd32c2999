// Hostile framing and headers.

import { EVIL } from "./answer-words.ts";
import { type Endpoint, POSTED_FROM_ELSEWHERE } from "./endpoints.ts";
import { type HostileCase, inPlaceOf, NOT_HTTP, USUAL, withHeaders } from "./hostile.ts";
import { octetsOf } from "./raw-http.ts";

const host = (...lines: string[]) => inPlaceOf("Host", ...lines);
const version = (text: string): HostileCase["change"] => {
  return (orderly) => ({ ...orderly, version: text });
};

/** What the `Authorization` header gets from the endpoints that read it. */
function authorized(words: { token: string; bearer: string }) {
  return ({ name }: Endpoint): string => {
    if (/^GET \/oauth\/(userinfo|validation_data)$/.test(name)) return words.bearer;
    if (name.endsWith("/oauth/register/:id")) return words.bearer;
    // It has its token in the form, and a header beside that is one too many.
    if (name === "POST /oauth/userinfo") return "400 invalid_request";
    return /^POST \/oauth\/(token|revoke|introspect)$/.test(name) ? words.token : USUAL;
  };
}
const refused = authorized({ token: "400 invalid_request", bearer: "400 invalid_request" });

export const badHosts: readonly HostileCase[] = [
  { title: "no Host", change: host(), answer: NOT_HTTP },
  { title: "an empty Host", change: host("Host:"), answer: NOT_HTTP },
  { title: "two Hosts", change: host("Host: localhost", `Host: ${EVIL}`), answer: NOT_HTTP },
  { title: "the same Host twice", change: host("Host: a", "Host: a"), answer: NOT_HTTP },
  ...[
    ...["a b", "localhost/x", "localhost?x", "user:password@localhost", "localhost:99999", "[::1"],
    // Each of these looks like a host name until it is read as one.
    ...["256.256.256.256", "1.2.3.4.5", "xn--a", "0x100000000", "a,b", ":80", "%00", "a\xffb"],
  ].map((value) => ({
    title: `\`Host: ${value.replace("\xff", "\\xff")}\``,
    change: host(`Host: ${value}`),
    answer: NOT_HTTP,
  })),
  { title: "the Host of another site", change: host(`Host: ${EVIL}`), answer: USUAL },
  // Nobody whose host has an international name is refused.
  ...["xn--mnchen-3ya.de", "auth.xn--fiqs8s:8443"].map((value) => ({
    title: `\`Host: ${value}\`, with a valid A-label`,
    change: host(`Host: ${value}`),
    answer: USUAL,
  })),
  {
    title: "`X-Forwarded-Host`, `Forwarded`, `X-Original-URL`, `X-HTTP-Method-Override`",
    change: withHeaders(
      `X-Forwarded-Host: ${EVIL}`,
      "X-Forwarded-Proto: https",
      `Forwarded: host=${EVIL};proto=https`,
      "X-Original-URL: /nowhere",
      "X-HTTP-Method-Override: DELETE",
    ),
    answer: USUAL,
  },
];

export const badFraming: readonly HostileCase[] = [
  {
    title: "two identical Content-Lengths",
    change: withHeaders("Content-Length: 0", "Content-Length: 0"),
    answer: NOT_HTTP,
  },
  {
    title: "two different Content-Lengths",
    change: withHeaders("Content-Length: 0", "Content-Length: 1"),
    answer: NOT_HTTP,
  },
  ...["-1", "+1", "0x1", "1, 1", "1 1", "", "99999999999999999999999"].map((value) => ({
    title: `\`Content-Length: ${value}\``,
    change: withHeaders(`Content-Length: ${value}`),
    answer: NOT_HTTP,
  })),
  {
    title: "Content-Length and Transfer-Encoding",
    change: withHeaders("Content-Length: 5", "Transfer-Encoding: chunked"),
    answer: NOT_HTTP,
  },
  {
    title: "Transfer-Encoding that does not end in chunked",
    change: withHeaders("Transfer-Encoding: chunked, identity"),
    answer: NOT_HTTP,
  },
  {
    title: "a chunk size that is not a number",
    change: (orderly) => ({
      ...orderly,
      headers: [...orderly.headers, "Transfer-Encoding: chunked"],
      body: "zz\r\nx\r\n0\r\n\r\n",
    }),
    // Who does not wait for a body has answered before it is seen to be bad.
    answer: ({ form }) => (form ? NOT_HTTP : null),
  },
  {
    title: "20,000 octets of chunk extension",
    change: (orderly) => ({
      ...orderly,
      headers: [...orderly.headers, "Transfer-Encoding: chunked"],
      body: `1;${"x".repeat(20_000)}\r\nx\r\n0\r\n\r\n`,
    }),
    answer: ({ form }) => (form ? "413 bare" : null),
  },
  { title: "a header folded over two lines", change: withHeaders("X: a\r\n b"), answer: NOT_HTTP },
  { title: "a space before the colon", change: withHeaders("X : a"), answer: NOT_HTTP },
  { title: "a line without a colon", change: withHeaders("X"), answer: NOT_HTTP },
  { title: "a bare CR in a header", change: withHeaders("X: a\rb"), answer: NOT_HTTP },
  { title: "a NUL in a header", change: withHeaders("X: a\0b"), answer: NOT_HTTP },
  { title: "a control character in a header", change: withHeaders("X: a\x01b"), answer: NOT_HTTP },
  {
    title: "a header of 20 KiB",
    change: withHeaders(`X: ${"x".repeat(20_480)}`),
    answer: "431 bare",
  },
  { title: "2,100 headers", change: withHeaders(...Array(2100).fill("X:")), answer: USUAL },
  { title: "HTTP/1.0", change: version("1.0"), answer: USUAL },
  { title: "HTTP/1.2", change: version("1.2"), answer: NOT_HTTP },
  { title: "HTTP/9.9", change: version("9.9"), answer: NOT_HTTP },
  { title: "a TLS handshake", change: () => ["\x16\x03\x01\x02\x00\x01\x00"], answer: NOT_HTTP },
  {
    title: "a line of garbage before the request",
    change: (orderly) => ["\x00\xff garbage\r\n", octetsOf(orderly)],
    answer: NOT_HTTP,
  },
  {
    title: "`Expect: 100-continue`",
    change: withHeaders("Expect: 100-continue"),
    answer: `100, then ${USUAL}`,
  },
  { title: "another `Expect`", change: withHeaders("Expect: x"), answer: "417 bare" },
  {
    title: "`Upgrade: websocket`, `h2c`",
    change: withHeaders("Connection: Upgrade", "Upgrade: websocket, h2c"),
    answer: USUAL,
  },
];

export const badHeaders: readonly HostileCase[] = [
  {
    title: "two Authorization headers",
    change: withHeaders("Authorization: Basic eDp5"),
    answer: refused,
  },
  {
    title: "a second Authorization header after 2,100 other headers",
    change: withHeaders(...Array(2100).fill("X:"), "Authorization: Basic eDp5"),
    answer: refused,
  },
  {
    title: "the same Authorization header twice",
    change: (orderly) => {
      const { headers } = orderly;
      const again = headers.filter((line) => line.startsWith("Authorization:"));
      return { ...orderly, headers: [...headers, ...again] };
    },
    // It has none, so that there is none to send twice.
    answer: (endpoint) => (endpoint.name === "POST /oauth/userinfo" ? USUAL : refused(endpoint)),
  },
  ...["Authorization:", "Authorization: Negotiate abc", "Authorization: ???"].map((line) => ({
    title: `\`${line}\``,
    change: inPlaceOf("Authorization", line),
    answer: authorized({ token: "400 invalid_client", bearer: "400 invalid_request" }),
  })),
  ...["Basic", "Basic ???", "Basic eA==", "Basic OnNlY3JldA==", "Basic JTAwOng="].map((value) => ({
    title: `\`Authorization: ${value}\``,
    change: inPlaceOf("Authorization", `Authorization: ${value}`),
    answer: refused,
  })),
  {
    title: "`Authorization: Basic` with octets that are not UTF-8",
    change: inPlaceOf("Authorization", "Authorization: Basic //86//4="),
    answer: authorized({ token: "400 invalid_client", bearer: "400 invalid_request" }),
  },
  {
    title: "an Authorization header of 10 KiB",
    change: inPlaceOf("Authorization", `Authorization: Bearer ${"x".repeat(10_240)}`),
    answer: authorized({ token: "400 invalid_client", bearer: "401 invalid_token" }),
  },
  {
    title: "100 cookies",
    change: withHeaders(
      `Cookie: ${Array.from({ length: 100 }, (_, i) => `c${i}=${i}`).join("; ")}`,
    ),
    answer: USUAL,
  },
  { title: "a cookie with bad octets", change: withHeaders("Cookie: a=\xff\xfe"), answer: USUAL },
  {
    title: "cookies named `__proto__`, without a name, without a value",
    change: withHeaders("Cookie: __proto__=x; =y; z; ;;"),
    answer: USUAL,
  },
  {
    title: "our own cookies, each a second time with another value",
    change: (orderly) => {
      const own = orderly.headers.find((line) => line.startsWith("Cookie:")) ?? "Cookie: a=b";
      const others = own.replace(/=[^;]*/g, "=%00\xff");
      return { ...orderly, headers: [others, ...orderly.headers] };
    },
    answer: USUAL,
  },
  {
    title: "headers named `__proto__` and `constructor`",
    change: withHeaders("__proto__: x", "constructor: y", "__proto__: z"),
    answer: USUAL,
  },
  {
    title: "`Sec-Fetch-Site` twice",
    change: withHeaders("Sec-Fetch-Site: cross-site"),
    answer: ({ name, channel }) =>
      channel === "page" && name.startsWith("POST") && !POSTED_FROM_ELSEWHERE.has(name)
        ? "403 problem page"
        : USUAL,
  },
  {
    title: "`Range`, `If-None-Match`, `Accept`, `Accept-Language`, `Origin` with invalid values",
    change: withHeaders(
      "Range: bytes=5-",
      "If-None-Match: *",
      "Accept: \xff;q=x",
      "Accept-Language: __proto__",
      "Origin: null",
    ),
    // Only a web page sends an origin, and "null" is on no list.
    answer: ({ name }) => (name.includes(" /oauth/register") ? "403 access_denied" : USUAL),
  },
];
