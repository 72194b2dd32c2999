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
  /** The names of the pictures whose pages have changed since. There are none after pictures were taken. */
  outOfDate(): string[];
}

export function startPictures(): Pictures {
  const pages: Record<string, string> = {};
  return {
    async note(name, page) {
      const file = `${name}.png`;
      pages[file] = hashOf(await page.content());
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
      return [...names].filter((name) => !files.includes(name) || taken[name] !== pages[name]);
    },
  };
}

/** What scripts do is in the page, and the path of the style sheet contains a hash of the style sheet. */
function hashOf(html: string): string {
  const [style] = /style-[0-9a-f]{8}/.exec(html) ?? [];
  const body = html
    .replace(/^.*<body/s, "<body")
    // Set a moment after a button to copy was pressed, and not shown.
    .replace(/<p id="copy-status".*?<\/p>/s, "")
    // Far below what is seen, with what happened in the same second in one order or the other.
    .replace(/<section aria-labelledby="history-title">.*?<\/section>/s, "")
    .replace(/<[a-z][^>]*>/g, (tag) => [...tag.matchAll(SHOWN_PARTS)].join(" "))
    .replace(CHANGING_TEXTS, "…");
  return createHash("sha256").update(`${style}\n${body}`).digest("base64url").slice(0, 22);
}

/** The name of an element, and the attributes that the style depends on. Others contain ids and challenges. */
const SHOWN_PARTS =
  /^<[a-z][a-z0-9]*|(?<= )(?:class|type|dir|data-(?:step|found))="[^"]*"|(?<= )(?:hidden|open)(?==)/g;
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
