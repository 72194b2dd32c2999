// The page that a tab shows, as the service answers it in each language, put into the open tab.

import type { Page, Response } from "playwright-core";
import { LANGUAGES } from "../../src/pages/languages.ts";

export interface Translation {
  readonly language: string;
  readonly html: string;
  /** Octets over the wire, headers included. Nothing is compressed. */
  readonly weight: number;
}

/** The keys of {@link LANGUAGES}; English is first. */
export const languages: readonly string[] = [...LANGUAGES.keys()];

/** Not copied: they belong to the connection, or the browser sends its own cookies instead. */
const NOT_REPEATED = ["accept-language", "connection", "content-length", "cookie", "host"];

/** The answer to the request that led to the page, repeated for a browser that prefers this language. */
export async function translationOf(shown: Response, language: string): Promise<Translation> {
  const request = shown.request();
  const headers = Object.entries(await request.allHeaders()).filter(
    ([name]) => !name.startsWith(":") && !NOT_REPEATED.includes(name),
  );
  const answer = await shown
    .frame()
    .page()
    .context()
    .request.fetch(shown.url(), {
      method: request.method(),
      headers: { ...Object.fromEntries(headers), "accept-language": language },
      data: request.postData() ?? undefined,
      maxRedirects: 0,
    });
  const html = await answer.text();
  const [, lang = "none"] = /<html lang="([a-z]+)/.exec(html) ?? [];
  if (lang !== language || answer.status() !== shown.status()) {
    throw new Error(`${shown.url()} in ${language}: status ${answer.status()}, language ${lang}`);
  }
  const head = answer.headersArray().map(({ name, value }) => `${name}: ${value}\r\n`);
  const weight = weightOf(head, Buffer.byteLength(html));
  await answer.dispose();
  return { language, html, weight };
}

/** Octets of an answer, of which these are the lines of the head without the first. */
export function weightOf(head: readonly string[], body: number): number {
  return `HTTP/1.1 200 OK\r\n${head.join("")}\r\n`.length + body;
}

/**
 * The tags of the page, sorted, since languages differ in the order of words. Only the values of
 * attributes that are written in the language are left out.
 */
export function outlineOf({ html }: Translation): string[] {
  const tags = html.match(/<[a-z][^>]*>/g) ?? [];
  return (
    tags
      // A link that hands a set-up on is another one each time.
      .map((tag) => tag.replace(/ (d|aria-label)="[^"]*"| href="mailto:[^"]*"/g, ""))
      // They depend on when the page was made, and for which browser.
      .map((tag) => tag.replace(/(name="(?:news_seen|proof)" value=)"[\w-]+"/, "$1"))
      .map((tag) => tag.replace(/^<time datetime="[^"]*"/, "<time"))
      .map((tag) => tag.replace(/challenge&quot;:&quot;[\w-]+/, "challenge"))
      .map((tag) =>
        tag.replace(
          / (lang|dir|data-copied|data-less-often|data-seen|data-continue|data-ended)="[^"]+"/g,
          " $1",
        ),
      )
      .sort()
  );
}

/**
 * Shows the translation in the open tab, which takes a fraction of the time of a load. The body is
 * the one that a load would show, and the script of the page runs on it.
 */
export async function showTranslation(page: Page, { html }: Translation): Promise<void> {
  const open = () => page.locator("details[open]").count();
  const before = await open();
  await page.evaluate(`new Promise((resolve, reject) => {
    const next = new DOMParser().parseFromString(${JSON.stringify(html)}, "text/html");
    const { lang, dir } = next.documentElement;
    Object.assign(document.documentElement, { lang, dir });
    document.title = next.title;
    document.body.replaceWith(document.adoptNode(next.body));
    Promise.all([...document.querySelectorAll("script")].map((script) => new Promise((onload, onerror) => {
      const again = document.createElement("script");
      Object.assign(again, { src: script.getAttribute("src"), defer: true, onload, onerror });
      script.replaceWith(again);
    }))).then(resolve, reject);
  })`);
  // The script opens again what was open before.
  if ((await open()) !== before) throw new Error(`${page.url()} does not keep what is open`);
}
