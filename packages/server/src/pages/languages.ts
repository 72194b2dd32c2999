// The languages of the pages, and which of them a reader gets.

import type { PageContext } from "./layout.ts";
import { createMessages, type Messages, openCatalogue } from "./messages.ts";

export interface Language {
  /** BCP 47. */
  readonly lang: string;
  readonly dir: PageContext["dir"];
}

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

/** What the pages in that language are written with. Its file is read when its first reader comes. */
export function contextIn({ lang, dir }: Language): PageContext {
  const known = contexts.get(lang);
  if (known !== undefined) return known;
  const context = { messages: createMessages(openCatalogue(lang, dir)), lang, dir };
  contexts.set(lang, context);
  return context;
}

/** English, for an operator. */
export function englishMessages(): Messages {
  return contextIn(ENGLISH).messages;
}

/** Longer lists are not read to their end. */
const MOST = 20;

/**
 * What the client asks for in `ui_locales` (OIDC Core §3.1.2.1), then what the browser asks for in
 * `Accept-Language` (RFC 9110 §12.5.4), then English.
 */
export function chooseLanguage(uiLocales: string | null, acceptLanguage: string | null): Language {
  const wanted = [...(uiLocales ?? "").split(" ", MOST), ...byQuality(acceptLanguage ?? "")];
  for (const tag of wanted) {
    const [primary = ""] = tag.toLowerCase().split(/[-_]/, 1);
    const language = LANGUAGES.get(primary);
    if (language !== undefined) return language;
  }
  return ENGLISH;
}

function byQuality(acceptLanguage: string): string[] {
  return acceptLanguage
    .split(",", MOST)
    .map((range) => {
      const [tag = "", ...parameters] = range.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}
