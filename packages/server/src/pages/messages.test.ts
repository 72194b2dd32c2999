// Tests that every language has all messages of English, with all their arguments.

import { describeProblem } from "domain-signin-verify/record-problems";
import { describe, expect, test } from "vitest";
import { textsIn, VALUES } from "../../test/support/catalogue.ts";
import { contextIn, LANGUAGES } from "./languages.ts";
import type { FoundProblem, Language, Translate } from "./messages.ts";

function languageOf(primary: string): Language {
  const language = LANGUAGES.get(primary);
  if (language === undefined) throw new Error(primary);
  return language;
}

const en = languageOf("en");

/** Each with the messages that are the same as in English on purpose. */
const translations: [language: string, same: string[]][] = [
  ["ar", []],
  ["de", ["dns-name", "servers-resolver"]],
  ["es", []],
  ["fr", ["dns-type"]],
  ["pt", []],
];

/** Names, which are the same in every language. */
const names = ["common-serviceName"];

/** The messages that take a number; all others take strings. */
const counts = [
  "account-codesLeft",
  "dns-found",
  "earlierSetUps-lead",
  "looks-absentBusy.detail",
  "looks-absentRemembered.detail",
  "looks-oldValue.detail",
  "requestProblems-tooManyRequests.detail",
  "servers-repeats",
];

/** Whether the message contains `about`. */
const problemCodes: Record<FoundProblem["code"], boolean> = {
  not_ours: false,
  is_challenge: false,
  is_sp_record: false,
  unsupported_version: true,
  not_alone: false,
  too_long: true,
  curly_quotes: false,
  not_ascii: false,
  quotes: false,
  before_version: false,
  upper_case_version: false,
  spaced_version: false,
  malformed_version: true,
  upper_case_tag: true,
  malformed_tag: true,
  repeated_tag: true,
  missing_sp: false,
  bad_sp: false,
  own_sp_scheme: true,
  own_sp_path: true,
  missing_acct: false,
  bad_acct: false,
  bad_jkt: false,
  bad_spk: false,
  key_in_both: false,
  missing_chal: false,
  bad_chal: false,
  other_sp: false,
  other_chal: false,
  alias_leads_away: false,
  wildcard: false,
};
const codes = Object.keys(problemCodes).filter(isCode);

const englishTexts = textsIn(en, VALUES);
const inEnglish = sentences(contextIn(en).t, "an-example");
const tokens =
  /_domain-signin|v=dsi1|sp=none|client_id|redirect_uri|alice\.\w+|\b(?:TXT|CNAME|DNSSEC|TTL)\b/g;

test("every language but English is in the table of translations", () => {
  const others = [...LANGUAGES.keys()].filter((primary) => primary !== "en");
  expect(translations.map(([primary]) => primary).sort()).toEqual(others.sort());
});

