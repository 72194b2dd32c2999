// Tests of the scripts and general categories of the letters in the tables.

import { describe, expect, test } from "vitest";
import { writingSystems } from "./writing-systems.ts";

describe("the writing systems", () => {
  const scripts: RegExp[] = [
    /^[\p{Script=Latin}0-9-]+$/u,
    /^[\p{Script=Cyrillic}0-9-]+$/u,
    /^[\p{Script=Greek}0-9-]+$/u,
    /^[\p{Script=Arabic}0-9-]+$/u,
    /^[\p{Script=Hebrew}0-9-]+$/u,
    /^[\p{Script=Devanagari}0-9-]+$/u,
    /^[\p{Script=Thai}0-9-]+$/u,
    // U+30FC belongs to both kinds of kana, so its Script property is Common.
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc0-9-]+$/u,
    /^[\p{Script=Hangul}\p{Script=Han}0-9-]+$/u,
  ];

  test("no letter is from another script, a symbol, invisible or a non-ASCII digit", () => {
    let letters = 0;
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
      const char = String.fromCodePoint(codePoint);
      for (const [index, { label }] of writingSystems.entries()) {
        if (!label.test(char)) continue;
        letters++;
        if (!/^[0-9-]$/.test(char)) expect(char).toMatch(/^(?!\p{DI})[\p{Ll}\p{Lo}\p{Lm}]$/u);
        expect(char).toMatch(scripts[index] ?? /never^/);
      }
    }
    expect(letters).toBeGreaterThan(50_000);
  });

  test("each unmistakable letter is one of the letters of its system", () => {
    expect(writingSystems).toHaveLength(scripts.length);
    for (const { label, unmistakable } of writingSystems) {
      const chars = Array.from({ length: 0xd7ff }, (_, code) => String.fromCharCode(code));
      const marked = chars.filter(
        (char) => unmistakable.source !== "(?:)" && unmistakable.test(char),
      );
      for (const char of marked) expect(char).toMatch(label);
    }
  });
});
