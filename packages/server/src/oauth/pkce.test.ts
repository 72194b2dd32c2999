// Tests of code challenges and code verifiers (RFC 7636).

import { expect, test } from "vitest";
import { challengeOf, isCodeChallenge } from "./pkce.ts";

// RFC 7636 appendix B.
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

test("the example of the RFC gives its challenge", () => {
  expect(challengeOf(VERIFIER)).toBe(CHALLENGE);
  expect(isCodeChallenge(CHALLENGE)).toBe(true);
});

test.each([
  `${CHALLENGE}a`,
  CHALLENGE.slice(1),
  `${CHALLENGE}=`,
  ` ${CHALLENGE}`,
  `${CHALLENGE}\n`,
])("%j is no challenge", (text) => {
  expect(isCodeChallenge(text)).toBe(false);
});

test("a verifier has 43 to 128 unreserved characters (§4.1)", () => {
  for (const good of ["a".repeat(43), "~".repeat(128), `A9-._~${"b".repeat(37)}`]) {
    expect(challengeOf(good)).toMatch(/^[\w-]{43}$/);
  }
  for (const bad of [
    "a".repeat(42),
    "a".repeat(129),
    ` ${VERIFIER}`,
    `${VERIFIER}\n`,
    `+${VERIFIER}`,
  ]) {
    expect(challengeOf(bad)).toBeNull();
  }
});
