// Tests of the hash that names an account at a provider which knows nothing about domains.

import { createHash, scryptSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { requesterAt } from "../http/requester.ts";
import { systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { canBeHash, createAcctCheck, newAcct, saltedAcct, unsaltedAcct } from "./acct-hash.ts";

const ALICE = { issuer: "https://sp.example", sub: "alice", domain: "alice.example" };
const LINES = "https://sp.example\nalice\nalice.example";
const SALT = Buffer.alloc(16, 7);
const call = { signal: new AbortController().signal };

/** With what the check has drawn and computed. */
function check() {
  let salts = 0;
  const random = (octets: number) => {
    salts++;
    return systemRandom(octets);
  };
  return { ...createAcctCheck({ clock: systemClock, random }), salts: () => salts };
}

test("acct is the salt and the scrypt hash of issuer, sub and domain, each on a line of its own", async () => {
  const hash = scryptSync(LINES, SALT, 32, { N: 16384, r: 8, p: 1 });
  const acct = await saltedAcct(ALICE, SALT);
  expect(acct).toBe(Buffer.concat([SALT, hash]).toString("base64url"));
  expect(acct).toHaveLength(64);
  expect(unsaltedAcct(ALICE)).toBe(createHash("sha256").update(LINES).digest("base64url"));
});

test("each part of it makes another acct, and so does each salt", async () => {
  const accounts = [
    ALICE,
    { ...ALICE, issuer: "https://sp.example/" },
    { ...ALICE, sub: "Alice" },
    { ...ALICE, domain: "a.alice.example" },
  ];
  const salted = await Promise.all(accounts.map((account) => saltedAcct(account, SALT)));
  const again = await Promise.all([newAcct(ALICE, systemRandom), newAcct(ALICE, systemRandom)]);
  expect(new Set([...salted, ...again, ...accounts.map(unsaltedAcct)]).size).toBe(10);
  expect(new Set(salted.map((acct) => acct.slice(21))).size).toBe(4);
});

test("an acct of another length is no hash", () => {
  expect([43, 64].map((length) => canBeHash("a".repeat(length)))).toEqual([true, true]);
  expect([22, 42, 44, 63].some((length) => canBeHash("a".repeat(length)))).toBe(false);
});

describe("the check of an account", () => {
  test("accepts both forms", async () => {
    const { mismatch, salts } = check();
    expect(await mismatch(ALICE, unsaltedAcct(ALICE), call)).toBeNull();
    expect(await mismatch(ALICE, await saltedAcct(ALICE, SALT), call)).toBeNull();
    expect(salts()).toBe(0);
  });

  test("tells of another account under the salt of the record", async () => {
    const mallory = { ...ALICE, sub: "mallory" };
    const { mismatch } = check();
    const acct = await saltedAcct(ALICE, SALT);
    expect(await mismatch(mallory, acct, call)).toBe(await saltedAcct(mallory, SALT));
    expect(await mismatch(ALICE, acct, call)).toBeNull();
    expect(await mismatch(mallory, acct, call)).toBe(await saltedAcct(mallory, SALT));
  });

  test.each(["a".repeat(22), unsaltedAcct({ ...ALICE, sub: "mallory" })])(
    "tells what to publish in the place of %s, with a new salt",
    async (acct) => {
      const { mismatch, salts } = check();
      const found = String(await mismatch(ALICE, acct, call));
      expect(salts()).toBe(1);
      expect(await mismatch(ALICE, found, call)).toBeNull();
    },
  );

  test("computes one at a time for a requester, and none again for an account that matched", async () => {
    const { mismatch } = check();
    const acct = await saltedAcct(ALICE, SALT);
    await mismatch(ALICE, acct, call);
    const flood = Array.from({ length: 4 }, (_, n) =>
      mismatch({ ...ALICE, sub: `${n}` }, acct, call),
    );
    let isFirstDone = false;
    void flood[0]?.then(() => {
      isFirstDone = true;
    });
    expect(await mismatch(ALICE, acct, call)).toBeNull();
    expect(isFirstDone).toBe(false);
    const other = { ...call, from: requesterAt("192.0.2.1") };
    expect(await mismatch({ ...ALICE, sub: "bob" }, acct, other)).not.toBeNull();
    expect(await Promise.all(flood)).not.toContain(null);
  });
});
