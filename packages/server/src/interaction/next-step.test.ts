// Tests of the order of the steps of a sign-in.

import { expect, test } from "vitest";
import { nextStep } from "./next-step.ts";

type Interaction = Parameters<typeof nextStep>[0];

/** An authenticated interaction that waits for nothing, with these changes. */
function stepOf(changes: Partial<Interaction>, consentNeeded = true) {
  const interaction: Interaction = {
    ...{ accountId: "acc", method: "dns-challenge", acct: null, recovery: null, decision: null },
    ...{ codesOfferedFrom: null, codesSavedAt: null, newsFrom: null, ...changes },
  };
  return nextStep(interaction, consentNeeded);
}

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
    const interaction = { accountId, method, decision, codesSavedAt: 1 };
    expect(stepOf(interaction, consentNeeded)).toBe(step);
  },
);

test("after a set-up, the recovery codes come before consent, until they are saved", () => {
  expect(stepOf({ method: "dns-setup" })).toBe("recovery-codes");
  expect(stepOf({ method: "dns-setup" }, false)).toBe("recovery-codes");
  expect(stepOf({ method: "dns-challenge" }, false)).toBe("complete");
});

test("after a sign-in that leaves few recovery codes, new ones are offered, once", () => {
  const offered = { acct: "acct", codesOfferedFrom: "" };
  expect(stepOf(offered)).toBe("recovery-codes");
  expect(stepOf({ ...offered, codesSavedAt: 1 })).toBe("consent");
  expect(stepOf({ ...offered, accountId: null })).toBe("dns-challenge");
});

test("once the record of a set-up was seen, its passkey finishes it", () => {
  const seen = { method: "dns-setup", acct: "acct" } as const;
  expect(stepOf({ ...seen, accountId: null })).toBe("passkey");
  expect(stepOf({ ...seen, accountId: "acc" })).toBe("recovery-codes");
});

test("after a recovery, a new passkey comes before everything else, until the person goes on", () => {
  const recovered = { acct: "acct", codesOfferedFrom: "" };
  expect(stepOf({ ...recovered, recovery: "asked" })).toBe("new-passkey");
  expect(stepOf({ ...recovered, recovery: "asked", decision: "allow" })).toBe("new-passkey");
  expect(stepOf({ ...recovered, recovery: "added" })).toBe("new-passkey");
  expect(stepOf({ ...recovered, recovery: "done" })).toBe("recovery-codes");
  expect(stepOf({ ...recovered, recovery: null, accountId: null })).toBe("dns-challenge");
});

test.each([
  // account, method, codes saved, consent needed -> step
  [null, "passkey", null, false, "passkey"],
  ["acc", "dns-setup", null, true, "recovery-codes"],
  ["acc", "passkey", null, true, "news"],
  ["acc", "session", null, false, "news"],
  ["acc", "dns-challenge", null, false, "news"],
  ["acc", "external", null, false, "news"],
  ["acc", "dns-setup", 1, true, "news"],
] as const)(
  "with news of another browser: account %s, method %s, codes saved %s, consent needed %s: %s",
  (accountId, method, codesSavedAt, consentNeeded, step) => {
    expect(stepOf({ accountId, method, codesSavedAt, newsFrom: 0 }, consentNeeded)).toBe(step);
  },
);
