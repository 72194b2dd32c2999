// What is wrong with the layout of a page, as the browser that shows it finds out.

import type { Page } from "playwright-core";

/** Targets are at least this wide and high, in CSS pixels (WCAG 2.5.5). */
const smallestTarget = 44;

/** Everything that is wrong with the page as it is shown now; a page in order has nothing. */
export async function layoutFindings(page: Page, { byKey = true } = {}): Promise<string[]> {
  const findings = await page.evaluate<string[]>(`(() => { ${helpers} ${measure} })()`);
  return byKey ? [...findings, ...(await focusFindings(page))] : findings;
}

/** The same for a reader who needs more space between lines, words and letters (WCAG 1.4.12). */
export async function spacedOutFindings(page: Page): Promise<string[]> {
  // The policy of the page forbids a style in its markup, but not one that its reader brings.
  const found = await page.evaluate<string[]>(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(\`${readersStyle}\`);
    document.adoptedStyleSheets = [sheet];
    ${helpers}
    const findings = (() => { ${measure} })();
    document.adoptedStyleSheets = [];
    return findings;
  })()`);
  return found.map((finding) => `spaced out, ${finding}`);
}

const readersStyle = `
  * { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; }
  p { margin-bottom: 2em !important; }
`;

/** Goes through the page by the Tab key: each target is reached, seen, and marked when it is. */
async function focusFindings(page: Page): Promise<string[]> {
  const targets = await page.evaluate<string[]>(
    `(() => { ${helpers} return targets().map(nameOf); })()`,
  );
  const missed = new Set(targets);
  const findings = new Set<string>();
  // Twice around: the field that has the focus at first is not the first of the page.
  for (let count = 0; count < targets.length * 2 + 2 && missed.size > 0; count++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate<{ name: string; findings: string[] } | null>(
      `(() => { ${helpers} ${focused} })()`,
    );
    if (at === null) continue;
    missed.delete(at.name);
    for (const finding of at.findings) findings.add(finding);
  }
  return [...findings, ...[...missed].map((name) => `${name} is not reached by Tab`)];
}

/** The tests know no `document`: what runs in the page is text, like the page's own script. */
const helpers = `
  const nameOf = (element) => element.id ? "#" + element.id
    : element.tagName.toLowerCase() + " “" + element.textContent.trim().slice(0, 40) + "”";
  const isShown = (element) => element.checkVisibility() && !element.closest(".visually-hidden");
  const targets = () => [...document.querySelectorAll("a, button, input, summary")]
    .filter((element) => element.type !== "hidden" && isShown(element));
  const parts = (colour) => colour.match(/[0-9.]+/g).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = parts(colour).map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (parts(colour)[3] !== 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
`;

const measure = `
  const findings = [];
  if (document.scrollingElement.scrollWidth > innerWidth) {
    const wide = [...document.body.querySelectorAll("*")]
      .filter((element) => isShown(element) && (element.getBoundingClientRect().right > innerWidth + 0.5 || element.getBoundingClientRect().left < -0.5));
    findings.push("overflows sideways: " + wide.map(nameOf).join(", "));
  }
  for (const element of document.body.querySelectorAll("*")) {
    // What is typed may be longer than its field.
    if (element.tagName !== "INPUT" && isShown(element) && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1) {
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
    if (Math.min(width, height) < ${smallestTarget}) {
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

const focused = `
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const findings = [];
  const name = nameOf(element);
  const style = getComputedStyle(element);
  if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) {
    findings.push(name + " does not show that it has the focus");
  } else if (contrast(style.outlineColor, ground(element.parentElement)) < 3) {
    findings.push(name + " shows its focus too faintly");
  }
  const { top, bottom } = element.getBoundingClientRect();
  if (bottom <= 0 || top >= innerHeight) findings.push(name + " has the focus out of sight");
  return { name, findings };
`;
