// Signing in by the keyboard alone, and stopping a page that renews itself.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserTests } from "../support/browser-tests.ts";
import { atStep, backAt, publish } from "./person.ts";
import { type House, openHouse, startWalk } from "./walk.ts";

/** Longer than a page that waits for DNS takes to renew itself, in milliseconds. */
const renewal = 17_000;

let house: House;

browserTests("by keyboard alone", () => {
  beforeAll(async () => {
    house = await openHouse();
  });
  afterAll(() => house?.close());

  test.concurrent("a person sets up a domain, signs in with it elsewhere, and goes back", async (context) => {
    const { domain, open, begin } = startWalk(house, context);
    const { at, client } = house;
    const page = await begin(await open(), { state: "by key" });
    // The field has the focus already.
    await page.keyboard.type(domain);
    await page.keyboard.press("Enter");
    await atStep(page, "dns-setup");
    const code = await page.locator("#recovery-codes code").first().innerText();
    await tabTo(page, "#panel-help summary");
    await page.keyboard.press("Enter");
    expect(await page.getAttribute("#panel-help", "open")).not.toBeNull();
    await publish(at, page);
    await pressByKey(page, "#check-form button");
    await atStep(page, "consent");
    await pressByKey(page, 'button[value="allow"]');
    expect((await backAt(page, client.redirectUri)).get("code")).not.toBeNull();

    const other = await begin(await open(), { state: "elsewhere by key" });
    await other.keyboard.type(domain);
    await other.keyboard.press("Enter");
    await atStep(other, "dns-challenge");
    await publish(at, other);
    await tabTo(other, "#recovery_code");
    await other.keyboard.type(code);
    await other.keyboard.press("Enter");
    // The client has the consent of the account already.
    expect((await backAt(other, client.redirectUri)).get("code")).not.toBeNull();
  });

  test.concurrent("a person goes back to the app", async (context) => {
    const { domain, open, begin } = startWalk(house, context);
    const page = await begin(await open(), { state: "back by key" });
    await page.keyboard.type(domain);
    await page.keyboard.press("Enter");
    await atStep(page, "dns-setup");
    await pressByKey(page, "#back-to-app");
    const answer = await backAt(page, house.client.redirectUri);
    expect(answer.get("error")).toBe("access_denied");
  });

  test.concurrent("a person stops the page that looks again by itself, and it stays stopped (WCAG 2.2.2)", async (context) => {
    const { domain, open, begin } = startWalk(house, context);
    const [page, beside] = [await begin(await open()), await begin(await open())];
    for (const [index, each] of [page, beside].entries()) {
      await each.keyboard.type(`stop${index}.${domain}`);
      await each.keyboard.press("Enter");
      await atStep(each, "dns-setup");
    }
    await pressByKey(page, "#by-itself");
    await page.waitForURL(/\?by-itself=no$/);
    await Promise.all([page.waitForEvent("load"), pressByKey(page, "#check-form button")]);
    const [loads, loadsBeside] = [countLoads(page), countLoads(beside)];
    await page.waitForTimeout(renewal);
    expect(loadsBeside()).toBeGreaterThan(0);
    expect(loads()).toBe(0);
    expect(page.url()).toMatch(/\?by-itself=no$/);

    const again = page.waitForResponse(/dns-setup$/);
    await Promise.all([page.waitForEvent("load"), pressByKey(page, "#by-itself")]);
    expect((await again).headers().refresh).toBe("15");
  });
});

/** Goes on with the Tab key until the element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let count = 0; count < 40; count++) {
    await page.keyboard.press("Tab");
    if ((await page.locator(`${selector}:focus`).count()) === 1) return;
  }
  throw new Error(`${selector} is not reached by Tab`);
}

async function pressByKey(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press("Enter");
}

/** How often the page has been loaded from now on. */
function countLoads(page: Page): () => number {
  let count = 0;
  page.on("load", () => count++);
  return () => count;
}
