// Tests of whether a form post comes from one of our own pages.

import { expect, test } from "vitest";
import { isSameOrigin } from "./same-origin.ts";

const issuer = "https://auth.example.com";

function sentWith(headers: Record<string, string>) {
  return { header: (name: string) => headers[name] ?? null };
}

test.each<[boolean, Record<string, string>]>([
  [true, { "sec-fetch-site": "same-origin" }],
  [true, { "sec-fetch-site": "same-origin", origin: issuer }],
  [true, { origin: issuer }],
  // A sibling host is same-site, and may be somebody else's.
  [false, { "sec-fetch-site": "same-site" }],
  [false, { "sec-fetch-site": "cross-site" }],
  [false, { "sec-fetch-site": "none" }],
  [false, { "sec-fetch-site": "" }],
  [false, { "sec-fetch-site": "same-origin, cross-site" }],
  // What the browser says of itself counts before what could be forged by an older one.
  [false, { "sec-fetch-site": "cross-site", origin: issuer }],
  [false, {}],
  [false, { origin: "null" }],
  [false, { origin: "" }],
  [false, { origin: "https://evil.example" }],
  [false, { origin: "http://auth.example.com" }],
  [false, { origin: "https://auth.example.com:8443" }],
  [false, { origin: "https://auth.example.com.evil.example" }],
  [false, { origin: "https://evil.auth.example.com" }],
  [false, { origin: `${issuer}/` }],
  [false, { origin: `${issuer}, ${issuer}` }],
  [false, { referer: `${issuer}/sign-in` }],
  [false, { host: "auth.example.com" }],
])("it is %s that a post with %o is ours", (isOurs, headers) => {
  expect(isSameOrigin(sentWith(headers), issuer)).toBe(isOurs);
});

test("a loopback issuer is told apart by its port", () => {
  const headers = sentWith({ origin: "http://localhost:41001" });
  expect(isSameOrigin(headers, "http://localhost:41001")).toBe(true);
  expect(isSameOrigin(headers, "http://localhost:41002")).toBe(false);
});
