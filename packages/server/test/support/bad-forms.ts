// Hostile forms.

import { gzipSync } from "node:zlib";
import { type Endpoint, POSTED_FROM_ELSEWHERE } from "./endpoints.ts";
import { formRefused, type HostileCase, inPlaceOf, NOT_HTTP, USUAL } from "./hostile.ts";
import { chunked, octetsOf, type RawRequest } from "./raw-http.ts";

const LIMIT = 16_384;
const CHUNKED = "Transfer-Encoding: chunked";

const bodyOf = ({ body }: RawRequest) => String(body ?? "");
const body = (change: (form: string) => string | Uint8Array): HostileCase["change"] => {
  return (orderly) => ({ ...orderly, body: change(bodyOf(orderly)) });
};
const behind = (more: string) => body((form) => `${form}&${more}`);
const padded = (form: string, octets: number) => `${form}&x=`.padEnd(octets, "x");
const inChunks = (size: number, change: (form: string) => string): HostileCase["change"] => {
  return (orderly) => ({
    ...orderly,
    headers: [...orderly.headers, CHUNKED],
    body: chunked(change(bodyOf(orderly)), size),
  });
};
/**
 * Clients may repeat nothing: the posts from elsewhere leave that to the GET that they lead to. Of the
 * fields of our own pages the first counts.
 */
const repeatRefused = (endpoint: Endpoint) =>
  endpoint.channel === "json" ? formRefused(endpoint) : USUAL;

export const badForms: readonly HostileCase[] = [
  ...[
    "x=%00",
    "x=\0",
    "x=%ff",
    "x=\xff\xfe",
    "x=%c0%af",
    "x=%ed%a0%80",
    "x=%zz",
    "x=%",
    "%u0041=x",
  ].map((more) => ({
    title: `\`${more.replace("\0", "\\x00").replace("\xff\xfe", "\\xff\\xfe")}\` in the form`,
    change: behind(more),
    answer: formRefused,
  })),
  ...["x=1&x=1", "x=1&x=2", "x=&x=", "x&%78=1", "__proto__=1&__proto__=1"].map((more) => ({
    title: `\`${more}\` in the form`,
    change: behind(more),
    answer: repeatRefused,
  })),
  {
    title: "every parameter of the form twice",
    change: body((form) => `${form}&${form}`),
    answer: repeatRefused,
  },
  ...[
    "__proto__=1",
    "constructor=1",
    "__proto__[x]=1",
    "x[]=1&x[]",
    "=",
    "=x",
    "x",
    "toString=",
  ].map((more) => ({
    title: `\`${more}\` in the form`,
    change: behind(more),
    answer: more === "x[]=1&x[]" ? repeatRefused : USUAL,
  })),
  {
    title: "no parameter at all",
    change: body(() => ""),
    answer: (endpoint) => {
      if (POSTED_FROM_ELSEWHERE.has(endpoint.name)) return USUAL;
      if (/^POST \/sign-in(\/passkey)?$/.test(endpoint.name)) return "400 domain page";
      // Not a malformed request, but one without a token (RFC 6750 §3.1).
      if (endpoint.name === "POST /oauth/userinfo") return "401 invalid_token";
      // These pages say what is missing.
      const hasOwnWords =
        /^POST \/interaction\/:id\/(dns-challenge|former-record|passkey|set-up-passkey|start-over)$/.test(
          endpoint.name,
        );
      return hasOwnWords ? USUAL : formRefused(endpoint);
    },
  },
  { title: "10,000 empty fields", change: behind("&".repeat(10_000)), answer: USUAL },
  {
    title: "1,000 distinct parameters",
    change: behind(Array.from({ length: 1000 }, (_, i) => `p${i}=${i}`).join("&")),
    answer: USUAL,
  },
  { title: "16 KiB", change: body((form) => padded(form, LIMIT)), answer: USUAL },
  {
    title: "16 KiB and one octet",
    change: body((form) => padded(form, LIMIT + 1)),
    answer: formRefused,
  },
  {
    title: "16 KiB in chunks",
    change: inChunks(4096, (form) => padded(form, LIMIT)),
    answer: USUAL,
  },
  {
    title: "16 KiB and one octet in chunks",
    change: inChunks(4096, (form) => padded(form, LIMIT + 1)),
    answer: formRefused,
  },
  { title: "chunks of one octet", change: inChunks(1, (form) => form), answer: USUAL },
  {
    title: "chunks with extensions and a trailer",
    change: (orderly) => {
      const form = bodyOf(orderly) || "x=1";
      return {
        ...orderly,
        headers: [...orderly.headers, CHUNKED],
        body: `${form.length.toString(16)};x="y"\r\n${form}\r\n0\r\nContent-Type: text/plain\r\n\r\n`,
      };
    },
    answer: USUAL,
  },
  {
    title: "`Content-Length: 1000000000`, and one octet",
    change: (orderly) => ({
      ...orderly,
      headers: [...orderly.headers, "Content-Length: 1000000000"],
      body: "x",
    }),
    answer: formRefused,
  },
  {
    title: "fewer octets than Content-Length, then the end of the stream",
    change: (orderly) => [
      octetsOf({ ...orderly, headers: [...orderly.headers, "Content-Length: 1000"], body: "x=1" }),
      "half-close",
    ],
    // Who reads no form answers before the end is seen.
    answer: ({ form }) => (form ? NOT_HTTP : null),
  },
  ...[
    ...["application/json", "text/plain", "multipart/form-data; boundary=x", "*/*", "x", ",", ""],
    ...["application/x-www-form-urlencodedx", "application/x-www-form-urlencoded, text/plain"],
    ...["application/x-www-form-urlencoded;a, text/plain", "application /x-www-form-urlencoded"],
  ].map((type) => ({
    title: `\`Content-Type: ${type}\``,
    change: inPlaceOf("Content-Type", `Content-Type: ${type}`),
    answer: formRefused,
  })),
  { title: "no Content-Type", change: inPlaceOf("Content-Type"), answer: formRefused },
  {
    title: "two Content-Types",
    change: inPlaceOf(
      "Content-Type",
      "Content-Type: application/x-www-form-urlencoded; a=b",
      "Content-Type: application/json",
    ),
    answer: formRefused,
  },
  ...[
    ...["Application/X-WWW-Form-URLEncoded; charset=UTF-8", "application/x-www-form-urlencoded;"],
    ...["application/x-www-form-urlencoded ; charset=iso-8859-1"],
  ].map((type) => ({
    title: `\`Content-Type: ${type}\``,
    change: inPlaceOf("Content-Type", `Content-Type: ${type}`),
    answer: USUAL,
  })),
  {
    title: "a form in UTF-16",
    change: body((form) => Buffer.from(`\ufeff${form}&x=y`, "utf16le")),
    answer: formRefused,
  },
  {
    title: "a compressed form (`Content-Encoding: gzip`)",
    change: (orderly) => ({
      ...orderly,
      headers: [...orderly.headers, "Content-Encoding: gzip"],
      body: gzipSync(bodyOf(orderly)),
    }),
    answer: formRefused,
  },
  {
    title: "a form in `Transfer-Encoding: gzip, chunked`",
    change: (orderly) => ({
      ...orderly,
      headers: [...orderly.headers, "Transfer-Encoding: gzip, chunked"],
      body: chunked(gzipSync(bodyOf(orderly)).toString("latin1")),
    }),
    answer: formRefused,
  },
];
