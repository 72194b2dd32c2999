// Tests of the order of the steps of a sign-in.

import { expect, test } from "vitest";
import { nextStep } from "./next-step.ts";

test.each([
  // account, method, decision, consent needed -> step
  [null, "dns-setup", null, true, "dns-setup"],
  [null, "passkey", null, false, "passkey"],
  [null, "dns-challenge", null, true, "dns-challenge"],
  [null, "dns-challenge", null, false, "dns-challenge"],
  ["acc", "dns-setup", null, true, "consent"],
  ["acc", "passkey", null, true, "consent"],
  ["acc", "passkey", null, false, "complete"],
  ["acc", "dns-challenge", null, true, "consent"],
  ["acc", "session", null, true, "consent"],
  ["acc", "session", null, false, "complete"],
  ["acc", "dns-setup", null, false, "complete"],
  ["acc", "dns-setup", "allow", true, "complete"],
  ["acc", "dns-setup", "deny", true, "complete"],
] as const)(
  "account %s, method %s, decision %s, consent needed %s: %s",
  (accountId, method, decision, consentNeeded, step) => {
    expect(nextStep({ accountId, method, decision }, consentNeeded)).toBe(step);
  },
);
