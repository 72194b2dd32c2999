// Problem pages for refused floods: rendered once for each language and wait, so that a refusal costs little.

import { createCache } from "../lib/cache.ts";
import { systemClock } from "../lib/clock.ts";
import { chooseLanguage, contextIn } from "./languages.ts";
import type { Language, PageHtml } from "./messages.ts";
import { problemPage } from "./problem.ts";
import { type Template, templateOf } from "./template.ts";

type FixedProblem =
  | { readonly name: "overloaded" }
  /** Windows of limits last ten minutes at most, so there are few pages. */
  | { readonly name: "tooManyRequests"; readonly minutes: number };

/** The header of a common browser has about 50 characters. One that is longer is not remembered. */
const MAX_HEADER_CHARS = 200;

const languages = createCache<Language>({ clock: systemClock, maxEntries: 1000 });
const templates = new Map<string, Template<"errorId">>();

/** The page in a language of the `Accept-Language` header, with the error ID. */
export function fixedProblemPage(
  problem: FixedProblem,
  acceptLanguage: string,
  errorId: string,
): PageHtml {
  const language = languageOf(acceptLanguage);
  const key = `${language.lang} ${problem.name === "overloaded" ? "" : problem.minutes}`;
  const template = templates.get(key) ?? templateIn(language, problem);
  templates.set(key, template);
  return template({ errorId });
}

function templateIn(language: Language, problem: FixedProblem): Template<"errorId"> {
  const context = contextIn(language);
  const { t } = context;
  const text =
    problem.name === "overloaded"
      ? t.problem("requestProblems-overloaded")
      : t.problem("requestProblems-tooManyRequests", { minutes: problem.minutes });
  return templateOf(["errorId"], ({ errorId }) => problemPage(context, { ...text, errorId }));
}

function languageOf(acceptLanguage: string): Language {
  const known = languages.get(acceptLanguage);
  if (known !== undefined) return known;
  const language = chooseLanguage(null, acceptLanguage);
  if (acceptLanguage.length <= MAX_HEADER_CHARS) languages.set(acceptLanguage, language);
  return language;
}
