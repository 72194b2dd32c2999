// Tests of the parameters ds_*, by which a service requests a provider statement.

import { expect, test } from "vitest";
import { readStatementFor } from "./authorization-request.ts";

const CCH = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const GOOD = {
  ds_aud: "https://app.example/",
  ds_redirect_uri: "https://app.example/cb",
  ds_cch: CCH,
};

const read = (sent: Record<string, string | undefined>) =>
  readStatementFor(
    new Map(Object.entries(sent).filter((pair): pair is [string, string] => pair[1] !== undefined)),
    (isValid, words) => {
      if (!isValid) throw new Error(words);
    },
  );

test("without any of them no statement is wanted", () => {
  expect(read({ client_id: "service" })).toBeNull();
});

test("the parameters become the members of the statement", () => {
  const { ds_aud: aud, ds_redirect_uri: redirect_uri } = GOOD;
  expect(read(GOOD)).toEqual({ aud, redirect_uri, cch: CCH });
  expect(read({ ...GOOD, ds_nonce: "n-1" })).toEqual({ aud, redirect_uri, cch: CCH, nonce: "n-1" });
  expect(read({ ...GOOD, ds_cch: undefined, ds_nonce: "n-1" })).toEqual({
    ...{ aud, redirect_uri, nonce: "n-1" },
  });
});

test("an app of any kind may be named: the service vouches for its own", () => {
  const native = { ...GOOD, ds_redirect_uri: "com.example.app:/cb" };
  expect(read(native)?.redirect_uri).toBe("com.example.app:/cb");
});

test.each<[string, Record<string, string | undefined>]>([
  ["ds_aud is missing", { ds_cch: CCH }],
  ["ds_aud is missing", { ds_nonce: "n" }],
  ["ds_aud is missing", { ds_redirect_uri: "https://app.example/cb" }],
  ["ds_redirect_uri is missing", { ds_aud: "app" }],
  ["ds_aud must be 1 to 2,048 printable ASCII characters", { ...GOOD, ds_aud: "\x1f" }],
  ["ds_aud must be 1 to 2,048 printable ASCII characters", { ...GOOD, ds_aud: "a\x7f" }],
  ["ds_aud must be 1 to 2,048 printable ASCII characters", { ...GOOD, ds_aud: "\na" }],
  ["ds_aud must be 1 to 2,048 printable ASCII characters", { ...GOOD, ds_aud: "a".repeat(2049) }],
  ["ds_redirect_uri has a fragment", { ...GOOD, ds_redirect_uri: "https://app.example/#a" }],
  ["ds_cch or ds_nonce is missing", { ...GOOD, ds_cch: undefined }],
  ["ds_cch must be a base64url-encoded SHA-256 hash", { ...GOOD, ds_cch: CCH.slice(1) }],
  ["ds_nonce is longer than 2,048 bytes", { ...GOOD, ds_nonce: "é".repeat(1025) }],
])("%s", (words, sent) => {
  expect(() => read(sent)).toThrow(new Error(words));
});

test("the longest audience and nonce are taken", () => {
  const [aud, nonce] = ["a".repeat(2048), "é".repeat(1024)];
  expect(read({ ...GOOD, ds_aud: aud, ds_nonce: nonce })).toMatchObject({ aud, nonce });
});
