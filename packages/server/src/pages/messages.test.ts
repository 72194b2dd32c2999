// Tests that every language has all messages of English, with all their arguments.

import { describe, expect, test } from "vitest";
import { contextIn, LANGUAGES } from "./languages.ts";
import type { FoundProblem, Messages } from "./messages.ts";

function messagesIn(primary: string): Messages {
  const language = LANGUAGES.get(primary);
  if (language === undefined) throw new Error(primary);
  return contextIn(language).messages;
}

const en = messagesIn("en");

/** Each with the messages that are the same as in English on purpose. */
const translations: [language: string, messages: Messages, same: string[]][] = [
  ["ar", messagesIn("ar"), []],
  ["de", messagesIn("de"), ["dns.name", "servers.resolver"]],
  ["es", messagesIn("es"), []],
  ["fr", messagesIn("fr"), ["dns.type"]],
  ["pt", messagesIn("pt"), []],
];

/** Names, which are the same in every language. */
const names = ["common.serviceName", "dns.ttl"];

/** The functions that take a number; all others take strings. */
const counts = ["dns.found", "looks.oldValue", "servers.repeats"];

/** Whether the message contains `about`; in English, `message` is complete. */
const problemCodes: Record<FoundProblem["code"], boolean> = {
  not_ours: false,
  unsupported_version: true,
  not_alone: false,
  not_ascii: false,
  too_long: true,
  malformed_version: true,
  malformed_tag: true,
  repeated_tag: true,
  missing_sp: false,
  bad_sp: false,
  missing_acct: false,
  bad_acct: false,
  bad_jkt: false,
  missing_chal: false,
  bad_chal: false,
  other_sp: false,
  other_chal: false,
  alias_leads_away: false,
  wildcard: false,
};
const codes = Object.keys(problemCodes).filter(isCode);

const english = "The sentence of the parser.";
const englishLeaves = new Map(leaves(en));
const englishTexts = new Map(texts(en).map(({ path, said }) => [path, said]));
const tokens =
  /_domain-signin|v=dsi1|sp=none|client_id|redirect_uri|alice\.\w+|\b(?:TXT|CNAME|DNSSEC|TTL)\b/g;

describe.each(translations)("the catalogue in %s", (_, messages, same) => {
  test("has what English has, at every level, and nothing else", () => {
    const paths = (catalogue: Messages) =>
      [
        ...leaves(catalogue),
        ...texts(catalogue).flatMap(({ path, said }) => leaves(said, path)),
      ].map(([path]) => path);
    expect(new Set(paths(messages))).toEqual(new Set(paths(en)));
  });

  test("says what the same scopes mean", () => {
    expect([...messages.scopes.keys()]).toEqual([...en.scopes.keys()]);
  });

  test("has each value in its sentence, and only once where markup takes its place", () => {
    const wrong = texts(messages).flatMap(({ path, said, values }) => {
      const all = strings(said).join("\n");
      return values
        .map((value) => all.split(value).length - 1)
        .filter((times) => times === 0 || (typeof said === "string" && times > 1))
        .map((times) => `${path}: ${times} times`);
    });
    expect(wrong).toEqual([]);
  });

  test("leaves nothing in English", () => {
    const left = texts(messages)
      .filter(({ path, said }) => {
        const before = new Set(strings(englishTexts.get(path)));
        return strings(said).some((text) => before.has(text));
      })
      .map(({ path }) => path);
    expect(left.sort()).toEqual([...names, ...same].sort());
  });

  test("has no empty sentence, and no trace of a value that was not put in", () => {
    const found = texts(messages).flatMap(({ said }) => strings(said).filter(isBroken));
    const nothing = messages.recordProblem({ code: "malformed_tag", message: english, about: "" });
    const own = [...sentences(messages, "an-example"), nothing];
    expect([...found, ...own.filter(isBroken)]).toEqual([]);
  });

  test("keeps the names that a person has to type or look for", () => {
    const tokensOf = (said: unknown) =>
      [...new Set(strings(said).join("\n").match(tokens) ?? [])].sort();
    const kept = texts(messages).map(({ path, said }) => [path, tokensOf(said)]);
    const wanted = texts(en).map(({ path, said }) => [path, tokensOf(said)]);
    expect(Object.fromEntries(kept)).toEqual(Object.fromEntries(wanted));
  });

  test("tells one from many wherever it counts", () => {
    const counting = leaves(messages).filter(([path]) => counts.includes(path));
    expect(counting).toHaveLength(counts.length);
    for (const [path, sentence] of counting) {
      const [one, many] = [1, 47].map((count) => strings(called(sentence, [count])).join("\n"));
      expect(many, path).not.toBe(one?.replace("1", "47"));
    }
  });

  test("has a sentence of its own for each problem of a record, with what it is about", () => {
    const own = sentences(messages, "an-example");
    expect(new Set(own).size).toBe(codes.length);
    expect(own.filter((text) => text.includes(english))).toEqual([]);
    const naming = codes.filter((_, index) => own[index]?.includes("an-example"));
    expect(naming).toEqual(codes.filter((code) => problemCodes[code]));
  });
});

