// Tests of which characters of a found value are marked as different from the wanted one.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differenceOf } from "./difference.ts";

const sp = "https://auth.example.com";
const wanted = `v=dsi1 sp=${sp} acct=m3Zk0bq2vS1nF9o7b0uHqg jkt=NzbLsXh8`;

/** What is different is in brackets. */
function marked(found: string, to = wanted): string {
  return differenceOf(found, to)
    .map(({ text, isDifferent }) => (isDifferent ? `[${text}]` : text))
    .join("");
}

describe("the difference", () => {
  it.each([
    ["of the wanted value", wanted],
    ["of one with semicolons", wanted.replaceAll(" ", "; ")],
    ["of one with escaped semicolons", wanted.replaceAll(" ", "\\; ")],
    ["of one with tabs and spaces around it", ` \t${wanted.replaceAll(" ", "\t ")}; `],
    ["of one without the last tag", wanted.replace(/ jkt.*/, "")],
    ["of nothing", ""],
  ])("%s is none", (_, found) => {
    expect(marked(found)).toBe(found);
  });

  it.each([
    ["a wrong character", wanted.replace("bq2v", "bqZv"), wanted.replace("bq2v", "bq[Z]v")],
    ["a character too many", wanted.replace("bq2v", "bq22v"), wanted.replace("bq2v", "bq2[2]v")],
    ["a missing character", wanted.replace("bq2v", "bqv"), wanted.replace("bq2v", "b[qv]")],
    ["a missing end", "v=dsi1 sp=https://auth.exam", "v=dsi1 sp=https://auth.exa[m]"],
    [
      "a missing start of a value",
      "v=dsi1 sp=//auth.example.com",
      "v=dsi1 sp[=/]/auth.example.com",
    ],
    [
      "another account",
      wanted.replace("m3Zk0bq2vS1nF9o7b0uHqg", "Q".repeat(22)),
      wanted.replace("m3Zk0bq2vS1nF9o7b0uHqg", `[${"Q".repeat(22)}]`),
    ],
    [
      "another order",
      `v=dsi1 acct=m3Zk0bq2vS1nF9o7b0uHqg sp=${sp}`,
      `v=dsi1 acct=m3Zk0bq2vS1nF9o7b0uHqg sp=${sp}`,
    ],
    ["a tag of its own", `v=dsi1 x=1 sp=${sp}`, `v=dsi1 [x=1] sp=${sp}`],
    ["curly quotation marks", `“v=dsi1 sp=${sp}”`, `[“]v=dsi1 sp=${sp}[”]`],
    ["upper case", `V=DSI1 sp=${sp}`, `[V=DSI]1 sp=${sp}`],
    ["an upper-case name", `v=dsi1 SP=${sp}`, `v=dsi1 [SP]=${sp}`],
    ["two tags", `v=dsi2 sp=http://auth.example.com`, `v=dsi[2] sp=htt[p:]//auth.example.com`],
    ["words beside it", `hello v=dsi1 sp=${sp}`, `[hello] v=dsi1 sp=${sp}`],
  ])("is %s", (_, found, expected) => {
    expect(marked(found)).toBe(expected);
  });

  it.each([
    ["all gaps", "v=dsi1sp=x", "v=dsi1 sp=x", "v=dsi[1s]p=x"],
    ["one of two gaps", "v=dsi1 sp=xacct=y", "v=dsi1 sp=x acct=y", "v=dsi1 sp=[xa]cct=y"],
    ["gaps next to each other", "abc", "a b c", "[ab][c]"],
  ])("is beside %s that are lost", (_, found, to, expected) => {
    expect(marked(found, to)).toBe(expected);
  });
});

describe("whatever was found", () => {
  const text = fc.string({
    unit: fc.constantFrom(...' \t;\\="av1“', "sp", "acct="),
    maxLength: 80,
  });

  it("the pieces together are what was found", () => {
    fc.assert(
      fc.property(text, text, (found, to) => {
        const pieces = differenceOf(found, to);
        expect(pieces.map((piece) => piece.text).join("")).toBe(found);
        expect(pieces.some((piece) => piece.text === "")).toBe(false);
      }),
    );
  });

  it("a value does not differ from itself, nor from itself with other gaps", () => {
    fc.assert(
      fc.property(text, (any) => {
        const value = any.replaceAll("\\", "");
        for (const one of [value, ` ${value.replaceAll(/[ \t;]/g, " ; ")} `]) {
          expect(differenceOf(one, value).some(({ isDifferent }) => isDifferent)).toBe(false);
        }
      }),
    );
  });

  const SIZE = 65_536;
  it.each([
    ["gaps", "; ".repeat(SIZE / 2)],
    ["backslashes", "\\".repeat(SIZE)],
    ["equal characters", "a".repeat(SIZE)],
    ["tags of one name", "a=1 ".repeat(SIZE / 4)],
    ["tags of many names", Array.from({ length: SIZE / 8 }, (_, index) => `t${index}`).join(" ")],
    ["equals signs", "=".repeat(SIZE)],
  ])("65,536 octets of %s take no time", (_, found) => {
    const begun = performance.now();
    differenceOf(found, wanted);
    differenceOf(found, found.replace(/.$/, "!"));
    // Quadratic work would take many seconds; a value has at most 1,024 octets.
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});
