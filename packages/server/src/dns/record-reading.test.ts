// Tests of which answers agree: those that mean the same have one key, however they were made.

import { expect, test } from "vitest";
import { recordReading } from "./sp-record.ts";
import type { Found } from "./view.ts";

const ISSUER = "https://auth.example.com";
const OTHER = "https://sp.example.org";
const [a, b] = ["a".repeat(22), "b".repeat(22)];
const [KEY, OTHER_KEY] = ["k".repeat(42), "l".repeat(42)].map((half) => `${half}A`);

const values = (...some: string[]): Partial<Found> => ({ values: some });
const wildcard = (...some: string[]): Partial<Found> => ({ values: some, isWildcard: true });
const alias = (aliasTarget: string): Partial<Found> => ({ aliasTarget });

/** By the outcome, and by `sp` and `acct` if there are any. */
const alike: Readonly<Record<string, readonly Partial<Found>[]>> = {
  absent: [
    values(),
    values("hello"),
    values(`v=dsi1-chal sp=${ISSUER} chal=${a}`),
    wildcard(),
    wildcard("v=spf1 -all"),
  ],
  invalid: [
    values("v=dsi1 sp=x"),
    values(`v=dsi1 sp=${ISSUER}`),
    wildcard("v=dsi1 sp=x"),
    wildcard(`v=dsi1 sp=${ISSUER} acct=${a}`),
    values(`v=dsi1 sp=${ISSUER}/ acct=${a}`),
    values(`;v=dsi1 sp=${ISSUER} acct=${a}`),
  ],
  alias_invalid: [alias("web.test"), { ...alias("www.test"), isWildcard: true }],
  disabled: [values("v=dsi1 sp=none"), values("hello", "v=dsi1;sp=none;")],
  [`own ${a}`]: [
    values(`v=dsi1 sp=${ISSUER} acct=${a}`),
    values(`"v=dsi1\\; sp=${ISSUER}\\; acct=${a};"`, `v=dsi1-chal sp=${ISSUER} chal=${a}`),
    values(`v=dsi1 acct=${a} sp=${ISSUER} jkt=${KEY}`, "hello"),
    values(`v=dsi1 sp=${ISSUER} acct=${a} jkt=${OTHER_KEY}`),
    values(`v=dsi1 sp=${ISSUER} acct=${a} spk=${OTHER_KEY}`),
  ],
  [`own ${b}`]: [values(`v=dsi1 sp=${ISSUER} acct=${b}`)],
  [`external ${a}`]: [values(`v=dsi1 sp=${OTHER} acct=${a}`)],
  [`external of a third ${a}`]: [values(`v=dsi1 sp=https://third.example acct=${a}`)],
};

test("all answers that mean the same have one key, and no others have it", () => {
  const keys = Object.entries(alike).map(([meaning, answers]) => {
    const read = answers.map((answer) => {
      const found = { values: [], aliasTarget: null, isWildcard: false, ttl: 60, ...answer };
      return recordReading(found, ISSUER, { ownIssuer: ISSUER });
    });
    for (const { record } of read) expect(meaning).toMatch(new RegExp(`^${record.outcome}\\b`));
    const [key, ...others] = new Set(read.map((one) => one.key));
    expect([meaning, others]).toEqual([meaning, []]);
    return key;
  });
  expect(new Set(keys).size).toBe(Object.keys(alike).length);
});
