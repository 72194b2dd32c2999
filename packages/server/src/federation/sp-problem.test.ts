// Tests of what is shown of an SP's answer.

import { describe, expect, test } from "vitest";
import { answerOf } from "./sp-problem.ts";

const described = (text: unknown, secrets?: readonly string[]) =>
  answerOf(400, { error_description: text }, secrets).error_description;

describe("the description of an error is shown", () => {
  test.each<[string, unknown, string | null]>([
    ["as it is", "Grüße, 世界: 100 %", "Grüße, 世界: 100 %"],
    ["in one line", "  a\r\nb\u2028c\td\u00a0 e ", "a b c d e"],
    [
      "without control and format characters",
      "a\0b\u001b[31mc\u202ed\u200be\ufeff",
      "a b [31mc d e",
    ],
    ["without half of a character", "a\ud83d", "a"],
    ["up to 300 characters", "😀".repeat(300), "😀".repeat(300)],
    [
      "up to 300 characters, with a sign that more followed",
      "😀".repeat(301),
      `${"😀".repeat(299)}…`,
    ],
    ["not at all if there is none", undefined, null],
    ["not at all if it is empty", " \n", null],
    ["not at all if it is no text", { toString: "a" }, null],
  ])("%s", (_, text, shown) => {
    expect(described(text)).toBe(shown);
  });

  test("without a secret, even at the place where it is cut", () => {
    const secret = "0123456789abcdef";
    expect(described(`is ${secret}, and ${secret}`, [secret])).toBe("is [secret], and [secret]");
    const cut = described(`${"x".repeat(290)}${secret}${"y".repeat(99)}`, [secret]);
    expect(cut).toBe(`${"x".repeat(290)}[secret]y…`);
  });
});

test("an error code is shown if it is one, and no secret", () => {
  const coded = (error: unknown, secrets?: readonly string[]) => answerOf(400, { error }, secrets);
  expect(coded("invalid_client").error).toBe("invalid_client");
  for (const error of ["<b>", "a b", "a\n", "", "a".repeat(65), 1, null, undefined]) {
    expect(coded(error)).toEqual({ status: 400, error: null, error_description: null });
  }
  expect(coded("x-0123456789", ["0123456789"]).error).toBeNull();
});
