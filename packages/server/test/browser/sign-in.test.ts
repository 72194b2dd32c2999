// Signing in with a real browser: there and back again, without script and with it.

import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { browserTests } from "../support/browser-tests.ts";
import { fixture } from "../support/fixture.ts";
import type { TestClient, TestService } from "../support/service.ts";
import { authorizationUrl } from "../support/sign-in.ts";
import type { Callback } from "./callback.ts";
import {
  atRecord,
  atStep,
  backAt,
  enter,
  isInSight,
  openTab,
  press,
  publish,
  saveCodes,
} from "./person.ts";
import { domainOf, expectWayBack, openWorld, redeem, startWalk, state } from "./world.ts";

const withoutScript = { javaScriptEnabled: false };
const code = expect.stringMatching(/^dsc_/);

const world = fixture(openWorld);
let at: TestService;
let callback: Callback;
let client: TestClient;

browserTests("a person with a browser", () => {
  beforeAll(() => {
    ({ at, callback, client } = world);
  });

  test.concurrent("signs in without script: the set-up first, then by one button, then by a challenge", async (context) => {
    const { domain, open, begin } = startWalk(world, context);
    const person = await open(withoutScript);
    const page = await begin(person);
    await enter(page, domain.replace("alice.test", "Alice.TEST"));
    await atRecord(page);
    expect(await page.textContent("#dns-name")).toBe(`_domain-signin.${domain}`);
    expect(await page.innerText("h1")).toContain(domain);
    await press(page, "check-form");
    await atRecord(page);
    const look = await page.innerText(".look");
    expect(look.replace(/\s+/g, " ")).toContain("Looking every 15 seconds. Not there yet.");
    await publish(at, page);
    await press(page, "check-form");
    await saveCodes(page);
    await atStep(page, "consent");
    await press(page, "consent-form", "allow");
    const first = await backAt(page, client.redirectUri);
    expect(Object.fromEntries(first)).toEqual({ code, state, iss: at.issuer });

    await page.goto(authorizationUrl(at, client, { state: "second" }));
    await atStep(page, "continue");
    expect(await page.innerText("h1")).toMatch(new RegExp(`^Continue as\\s+${domain}$`));
    await press(page, "continue-form");
    const second = await backAt(page, client.redirectUri);
    expect(Object.fromEntries(second)).toEqual({ code, state: "second", iss: at.issuer });
    expect(second.get("code")).not.toBe(first.get("code"));

    await page.goto(authorizationUrl(at, client, { state: "third" }));
    await page.locator("#sign-out summary").click();
    await press(page, "sign-out-form");
    await atStep(page, "domain");
    await enter(page, domain);
    await atStep(page, "dns-challenge");
    await publish(at, page);
    await press(page, "check-form");
    const third = await backAt(page, client.redirectUri);
    expect(Object.fromEntries(third)).toEqual({ code, state: "third", iss: at.issuer });
    expect(await page.innerText("h1")).toBe("Back in the app");
  });

  test.concurrent("signs in in a popup of the app, which then reports to its opener; the account page has none", async (context) => {
    const { domain, open } = startWalk(world, context);
    const person = await open();
    const app = await person.context.newPage();
    await app.goto(`${callback.redirectUri}?state=opener`);
    const openPopup = async (url: string) => {
      const [popup] = await Promise.all([
        app.waitForEvent("popup"),
        app.evaluate(`void window.open(${JSON.stringify(url)})`),
      ]);
      return popup;
    };
    const popup = await openPopup(authorizationUrl(at, client, { state: "popup" }));
    await enter(popup, domain);
    await atRecord(popup);
    await publish(at, popup);
    await press(popup, "check-form");
    await saveCodes(popup);
    await atStep(popup, "consent");
    await press(popup, "consent-form", "allow");
    const answer = await backAt(popup, client.redirectUri);
    expect(Object.fromEntries(answer)).toEqual({ code, state: "popup", iss: at.issuer });
    // As the script of an app at its redirect_uri does.
    await popup.evaluate("void (window.opener.document.title = window.location.search)");
    expect(await app.title()).toContain("state=popup");

    const account = await openPopup(`${at.issuer}/account`);
    await atStep(account, "account");
    expect(await account.evaluate("window.opener")).toBeNull();
  });

  test.concurrent("arrives at the app's own origin after each form, and no page breaks its own policy", async (context) => {
    const { open, setUp } = startWalk(world, context);
    const person = await open();
    const page = await setUp(person, { state: "policy" });
    await press(page, "consent-form", "allow");
    await backAt(page, client.redirectUri);
    expect(new URL(page.url()).origin).not.toBe(at.issuer);
    expect(callback.of("policy")).toHaveLength(1);

    // The answer to a form other than that of the consent page.
    await page.goto(authorizationUrl(at, client, { state: "policy again" }));
    await press(page, "continue-form");
    await backAt(page, client.redirectUri);
    expect(callback.of("policy again")).toHaveLength(1);
    expect(person.complaints).toEqual([]);
  });

  test.concurrent("who does not allow it comes back with access_denied", async (context) => {
    const { open, setUp } = startWalk(world, context);
    const page = await setUp(await open(withoutScript));
    await press(page, "consent-form", "deny");
    const answer = await backAt(page, client.redirectUri);
    expect(answer.get("error")).toBe("access_denied");
    expect(answer.get("state")).toBe(state);
    expect(answer.get("code")).toBeNull();
  });

  test.concurrent("who goes back from the first page, or from the set-up, comes back with access_denied", async (context) => {
    const { domain, open, begin } = startWalk(world, context);
    const person = await open(withoutScript);
    const page = await begin(person);
    await page.click("#back-to-app");
    const answer = Object.fromEntries(await backAt(page, client.redirectUri));
    expect(answer).toMatchObject({ error: "access_denied", state, iss: at.issuer });
    const again = await begin(person, { state: "from the set-up" });
    await enter(again, domain);
    await again.click("#back-to-app");
    expect((await backAt(again, client.redirectUri)).get("error")).toBe("access_denied");
  });

  test.concurrent("stays here when the redirect_uri is not the app's", async (context) => {
    const { open } = startWalk(world, context);
    const page = await (await open(withoutScript)).context.newPage();
    const elsewhere = { redirect_uri: `${client.redirectUri}/elsewhere` };
    const response = await page.goto(authorizationUrl(at, client, elsewhere));
    expect(response?.status()).toBe(400);
    await atStep(page, "problem");
    expect(await page.innerText("#error-id")).toMatch(/^[2-9a-z]{8}$/);
    expect(await page.locator("#back-to-app").count()).toBe(0);
    // Nothing on the page or in its headers leads away from it by itself.
    expect(response?.headers()).not.toHaveProperty("refresh");
    expect(await page.locator("meta[http-equiv]").count()).toBe(0);
    expect(new URL(page.url()).origin).toBe(at.issuer);
  });

  test.concurrent("corrects what was typed where it was typed", async (context) => {
    const { domain, open, begin } = startWalk(world, context);
    const page = await begin(await open(withoutScript), { state: "typed" });
    await enter(page, `someone@${domain}`);
    await page.locator("#domain-problem").waitFor();
    expect(await page.inputValue("#domain")).toBe(`someone@${domain}`);
    await enter(page, domain);
    await atRecord(page);
  });

  test.concurrent("with two requests in two tabs ends each in its own redirect", async (context) => {
    const { domain, open, begin } = startWalk(world, context);
    const person = await open(withoutScript);
    const [one, two] = [
      await begin(person, { state: "one" }),
      await begin(person, { state: "two", prompt: "consent" }),
    ];
    for (const page of [one, two]) {
      await enter(page, domain);
      await atRecord(page);
    }
    expect(await two.textContent("#dns-value")).not.toBe(await one.textContent("#dns-value"));
    await publish(at, one);
    await press(one, "check-form");
    await saveCodes(one);
    // The account exists now, and this browser is signed in.
    await press(two, "check-form");
    await atStep(two, "continue");
    await press(two, "continue-form");
    for (const page of [one, two]) await atStep(page, "consent");
    await press(two, "consent-form", "allow");
    await press(one, "consent-form", "allow");
    expect((await backAt(one, client.redirectUri)).get("state")).toBe("one");
    expect((await backAt(two, client.redirectUri)).get("state")).toBe("two");
    const codes = ["one", "two"].flatMap((each) => callback.of(each).map((a) => a.get("code")));
    expect(codes).toEqual([code, code]);
    expect(new Set(codes).size).toBe(2);
  });

  test.concurrent("with two domains in two tabs ends each as what was typed there", async (context) => {
    const { domain, open, begin, setUp } = startWalk(world, context);
    const person = await open(withoutScript);
    const one = await setUp(person, { state: "as one", prompt: "consent" });
    const two = await begin(person, { state: "as two", prompt: "consent login" });
    await enter(two, `two.${domain}`);
    await atRecord(two);
    await publish(at, two);
    await press(two, "check-form");
    await saveCodes(two);
    await atStep(two, "consent");
    expect(await one.innerText(".lead .domain-name")).toBe(domain);
    await press(one, "consent-form", "allow");
    await press(two, "consent-form", "allow");
    await Promise.all([one, two].map((page) => backAt(page, client.redirectUri)));
    expect(await domainOf(world, "as one")).toBe(domain);
    expect(await domainOf(world, "as two")).toBe(`two.${domain}`);
  });

  test.concurrent("the back button after consent, and a second press of Allow, end in the same code", async (context) => {
    const { open, setUp } = startWalk(world, context);
    const person = await open(withoutScript);
    const page = await setUp(person, { state: "again" });
    const [second, third, fourth] = [
      await openTab(person, page.url()),
      await openTab(person, page.url()),
      await openTab(person, page.url()),
    ];
    await page.dblclick('#consent-form button[value="allow"]');
    await backAt(page, client.redirectUri);
    await page.goBack();
    await backAt(page, client.redirectUri);
    await press(second, "consent-form", "allow");
    await backAt(second, client.redirectUri);
    const codes = callback.of("again").map((answer) => answer.get("code"));
    expect(codes.length).toBeGreaterThanOrEqual(3);
    expect(new Set(codes)).toEqual(new Set([codes[0]]));

    await press(third, "consent-form", "deny");
    await expectWayBack(world, third, "This sign-in is already complete");
    await redeem(world, "again");
    await press(fourth, "consent-form", "allow");
    await expectWayBack(world, fourth, "This sign-in is already complete");
    await page.goBack();
    await expectWayBack(world, page, "This sign-in is already complete");
  });

  test.concurrent("copies exactly the record with the buttons that script brings", async (context) => {
    const { domain, open, begin } = startWalk(world, context);
    // Of several tests under way, only this one's own can poll.
    const { expect } = context;
    const person = await open();
    await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await begin(person);
    await enter(page, domain);
    await atRecord(page);
    const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
    const copy = (target: string) => page.locator(`button[data-copy="${target}"]`);
    const value = await page.textContent("#dns-value");
    await copy("dns-value").click();
    await expect.poll(() => copy("dns-value").innerText()).toMatch(/^Copied/);
    expect(await copied()).toBe(value);
    expect(value).toMatch(/^v=dsi1 sp=http:\/\/localhost:\d+ acct=[\w-]{22}$/);
    await copy("dns-relative-name").click();
    const relative = domain === "alice.test" ? "" : `.${domain.replace(".alice.test", "")}`;
    await expect.poll(copied).toBe(`_domain-signin${relative}`);
    await page.click("#full-name summary");
    await copy("dns-name").click();
    await expect.poll(copied).toBe(`_domain-signin.${domain}`);
    await publish(at, page);
    await press(page, "check-form");
    await atStep(page, "recovery-codes");
    const codes = await page.locator("#recovery-codes code").allInnerTexts();
    expect(codes).toHaveLength(10);
    await copy("recovery-codes").click();
    await expect.poll(copied).toBe(codes.join("\n"));
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.click("button[data-download]"),
    ]);
    expect(download.suggestedFilename()).toBe(`recovery-codes-${domain}.txt`);
    expect(readFileSync(await download.path(), "utf8")).toBe(`${codes.join("\n")}\n`);
    await page.evaluate("window.print = () => { document.title = 'printed'; }");
    await page.click("button[data-print]");
    expect(await page.title()).toBe("printed");
  });

  test.concurrent("is shown no copy button without script", async (context) => {
    const { domain, open, begin } = startWalk(world, context);
    const page = await begin(await open(withoutScript));
    await enter(page, domain);
    await atRecord(page);
    expect(await page.locator(".copy").count()).toBe(3);
    expect(await page.locator(".copy:visible").count()).toBe(0);
  });

  test.concurrent("sees on a small screen what came of the check, and can press again", async (context) => {
    // Of several tests under way, only this one's own can poll.
    const { expect } = context;
    const { domain, open, begin } = startWalk(world, context);
    const page = await begin(await open({ viewport: { width: 320, height: 640 } }));
    await enter(page, domain);
    await atRecord(page);
    await Promise.all([page.waitForEvent("load"), press(page, "check-form")]);
    // That event may still have been the one of the page before.
    await expect.poll(() => isInSight(page, "#look")).toBe(true);
    expect(await page.locator("#check-form button:focus").count()).toBe(1);
    expect(await page.getAttribute("#check-form button", "aria-describedby")).toBe("look");
  });

  // Moves the clock of everybody, so nobody else is under way.
  test("who comes too late finds a page that leads back to the app", async (context) => {
    const { open, setUp } = startWalk(world, context);
    const page = await setUp(await open(withoutScript));
    // A setup that was finished stays open for a day.
    at.advance(86_401);
    await press(page, "consent-form", "allow");
    await expectWayBack(world, page, "This page has expired");
  });
});
