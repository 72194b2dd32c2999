// What axe finds wrong with a page, and what it could not tell.

import axe from "axe-core";
import type { Page } from "playwright-core";

export interface AxeResult {
  /** How many rules had something to look at. */
  readonly checks: number;
  readonly findings: string[];
}

/** WCAG 2.2 AA and everything before it, with what axe recommends besides. */
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What the size of the screen or the colours can change. */
const ofTheLook = [
  "color-contrast",
  "link-in-text-block",
  "target-size",
  "scrollable-region-focusable",
];

/** From its next load on the page has axe, past its policy, which forbids script from elsewhere. */
export async function bringAxe(page: Page): Promise<void> {
  await page.addInitScript(axe.source);
}

export function axeResult(page: Page, isFirstLook: boolean): Promise<AxeResult> {
  return page.evaluate<AxeResult>(`axe.run(document, ${JSON.stringify({
    runOnly: isFirstLook ? tags : ofTheLook,
    resultTypes: ["violations", "incomplete"],
    preload: false,
  })}).then(({ passes, violations, incomplete }) => {
    const told = (what) => ({ id, nodes }) => nodes.map(({ target, any, all, none }) =>
      [what + id, target.join(" "), ...[...any, ...all, ...none].map(({ message }) => message)].join(": "));
    return {
      checks: passes.length + violations.length + incomplete.length,
      findings: [...violations.flatMap(told("")), ...incomplete.flatMap(told("cannot tell "))],
    };
  })`);
}
