// Tests of the order of the steps of a sign-in.

import { expect, test } from "vitest";
import { authenticatedProgress } from "../../test/support/store-rows.ts";
import type { Authenticated, Method, Progress } from "../store/interaction-row.ts";
import { nextStep, type Step } from "./next-step.ts";
import { challengeFor, externalOf, passkeyOf, SET_UP } from "./progress.ts";

/** The step of somebody who is authenticated, and waits for these things. */
function stepOf(changes: Partial<Authenticated>, mustConsent = true) {
  return nextStep(authenticatedProgress(changes), mustConsent);
}

const ceremony = { statement: "{}", expiresAt: 1 };
const unconfirmed = { credentialId: "id", expiresAt: 1 };

/** Every member of the union before the authentication. A new one is missing here, and does not compile. */
const PROVING: Readonly<Record<Exclude<Progress["step"], "authenticated">, readonly Progress[]>> = {
  "dns-setup": [SET_UP, { ...SET_UP, formerCode: "hash" }],
  passkey: [
    passkeyOf("acct"),
    { ...passkeyOf("acct"), ceremony },
    { ...passkeyOf("acct"), owner: "set-up", formerCode: null },
    { ...passkeyOf("acct"), owner: "set-up", formerCode: "hash", ceremony },
  ],
  "dns-challenge": [
    challengeFor("acct", "challenge"),
    { ...challengeFor("acct", "challenge"), recoveryCode: "hash" },
    { ...challengeFor("acct", "challenge"), unconfirmed },
  ],
  external: [externalOf("acct", "{}")],
};

test.each(
  Object.entries(PROVING).flatMap(([step, all]) => all.map((progress) => ({ step, progress }))),
)("until the owner is authenticated: $progress is at $step", ({ step, progress }) => {
  expect(nextStep(progress, true)).toBe(step);
  expect(nextStep(progress, false)).toBe(step);
});

const METHODS: Readonly<Record<Method, true>> = {
  session: true,
  "dns-setup": true,
  passkey: true,
  "dns-challenge": true,
  external: true,
};

test.each(Object.keys(METHODS) as Method[])(
  "an authentication by %s alone leads to the consent, or to the end",
  (method) => {
    expect(stepOf({ method })).toBe("consent");
    expect(stepOf({ method }, false)).toBe("complete");
    for (const decision of ["allow", "deny"] as const) {
      expect(stepOf({ method, decision })).toBe("complete");
      expect(stepOf({ method, decision }, false)).toBe("complete");
    }
  },
);

// What is waited for, from the first to the last. Each row is repeated with all of the later things waiting as well.
const RECOVERIES = [null, "asked", "added", "done"] as const;
const CODES = [
  null,
  { of: "set-up" },
  { of: "offer", replaces: null },
  { of: "offer", replaces: "set" },
] as const;
const NEWS = [null, 0, 1_800_000_000];
const DECISIONS = [null, "allow", "deny"] as const;

function expected({ recovery, codes, newsFrom, decision }: Authenticated, must: boolean): Step {
  const waits: readonly [Step, boolean][] = [
    ["new-passkey", recovery === "asked" || recovery === "added"],
    ["recovery-codes", codes !== null],
    ["news", newsFrom !== null],
    ["consent", must && decision === null],
  ];
  return waits.find(([, isOpen]) => isOpen)?.[0] ?? "complete";
}

test("what waits is shown in one order, whatever else waits", () => {
  const seen = new Map<Step, number>();
  for (const recovery of RECOVERIES) {
    for (const codes of CODES) {
      for (const newsFrom of NEWS) {
        for (const decision of DECISIONS) {
          for (const mustConsent of [true, false]) {
            const progress = authenticatedProgress({ recovery, codes, newsFrom, decision });
            const step = nextStep(progress, mustConsent);
            expect([progress, mustConsent, step]).toEqual([
              ...[progress, mustConsent],
              expected(progress, mustConsent),
            ]);
            seen.set(step, (seen.get(step) ?? 0) + 1);
          }
        }
      }
    }
  }
  expect(Object.fromEntries(seen)).toEqual({
    ...{ "new-passkey": 144, "recovery-codes": 108, news: 24, consent: 2, complete: 10 },
  });
});

test("after a set-up, the recovery codes come before consent, until they are saved", () => {
  const setUp = { method: "dns-setup", codes: { of: "set-up" } } as const;
  expect(stepOf(setUp)).toBe("recovery-codes");
  expect(stepOf(setUp, false)).toBe("recovery-codes");
  expect(stepOf({ ...setUp, codes: null }, false)).toBe("complete");
});

test("after a sign-in that leaves few recovery codes, new ones are offered, once", () => {
  expect(stepOf({ codes: { of: "offer", replaces: null } })).toBe("recovery-codes");
  expect(stepOf({ codes: null })).toBe("consent");
});

test("after a recovery, a new passkey comes before everything else, until the person goes on", () => {
  const recovered = { codes: { of: "offer", replaces: null } } as const;
  expect(stepOf({ ...recovered, recovery: "asked" })).toBe("new-passkey");
  expect(stepOf({ ...recovered, recovery: "asked", decision: "allow" })).toBe("new-passkey");
  expect(stepOf({ ...recovered, recovery: "added" })).toBe("new-passkey");
  expect(stepOf({ ...recovered, recovery: "done" })).toBe("recovery-codes");
});

test.each([
  // method, codes, consent needed -> step
  ["dns-setup", { of: "set-up" }, true, "recovery-codes"],
  ["passkey", null, true, "news"],
  ["session", null, false, "news"],
  ["dns-challenge", null, false, "news"],
  ["external", null, false, "news"],
  ["dns-setup", null, true, "news"],
] as const)(
  "with news of another browser: method %s, codes %s, consent needed %s: %s",
  (method, codes, mustConsent, step) => {
    expect(stepOf({ method, codes, newsFrom: 0 }, mustConsent)).toBe(step);
  },
);
