// Tests of how a request target is read, against the URL parser.

import fc from "fast-check";
import { expect, test } from "vitest";
import { pathAndQuery, readTarget } from "./message.ts";

const seed = Number(process.env.SEED);

test("a target that is read without a URL parser is what the parser makes of it", () => {
  const piece = fc.oneof(
    fc.constantFrom("/", ".", "..", "/./", "/../", "//", "?", "&", "=", "%2e", "%", "+", "~", ":"),
    fc.constantFrom("oauth", "token", "_", "-", "\\", "#", "'", '"', "@", " ", "\t", "{", "|", "é"),
    fc.string({ maxLength: 3 }),
  );
  const target = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join("")}`);
  let plain = 0;
  fc.assert(
    fc.property(target, (text) => {
      const read = readTarget(text);
      const hasBackslash = /^[^?]*\\/.test(text);
      if (/^[\w/.?=&]*$/.test(text)) plain++;
      expect(read).toEqual(hasBackslash ? null : pathAndQuery(`http://localhost${text}`));
    }),
    { seed, numRuns: 5000 },
  );
  expect(plain).toBeGreaterThan(100);
});

test.each([
  ["/oauth/token", { path: "/oauth/token", query: "" }],
  ["/a?b=c&d=%20+:", { path: "/a", query: "b=c&d=%20+:" }],
  ["/a/../b", null],
  ["/a/..", null],
  ["/.", null],
  ["/./a", null],
  ["/%2e%2E/a", null],
  ["/a/.%2e?b", null],
  ["http://other/a/../b", null],
  ["/a..b/...", { path: "/a..b/...", query: "" }],
  ["/.a/..%2fb", { path: "/.a/..%2fb", query: "" }],
  ["/a?b=/../c", { path: "/a", query: "b=/../c" }],
  ["/.well-known/jwks.json", { path: "/.well-known/jwks.json", query: "" }],
  ["/%61?", { path: "/a", query: "" }],
  ["//other/a", { path: "//other/a", query: "" }],
  ["http://other/a?b", { path: "/a", query: "b" }],
  ["/a\\b", null],
  ["/a#b", null],
  ["*", null],
])("%s", (target, expected) => {
  expect(readTarget(target)).toEqual(expected);
});
