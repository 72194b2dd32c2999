// Signing in by the keyboard alone.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserTests } from "../support/browser-tests.ts";
import { fixture } from "../support/fixture.ts";
import { atRecord, atStep, backAt, pressByKey, publish, tabTo } from "./person.ts";
import { openWorld, startWalk } from "./world.ts";

const world = fixture(openWorld);

browserTests("by keyboard alone", () => {
  test.concurrent("a person sets up a domain, signs in with it elsewhere, and goes back", async (context) => {
    const { domain, open, begin } = startWalk(world, context);
    const { at, client } = world;
    const page = await begin(await open(), { state: "by key" });
    await typeDomain(page, domain);
    await atRecord(page);
    await tabTo(page, "#panel-help summary");
    await page.keyboard.press("Enter");
    expect(await page.getAttribute("#panel-help", "open")).not.toBeNull();
    await publish(at, page);
    await pressByKey(page, "#servers summary");
    await pressByKey(page, "#check-form button");
    await atStep(page, "recovery-codes");
    const code = await page.locator("#recovery-codes code").first().innerText();
    await pressByKey(page, "#recovery-codes-form button");
    await atStep(page, "consent");
    await pressByKey(page, 'button[value="allow"]');
    expect((await backAt(page, client.redirectUri)).get("code")).not.toBeNull();

    const other = await begin(await open(), { state: "elsewhere by key" });
    await typeDomain(other, domain);
    await atStep(other, "dns-challenge");
    await tabTo(other, "#recovery_code");
    await other.keyboard.type(code);
    await other.keyboard.press("Enter");
    await other.locator("#look").waitFor();
    await publish(at, other);
    await pressByKey(other, "#servers summary");
    await pressByKey(other, "#check-form button");
    // The client has the consent of the account already.
    expect((await backAt(other, client.redirectUri)).get("code")).not.toBeNull();
  });

  test.concurrent("a person goes back to the app", async (context) => {
    const { domain, open, begin } = startWalk(world, context);
    const page = await begin(await open(), { state: "back by key" });
    await typeDomain(page, domain);
    await atRecord(page);
    await pressByKey(page, "#back-to-app");
    const answer = await backAt(page, world.client.redirectUri);
    expect(answer.get("error")).toBe("access_denied");
  });
});

/** The field has the focus by itself, but not before the page is drawn: a letter typed earlier is lost. */
async function typeDomain(page: Page, domain: string): Promise<void> {
  await page.locator("#domain:focus").waitFor();
  await page.keyboard.type(domain);
  await page.keyboard.press("Enter");
}
