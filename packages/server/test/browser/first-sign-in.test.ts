// What a first sign-in costs a person: pages, clicks, copies, words, and how far down the first control is.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserTests } from "../support/browser-tests.ts";
import { fixture } from "../support/fixture.ts";
import { atStep, backAt, publish, refreshAfter } from "./person.ts";
import { plugIn } from "./plug-in.ts";
import { openWorld, startWalk } from "./world.ts";

/** The set-up names the provider of the zone, as it does for most people. */
const panel = {
  ...{ name: "Cloudflare", link: "https://dash.cloudflare.example/", hostField: "Name" },
  ...{ addsZone: true, wantsQuotes: false, flaws: [] },
};
const world = fixture(() => openWorld({ panelOf: () => panel }));

const SCREENS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

/** What a page asks of its reader, as the first screen shows it. */
interface Looks {
  readonly words: number;
  readonly primaryButtons: number;
  /** From the top of the window, in CSS pixels. */
  readonly firstControl: number;
  readonly taskEnd: number;
}

browserTests("a first sign-in", () => {
  test.for(SCREENS)(
    "takes four pages before consent, seven clicks, two copies and 130 words, at $width x $height",
    async (viewport, context) => {
      const { at, client } = world;
      const { open, begin } = startWalk(world, context);
      const domain = `d${viewport.width}.alice.test`;
      const person = await open({ viewport, extraHTTPHeaders: refreshAfter(1) });
      await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const page = await begin(person);
      await plugIn(page, null);
      const seen: Record<string, Looks> = {};
      const count = { clicks: 0, copies: 0 };
      const click = async (selector: string) => {
        count.clicks++;
        await page.click(selector);
      };
      const copy = async (name: string) => {
        count.copies++;
        await click(`button[data-copy="${name}"]`);
      };

      await atStep(page, "domain");
      seen.domain = await looksOf(page, "#domain-form button");
      await page.fill("#domain", domain);
      await click("#domain-form button");
      await atStep(page, "set-up-passkey");
      seen["set-up-passkey"] = await looksOf(page, "#passkey-form button");
      await click("#passkey-form button");
      await atStep(page, "dns-setup");
      await page.locator("#look-result", { hasText: "Not there yet." }).waitFor();
      seen["dns-setup"] = await looksOf(page, "#look");
      await copy("dns-relative-name");
      await copy("dns-value");
      await publish(at, page);
      await page.locator("main[data-found]").waitFor();
      const found = await looksOf(page, "#passkey-form button");
      await click("#passkey-form button");
      await atStep(page, "recovery-codes");
      seen["recovery-codes"] = await looksOf(page, "#recovery-codes-form button");
      await click("#recovery-codes-form button");
      await atStep(page, "consent");
      const consent = await looksOf(page, "#consent-form button");
      await click('#consent-form button[value="allow"]');
      expect((await backAt(page, client.redirectUri)).get("code")).toMatch(/^dsc_/);

      const words = Object.values(seen).reduce((sum, looks) => sum + looks.words, 0);
      console.table({ ...seen, "(found)": found, consent });
      console.info(`${viewport.width}: ${JSON.stringify({ ...count, words })}`);
      expect(count).toEqual({ clicks: 7, copies: 2 });
      expect(words).toBeLessThanOrEqual(130);
      for (const [step, looks] of Object.entries({ ...seen, found, consent })) {
        expect([step, looks.words <= 60, looks.primaryButtons <= 1]).toEqual([step, true, true]);
        expect([step, looks.taskEnd <= viewport.height]).toEqual([step, true]);
        // Names of two lines push it down on a phone.
        const lowest = viewport.width > 1000 ? 160 : 200;
        expect([step, looks.firstControl <= lowest || looks.firstControl]).toEqual([step, true]);
      }
    },
  );
});

/** `task` is what the page is for. Values to be copied are no words, nor is what is closed. */
function looksOf(page: Page, task: string): Promise<Looks> {
  return page.evaluate<Looks>(`(() => {
    const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    let words = 0;
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const element = text.parentElement;
      if (!isShown(element) || element.closest("code, noscript, .visually-hidden")) continue;
      words += (text.data.match(/[\\p{L}\\p{N}][^\\s]*/gu) ?? []).length;
    }
    const controls = [...document.querySelectorAll("main :is(a, button, input, summary)")].filter(isShown);
    const primary = [...document.querySelectorAll("main .button.primary")].filter(isShown);
    return {
      words,
      primaryButtons: primary.length,
      firstControl: Math.round(controls[0].getBoundingClientRect().top),
      taskEnd: Math.round(document.querySelector(${JSON.stringify(task)}).getBoundingClientRect().bottom),
    };
  })()`);
}
