// Tests of the checks that a request comes from one of our own pages, or from a page of a listed origin.

import { expect, test } from "vitest";
import { requestWithHeaders } from "../../test/support/http-request.ts";
import { isOfOrigins, isSameOrigin } from "./pipeline.ts";

const issuer = "https://auth.example.com";

test.each<[boolean, Record<string, string>]>([
  [true, { "sec-fetch-site": "same-origin" }],
  [true, { "sec-fetch-site": "same-origin", origin: issuer }],
  [true, { origin: issuer }],
  // A sibling host is same-site, but may have another owner.
  [false, { "sec-fetch-site": "same-site" }],
  [false, { "sec-fetch-site": "cross-site" }],
  [false, { "sec-fetch-site": "none" }],
  [false, { "sec-fetch-site": "" }],
  [false, { "sec-fetch-site": "same-origin, cross-site" }],
  // `Sec-Fetch-Site` takes precedence over `Origin`.
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
  expect(isSameOrigin(requestWithHeaders(headers), issuer)).toBe(isOurs);
});

test("loopback issuers with different ports are different origins", () => {
  const headers = requestWithHeaders({ origin: "http://localhost:41001" });
  expect(isSameOrigin(headers, "http://localhost:41001")).toBe(true);
  expect(isSameOrigin(headers, "http://localhost:41002")).toBe(false);
});

test.each<[boolean, Record<string, string>]>([
  [true, {}],
  [true, { origin: issuer }],
  [true, { origin: "https://inspector.example", "sec-fetch-site": "cross-site" }],
  [false, { origin: "https://evil.example" }],
  [false, { origin: "null" }],
  [false, { origin: "" }],
  [false, { origin: `${issuer}, https://inspector.example` }],
])("it is %s that a request with %o is of a listed origin or of no page", (isListed, headers) => {
  const listed = [issuer, "https://inspector.example"];
  expect(isOfOrigins(requestWithHeaders(headers), listed)).toBe(isListed);
});
