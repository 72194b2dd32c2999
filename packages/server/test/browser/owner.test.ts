// The owner's place, from the first sign-in to the last, in Chromium with a virtual authenticator. Run with
// SCREENSHOTS=1, each step leaves a picture.

import { mkdir } from "node:fs/promises";
import type { CDPSession, Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserTests } from "../support/browser-tests.ts";
import { fixture } from "../support/fixture.ts";
import { recoveryCodesIn } from "../support/sign-in.ts";
import {
  atRecord,
  atStep,
  backAt,
  enter,
  openTab,
  type Person,
  press,
  publish,
  refreshAfter,
} from "./person.ts";
import { openWorld, redeem, startWalk } from "./world.ts";

const PICTURES = process.env.SCREENSHOTS ? "test-results/screenshots" : null;

const world = fixture(openWorld);
let step = 0;

async function picture(page: Page, name: string): Promise<void> {
  step++;
  if (PICTURES === null) return;
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/owner-${step}-${name}.png`, fullPage: true });
}

/** A device that keeps passkeys. Its user is there while `isThere`. */
async function plugIn(page: Page, transport: "internal" | "usb" = "internal") {
  const devtools: CDPSession = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport, hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  const isThere = (enabled: boolean) =>
    devtools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
  const unplug = () => devtools.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
  return { isThere, unplug };
}

const request = (parameters: Record<string, string> = {}) => {
  const query = { client_id: world.client.id, redirect_uri: world.client.redirectUri };
  const more = { response_type: "code", scope: "openid", ...parameters };
  return `${world.at.issuer}/oauth/authorize?${new URLSearchParams({ ...query, ...more })}`;
};

const liveSub = async (domain: string) =>
  (await world.at.store.accounts.accountsOf(domain)).find(({ asleepSince }) => asleepSince === null)
    ?.id;

async function allow(page: Page): Promise<void> {
  await atStep(page, "consent");
  await press(page, "consent-form", "allow");
}

const arrived = (page: Page) => backAt(page, world.client.redirectUri);

/** Saves the codes that the page shows, and goes on. */
async function saveCodes(page: Page): Promise<readonly string[]> {
  await atStep(page, "recovery-codes");
  const codes = recoveryCodesIn({ html: await page.content() });
  await press(page, "recovery-codes-form");
  return codes;
}

/** Begins at the app, as a person who cannot use the passkey. */
async function withoutPasskey(
  person: Person,
  domain: string,
  parameters: Record<string, string> = {},
): Promise<Page> {
  const page = await openTab(person, request(parameters));
  await enter(page, domain);
  await atStep(page, "passkey");
  await page.click("#without-passkey summary");
  await press(page, "without-passkey-form");
  await atStep(page, "dns-challenge");
  return page;
}

browserTests("the owner of a domain, in Chromium", () => {
  test("sets up with a colleague and a passkey, has it all in one place, and loses everything", async (context) => {
    const { at } = world;
    const { domain, open } = startWalk(world, context);
    const person = await open({ extraHTTPHeaders: refreshAfter(1) });
    const page = await openTab(person, request({ state: "first" }));
    const laptop = await plugIn(page);

    // Set up: a passkey first, and the record by way of a colleague.
    await enter(page, domain);
    await atStep(page, "set-up-passkey");
    await press(page, "passkey-form");
    await page.locator("#dns-value", { hasText: "jkt=" }).waitFor();
    await picture(page, "set-up");
    const handOn = await openTab(
      person,
      await page.evaluate<string>("document.getElementById('hand-on').href"),
    );
    await picture(handOn, "hand-on");
    const link = await handOn.innerText("#set-up-link");
    const colleague = await openTab(await open(), link);
    await atStep(colleague, "set-up-link");
    await picture(colleague, "colleague");
    await publish(at, colleague);
    // Browsers make passkeys only on the page that has the focus.
    await handOn.close();
    await page.bringToFront();
    await page.locator("main[data-found]").waitFor();
    await picture(page, "passkey");
    await press(page, "passkey-form");
    await picture(page, "codes");
    const codes = await saveCodes(page);
    await allow(page);
    await arrived(page);
    const sub = await liveSub(domain);
    const token = await redeem(world, "first");

    // Sign out, and in again: the browser offers the passkey.
    await page.goto(`${at.issuer}/account`);
    await press(page, "sign-out-form");
    await page.locator("#sign-in").waitFor();
    await page.goto(request());
    await arrived(page);

    // A second passkey, on another device.
    await page.goto(`${at.issuer}/account`);
    await page.click("#add-passkey");
    await atStep(page, "new-passkey");
    await laptop.unplug();
    const key = await plugIn(page, "usb");
    await page.bringToFront();
    await press(page, "passkey-form");
    await atStep(page, "account-change");
    await picture(page, "second-passkey");
    expect(await at.store.passkeys.passkeysOf(sub ?? "")).toHaveLength(2);
    await key.isThere(false);

    // A second domain in the same browser.
    const other = `other-${domain}`;
    await page.goto(request());
    await press(page, "other-domain-form");
    await enter(page, other);
    await atRecord(page);
    await publish(at, page);
    await press(page, "check-form");
    await saveCodes(page);
    await allow(page);
    await arrived(page);
    await page.goto(request());
    await atStep(page, "continue");
    await page.locator("#continue-2-form").waitFor();
    await picture(page, "two-domains");

    // Take the app's access away.
    await page.goto(`${at.issuer}/account?domain=${domain}`);
    await atStep(page, "account");
    await picture(page, "account");
    // Before everything else, and seen without scrolling: all is in order.
    const [heading, firstLine] = [page.locator("h1"), page.locator("h1 + *")];
    expect(await heading.innerText()).toContain(domain);
    expect(await firstLine.innerText()).toContain(`${domain} is in order.`);
    expect(await page.locator("details[open]").count()).toBe(0);
    const userinfo = async () => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${at.issuer}/oauth/userinfo`, { headers })).status;
    };
    expect(await userinfo()).toBe(200);
    await press(page, "revoke-1-form");
    await atStep(page, "account");
    expect(await userinfo()).toBe(401);

    // Recover, without a passkey, in another browser: the account stays.
    const recovering = await withoutPasskey(await open(), domain);
    await recovering.fill("#recovery_code", codes[0] ?? "");
    await picture(recovering, "recover");
    await press(recovering, "check-form");
    await publish(at, recovering);
    await press(recovering, "check-form");
    // The next step is a new passkey on this device.
    await atStep(recovering, "new-passkey");
    await picture(recovering, "recovered");
    const phone = await plugIn(recovering);
    await recovering.bringToFront();
    await press(recovering, "passkey-form");
    await atStep(recovering, "account-change");
    await picture(recovering, "new-passkey-after-recovery");
    expect(await at.store.passkeys.passkeysOf(sub ?? "")).toHaveLength(3);
    await phone.isThere(false);
    await press(recovering, "continue-form");
    await allow(recovering);
    await arrived(recovering);
    expect(await liveSub(domain)).toBe(sub);

    // The first browser is told.
    await page.goto(request({ login_hint: domain }));
    await page.locator(".notice").waitFor();
    await picture(page, "told");
    expect(await page.innerText(".notice")).toContain("First sign-in from a new browser");

    // Lose everything: a new record begins a new account, in the browser that is still signed in to the former one.
    const lost = await withoutPasskey(person, domain, { prompt: "login" });
    await lost.click("#lost-access summary");
    await picture(lost, "lost-access");
    await press(lost, "lost-access-form");
    await atRecord(lost);
    await publish(at, lost);
    await press(lost, "check-form");
    await saveCodes(lost);
    await allow(lost);
    await arrived(lost);
    const newSub = await liveSub(domain);
    expect(newSub).toMatch(/^sub_/);
    expect(newSub).not.toBe(sub);

    // The account page is that of the new account. The former one is signed out by itself.
    await lost.goto(`${at.issuer}/account?domain=${domain}`);
    await lost.locator("#sign-out-everywhere-form").waitFor();
    await picture(lost, "account-again");
    await lost.click("#former-account");
    await lost.locator("#present-account").waitFor();
    await picture(lost, "former-account");
    await press(lost, "sign-out-form");
    await lost.goto(`${at.issuer}/account?domain=${domain}`);
    await lost.locator("#sign-out-everywhere-form").waitFor();
    expect(await lost.locator("#former-account").count()).toBe(0);
  });
});
