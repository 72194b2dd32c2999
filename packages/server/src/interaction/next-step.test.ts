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
    const interaction = {
      accountId,
      method,
      decision,
      acct: null,
      recovery: null,
      codesOfferedFrom: null,
      codesSavedAt: 1,
      newsFrom: null,
    };
    expect(nextStep(interaction, consentNeeded)).toBe(step);
  },
);

test("after a set-up, the recovery codes come before consent, until they are saved", () => {
  const made = {
    accountId: "acc",
    method: "dns-setup",
    acct: null,
    recovery: null,
    decision: null,
    codesOfferedFrom: null,
    newsFrom: null,
  } as const;
  expect(nextStep({ ...made, codesSavedAt: null }, true)).toBe("recovery-codes");
  expect(nextStep({ ...made, codesSavedAt: null }, false)).toBe("recovery-codes");
  const other = { ...made, method: "dns-challenge", codesSavedAt: null } as const;
  expect(nextStep(other, false)).toBe("complete");
});

test("after a sign-in that leaves few recovery codes, new ones are offered, once", () => {
  const by = { accountId: "acc", method: "dns-challenge", acct: "acct", decision: null } as const;
  const offered = { ...by, recovery: null, codesOfferedFrom: "", newsFrom: null };
  expect(nextStep({ ...offered, codesSavedAt: null }, true)).toBe("recovery-codes");
  expect(nextStep({ ...offered, codesSavedAt: 1 }, true)).toBe("consent");
  expect(nextStep({ ...offered, accountId: null, codesSavedAt: null }, true)).toBe("dns-challenge");
});

test("once the record of a set-up was seen, its passkey finishes it", () => {
  const seen = {
    accountId: null,
    method: "dns-setup",
    acct: "acct",
    recovery: null,
    decision: null,
    codesOfferedFrom: null,
    newsFrom: null,
  } as const;
  expect(nextStep({ ...seen, codesSavedAt: null }, true)).toBe("passkey");
  const done = { ...seen, accountId: "acc", codesSavedAt: null };
  expect(nextStep(done, true)).toBe("recovery-codes");
});

test("after a recovery, a new passkey comes before everything else, until the person goes on", () => {
  const recovered = {
    accountId: "acc",
    method: "dns-challenge",
    acct: "acct",
    decision: null,
    codesOfferedFrom: "",
    codesSavedAt: null,
    newsFrom: null,
  } as const;
  expect(nextStep({ ...recovered, recovery: "asked" }, true)).toBe("new-passkey");
  expect(nextStep({ ...recovered, recovery: "asked", decision: "allow" }, true)).toBe(
    "new-passkey",
  );
  expect(nextStep({ ...recovered, recovery: "added" }, true)).toBe("new-passkey");
  expect(nextStep({ ...recovered, recovery: "done" }, true)).toBe("recovery-codes");
  expect(nextStep({ ...recovered, recovery: null, accountId: null }, true)).toBe("dns-challenge");
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
    const head = {
      accountId,
      method,
      codesSavedAt,
      acct: null,
      recovery: null,
      codesOfferedFrom: null,
    };
    expect(nextStep({ ...head, newsFrom: 0, decision: null }, consentNeeded)).toBe(step);
  },
);
