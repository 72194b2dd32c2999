// The pictures of pages in the documents: `npm run screenshots` takes them, and a test tells when they are out of date.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

export const PICTURE_SIZE = { width: 1280, height: 800 };

const FOLDER = fileURLToPath(new URL("../../../../docs/images/", import.meta.url));
/** For each picture, a hash of the page that it shows and of the style sheet. */
const PAGES = `${FOLDER}pages.json`;
const isTaking = process.env.DOCS_PICTURES === "write";

export interface Pictures {
  /** Notes what the tab shows now, and takes a picture of it if that is what the run is for. */
  note(name: string, page: Page): Promise<void>;
  /** The names of the pictures whose pages have changed since, or that show no page. */
  outOfDate(): string[];
}

export function startPictures(): Pictures {
  const pages: Record<string, string> = {};
  return {
    async note(name, page) {
      const file = `${name}.png`;
      pages[file] = await hashOf(page);
      if (!isTaking) return;
      // The pointer would change the button that it was left on.
      await page.mouse.move(0, 0);
      await page.screenshot({ path: `${FOLDER}${file}`, animations: "disabled" });
    },
    outOfDate() {
      if (isTaking) writeFileSync(PAGES, `${JSON.stringify(pages, null, 2)}\n`);
      const taken: Record<string, string> = JSON.parse(readFileSync(PAGES, "utf8"));
      const files = readdirSync(FOLDER).filter((name) => name.endsWith(".png"));
      const names = new Set([...files, ...Object.keys(taken), ...Object.keys(pages)]);
      const isOfNow = (name: string) => name in pages && taken[name] === pages[name];
      return [...names].filter((name) => !files.includes(name) || !isOfNow(name));
    },
  };
}

/** Of what the page shows, with what scripts did. The path of the style sheet contains a hash of the style sheet. */
async function hashOf(page: Page): Promise<string> {
  const [style, html] = await page.evaluate<[string, string]>(`(() => {
    const body = document.body.cloneNode(true);
    const unseen = "details:not([open]) > :not(summary), [hidden], noscript, .visually-hidden";
    for (const element of body.querySelectorAll(unseen)) element.remove();
    return [document.querySelector("link[rel=stylesheet]").getAttribute("href"), body.outerHTML];
  })()`);
  const shown = html
    .replace(/<[a-z][^>]*>/g, (tag) => [...tag.matchAll(SHOWN_PARTS)].join(" "))
    .replace(CHANGING_TEXTS, "…");
  return createHash("sha256").update(`${style}\n${shown}`).digest("base64url").slice(0, 22);
}

/** The name of an element, and the attributes that the style depends on. Others contain ids and challenges. */
const SHOWN_PARTS =
  /^<[a-z][a-z0-9]*|(?<= )(?:class|type|dir|data-(?:step|found))="[^"]*"|(?<= )open(?==)/g;
const CHANGING_TEXTS = new RegExp(
  [
    /<time.*?<\/time>/,
    // Of the record.
    /(?<=\b(?:acct|jkt|spk)=)[\w,-]+/,
    // Of a recovery code.
    /\b[0-9a-z]{4}(?:-[0-9a-z]{4}){3}\b/,
    // Dates and times in English.
    /\b[A-Z][a-z]{2} \d+, \d{4}(?:, \d+:\d\d\s[AP]M)?/,
    /\b\d\d:\d\d:\d\d\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gs",
);
