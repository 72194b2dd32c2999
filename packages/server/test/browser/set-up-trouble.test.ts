// What goes wrong in a set-up in Chromium: passkeys, tabs, wrong records, long waits, small screens and large text.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserTests } from "../support/browser-tests.ts";
import { fixture } from "../support/fixture.ts";
import { authorizationUrl, replaceRecord } from "../support/sign-in.ts";
import { layoutFindings } from "./layout-probe.ts";
import {
  atRecord,
  atStep,
  backAt,
  enter,
  isInSight,
  openTab,
  press,
  publish,
  refreshAfter,
  saveCodes,
} from "./person.ts";
import { plugIn } from "./plug-in.ts";
import { makePasskey } from "./visit.ts";
import { openWorld, startWalk } from "./world.ts";

/** One whose panel is called by the longest names, and wants quotation marks. */
const panel = {
  ...{ name: "Squarespace or Google Cloud DNS", link: "https://dns.example/" },
  ...{ hostField: "Record name", addsZone: true, wantsQuotes: true, flaws: [] },
};
const world = fixture(() => openWorld({ panelOf: () => panel }));
const OFTEN = { extraHTTPHeaders: refreshAfter(1) };
const DAY = 86_400;

const value = async (page: Page) => (await page.textContent("#dns-value")) ?? "";
const name = async (page: Page) => (await page.textContent("#dns-name")) ?? "";
/** What the name servers said is shared for three seconds. */
const letSee = () => world.at.advance(4);
const publishNow = async (page: Page) => {
  await publish(world.at, page);
  letSee();
};
const found = (page: Page) => page.locator("main[data-found]").waitFor();
const says = (page: Page, id: string, text: string | RegExp) =>
  page.locator(`#${id}`, { hasText: text }).waitFor();

