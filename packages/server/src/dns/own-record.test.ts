// Tests of the record that a domain publishes for an account here.

import { expect, test } from "vitest";
import { splitStrings } from "../pages/record.ts";
import { createStatementKeysFor, ownRecord } from "./own-record.ts";

const issuer = "https://auth.example.com";
const [acct, key] = ["m3Zk0bq2vS1nF9o7b0uHqg", "k".repeat(43)];

test("the value is short: about 70 octets, 115 with a passkey", () => {
  const account = { domain: "alice.test", acct, spk: [] };
  const { name, value } = ownRecord(issuer, account);
  expect([name, value]).toEqual([
    "_domain-signin.alice.test",
    `v=dsi1 sp=https://auth.example.com acct=${acct}`,
  ]);
  expect(value.length).toBeLessThanOrEqual(70);
  expect(ownRecord(issuer, { ...account, jkt: [key] }).value.length).toBeLessThanOrEqual(118);
});

test.each([
  ["auto", true, [key]],
  ["auto", false, []],
  ["always", true, [key]],
  ["always", false, [key]],
  [undefined, false, []],
] as const)("with record_spk: %s and a signed zone: %s, it lists %j", (setting, isSecure, keys) => {
  expect(createStatementKeysFor(setting, () => [key])({ isSecure })).toEqual(keys);
});

test("a long value is split at 255 octets, and its strings joined are the value", () => {
  expect(splitStrings("x".repeat(255))).toHaveLength(1);
  const keys = { spk: [key, key], jkt: [key, key, key] };
  const long = ownRecord(issuer, { domain: "a.test", acct, ...keys }).value;
  const strings = splitStrings(long);
  expect(strings.map(({ length }) => length)).toEqual([255, long.length - 255]);
  expect(strings.join("")).toBe(long);
});
