// What is wrong with the layout of a page, as the browser that shows it finds out.

import type { Page } from "playwright-core";
import { PROBE_HELPERS } from "./probe-helpers.ts";

/** Targets are at least this wide and high, in CSS pixels (WCAG 2.5.5). */
const SMALLEST_TARGET_PX = 44;

/** Everything that is wrong with the page as it is shown now; a page in order has nothing. */
export function layoutFindings(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => { ${PROBE_HELPERS} ${MEASURE} })()`);
}

/** The same for a reader who needs more space between lines, words and letters (WCAG 1.4.12). */
export async function spacedOutFindings(page: Page): Promise<string[]> {
  // The policy of the page forbids a style in its markup, but not one that its reader brings.
  const found = await page.evaluate<string[]>(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(\`${READERS_STYLE}\`);
    document.adoptedStyleSheets = [sheet];
    ${PROBE_HELPERS}
    const findings = (() => { ${MEASURE} })();
    document.adoptedStyleSheets = [];
    return findings;
  })()`);
  return found.map((finding) => `spaced out, ${finding}`);
}

const READERS_STYLE = `
  * { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; }
  p { margin-bottom: 2em !important; }
`;

const MEASURE = `
  const findings = [];
  if (document.scrollingElement.scrollWidth > innerWidth) {
    const wide = [...document.body.querySelectorAll("*")]
      .filter((element) => isShown(element) && (element.getBoundingClientRect().right > innerWidth + 0.5 || element.getBoundingClientRect().left < -0.5));
    findings.push("overflows sideways: " + wide.map(nameOf).join(", "));
  }
  for (const element of document.body.querySelectorAll("*")) {
    // What is typed may be longer than its field, and what says so by an ellipsis longer than its line.
    const isCut = element.tagName === "INPUT" || getComputedStyle(element).textOverflow === "ellipsis";
    if (!isCut && isShown(element) && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1) {
      findings.push(nameOf(element) + " holds more than it is wide");
    }
    if (isShown(element) && getComputedStyle(element).overflowY !== "visible" && element.scrollHeight > element.clientHeight + 1) {
      findings.push(nameOf(element) + " holds more than it is high");
    }
  }
  // The looks at which this is measured ask for reduced motion.
  for (const element of document.body.querySelectorAll("*")) {
    for (const part of [undefined, "::before"]) {
      const { transitionDuration, animationName } = getComputedStyle(element, part);
      if (transitionDuration !== "0s" || animationName !== "none") findings.push(nameOf(element) + " moves");
    }
  }
  for (const target of targets()) {
    const { width, height } = target.getBoundingClientRect();
    if (Math.min(width, height) < ${SMALLEST_TARGET_PX}) {
      findings.push(nameOf(target) + " is only " + width + " x " + height);
    }
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const element = text.parentElement;
    if (text.data.trim() === "" || !isShown(element)) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const isLarge = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
    const found = contrast(color, ground(element));
    if (found < (isLarge ? 3 : 4.5)) {
      findings.push(nameOf(element) + " has a contrast of only " + found.toFixed(2));
    }
  }
  return findings;
`;
