// The languages of the pages, and which of them a reader gets.

import type { PageContext } from "./layout.ts";
import { en, type Messages } from "./messages/en.ts";

export interface Language {
  /** BCP 47. */
  readonly lang: string;
  readonly dir: PageContext["dir"];
  /** Loads the catalogue when the first reader comes: a start waits for none but English. */
  load(): Promise<Messages>;
}

export const ENGLISH: Language = { lang: "en", dir: "ltr", load: async () => en };

/** By their primary language subtag (RFC 5646 §2.2.1). */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map<string, Language>([
  ["en", ENGLISH],
  ["de", { lang: "de", dir: "ltr", load: async () => (await import("./messages/de.ts")).de }],
  ["fr", { lang: "fr", dir: "ltr", load: async () => (await import("./messages/fr.ts")).fr }],
  ["es", { lang: "es", dir: "ltr", load: async () => (await import("./messages/es.ts")).es }],
  ["pt", { lang: "pt-BR", dir: "ltr", load: async () => (await import("./messages/pt.ts")).pt }],
  ["ar", { lang: "ar", dir: "rtl", load: async () => (await import("./messages/ar.ts")).ar }],
]);

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

/** What the pages in that language are written with. */
export async function contextIn({ lang, dir, load }: Language): Promise<PageContext> {
  return { messages: await load(), lang, dir };
}