describe.each(translations)("the catalogue in %s", (primary, same) => {
  const language = languageOf(primary);
  const { t } = contextIn(language);
  const texts = textsIn(language, VALUES);

  test("has what English has, at every level, and nothing else", () => {
    expect([...texts.keys()].sort()).toEqual([...englishTexts.keys()].sort());
  });

  test("says what the same scopes mean", () => {
    const scopes = (of: Map<string, unknown>) =>
      [...of.keys()].filter((path) => path.startsWith("scopes-"));
    expect(scopes(texts)).toEqual(scopes(englishTexts));
  });

  test("has each value in its sentence, and only once where markup takes its place", () => {
    const paths = [...englishTexts.keys()];
    const ids = new Set(paths.map((path) => path.replace(/\..*/, "")));
    const wrong = [...ids].flatMap((id) => {
      const isOneText = !paths.some((path) => path.startsWith(`${id}.`));
      const all = textOf(texts, id);
      return valuesIn(textOf(englishTexts, id))
        .map((value) => all.split(value).length - 1)
        .filter((times) => times === 0 || (isOneText && times > 1))
        .map((times) => `${id}: ${times} times`);
    });
    expect(wrong).toEqual([]);
  });

  test("leaves nothing in English", () => {
    const left = [...texts].filter(([path, all]) => {
      const before = new Set(englishTexts.get(path));
      return all.some((text) => before.has(text));
    });
    expect(left.map(([path]) => path).sort()).toEqual([...names, ...same].sort());
  });

  test("has no empty sentence, and no trace of a value that was not put in", () => {
    const all = [...[...texts.values()].flat(), ...sentences(t, "an-example")];
    expect(all.filter(isBroken)).toEqual([]);
  });

  test("keeps the names that a person has to type or look for", () => {
    const tokensOf = (all: Map<string, string[]>) =>
      [...all].map(([path, said]) => [
        path,
        [...new Set(said.join("\n").match(tokens) ?? [])].sort(),
      ]);
    expect(Object.fromEntries(tokensOf(texts))).toEqual(Object.fromEntries(tokensOf(englishTexts)));
  });

  test("tells one from many wherever it counts", () => {
    const one = textsIn(language, { ...VALUES, count: 1, minutes: 1, seconds: 1 });
    const counting = [...texts].filter(([path, said]) => `${said}` !== `${one.get(path)}`);
    expect(counting.map(([path]) => path).sort()).toEqual(counts);
    for (const [path, many] of counting) {
      const counted = many.join("\n").replace(/47|53|59/, "1");
      expect(one.get(path)?.join("\n"), path).not.toBe(counted);
    }
  });

  test("has a sentence of its own for each problem of a record, with what it is about", () => {
    const own = sentences(t, "an-example");
    expect(new Set(own).size).toBe(codes.length);
    expect(own.filter((text) => inEnglish.includes(text))).toEqual([]);
    const naming = codes.filter((_, index) => own[index]?.includes("an-example"));
    expect(naming).toEqual(codes.filter((code) => problemCodes[code]));
  });
});

test("English repeats the sentence of the parser", () => {
  const problem = { code: "repeated_tag", about: "sp" } as const;
  expect(contextIn(en).t.recordProblem(problem)).toBe(describeProblem(problem));
});

test("the check finds the values of English sentences too, so that it cannot pass by finding none", () => {
  const withValues = [...englishTexts].filter(([, said]) => valuesIn(said.join()).length > 0);
  expect(withValues.length).toBeGreaterThan(50);
  expect(valuesIn(textOf(englishTexts, "looks-atDomain"))).toHaveLength(2);
});

describe("French", () => {
  const fr = languageOf("fr");
  const all = [
    ...[...textsIn(fr, VALUES).values()].flat(),
    ...sentences(contextIn(fr).t, "value0.example"),
  ];

  test("begins no line with a sign: a no-break space stands before it, and inside quotation marks", () => {
    expect(all.filter((text) => / [:;?!»]|« |[\p{L}\d](?:[;?!»]|:(?!\/\/))/u.test(text))).toEqual(
      [],
    );
  });

  test("has no word before a value that would be elided before a vowel", () => {
    const elided = /(?:^|[\s\u00a0])(?:de|que|le|la|je|se|ne|ce|me|te|jusque) value\d/iu;
    expect(all.filter((text) => elided.test(text))).toEqual([]);
  });
});

/** The text of a message with all its attributes. */
function textOf(texts: Map<string, string[]>, id: string): string {
  const own = [...texts].filter(([path]) => path === id || path.startsWith(`${id}.`));
  return own.flatMap(([, said]) => said).join("\n");
}

/** The arguments that appear in the text. */
function valuesIn(text: string): string[] {
  return Object.values(VALUES)
    .map(String)
    .filter((value) => text.includes(value));
}

/** What is wrong with a record, in the order of `codes`. */
function sentences(t: Translate, about: string): string[] {
  return codes.map((code) =>
    t.recordProblem({ code, ...(problemCodes[code] && { about }) } as FoundProblem),
  );
}

function isBroken(text: string): boolean {
  return /^\s*$|^\s|\s$|\s\s|\$\{|[{}]|undefined|NaN|\[object|["']|\p{Co}/u.test(text);
}

function isCode(code: string): code is FoundProblem["code"] {
  return code in problemCodes;
}
