// How a page looks: on a small screen and a large one, by day and by night, from the left and from the right.

import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { LANGUAGES } from "../../src/pages/languages.ts";
import { layoutFindings, spacedOutFindings } from "./page-probe.ts";

/** For people to look at: nothing compares them, and to take them needs more time than all the rest. */
const screenshots = process.env.SCREENSHOTS
  ? fileURLToPath(new URL("../../../../test-results/screenshots/", import.meta.url))
  : null;

/**
 * What does not fit, cannot be read, pressed or reached by key. The way of the Tab key is that of the
 * markup: looked at once for each direction of text.
 */
export async function lookFindings(
  page: Page,
  { name, language, look }: { name: string; language: string; look: string },
): Promise<string[]> {
  if (screenshots !== null) {
    await page.screenshot({
      path: `${screenshots}${name}-${language}-${look}.png`,
      fullPage: true,
    });
  }
  const byKey = language === "en" || LANGUAGES.get(language)?.dir === "rtl";
  const found = await layoutFindings(page, { byKey });
  return look === "320-light" ? [...found, ...(await spacedOutFindings(page))] : found;
}
