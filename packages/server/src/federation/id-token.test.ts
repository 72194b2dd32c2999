// Tests of the check that the account at an external SP is the one that the record names.

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { acctOf, bindingProblem } from "./id-token.ts";

const sp = "https://sp.example";
const domain = "alice.example";

test("acct is the SHA-256 of issuer, sub and domain, each on a line of its own", () => {
  const octets = Buffer.from("https://sp.example\nalice\nalice.example");
  const expected = createHash("sha256").update(octets).digest("base64url");
  expect(acctOf(sp, "alice", domain)).toBe(expected);
});

test("each part of it makes another acct", () => {
  const all = [
    acctOf(sp, "alice", domain),
    acctOf("https://sp.example/", "alice", domain),
    acctOf(sp, "Alice", domain),
    acctOf(sp, "alice", "a.alice.example"),
  ];
  expect(new Set(all).size).toBe(all.length);
});

test("at a provider that is not domain-aware, the hash identifies the account", () => {
  const acct = acctOf(sp, "alice", domain);
  const record = { sp, domain, acct, asked: { domain_aware: false } };
  expect(bindingProblem({ sub: "alice" }, record)).toBeNull();
  expect(bindingProblem({ sub: "mallory" }, record)).toMatchObject({
    kind: "other_account",
    message: `the account that signed in has acct=${acctOf(sp, "mallory", domain)}, which is not the acct of the record`,
  });
  // Its domain and acct claims are not trusted.
  expect(bindingProblem({ sub: "mallory", domain, acct }, record)).not.toBeNull();
});

test("a domain-aware SP must send both claims, and the hash is not accepted", () => {
  const acct = "a".repeat(22);
  const record = { sp, domain, acct, asked: { domain_aware: true } };
  expect(bindingProblem({ sub: "x", domain, acct }, record)).toBeNull();
  for (const [claims, kind] of [
    [{ sub: "x" }, "bad_answer"],
    [{ sub: "x", domain }, "bad_answer"],
    [{ sub: "x", acct }, "bad_answer"],
    [{ sub: "x", domain: [domain], acct }, "bad_answer"],
    [{ sub: "x", domain: "evil.example", acct }, "other_domain"],
    [{ sub: "x", domain, acct: "b".repeat(22) }, "other_account"],
  ] as const) {
    expect(bindingProblem(claims, record)).toMatchObject({ kind });
  }
  const hashed = { ...record, acct: acctOf(sp, "x", domain) };
  expect(bindingProblem({ sub: "x", domain }, hashed)).not.toBeNull();
});
