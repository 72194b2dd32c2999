// Tests of the choice of a language: by the client, then the browser, else English.

import { describe, expect, it, test } from "vitest";
import { chooseLanguage, contextIn, ENGLISH, LANGUAGES } from "./languages.ts";

/** The `lang` of the pages. */
const chosen = (uiLocales: string | null, acceptLanguage: string | null) =>
  chooseLanguage(uiLocales, acceptLanguage).lang;
const byClient = (uiLocales: string) => chosen(uiLocales, null);
const byBrowser = (acceptLanguage: string) => chosen(null, acceptLanguage);

describe("the languages", () => {
  it("are these, each under its primary subtag", () => {
    const all = [...LANGUAGES].map(([primary, { lang, dir }]) => [primary, lang, dir]);
    expect(all).toEqual([
      ["en", "en", "ltr"],
      ["de", "de", "ltr"],
      ["fr", "fr", "ltr"],
      ["es", "es", "ltr"],
      ["pt", "pt-BR", "ltr"],
      ["ar", "ar", "rtl"],
    ]);
  });

  it("have different texts", async () => {
    const contexts = await Promise.all([...LANGUAGES.values()].map(contextIn));
    const titles = contexts.map(({ t }) => t.problem("requestProblems-expired"));
    expect(new Set(titles.map((words) => JSON.stringify(words))).size).toBe(LANGUAGES.size);
  });

  test.each([...LANGUAGES])("%s is found by its subtag and by its tag", (primary, context) => {
    expect(chooseLanguage(primary, null)).toBe(context);
    expect(chooseLanguage(context.lang, null)).toBe(context);
    expect(chooseLanguage(null, context.lang)).toBe(context);
  });
});

describe("what the client asks for (OIDC Core §3.1.2.1) goes first, in its order", () => {
  test.each([
    ["de", "de"],
    ["fr de", "fr"],
    ["de fr", "de"],
    ["ja fr de", "fr"],
    ["pt-PT", "pt-BR"],
    ["pt-BR", "pt-BR"],
    ["de-CH-1996", "de"],
    ["zh-Hant-TW es-419", "es"],
    ["DE-at", "de"],
    ["  fr   de ", "fr"],
    ["en de", "en"],
  ])("%s: %s", (uiLocales, lang) => {
    expect(chosen(uiLocales, null)).toBe(lang);
    expect(chosen(uiLocales, "ar,en;q=0.5")).toBe(lang);
  });

  test.each(["ja", "", " ", "deu", "d", "x-de", "*", "zh-de", "i-klingon", "../de", "constructor"])(
    "%j is not supported, so the header decides",
    (uiLocales) => {
      expect(chosen(uiLocales, "fr")).toBe("fr");
    },
  );
});

test("a locale as operating systems write it is understood", () => {
  expect(chosen("de_DE", "fr")).toBe("de");
});

describe("what the browser asks for (RFC 9110 §12.5.4) is taken by its quality", () => {
  test.each([
    ["de", "de"],
    ["pt-BR,pt;q=0.9,en;q=0.8", "pt-BR"],
    ["en;q=0.3,de;q=0.7,fr;q=0.5", "de"],
    ["de;q=0.9,fr", "fr"],
    ["ja,zh;q=0.9,es;q=0.1", "es"],
    ["fr;q=0.5,de;q=0.5", "fr"],
    ["ar ; q=0.2 , fr ;q=0.9", "fr"],
    ["de;Q=0.2,fr;q=0.9", "fr"],
    ["de;level=1;q=0.2,fr;q=0.3", "fr"],
    ["de;q=1.000,fr;q=0.999", "de"],
    ["AR-EG", "ar"],
    ["en-GB,en;q=0.9,de;q=0.8", "en"],
  ])("%s: %s", (acceptLanguage, lang) => {
    expect(byBrowser(acceptLanguage)).toBe(lang);
  });

  it("q=0 is a refusal", () => {
    expect(byBrowser("de;q=0,fr;q=0.1")).toBe("fr");
    expect(byBrowser("de;q=0")).toBe("en");
    expect(byBrowser("de;q=0.000,*")).toBe("en");
    expect(byBrowser("de;q=0, *;q=0.5, es;q=0.2")).toBe("es");
  });

  it("gives English to a browser that accepts any language", () => {
    expect(byBrowser("*")).toBe("en");
    expect(byBrowser("*,ja")).toBe("en");
    expect(chooseLanguage(null, "ja, *;q=0.5")).toBe(ENGLISH);
  });
});

describe("what cannot be parsed is ignored", () => {
  test.each([
    ...["", ",", ",,;,", ";q=1", "=", "q=0.5", "de;q=-1", "de;q=", "de;q=high", "\u0000", "日本語"],
    ...["d e", "%64%65", "<de>", "__proto__", ";;;;", "-", "-de"],
  ])("%j is English", (garbage) => {
    expect(byBrowser(garbage)).toBe("en");
  });

  it("but the entries next to it are not", () => {
    expect(byBrowser("de;q=high,;;,fr;q=0.1")).toBe("fr");
    expect(byBrowser(",,fr")).toBe("fr");
    expect(byClient("\u0000 - fr")).toBe("fr");
  });

  test.each([",", ";", "a,", "de;q=0,", "x-", "q=0;", "é"])("10 kB of %j are read", (piece) => {
    const long = piece.repeat(10_000 / piece.length);
    expect(chosen(null, long)).toBe("en");
    expect(chosen(long, "fr")).toBe("fr");
    expect(chosen(long.replaceAll(",", " "), null)).toBe("en");
  });

  it("only the first twenty entries of a list are read", () => {
    expect(byBrowser(`${"ja,".repeat(19)}de`)).toBe("de");
    expect(byBrowser(`${"ja,".repeat(20)}de`)).toBe("en");
    expect(byClient(`${"ja ".repeat(19)}de`)).toBe("de");
    expect(byClient(`${"ja ".repeat(20)}de`)).toBe("en");
  });
});
