// Tests of the authentication context class of a sign-in.

import { expect, test } from "vitest";
import { ACR_VALUES, acrOf, isAcrAccepted } from "./acr.ts";

test("a passkey is phr, and anything else is control of the domain", () => {
  expect(acrOf("pop user")).toBe("phr");
  for (const amr of ["dns", "external", "dns recovery", "popular"]) {
    expect(acrOf(amr)).toBe("urn:domain-signin:dns");
  }
  expect(ACR_VALUES).toEqual(["urn:domain-signin:dns", "phr"]);
});

test("a client that requires a value accepts only that", () => {
  expect(isAcrAccepted("dns", null)).toBe(true);
  expect(isAcrAccepted("dns", ["phr"])).toBe(false);
  expect(isAcrAccepted("pop user", ["other", "phr"])).toBe(true);
  expect(isAcrAccepted("pop user", [])).toBe(false);
});
