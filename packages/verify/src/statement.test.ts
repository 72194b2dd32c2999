// Tests of statements: what an owner and a provider must have signed, by the same rules.

import { describe, expect, it } from "vitest";
import { type Json, utf8 } from "../test/support/jose.ts";
import {
  acct,
  cch,
  clientId,
  domain,
  goodStatement,
  issuer,
  redirectUri,
  sp,
} from "../test/support/sign-in.ts";
import { now } from "../test/support/signer.ts";
import { VerificationError } from "./errors.ts";
import { checkStatement, mustBeOfRecord, type StatementExpectations } from "./statement.ts";

const record = { sp, acct, jkt: [], spk: [], notBefore: 0, notAfter: now } as const;
const expected: StatementExpectations = {
  clientId,
  redirectUri,
  issuer,
  cch,
  nonce: undefined,
  now,
};

function check(statement: Json | string, changes: Partial<StatementExpectations> = {}) {
  const text = typeof statement === "string" ? statement : JSON.stringify(statement);
  try {
    const asked = { ...expected, ...changes };
    return checkStatement(utf8(text), "domain-owner-statement", domain, record, asked);
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

const withClaims = (more: Json, changes?: Partial<StatementExpectations>) =>
  check({ ...goodStatement(), ...more }, changes);

it("gives the time at which it ends", () => {
  expect(withClaims({})).toBe(now + 3540);
  expect(withClaims({ iat: now, exp: now + 3600 })).toBe(now + 3600);
});

it.each<[string, Json, string]>([
  ["is of the other kind", { typ: "domain-provider-statement" }, "wrong_type: typ is not domain-"],
  ["has no type", { typ: undefined }, "wrong_type"],
  ["is of version 2", { v: 2 }, "unsupported_version: v of the statement must be 1"],
  ["has its version as text", { v: "1" }, "unsupported_version"],
  ["is about another domain", { domain: "bob.test" }, "wrong_domain: the statement is for another"],
  [
    "is for another service",
    { svc: "https://x.example" },
    "wrong_issuer: svc does not match issuer",
  ],
  ["is of another SP", { sp: "https://x.example" }, "wrong_service_provider: sp of the statement"],
  [
    "is about another account",
    { acct: "x" },
    "wrong_account: acct of the statement does not match",
  ],
  ["names no account", { acct: undefined }, "wrong_account"],
  ["is for another app", { aud: "x" }, "wrong_audience: aud does not match clientId"],
  ["is for another address", { redirect_uri: "x" }, "wrong_redirect_uri: redirect_uri does not"],
  ["is for another request", { cch: "x" }, "wrong_request: cch does not match codeVerifier"],
  ["has no jti", { jti: undefined }, "malformed_claims: jti must be a non-empty string"],
  ["has an empty jti", { jti: "" }, "malformed_claims: jti must be a non-empty string"],
])("is refused if it %s", (_, claims, message) => {
  expect(withClaims(claims)).toMatch(new RegExp(`^${message}`));
});

it.each(["[]", "5", "null", "{", ""])("is a JSON object, not %s", (text) => {
  expect(check(text)).toBe("malformed_claims: the statement is not JSON");
});

describe("the time", () => {
  const times = (iat: unknown, exp: unknown) => withClaims({ iat, exp });

  it("is at most an hour, and at least a second", () => {
    const message = "malformed_claims: exp of the statement must be 1 to 3600 s after iat";
    expect(times(now - 1, now + 3599)).toBe(now + 3599);
    expect(times(now, now + 1)).toBe(now + 1);
    expect(times(now - 1, now + 3600)).toBe(message);
    expect(times(now, now)).toBe(message);
    expect(times(now + 1, now)).toBe(message);
    for (const wrong of [undefined, null, `${now}`, now + 0.5, -1]) {
      expect(times(wrong, now + 60)).toBe(message);
      expect(times(now - 60, wrong)).toBe(message);
    }
  });

  it("may be off by 60 seconds: clocks differ", () => {
    expect(times(now + 60, now + 90)).toBe(now + 90);
    expect(times(now + 61, now + 90)).toBe("not_yet_valid: iat of the statement is 61 s ahead");
    expect(times(now - 90, now - 59)).toBe(now - 59);
    expect(times(now - 90, now - 60)).toBe("expired: the statement expired 60 s ago");
  });
});

describe("the request", () => {
  const wrongNonce = "wrong_request: nonce does not match the request";

  it("is known by its code challenge, its nonce, or both", () => {
    const byNonce = { cch: undefined, nonce: "n" };
    expect(withClaims(byNonce, byNonce)).toBe(now + 3540);
    expect(withClaims({ ...byNonce, nonce: "m" }, byNonce)).toBe(wrongNonce);
    expect(withClaims({ cch: undefined }, byNonce)).toBe(wrongNonce);
    expect(withClaims({ nonce: "n" }, { nonce: "n" })).toBe(now + 3540);
    expect(withClaims({ nonce: "m" }, { nonce: "n" })).toBe(wrongNonce);
  });

  it("needs no nonce in a statement that has its code challenge", () => {
    expect(withClaims({}, { nonce: "n" })).toBe(now + 3540);
    expect(withClaims({ cch: "x" }, { nonce: "n" })).toMatch(/^wrong_request: cch/);
  });
});

it("requires sp and acct of the record, from an owner, a provider and a service alike", () => {
  const said = (more: object) => () => mustBeOfRecord({ sp, acct, ...more }, record, "it");
  expect(said({})).not.toThrow();
  expect(said({ sp: `${sp}/` })).toThrow("sp of it does not match the record");
  expect(said({ acct: acct.toUpperCase() })).toThrow("acct of it does not match the record");
});
