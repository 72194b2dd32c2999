// The page that waits for DNS and refreshes itself: it goes on, keeps its place, and can be stopped.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserTests } from "../support/browser-tests.ts";
import { fixture } from "../support/fixture.ts";
import { authorizationUrl } from "../support/sign-in.ts";
import {
  atRecord,
  atStep,
  backAt,
  enter,
  openTab,
  press,
  pressByKey,
  publish,
  refreshAfter,
  saveCodes,
} from "./person.ts";
import { openWorld, startWalk } from "./world.ts";

const world = fixture(openWorld);

browserTests("the page that refreshes itself while it waits for DNS", () => {
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

  test.concurrent("takes nothing away from what its reader is at, until one button goes on", async (context) => {
    // Of several tests under way, only this one's own can poll.
    const { expect } = context;
    const { domain, open, begin } = startWalk(world, context);
    const page = await begin(await open({ extraHTTPHeaders: refreshAfter(1) }));
    await enter(page, domain);
    await atRecord(page);
    await page.click("#panel-help summary");
    await page.focus('button[data-copy="dns-value"]');
    await page.evaluate("scrollTo(0, 200)");
    // What a look finds may change: name servers may be busy.
    const withoutResult = async () => {
      const [main, result] = [await page.innerText("main"), await page.innerText("#look-result")];
      return main.replace(result, "");
    };
    const before = await withoutResult();
    const loads = countLoads(page);
    await nthCheck(page, 2);
    const untouched = async () => {
      expect(await page.getAttribute("#panel-help", "open")).not.toBeNull();
      expect(await page.evaluate<number>("scrollY")).toBe(200);
      expect(await page.locator(".copy:visible").count()).toBe(2);
      expect(await page.getAttribute("*:focus", "data-copy")).toBe("dns-value");
    };
    await untouched();
    expect(await withoutResult()).toBe(before);

    await publish(world.at, page);
    await page.locator("main[data-found]").waitFor();
    expect([loads(), await page.textContent("*:focus")]).toEqual([0, `${domain} is yours here`]);
    expect(await page.title()).toContain(`${domain} is yours here`);
    expect(await page.locator("main button:visible").count()).toBe(1);
    await press(page, "check-form");
    await saveCodes(page);
  });

  test.concurrent("offers to go on once the record of a challenge is there, and signs nobody in before", async (context) => {
    const { expect } = context;
    const { domain, open, begin } = startWalk(world, context);
    const page = await begin(await open({ extraHTTPHeaders: refreshAfter(1) }));
    await enter(page, domain);
    await atRecord(page);
    await publish(world.at, page);
    await page.locator("main[data-found]").waitFor();
    await press(page, "check-form");
    await saveCodes(page);
    await page.goto(authorizationUrl(world.at, world.client));
    await page.locator("#sign-out summary").click();
    await press(page, "sign-out-form");
    await enter(page, domain);
    await atStep(page, "dns-challenge");
    await publish(world.at, page);
    await page.locator("#go-on").waitFor();
    await atStep(page, "dns-challenge");
    expect(await page.innerText("#look-result")).toContain("Found.");
    const [account] = await world.at.store.accounts.accountsOf(domain);
    const now = Math.floor(Date.now() / 1000);
    const sessions = () => world.at.store.sessions.sessionsOf(account?.id ?? "", now);
    expect(await sessions()).toHaveLength(0);
    await page.click("#go-on");
    await atStep(page, "consent");
    expect(await sessions()).toHaveLength(1);
  });

  test.concurrent("checks on after a refusal for a while, and says so once it no longer checks", async (context) => {
    const { expect } = context;
    const { domain, open, begin } = startWalk(world, context);
    const person = await open({ extraHTTPHeaders: refreshAfter(1) });
    const page = await begin(person);
    await enter(page, domain);
    await atRecord(page);
    const refused = [429, 503];
    await page.route(/by-itself=yes$/, (route) => {
      const status = refused.shift();
      return status === undefined ? route.continue() : route.fulfill({ status });
    });
    await page.click("#servers summary");
    await nthCheck(page, 3);
    expect(refused).toEqual([]);
    expect(await page.locator("p.by-itself").isVisible()).toBe(true);

    // As if other tabs had taken its cookie.
    await page.context().clearCookies({ name: /_setup_/ });
    const ended = page.locator("#look-result", { hasText: "no longer checks automatically" });
    await ended.waitFor();
    expect(await page.innerText("#look-result")).toBe(
      "This page no longer checks automatically. Check now.",
    );
    expect(await page.locator("p.by-itself").isVisible()).toBe(false);
    expect(await page.locator("#go-on").count()).toBe(0);
    // The browser complains of the answers that this test made.
    person.complaints.splice(0);
    await press(page, "check-form");
    await atRecord(page);
    await page.locator("p.by-itself").waitFor();
  });

  test.concurrent("shows who was handed the link that the record is there, and that the setup is finished", async (context) => {
    const { expect } = context;
    const { domain, open, begin } = startWalk(world, context);
    const page = await begin(await open({}));
    await enter(page, domain);
    await atRecord(page);
    await page.click("#hand-on");
    const link = await page.innerText("#set-up-link");
    const colleague = await openTab(await open({ extraHTTPHeaders: refreshAfter(1) }), link);
    await atStep(colleague, "set-up-link");
    await colleague.locator("#look-result", { hasText: "Not there yet." }).waitFor();
    const loads = countLoads(colleague);
    await publish(world.at, colleague);
    const result = (text: string) => colleague.locator("#look-result", { hasText: text }).waitFor();
    await result("The record is published.");
    expect(await colleague.textContent("#look-time")).toBe("");
    await page.goto(authorizationUrl(world.at, world.client));
    await enter(page, domain);
    await saveCodes(page);
    await result("The setup is finished.");
    expect(loads()).toBe(0);
  });

  test.concurrent("is stopped by the keyboard, and stays stopped (WCAG 2.2.2)", async (context) => {
    const { domain, open, begin } = startWalk(world, context);
    const page = await begin(await open());
    await enter(page, `stop.${domain}`);
    await atRecord(page);
    await pressByKey(page, "#servers summary");
    await pressByKey(page, "#by-itself");
    await page.waitForURL(/\?by-itself=no&/);
    // A key that is pressed while the page is loading goes to the one before.
    await page.waitForLoadState();
    await page.setExtraHTTPHeaders(refreshAfter(1));
    const checked = page.waitForResponse(
      (response) => response.status() === 200 && response.url().includes("?by-itself=no&"),
    );
    await pressByKey(page, "#check-form button");
    await checked;
    await page.waitForLoadState();
    let requests = 0;
    page.on("request", (request) => {
      if (["fetch", "document"].includes(request.resourceType())) requests++;
    });
    // The clock of this test is the same page in a browser in which nobody stops it.
    const beside = await begin(await open({ extraHTTPHeaders: refreshAfter(1) }));
    await enter(beside, `beside.${domain}`);
    await atRecord(beside);
    await nthCheck(beside, 3);
    expect(requests).toBe(0);
    expect(page.url()).toMatch(/\?by-itself=no&/);

    await pressByKey(page, "#by-itself");
    await nthCheck(page, 1);
  });
});

/** Until the page has asked this often by itself. */
function nthCheck(page: Page, wanted: number): Promise<void> {
  return new Promise((resolve) => {
    let count = 0;
    page.on("requestfinished", (request) => {
      if (request.resourceType() === "fetch") count++;
      if (count === wanted) resolve();
    });
  });
}

function countLoads(page: Page): () => number {
  let count = 0;
  page.on("load", () => count++);
  return () => count;
}
