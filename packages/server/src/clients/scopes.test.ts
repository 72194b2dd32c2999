// Tests of the scopes that are granted, and of the claims of `profile`.

import { expect, test } from "vitest";
import { chooseScopes, profileClaims, spaceSeparated } from "./scopes.ts";

test("granted are the scopes of this service that the client is registered for, in the order of the request", () => {
  const scope = "offline_access openid legacy";
  expect(chooseScopes(["openid", "email", "profile", "offline_access"], { scope })).toEqual({
    granted: ["openid", "offline_access"],
    ignored: ["email", "profile"],
  });
  // Registered by an earlier version, and with nothing behind it.
  expect(chooseScopes(["legacy"], { scope })).toEqual({ granted: [], ignored: ["legacy"] });
});

test("a list has each value once, whatever the spaces between them", () => {
  expect(spaceSeparated("  a b  a ")).toEqual(["a", "b"]);
  expect(spaceSeparated(undefined)).toEqual([]);
});

test("a domain is named in its own script only where no letter can be taken for another", () => {
  const claims = (name: string, website: string) => ({ name, preferred_username: name, website });
  expect(profileClaims("alice.com")).toEqual(claims("alice.com", "https://alice.com/"));
  expect(profileClaims("xn--bcher-kva.example")).toEqual(
    claims("bücher.example", "https://xn--bcher-kva.example/"),
  );
  // Cyrillic letters that look like "apple".
  const mistakable = "xn--80ak6aa92e.com";
  expect(profileClaims(mistakable)).toEqual(claims(mistakable, `https://${mistakable}/`));
});
