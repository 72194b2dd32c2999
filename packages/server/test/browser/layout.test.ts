// How the pages look: on a small screen and a large one, by day and by night, from the left and from the right.

import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LANGUAGES } from "../../src/pages/languages.ts";
import { browserTests } from "../support/browser-tests.ts";
import { everyPage } from "./every-page.ts";
import { layoutFindings, spacedOutFindings } from "./page-probe.ts";
import { eachLook, inLanguage, languages, openTour, type Tour } from "./tour.ts";

/** For people to look at: nothing compares them, and to take them needs more time than all the rest. */
const screenshots = process.env.SCREENSHOTS
  ? fileURLToPath(new URL("../../../../test-results/screenshots/", import.meta.url))
  : null;
/** In other languages than English: each size and each scheme once. */
const fewer = ["320-light", "1280-dark"];

let tour: Tour;

browserTests("every page", () => {
  beforeAll(async () => {
    tour = await openTour();
  });
  afterAll(() => tour?.close());

  test.concurrent.each(Object.keys(everyPage))(
    "%s fits, can be read, pressed and reached by key at 320 and 1280 pixels, light and dark",
    async (name) => {
      const findings: string[] = [];
      await tour.show(name, async (page) => {
        for (const language of languages) {
          await inLanguage(page, language);
          await eachLook(page, async (look) => {
            if (language !== "en" && !fewer.includes(look)) return;
            if (screenshots !== null) {
              const path = `${screenshots}${name}-${language}-${look}.png`;
              await page.screenshot({ path, fullPage: true });
            }
            const found = await findingsOf(page, language, look);
            findings.push(...found.map((finding) => `${language} ${look}: ${finding}`));
          });
        }
      });
      expect(findings).toEqual([]);
    },
  );
});

/** The way of the Tab key is that of the markup: looked at once for each direction of text. */
async function findingsOf(page: Page, language: string, look: string): Promise<string[]> {
  const byKey = language === "en" || LANGUAGES.get(language)?.dir === "rtl";
  const found = await layoutFindings(page, { byKey });
  return look === "320-light" ? [...found, ...(await spacedOutFindings(page))] : found;
}
