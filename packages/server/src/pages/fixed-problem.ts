// Problem pages for refused floods: rendered once for each language and wait, so that a refusal costs little.

import { chooseLanguage, contextIn } from "./languages.ts";
import type { Language } from "./messages.ts";
import { problemPage } from "./problem.ts";

type FixedProblem =
  | { readonly name: "overloaded" }
  /** Windows of limits last ten minutes at most, so there are few pages. */
  | { readonly name: "tooManyRequests"; readonly minutes: number };

/** As long as an error ID. It occurs nowhere else in a page. */
const PLACEHOLDER = "\u{e000}\u{e001}";
/** The header of a common browser has about 50 characters. One that is longer is not remembered. */
const MAX_HEADER_CHARS = 200;
const MAX_HEADERS = 1000;

const rendered = new Map<string, readonly [before: string, after: string]>();
const languages = new Map<string, Language>();

/** The page in a language of the `Accept-Language` header, with the error ID. */
export function fixedProblemPage(
  problem: FixedProblem,
  acceptLanguage: string,
  errorId: string,
): string {
  const language = languageOf(acceptLanguage);
  const key = `${language.lang} ${problem.name === "overloaded" ? "" : problem.minutes}`;
  const [before, after] = rendered.get(key) ?? render(key, language, problem);
  return before + errorId + after;
}

function render(
  key: string,
  language: Language,
  problem: FixedProblem,
): readonly [before: string, after: string] {
  const context = contextIn(language);
  const { t } = context;
  const text =
    problem.name === "overloaded"
      ? t.problem("requestProblems-overloaded")
      : t.problem("requestProblems-tooManyRequests", { minutes: problem.minutes });
  const page = String(problemPage(context, { ...text, errorId: PLACEHOLDER }));
  const [before = "", after = ""] = page.split(PLACEHOLDER);
  rendered.set(key, [before, after]);
  return [before, after];
}

function languageOf(acceptLanguage: string): Language {
  const known = languages.get(acceptLanguage);
  if (known !== undefined) return known;
  const language = chooseLanguage(null, acceptLanguage);
  if (languages.size < MAX_HEADERS && acceptLanguage.length <= MAX_HEADER_CHARS) {
    languages.set(acceptLanguage, language);
  }
  return language;
}
