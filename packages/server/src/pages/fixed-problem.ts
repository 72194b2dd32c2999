// Problem pages for refused floods: rendered once for each language, so that a refusal costs little.

import { chooseLanguage, contextIn } from "./languages.ts";
import type { Language } from "./messages.ts";
import { problemPage } from "./problem.ts";

type FixedProblem = "tooManyRequests" | "overloaded";

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
  const [before, after] = rendered.get(`${language.lang} ${problem}`) ?? render(language, problem);
  return before + errorId + after;
}

function render(language: Language, problem: FixedProblem): readonly [string, string] {
  const context = contextIn(language);
  const text = context.t.problem(`requestProblems-${problem}`);
  const page = String(problemPage(context, { ...text, errorId: PLACEHOLDER }));
  const [before = "", after = ""] = page.split(PLACEHOLDER);
  rendered.set(`${language.lang} ${problem}`, [before, after]);
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
