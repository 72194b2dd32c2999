// The scan of logs finds a planted secret however it is spelled, and nothing else.

import { expect, test } from "vitest";
import { type Log, scan, told } from "./support/log-scan.ts";

const TOKEN = "dsc_AZrQ3k9XwLm2-VbTf7_YhUeGcNsJ4pDoRiKtWx6zBq8";
const STATE = 'where the person was: /a?b="ü"\n&c';

function logOf(found: string): Log {
  const line = { level: 30, time: "2026-01-01T00:00:00.000Z", errorId: "abcdefgh", found };
  const lines = [
    { msg: "listening" },
    { ...line, msg: "refused" },
    { ...line, found: "", msg: "" },
  ];
  const text = lines.map((each) => `${JSON.stringify(each)}\n`).join("");
  return { test: "flows/a.test.ts", what: "the service", text };
}

function spellingsIn(found: string, value: string): string[] {
  return scan([logOf(found)], [{ kind: "code", value }]).map(({ spelling }) => spelling);
}

const hex = (value: string) => Buffer.from(value).toString("hex");
const base64 = (value: string) => Buffer.from(value).toString("base64");
const octets = Buffer.from(TOKEN.slice(4), "base64url");

test.each<[spelling: string, value: string, found: string]>([
  ["plain", TOKEN, TOKEN],
  ["plain", "some words that are secret", "some words that are secret"],
  ["percent-encoded", STATE, encodeURIComponent(STATE)],
  ["form-encoded", STATE, new URLSearchParams({ state: STATE }).toString()],
  ["as a JSON string", STATE, STATE],
  ["in base64", TOKEN, base64(TOKEN)],
  ["in base64url", "\u00ff\u00ff>>>???and so on", "w7_Dvz4-Pj8_P2FuZCBzbyBvbg"],
  ["in hex", TOKEN, hex(TOKEN)],
  ["decoded, in hex", TOKEN, octets.toString("hex")],
  ["decoded, in base64", TOKEN, octets.toString("base64")],
])("a secret %s is found: of %j", (spelling, value, found) => {
  expect(spellingsIn(found, value)).toContain(spelling);
  expect(spellingsIn(`at https://a.test/b?c=${found}&d=e`, value)).toContain(spelling);
  expect(spellingsIn(`xyz${found}xyz`, value)).toContain(spelling);
});

test("20 characters of a secret's beginning are found, fewer are not", () => {
  expect(spellingsIn(`${TOKEN.slice(0, 20)}…`, TOKEN)).toEqual(["plain"]);
  expect(spellingsIn(`${TOKEN.slice(0, 19)}…`, TOKEN)).toEqual([]);
});

test("what is too short to be told from other text, and one letter over and over, are not looked for", () => {
  expect(spellingsIn("a state", "a state")).toEqual([]);
  expect(spellingsIn("/interaction/AAAAAAAAAAAAAAAAAAAAAA", `dsc_${"A".repeat(43)}`)).toEqual([]);
  expect(spellingsIn(`/${"x".repeat(200)}`, "x".repeat(100))).toEqual([]);
});

test("a find tells test, event and kind, and nothing that could be used", () => {
  const secrets = [
    { kind: "code", value: TOKEN },
    { kind: "state", value: "another secret that is nowhere" },
  ];
  const clean = { ...logOf("a code"), test: "flows/b.test.ts" };
  const finds = scan([clean, logOf(TOKEN)], secrets);
  expect(finds.map(told)).toEqual([
    "flows/a.test.ts: the log of the service, event refused: code, plain (dsc_…)",
  ]);
});

test("a line that is no event is scanned too", () => {
  const log = { test: "a", what: "serve", text: `Error: ${TOKEN}\n    at x.js:1:2` };
  expect(scan([log], [{ kind: "code", value: TOKEN }])).toMatchObject([{ event: "?" }]);
});
