// Tests of what is said to be wrong with a record at the right name.

import { describe, expect, it } from "vitest";
import { valueMistake } from "./wrong-value.ts";

const sp = "https://auth.example.com";
const acct = "m3Zk0bq2vS1nF9o7b0uHqg";
const other = "Qk1x9sV0eJ7tYw2LrB5cDA";
const record = `v=dsi1 sp=${sp} acct=${acct}`;
const withKey = `${record} jkt=${"k".repeat(43)}`;
const challenge = `v=dsi1-chal sp=${sp} chal=${acct}`;

const mistakeIn = (value: string, wanted: string | null, earlier: readonly string[] = []) =>
  valueMistake(value, { value: wanted, earlier });

describe.each([
  ["an SP record", record],
  ["an SP record with a key", withKey],
  ["a challenge", challenge],
])("of %s", (_, wanted) => {
  it.each<[string, (value: string) => string, string]>([
    ["the version alone", () => "v=dsi1", "cut_at_semicolon"],
    ["the version with a quotation mark", () => '"v=dsi1;', "cut_at_semicolon"],
    ["curly quotation marks", (value) => `“${value}”`, "curly_quotes"],
    ["low quotation marks", (value) => `„${value}“`, "curly_quotes"],
    ["a curly mark inside", (value) => value.replace("//", "//’"), "curly_quotes"],
    ["quotation marks around a part", (value) => value.replace(/sp=(\S+)/, 'sp="$1"'), "quoted"],
    ["a closing quotation mark", (value) => `${value}"`, "quoted"],
    ["no spaces", (value) => value.replaceAll(" ", ""), "spaces_lost"],
    ["one space less", (value) => value.replace(" ", ""), "spaces_lost"],
    ["a space inside", (value) => value.replace("bq2v", "bq2 v"), "space_inside"],
    ["a semicolon inside", (value) => value.replace("example", "exam;ple"), "space_inside"],
    ["upper case", (value) => value.toUpperCase(), "wrong_case"],
    ["upper-case names of tags", (value) => value.replace("sp=", "SP="), "wrong_case"],
    ["one letter in upper case", (value) => value.replace("bq2v", "bQ2v"), "wrong_case"],
    ["one wrong character", (value) => value.replace("bq2v", "bq2w"), "wrong_character"],
    ["one wrong character in the version", (value) => value.replace("v=", "w="), "wrong_character"],
    ["one missing character", (value) => value.replace("bq2v", "bqv"), "wrong_character"],
    ["one character too many", (value) => value.replace("bq2v", "bq2vv"), "wrong_character"],
    ["one character at the end too many", (value) => `${value}.`, "wrong_character"],
    ["the end missing", (value) => value.slice(0, -5), "incomplete"],
    ["the end missing from the service on", (value) => value.slice(0, 20), "incomplete"],
    ["the service missing", (value) => value.replace(/ sp=\S+/, ""), "incomplete"],
    ["too much", (value) => `${value} x=${"y".repeat(1024)}`, "too_long"],
    ["another service", (value) => value.replace(sp, "https://sp.example.net"), "other_service"],
  ])("%s is recognized", (_case, change, kind) => {
    expect(mistakeIn(change(wanted), wanted)).toEqual({ kind });
  });

  it.each<[string, (value: string) => string, string]>([
    ["a slash after the service", (value) => value.replace(sp, `${sp}/`), "own_sp_path"],
    ["a path after the service", (value) => value.replace(sp, `${sp}/login`), "own_sp_path"],
    ["http for the service", (value) => value.replace("https:", "http:"), "own_sp_scheme"],
    ["words before it", (value) => `TXT ${value}`, "before_version"],
    ["a word after it", (value) => `${value} hello`, "malformed_tag"],
    ["a tag twice", (value) => `${value} sp=${sp}`, "repeated_tag"],
    ["a letter of another script", (value) => `${value} x=\u0430\u0431`, "not_ascii"],
  ])("%s is named as the parser names it", (_case, change, code) => {
    const mistake = mistakeIn(change(wanted), wanted);
    expect(mistake).toMatchObject({ kind: "malformed", problem: { code } });
  });

  it("of several problems, the first is named", () => {
    expect(mistakeIn(`${wanted} hello sp=x again`, wanted)).toEqual({
      ...{ kind: "malformed", problem: { code: "malformed_tag", about: "hello" } },
    });
  });

  it("a valid record of another account or challenge is no mistake", () => {
    expect(mistakeIn(wanted.replace(acct, other), wanted)).toBeNull();
  });

  it("a record of the other kind is no malformed one of this kind", () => {
    expect(mistakeIn("v=dsi1;1", challenge)).toBeNull();
    expect(mistakeIn(`${record} hello`, challenge)).toBeNull();
    expect(mistakeIn("v=dsi1-chal;1", record)).toBeNull();
  });

  it("only what is wrong in itself is recognized if the value is not known", () => {
    expect(mistakeIn(wanted.replace("bq2v", "bq2w"), null)).toBeNull();
    expect(mistakeIn(wanted.replace(sp, "https://sp.example.net"), null)).toBeNull();
    expect(mistakeIn(`“${wanted}”`, null)).toEqual({ kind: "curly_quotes" });
    expect(mistakeIn(`${record} hello`, null)).toMatchObject({ kind: "malformed" });
  });
});

describe("the record of an earlier set-up of the browser", () => {
  const earlier = record.replace(acct, other);

  it("is recognized, with whatever keys and gaps", () => {
    for (const value of [
      earlier,
      earlier.replaceAll(" ", ";"),
      `${earlier} jkt=${"j".repeat(43)}`,
    ]) {
      expect(mistakeIn(value, withKey, ["x".repeat(22), other])).toEqual({ kind: "own_earlier" });
    }
  });

  it("is that of this service, and valid", () => {
    const elsewhere = earlier.replace(sp, "https://sp.example.net");
    expect(mistakeIn(elsewhere, record, [other])).toEqual({ kind: "other_service" });
    expect(mistakeIn(`${earlier} hello`, record, [other])).toMatchObject({ kind: "malformed" });
  });
});

const SIZE = 65_536;
it.each([
  ["spaces", " ".repeat(SIZE)],
  ["gaps after the version", `v=dsi1 ${"; ".repeat(SIZE / 2)}`],
  ["quotation marks", `v=dsi1 ${'"'.repeat(SIZE)}`],
  ["marks before the version", `${"“".repeat(SIZE)}v=dsi1`],
  ["equals signs", `v=dsi1 ${"=".repeat(SIZE)}`],
  ["backslashes", `v=dsi1${"\\".repeat(SIZE)}`],
])("65,536 octets of %s take no time", (_, value) => {
  const begun = performance.now();
  mistakeIn(value, record, [other]);
  // Quadratic work would take many seconds; a value has at most 1,024 octets.
  expect(performance.now() - begun).toBeLessThan(2000);
});
