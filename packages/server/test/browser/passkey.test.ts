// Signing in with a passkey in Chromium, whose virtual authenticator holds it.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserTests } from "../support/browser-tests.ts";
import { fixture } from "../support/fixture.ts";
import { givePasskey } from "../support/passkeys.ts";
import { authorizationUrl } from "../support/sign-in.ts";
import { atStep, backAt, enter, press, publish, refreshAfter, saveCodes } from "./person.ts";
import { plugIn } from "./plug-in.ts";
import { openWorld, startWalk, state } from "./world.ts";

const world = fixture(openWorld);

/** On the account page, with a new authenticator, of an account that has no passkey yet. */
async function addPasskey(page: Page, domain: string): Promise<void> {
  await plugIn(page, null);
  await page.goto(`${world.at.issuer}/account`);
  await page.click("#add-passkey");
  await enter(page, domain);
  await atStep(page, "dns-challenge");
  await publish(world.at, page);
  await press(page, "check-form");
  await atStep(page, "new-passkey");
  await press(page, "passkey-form");
  await atStep(page, "account-change");
}

browserTests("a passkey in Chromium", () => {
  test("signs in with one press, in a browser that the service does not know", async (context) => {
    const { at, client } = world;
    const { domain, open, begin, setUp } = startWalk(world, context);
    await setUp(await open());
    const passkey = await givePasskey(at, domain);
    const page = await begin(await open());
    await enter(page, domain);
    await atStep(page, "passkey");
    // Not before: the first page would offer it, and sign in by itself.
    await plugIn(page, passkey);
    await press(page, "passkey-form");
    await atStep(page, "consent");
    await press(page, "consent-form", "allow");
    const answer = await backAt(page, client.redirectUri);
    const code = expect.stringMatching(/^dsc_/);
    expect(Object.fromEntries(answer)).toEqual({ code, state, iss: at.issuer });
    const used = await at.store.passkeys.findPasskey(passkey.credentialId);
    expect(used?.lastUsedAt).not.toBeNull();
  });

  test("is offered with the field of the domain, and nobody types", async (context) => {
    const { at, client } = world;
    const { domain, open, setUp } = startWalk(world, context);
    await setUp(await open());
    const passkey = await givePasskey(at, domain);
    const person = await open();
    const page = await person.context.newPage();
    await plugIn(page, passkey);
    await page.goto(authorizationUrl(at, client, { state }));
    await atStep(page, "consent");
    await press(page, "consent-form", "allow");
    expect((await backAt(page, client.redirectUri)).get("code")).toMatch(/^dsc_/);
  });

  test("is made in a set-up before its record is published, and finishes it", async (context) => {
    const { at, client } = world;
    const { domain, open, begin } = startWalk(world, context);
    const page = await begin(await open({ extraHTTPHeaders: refreshAfter(1) }));
    await plugIn(page, null);
    await enter(page, domain);
    await atStep(page, "set-up-passkey");
    await press(page, "passkey-form");
    await page.locator("#dns-value", { hasText: "jkt=" }).waitFor();
    await publish(at, page);
    // The page says that the record is there. One press uses the passkey.
    await page.locator("main[data-found]").waitFor();
    await press(page, "passkey-form");
    await saveCodes(page);
    await atStep(page, "consent");
    await press(page, "consent-form", "allow");
    expect((await backAt(page, client.redirectUri)).get("code")).toMatch(/^dsc_/);
    const [account] = await at.store.accounts.accountsOf(domain);
    expect(await at.store.passkeys.passkeysOf(account?.id ?? "")).toMatchObject([
      { name: "chrome linux" },
    ]);
  });

  test("is added from the account page, and signs in after a sign-out", async (context) => {
    const { at, client } = world;
    const { domain, open, setUp } = startWalk(world, context);
    const page = await setUp(await open());
    await addPasskey(page, domain);
    await page.click("#account");
    await atStep(page, "account");
    const [account] = await at.store.accounts.accountsOf(domain);
    expect(await at.store.passkeys.passkeysOf(account?.id ?? "")).toMatchObject([
      { name: "chrome linux" },
    ]);
    expect(await page.innerText("main")).toContain("Chrome on Linux");
    await press(page, "sign-out-form");
    await page.locator("#sign-in").waitFor();

    // The authenticator offers it with the field of the domain.
    await page.goto(authorizationUrl(at, client, { state }));
    await atStep(page, "consent");
    await press(page, "consent-form", "allow");
    expect((await backAt(page, client.redirectUri)).get("code")).toMatch(/^dsc_/);
  });

  test("is not added a second time to a device, and the page says why", async (context) => {
    const { at } = world;
    const { domain, open, setUp } = startWalk(world, context);
    const page = await setUp(await open());
    await addPasskey(page, domain);
    await page.goto(`${at.issuer}/account`);
    // The authenticator confirms the change with the passkey, which it offers with the field of the domain.
    await page.click("#add-passkey");
    await atStep(page, "new-passkey");
    await press(page, "passkey-form");
    await page.locator("#passkey-status:not(:empty)").waitFor();
    expect(await page.innerText("#passkey-status")).toBe(
      `This device already has a passkey for ${domain}. Use another device.`,
    );
    const [account] = await at.store.accounts.accountsOf(domain);
    expect(await at.store.passkeys.passkeysOf(account?.id ?? "")).toHaveLength(1);
  });

  test("that is not used leaves the page as it is, with a way on", async (context) => {
    const { at, client } = world;
    const { domain, open, begin, setUp } = startWalk(world, context);
    await setUp(await open());
    const passkey = await givePasskey(at, domain);
    const page = await begin(await open());
    await enter(page, domain);
    await atStep(page, "passkey");
    await plugIn(page, passkey, false);
    await press(page, "passkey-form");
    await page.locator("#passkey-status:not(:empty)").waitFor();
    expect(await page.innerText("#passkey-status")).toMatch(/^The passkey was not used/);
    await page.click("#without-passkey summary");
    await press(page, "without-passkey-form");
    await atStep(page, "dns-challenge");
    expect(await page.locator("#recovery_code").count()).toBe(1);
    await page.goto(authorizationUrl(at, client));
    await atStep(page, "domain");
  });
});
