// Tests of the check that the account at an external SP is the one that the record names.

import { expect, test } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { createAcctCheck, saltedAcct } from "./acct-hash.ts";
import { bindingProblem } from "./sp-id-token.ts";

const sp = "https://sp.example";
const domain = "alice.example";
const salt = Buffer.alloc(16);
const acctOf = (sub: string) => saltedAcct({ issuer: sp, sub, domain }, salt);
const accts = createAcctCheck({ clock: systemClock, random: systemRandom });
const call = { signal: new AbortController().signal };

test("at a provider that is not domain-aware, the hash identifies the account", async () => {
  const acct = await acctOf("alice");
  const record = { sp, domain, acct, asked: { domain_aware: false } };
  expect(await bindingProblem({ sub: "alice" }, record, accts, call)).toBeNull();
  expect(await bindingProblem({ sub: "mallory" }, record, accts, call)).toMatchObject({
    kind: "other_account",
    message: `the account that signed in has acct=${await acctOf("mallory")}, which is not the acct of the record`,
  });
  // Its domain and acct claims are not trusted.
  expect(
    await bindingProblem({ sub: "mallory", domain, acct }, record, accts, call),
  ).not.toBeNull();
});

test("a domain-aware SP must send both claims, and the hash is not accepted", async () => {
  const acct = "a".repeat(22);
  const record = { sp, domain, acct, asked: { domain_aware: true } };
  expect(await bindingProblem({ sub: "x", domain, acct }, record, accts, call)).toBeNull();
  for (const [claims, kind] of [
    [{ sub: "x" }, "bad_answer"],
    [{ sub: "x", domain }, "bad_answer"],
    [{ sub: "x", acct }, "bad_answer"],
    [{ sub: "x", domain: [domain], acct }, "bad_answer"],
    [{ sub: "x", domain: "evil.example", acct }, "other_domain"],
    [{ sub: "x", domain, acct: "b".repeat(22) }, "other_account"],
  ] as const) {
    expect(await bindingProblem(claims, record, accts, call)).toMatchObject({ kind });
  }
  const hashed = { ...record, acct: await acctOf("x") };
  expect(await bindingProblem({ sub: "x", domain }, hashed, accts, call)).not.toBeNull();
});
