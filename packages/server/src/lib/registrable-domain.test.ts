// Tests of who registered a name, with public and private suffixes.

import { expect, it } from "vitest";
import { ownedDomain, registrableDomain } from "./registrable-domain.ts";

it.each([
  ["_domain-signin.alice.com", "alice.com", "alice.com"],
  ["_domain-signin.shop.alice.co.uk", "alice.co.uk", "alice.co.uk"],
  ["_domain-signin.alice.github.io", "github.io", "alice.github.io"],
  ["co.uk", null, "co.uk"],
  ["test", null, "test"],
])("%s: %s is registered, and names below %s have one owner", (name, registered, owned) => {
  expect(registrableDomain(name)).toBe(registered);
  expect(ownedDomain(name)).toBe(owned);
});
