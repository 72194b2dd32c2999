// The page that waits for DNS and refreshes itself: it goes on, keeps its place, and can be stopped.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserTests } from "../support/browser-tests.ts";
import {
  atStep,
  backAt,
  enter,
  press,
  pressByKey,
  publish,
  refreshAfter,
  saveCodes,
} from "./person.ts";
import { openWorld, startWalk, type World } from "./world.ts";

let world: World;

browserTests("the page that refreshes itself while it waits for DNS", () => {
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world?.close());

  test.concurrent("takes a person on once the record is there, without a click or script", async (context) => {
    const { domain, open, begin } = startWalk(world, context);
    const extraHTTPHeaders = refreshAfter(1);
    const page = await begin(await open({ javaScriptEnabled: false, extraHTTPHeaders }));
    await enter(page, domain);
    await atStep(page, "dns-setup");
    await publish(world.at, page);
    // It stays there, until the person goes on.
    await saveCodes(page);
    await atStep(page, "consent");
    await press(page, "consent-form", "allow");
    const answer = await backAt(page, world.client.redirectUri);
    expect(answer.get("code")).toMatch(/^dsc_/);
  });

  test.concurrent("takes nothing away from what its reader is at", async (context) => {
    // Of several tests under way, only this one's own can poll.
    const { expect } = context;
    const { domain, open, begin } = startWalk(world, context);
    const page = await begin(await open());
    await enter(page, domain);
    await atStep(page, "dns-setup");
    await page.waitForLoadState();
    const before = await page.innerText("main");
    await page.click("#panel-help summary");
    await page.evaluate("scrollTo(0, 200)");
    await page.focus('button[data-copy="dns-value"]');

    // The first load is this one, the second is the refresh after it, the third does not come.
    const refreshed = nthLoad(page, 2);
    await page.setExtraHTTPHeaders(refreshAfter(1));
    await page.reload();
    await page.setExtraHTTPHeaders(refreshAfter(3600));
    await refreshed;
    expect(await page.getAttribute("#panel-help", "open")).not.toBeNull();
    await expect.poll(() => page.evaluate<number>("scrollY")).toBe(200);
    expect(await page.locator(".copy:visible").count()).toBe(2);
    expect(await page.getAttribute("*:focus", "data-copy")).toBe("dns-value");
    await page.click("#panel-help summary");
    const withoutTime = (text: string) => text.replace(/[0-9:]+ UTC/, "");
    expect(withoutTime(await page.innerText("main"))).toBe(withoutTime(before));
  });

  test.concurrent("is stopped by the keyboard, and stays stopped (WCAG 2.2.2)", async (context) => {
    const { domain, open, begin } = startWalk(world, context);
    const page = await begin(await open());
    await enter(page, `stop.${domain}`);
    await atStep(page, "dns-setup");
    await pressByKey(page, "#by-itself");
    await page.waitForURL(/\?by-itself=no$/);
    await page.setExtraHTTPHeaders(refreshAfter(1));
    const checked = page.waitForResponse(
      (response) => response.status() === 200 && response.url().endsWith("?by-itself=no"),
    );
    await pressByKey(page, "#check-form button");
    await checked;
    const requests = countRequests(page);
    // The clock of this test is the same page in a browser in which nobody stops it.
    const beside = await begin(await open({ extraHTTPHeaders: refreshAfter(1) }));
    const refreshed = nthLoad(beside, 4);
    await enter(beside, `beside.${domain}`);
    await refreshed;
    await atStep(beside, "dns-setup");
    expect(requests()).toBe(0);
    expect(page.url()).toMatch(/\?by-itself=no$/);

    const again = page.waitForResponse(/dns-setup$/);
    await pressByKey(page, "#by-itself");
    expect((await again).headers().refresh).toBe("1");
    await page.waitForLoadState();
  });
});

function nthLoad(page: Page, wanted: number): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    page.on("load", () => {
      count++;
      if (count === wanted) resolve();
    });
  });
}

/** How often the tab asks for a page from now on. */
function countRequests(page: Page): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) count++;
  });
  return () => count;
}
