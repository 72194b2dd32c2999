// Tests of parsing client metadata documents.

import { describe, expect, test } from "vitest";
import { badDocuments, good, ID, KEY, signing } from "../../test/support/bad-documents.ts";
import { ClientDocumentError } from "./client-errors.ts";
import { readClientDocument, readClientKeys } from "./document-reader.ts";

function problem(body: unknown): string {
  try {
    readClientDocument(body, ID);
    return "none";
  } catch (error) {
    if (!(error instanceof ClientDocumentError)) throw error;
    expect([error.kind, error.host]).toEqual(["bad", "app.example.org"]);
    return error.message;
  }
}

test("the shortest document is a public web client that asks each time", () => {
  expect(readClientDocument(good, ID)).toMatchObject({
    ...{ client_id: ID, document: true, name: "app.example.org", type: "public", secrets: [] },
    ...{ application_type: "web", default_scope: "openid", consent: "always", require_pkce: true },
    ...{ subject_type: "account", validation_data: true, id_token_signed_response_alg: "RS256" },
    token_endpoint_auth_method: "none",
  });
});

test("what the document does not say is not there", () => {
  const client = readClientDocument(good, ID);
  for (const name of ["issuer", "jwks", "jwks_uri", "token_endpoint_auth_signing_alg"]) {
    expect(client).not.toHaveProperty(name);
  }
  const alg = { token_endpoint_auth_signing_alg: "ES256" };
  expect(readClientDocument({ ...signing, ...alg }, ID)).toMatchObject(alg);
});

test("its name stands behind its host", () => {
  const named = readClientDocument({ ...good, client_name: " Your Bank " }, ID);
  expect(named.name).toBe("app.example.org (Your Bank)");
  const twice = readClientDocument(
    { ...good, client_name: "domain-signin at app.example.org" },
    ID,
  );
  expect(twice.name).toBe("app.example.org");
});

test("one with an issuer on its own host is a service, whose apps get the proof from it", () => {
  const issuer = "https://app.example.org";
  const service = readClientDocument({ ...signing, issuer, domain_signin_version: 1 }, ID);
  expect(service).toMatchObject({ issuer, type: "confidential", validation_data: false });
  expect(service.jwks).toEqual({ keys: [KEY] });
});

test("it may request any scope of this service, and the scopes that it names are those of a request without", () => {
  const read = (scope: string) => readClientDocument({ ...good, scope }, ID);
  for (const scope of ["admin offline_access openid", "admin", ""]) {
    expect(read(scope).scope).toBe("openid profile offline_access");
  }
  expect(read("admin offline_access openid").default_scope).toBe("offline_access openid");
  expect(read("admin").default_scope).toBe("openid");
  expect(read("").default_scope).toBe("openid");
});

test.each<[string, object]>([
  ["loopback, at any port", { redirect_uris: ["http://127.0.0.1/cb", "http://[::1]/cb"] }],
  ["its own host", {}],
])("a native client may be answered at %s", (_, more) => {
  expect(problem({ ...good, application_type: "native", ...more })).toBe("none");
});

test.each<[string, string[], string | undefined, "web" | "native"]>([
  ["a page of its own", ["https://app.example.org/cb"], undefined, "web"],
  ["loopback", ["http://127.0.0.1/cb"], undefined, "native"],
  ["a scheme after a domain", ["org.example.app:/cb"], undefined, "native"],
  ["a scheme without a dot", ["example-app://cb"], undefined, "native"],
  ["both", ["https://app.example.org/cb", "http://localhost/cb"], undefined, "native"],
  ["a page of its own, as it says", ["https://app.example.org/cb"], "native", "native"],
])("a client that is answered at %s has its type", (_, redirect_uris, application_type, type) => {
  const client = readClientDocument({ ...good, redirect_uris, application_type }, ID);
  expect([client.application_type, client.redirect_uris]).toEqual([type, redirect_uris]);
});

test("of the URIs that it lists, those that cannot be used are left out, with what is wrong", () => {
  const lists = {
    redirect_uris: ["https://app.example.org/cb", "https://evil.example/cb"],
    post_logout_redirect_uris: ["https://app.example.org/bye?state=1", "https://app.example.org/"],
  };
  const client = readClientDocument({ ...good, ...lists }, ID);
  expect(client.redirect_uris).toEqual(["https://app.example.org/cb"]);
  expect(client.post_logout_redirect_uris).toEqual(["https://app.example.org/"]);
  expect([...(client.refused_uris ?? [])]).toEqual([
    ["https://evil.example/cb", "redirect_uris.1: must have the same origin as client_id"],
    [
      "https://app.example.org/bye?state=1",
      'post_logout_redirect_uris.0: has the parameter "state" in its query, which the response adds',
    ],
  ]);
});

describe("a document is refused", () => {
  test.each(badDocuments)("%s", (_, body, words) => {
    expect(problem(body)).toContain(words);
  });
});

test("keys at a jwks_uri are read by the same rules", () => {
  expect(readClientKeys({ keys: [KEY] }, ID)).toEqual({ keys: [KEY] });
  expect(() => readClientKeys({ keys: [{ kty: "oct", k: "k" }] }, ID)).toThrow("shared secret");
});

test("of a key nothing is kept that is no part of one", () => {
  const more = { x5c: ["a certificate"], note: Array.from({ length: 20_000 }, () => []) };
  expect(readClientKeys({ keys: [{ ...KEY, ...more }] }, ID)).toEqual({ keys: [KEY] });
  expect(() => readClientKeys({ keys: [{ ...KEY, x: [] }] }, ID)).toThrow("keys.0.x");
});