test("English repeats the sentence of the parser", () => {
  expect(new Set(sentences(en, "an-example"))).toEqual(new Set([english]));
});

test("the check finds the values of English sentences too, so that it cannot pass by finding none", () => {
  const withValues = texts(en).filter(({ values }) => values.length > 0);
  expect(withValues.length).toBeGreaterThan(50);
  expect(texts(en).find(({ path }) => path === "looks.atDomain")?.values).toHaveLength(2);
});

describe("French", () => {
  const fr = messagesIn("fr");
  const all = [
    ...texts(fr).flatMap(({ said }) => strings(said)),
    ...sentences(fr, "value0.example"),
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

/** What a catalogue holds: strings and functions, each with its path; the items of a list share one. */
function leaves(value: unknown, path = ""): [path: string, leaf: unknown][] {
  if (typeof value === "string" || typeof value === "function") return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((item) => leaves(item, `${path}[]`));
  if (typeof value !== "object" || value === null) throw new Error(`${path} holds ${value}`);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return entries.flatMap(([key, inner]) => leaves(inner, path === "" ? key : `${path}.${key}`));
}

/** Each leaf as it is shown, with the values that it was given; `recordProblem` is tested by its codes. */
function texts(messages: Messages): { path: string; said: unknown; values: string[] }[] {
  return leaves(messages)
    .filter(([path]) => path !== "recordProblem")
    .map(([path, leaf], _, all) => {
      // The items of a list are compared as a whole, since a language may have fewer of them.
      if (typeof leaf !== "function") {
        return {
          path,
          said: all.flatMap(([other, text]) => (other === path ? [text] : [])),
          values: [],
        };
      }
      const arity = lengthOf(englishLeaves.get(path));
      const values = Array.from({ length: arity }, (_, place) =>
        counts.includes(path) ? 47 + place : `value${place}.example`,
      );
      return { path, said: called(leaf, values), values: values.map(String) };
    });
}

/** What is wrong with a record, in the order of `codes`. */
function sentences(messages: Messages, about: string): string[] {
  return codes.map((code) =>
    messages.recordProblem({ code, message: english, ...(problemCodes[code] && { about }) }),
  );
}

function strings(said: unknown): string[] {
  return leaves(said).map(([, text]) => String(text));
}

function called(leaf: unknown, values: (string | number)[]): unknown {
  if (typeof leaf !== "function") throw new Error("not a function");
  return leaf(...values);
}

function lengthOf(leaf: unknown): number {
  return typeof leaf === "function" ? leaf.length : 0;
}

function isBroken(text: string): boolean {
  return /^\s*$|^\s|\s$|\s\s|\$\{|[{}]|undefined|NaN|\[object|["']|\p{Co}/u.test(text);
}

function isCode(code: string): code is FoundProblem["code"] {
  return code in problemCodes;
}
