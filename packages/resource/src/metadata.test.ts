// Tests of where the metadata document is, and of what is left out of it.

import { expect, test } from "vitest";
import { metadataOf, metadataUrlOf } from "./metadata.ts";

test.each([
  ["https://notes.example/api", "https://notes.example/.well-known/oauth-protected-resource/api"],
  ["https://notes.example", "https://notes.example/.well-known/oauth-protected-resource"],
  ["https://notes.example/", "https://notes.example/.well-known/oauth-protected-resource"],
  ["https://notes.example/a/b/", "https://notes.example/.well-known/oauth-protected-resource/a/b/"],
  [
    "https://notes.example:8443/a",
    "https://notes.example:8443/.well-known/oauth-protected-resource/a",
  ],
  [
    "https://notes.example/a?t=1",
    "https://notes.example/.well-known/oauth-protected-resource/a?t=1",
  ],
  ["https://notes.example?t=1", "https://notes.example/.well-known/oauth-protected-resource?t=1"],
  ["http://[::1]:3000/api", "http://[::1]:3000/.well-known/oauth-protected-resource/api"],
])("the document of %s is at %s (RFC 9728 §3.1)", (resource, url) => {
  expect(metadataUrlOf(resource).href).toBe(url);
});

test("the document has the resource to the letter, and no member without a value", () => {
  const resource = "https://Notes.example/";
  expect(metadataOf({ resource, issuer: "https://auth.example.com" })).toStrictEqual({
    resource,
    authorization_servers: ["https://auth.example.com"],
    bearer_methods_supported: ["header"],
  });
});