browserTests("trouble in a set-up", () => {
  test.concurrent("a passkey that was cancelled, made twice, made on another device and deleted from this one", async (context) => {
    const { expect } = context;
    const { domain, open, begin } = startWalk(world, context);
    const person = await open(OFTEN);
    const page = await begin(person);
    const device = await plugIn(page, null, false);
    await enter(page, domain);
    await atStep(page, "set-up-passkey");
    const other = await openTab(person, page.url());
    await press(page, "passkey-form");
    await says(page, "passkey-status", "No passkey was created. Try again.");
    await device.confirm(true);
    // The answer gets lost once.
    const lost = page.waitForResponse(/set-up-passkey/);
    await page.route(/set-up-passkey/, (route) => route.fulfill({ status: 204 }), { times: 1 });
    await press(page, "passkey-form");
    await lost;
    await press(page, "passkey-form");
    await atStep(page, "dns-setup");
    expect(await device.countPasskeys()).toBe(1);
    const first = await value(page);

    const otherDevice = await plugIn(other, null);
    await press(other, "passkey-form");
    await atStep(other, "dns-setup");
    const last = await value(other);
    expect([last === first, last.includes(" jkt=")]).toEqual([false, true]);
    // The first tab shows the record that counts.
    await expect.poll(() => value(page)).toBe(last);
    await publishNow(page);
    await Promise.all([found(page), found(other)]);
    await press(page, "passkey-form");
    await says(page, "passkey-problem", "This passkey cannot be used for this domain.");
    await device.removePasskeys();
    await press(page, "passkey-form");
    await says(page, "passkey-status", "The passkey was not used. Try again, or start over below.");
    expect(await world.at.store.accounts.accountsOf(domain)).toEqual([]);
    expect(await otherDevice.countPasskeys()).toBe(1);
    await press(other, "passkey-form");
    await saveCodes(other);
    await atStep(other, "consent");
  });

  test.concurrent("a tab that waits while another tab starts over, and one whose sign-in another tab has finished", async (context) => {
    const { domain, open, begin } = startWalk(world, context);
    const person = await open(OFTEN);
    const page = await begin(person);
    await plugIn(page, null);
    await enter(page, domain);
    await atRecord(page);
    const other = await openTab(person, page.url());
    await press(other, "start-over-form");
    await atStep(other, "set-up-passkey");
    await atStep(page, "set-up-passkey");
    await press(page, "passkey-form");
    await atStep(page, "dns-setup");
    await other.goto(page.url());
    await publishNow(page);
    await Promise.all([found(page), found(other)]);
    await press(page, "passkey-form");
    await saveCodes(page);
    await press(page, "consent-form", "allow");
    const answer = await backAt(page, world.client.redirectUri);
    await press(other, "passkey-form");
    expect((await backAt(other, world.client.redirectUri)).get("code")).toBe(answer.get("code"));
    // The browser notes that the script of the page may not follow the redirect to the app.
    person.complaints.splice(0);
  });

  test.concurrent("the back button never leads to a page that has been answered", async (context) => {
    const { domain, open, begin } = startWalk(world, context);
    const page = await begin(await open(OFTEN));
    await enter(page, domain);
    await atStep(page, "set-up-passkey");
    await press(page, "without-passkey-form");
    await atStep(page, "dns-setup");
    const shown = await value(page);
    await page.goBack();
    await atStep(page, "dns-setup");
    expect(await value(page)).toBe(shown);
    await publishNow(page);
    await found(page);
    await press(page, "check-form");
    await atStep(page, "recovery-codes");
    const codes = await page.innerText("#recovery-codes");
    await page.goBack();
    await atStep(page, "recovery-codes");
    expect(await page.innerText("#recovery-codes")).toBe(codes);
  });

  test.concurrent("five spellings of the record are told apart in the open page", async (context) => {
    const { domain, open, begin } = startWalk(world, context);
    const page = await begin(await open(OFTEN));
    await enter(page, domain);
    await atRecord(page);
    const [at, text] = [await name(page), (await value(page)).replaceAll('"', "")];
    await page.evaluate("window.isOpen = true");
    const put = (owner: string, spelling: string | null) => {
      for (const one of [at, `${at}.alice.test`]) replaceRecord(world.at.zone, one, null);
      if (spelling !== null) replaceRecord(world.at.zone, owner, spelling);
      letSee();
    };
    put(at, text.replace(/sp=(\S+)/, 'sp="$1"'));
    await says(page, "look-result", "contains quotation marks");
    put(at, `“${text}”`);
    await says(page, "look-result", "contains curly quotation marks");
    put(`${at}.alice.test`, text);
    await says(page, "look-result", "which contains the domain twice");
    put(
      at,
      text.replace(/acct=./, (start) => `acct=${start.endsWith("x") ? "y" : "x"}`),
    );
    await says(page, "look-result", "One character of the record is wrong.");
    const hostile =
      "<img src=x onerror=\"window.isOpen=''\"></code></main><script>isOpen=''</script>";
    put(at, `${text} ${hostile}`);
    await says(page, "look-result", "<img src=x");
    expect(await page.locator("#look img, #look script").count()).toBe(0);
    put(at, null);
    await says(page, "look-result", "Not there yet.");
    put(at, `  ${text.replaceAll(" ", "   ")} `);
    await found(page);
    expect(await page.evaluate("window.isOpen")).toBe(true);
  });

  test.concurrent("a page that waits looks as often as it says, and not more often because its reader comes and goes", async (context) => {
    const { expect } = context;
    const { domain, open, begin } = startWalk(world, context);
    const person = await open({ extraHTTPHeaders: {} });
    await person.context.clock.install();
    const page = await begin(person);
    await enter(page, domain);
    await atRecord(page);
    let looks = 0;
    page.on("requestfinished", (request) => {
      if (request.url().includes("by-itself=yes")) looks++;
    });
    const come = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    // The record is the same for a panel that is not known for a moment.
    await page.route(/by-itself=yes/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/&quot;(v=dsi1 [^<]*)&quot;</, "$1<");
      await route.fulfill({ response, body });
    });
    await page.evaluate(`window.times = []; new MutationObserver(() => {
      times.push(document.getElementById("look-time").textContent);
    }).observe(document.getElementById("look-time"), { childList: true, subtree: true })`);
    const looking = (seconds: number) => says(page, "looking", `Looking every ${seconds} seconds.`);
    const looked = (times: number) => expect.poll(() => looks).toBe(times);
    await page.clock.pauseAt(Date.now() + 2000);
    for (let count = 0; count < 20; count++) await come();
    await page.clock.runFor(2900);
    await looked(1);
    await looking(3);
    await page.clock.fastForward(601_000);
    await looked(2);
    await looking(15);
    await page.clock.runFor(14_000);
    expect(looks).toBe(2);
    await page.clock.runFor(1100);
    await looked(3);
    await come();
    await page.clock.runFor(3100);
    await looked(4);
    await looking(3);
    const times = await page.evaluate<string[]>("times");
    expect([times.length > 3, times.filter((text) => !/ago|now/.test(text))]).toEqual([true, []]);
  });

  test.concurrent("a browser without passkeys, or without script, finds what to do with the set-up of a passkey", async (context) => {
    const { domain, open, begin } = startWalk(world, context);
    const person = await open(OFTEN);
    const page = await begin(person);
    await enter(page, domain);
    await atStep(page, "set-up-passkey");
    await makePasskey(page);
    await atStep(page, "dns-setup");
    const isWithPasskey = (await value(page)).includes(" jkt=");
    await publishNow(page);
    await person.context.addInitScript("delete window.PublicKeyCredential");
    const later = await openTab(person, authorizationUrl(world.at, world.client));
    await enter(later, domain);
    await says(later, "passkey-status", "This browser does not support passkeys.");
    expect([isWithPasskey, await later.locator("#start-over").count()]).toEqual([true, 1]);
    const without = await open({ javaScriptEnabled: false });
    await without.context.addCookies(await person.context.cookies());
    const plain = await openTab(without, authorizationUrl(world.at, world.client));
    await enter(plain, domain);
    await atStep(plain, "passkey");
    expect(await plain.innerText("main")).toContain("Passkeys need JavaScript");
    for (const tab of [later, plain]) {
      await press(tab, "start-over-form");
      // Nobody is asked for a passkey there.
      await atStep(tab, "dns-setup");
      expect(await value(tab)).not.toContain(" jkt=");
    }
  });

  test.concurrent.for([
    ["at 320 pixels, in Arabic", { viewport: { width: 320, height: 640 }, locale: "ar" }, 16],
    ["at 390 pixels, with text of 200 %", { viewport: { width: 390, height: 844 } }, 32],
    ["at 1280 pixels, with a zoom of 200 %", { viewport: { width: 640, height: 400 } }, 16],
  ] as const)(
    "each step fits, and shows its first button without scrolling, %s",
    async ([, options, size], context) => {
      const { expect } = context;
      const { domain, open, begin } = startWalk(world, context);
      const person = await open({ reducedMotion: "reduce", ...OFTEN, ...options });
      person.context.on("page", async (page) => {
        const devtools = await person.context.newCDPSession(page);
        const fontSizes = { standard: size, fixed: size };
        await devtools.send("Page.setFontSizes", { fontSizes }).catch(() => {});
      });
      const page = await begin(person);
      await plugIn(page, null);
      const expectFit = async (first: string) => {
        expect([first, await layoutFindings(page)]).toEqual([first, []]);
        expect([first, await isInSight(page, first)]).toEqual([first, true]);
      };
      await enter(page, domain);
      await atStep(page, "set-up-passkey");
      const root = await page.evaluate("getComputedStyle(document.documentElement).fontSize");
      expect(root).toBe(`${size}px`);
      await expectFit("#passkey-form button");
      await press(page, "passkey-form");
      await atStep(page, "dns-setup");
      await expectFit("#open-panel");
      await publishNow(page);
      await found(page);
      await expectFit("#passkey-form button");
      await press(page, "passkey-form");
      await atStep(page, "recovery-codes");
      await expectFit("button[data-download]");
    },
  );

  // Moves the clock of everybody, so nobody else is under way.
  test("a page that was left open for a day goes on, before its record is found and after, until the record is removed", async (context) => {
    const { at } = world;
    const { domain, open, begin } = startWalk(world, context);
    const person = await open(OFTEN);
    const page = await begin(person);
    await enter(page, domain);
    await atRecord(page);
    const shown = await value(page);
    const nextDay = async () => {
      at.advance(DAY + 60);
      const over = { before: 0, ran: 1000 * DAY };
      await at.store.cleanUp.removeEnded("interactions", null, over, { historyDays: 90 });
      // As after a day: Chromium does not know that it has passed.
      await person.context.clearCookies({ name: /_browser_/ });
    };
    await nextDay();
    await says(page, "look-result", "This page no longer checks automatically.");
    await press(page, "check-form");
    await says(page, "look-result", "Not there yet.");
    expect(await value(page)).toBe(shown);
    await publishNow(page);
    await found(page);
    await nextDay();
    await press(page, "check-form");
    await atStep(page, "recovery-codes");
    replaceRecord(at.zone, `_domain-signin.${domain}`, null);
    at.advance(600);
    await press(page, "recovery-codes-form");
    await atStep(page, "consent");
    await press(page, "consent-form", "allow");
    await atStep(page, "problem");
    expect(await page.innerText("h1")).toBe("Your record has changed");
  });
});
