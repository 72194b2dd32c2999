// What axe finds wrong with a page, and what it cannot decide.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

/** Half as long to parse as what the package exports. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface AxeResult {
  /** How many rules applied to something on the page. */
  readonly checks: number;
  readonly findings: string[];
}

/** WCAG 2.2 AA and everything before it, with what axe recommends besides. */
const ALL_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The rules of which the outcome depends on colours or on the size of the screen. */
const APPEARANCE_RULES = [
  "color-contrast",
  "link-in-text-block",
  "target-size",
  "scrollable-region-focusable",
];

/**
 * Runs axe in the page as it is shown now. The evaluation bypasses the policy of the page, which
 * forbids script from elsewhere.
 */
export async function axeResult(page: Page, rules: "all" | "appearance"): Promise<AxeResult> {
  const isThere = await page.evaluate<boolean>("typeof axe === 'object'");
  // Only where axe runs: to parse it takes as long as to load a page.
  if (!isThere) await page.evaluate(`${AXE}; undefined`);
  return page.evaluate<AxeResult>(`axe.run(document, ${JSON.stringify({
    runOnly: rules === "all" ? ALL_RULES : APPEARANCE_RULES,
    resultTypes: ["violations", "incomplete"],
    preload: false,
  })}).then(({ passes, violations, incomplete }) => {
    const describe = (prefix) => ({ id, nodes }) => nodes.map(({ target, any, all, none }) =>
      [prefix + id, target.join(" "), ...[...any, ...all, ...none].map(({ message }) => message)].join(": "));
    return {
      checks: passes.length + violations.length + incomplete.length,
      findings: [...violations.flatMap(describe("")), ...incomplete.flatMap(describe("cannot tell "))],
    };
  })`);
}
