// The languages of the pages, and the choice of one for a request.

import { createCache } from "../lib/cache.ts";
import { systemClock } from "../lib/clock.ts";
import type { PageContext } from "./layout.ts";
import { createTranslate, type Language, type Translate } from "./messages.ts";
import { createFill } from "./template.ts";

export const ENGLISH: Language = { lang: "en", dir: "ltr" };

/** By their primary language subtag (RFC 5646 §2.2.1). */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map<string, Language>([
  ["en", ENGLISH],
  ["de", { lang: "de", dir: "ltr" }],
  ["fr", { lang: "fr", dir: "ltr" }],
  ["es", { lang: "es", dir: "ltr" }],
  ["pt", { lang: "pt-BR", dir: "ltr" }],
  ["ar", { lang: "ar", dir: "rtl" }],
]);

const contexts = new Map<string, PageContext>();

/** The page context for a language. Its file is read on first use. */
export function contextIn(language: Language): PageContext {
  const known = contexts.get(language.lang);
  if (known !== undefined) return known;
  const t = createTranslate(language);
  const context: PageContext = { ...language, t, fill: createFill(() => context) };
  contexts.set(language.lang, context);
  return context;
}

/** Formats the English messages, for command-line output. */
export function english(): Translate {
  return contextIn(ENGLISH).t;
}

const MAX_ENTRIES = 20;
/** The header of a common browser has about 50 characters. One that is longer is not remembered. */
const MAX_HEADER_CHARS = 200;

const accepted = createCache<Language>({ clock: systemClock, maxEntries: 1000 });

/** The first supported of `ui_locales` (OIDC Core §3.1.2.1), then of `Accept-Language` (RFC 9110 §12.5.4), else English. */
export function chooseLanguage(uiLocales: string | null, acceptLanguage: string | null): Language {
  const wanted = uiLocales === null ? null : firstSupported(uiLocales.split(" ", MAX_ENTRIES));
  return wanted ?? acceptedLanguage(acceptLanguage ?? "");
}

function acceptedLanguage(header: string): Language {
  const known = accepted.get(header);
  if (known !== undefined) return known;
  const language = firstSupported(byQuality(header)) ?? ENGLISH;
  if (header.length <= MAX_HEADER_CHARS) accepted.set(header, language);
  return language;
}

function firstSupported(tags: readonly string[]): Language | null {
  for (const tag of tags) {
    const [primary = ""] = tag.toLowerCase().split(/[-_]/, 1);
    const language = LANGUAGES.get(primary);
    if (language !== undefined) return language;
  }
  return null;
}

function byQuality(acceptLanguage: string): string[] {
  return acceptLanguage
    .split(",", MAX_ENTRIES)
    .map((range) => {
      const [tag = "", ...parameters] = range.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}
