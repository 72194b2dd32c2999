// Tests of the settings for limits: their names, and the messages about mistakes.

import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inNewFolder } from "../../test/support/new-folder.ts";
import { OperatorError } from "../lib/errors.ts";
import { type ConfigSources, readServeConfig } from "./config.ts";

inNewFolder();

function read({ flags = {}, env = {} }: Partial<ConfigSources>) {
  const required = {
    DOMAIN_SIGNIN_ISSUER: "https://auth.example.com",
    DOMAIN_SIGNIN_SECRET: "a secret that is long enough for this",
  };
  return readServeConfig({ flags, env: { ...required, ...env } });
}

/** The lines of the error message. */
function mistakesIn(sources: Partial<ConfigSources>): string[] {
  try {
    read(sources);
    return [];
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return error.message.split("\n");
  }
}

function file(name: string, content: object): string {
  writeFileSync(name, JSON.stringify(content));
  return name;
}

test("a limit is a member of an object in the file, and has a name of its own elsewhere", () => {
  const limits = { unproved_rows: 50_000_000, outgoing: "200", look_ups: 300 };
  const config = file("settings.json", { limits });
  const env = {
    DOMAIN_SIGNIN_CONFIG: config,
    DOMAIN_SIGNIN_LIMITS_LOOK_UPS: "301",
    DOMAIN_SIGNIN_LIMITS_PAGES_WAITING: "5000",
  };
  const flags = { limits_pages_waiting: "5001", limits_unused_clients: "100" };
  expect(read({ env, flags }).limits).toEqual({
    ...{ unprovedRows: 50_000_000, pagesWaiting: 5001, nameServerQuestions: 6000 },
    ...{ lookUps: 301, outgoing: 200, unusedClients: 100 },
  });
});

test.each<[string, unknown, string]>([
  ["an unknown one", { pages: 1 }, "unknown setting limits.pages in settings.json"],
  ["no object", [4096], "limits in settings.json must be an object"],
  ["null", null, "limits in settings.json must be an object"],
  ["a number", 4096, "limits in settings.json must be an object"],
  [
    "an object in it",
    { outgoing: { all: 1 } },
    "limits.outgoing in settings.json must be a string, a number or an array of these",
  ],
  ["too few", { outgoing: 7 }, "limits.outgoing must be a whole number from 8 to 4096"],
  [
    "a unit",
    { unproved_rows: "200 MB" },
    "limits.unproved_rows must be a whole number from 10000000 to 10000000000",
  ],
  ["a list", { look_ups: [64, 64] }, "limits.look_ups must be a whole number from 8 to 4096"],
])("a limit is refused by its name in the file: %s", (_, limits, mistake) => {
  const config = file("settings.json", { limits });
  expect(mistakesIn({ flags: { config } })).toEqual([mistake]);
});

test("a limit is in the file only as a member of the object", () => {
  const config = file("settings.json", { limits_outgoing: 200 });
  const mistake = "unknown setting limits_outgoing in settings.json";
  expect(mistakesIn({ flags: { config } })).toEqual([mistake]);
});

test.each([
  ["UNPROVED_ROWS", "9999999"],
  ["PAGES_WAITING", "65537"],
  ["NAME_SERVER_QUESTIONS", "0"],
  ["LOOK_UPS", "-1"],
  ["OUTGOING", "1e2"],
  ["UNUSED_CLIENTS", "100001"],
  ["UNUSED_CLIENTS", ""],
])("a mistake in LIMITS_%s=%s names the setting", (name, value) => {
  const mistakes = mistakesIn({ env: { [`DOMAIN_SIGNIN_LIMITS_${name}`]: value } });
  const words = `limits.${name.toLowerCase()} must be a whole number from `;
  expect(mistakes).toEqual([expect.stringContaining(words)]);
});

test("a limit that does not exist is a mistake in the environment too", () => {
  const mistakes = mistakesIn({ env: { DOMAIN_SIGNIN_LIMITS_PAGES: "1" } });
  expect(mistakes).toEqual(["unknown setting DOMAIN_SIGNIN_LIMITS_PAGES"]);
});
