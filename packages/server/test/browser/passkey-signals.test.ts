// What Chromium's virtual authenticator still holds once a page has told the browser which passkeys are of use.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { SoftPasskey } from "../support/authenticator.ts";
import { browserTests } from "../support/browser-tests.ts";
import { eventually } from "../support/eventually.ts";
import { fixture } from "../support/fixture.ts";
import { givePasskey } from "../support/passkeys.ts";
import { authorizationUrl } from "../support/sign-in.ts";
import { liveAccount, NOW } from "../support/store-rows.ts";
import { atStep, enter, press } from "./person.ts";
import { openWorld, startWalk, type Walk } from "./world.ts";

const world = fixture(openWorld);

/** An authenticator that is plugged into this tab, with these passkeys. `held` are the ids of those that it has now. */
async function plugIn(page: Page, ...passkeys: readonly SoftPasskey[]) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  const base64 = (text: string) => Buffer.from(text, "base64url").toString("base64");
  for (const { credentialId, userHandle, key, counter } of passkeys) {
    const privateKey = key.export({ type: "pkcs8", format: "der" }).toString("base64");
    const ids = { credentialId: base64(credentialId), userHandle: base64(userHandle) };
    const kind = { isResidentCredential: true, rpId: "localhost", signCount: counter };
    const credential = { ...ids, ...kind, privateKey };
    await devtools.send("WebAuthn.addCredential", { authenticatorId, credential });
  }
  return async () => {
    const { credentials } = await devtools.send("WebAuthn.getCredentials", { authenticatorId });
    return credentials
      .map(({ credentialId }) => Buffer.from(credentialId, "base64").toString("base64url"))
      .sort();
  };
}

/** The signals that pages of the tab have sent, as the browser got them. */
async function overheard(page: Page) {
  await page.addInitScript(`{
    for (const name of ["signalUnknownCredential", "signalAllAcceptedCredentials"]) {
      const send = PublicKeyCredential[name];
      PublicKeyCredential[name] = function (options) {
        const sent = JSON.parse(sessionStorage.getItem("signals") ?? "[]");
        sessionStorage.setItem("signals", JSON.stringify([...sent, [name, options]]));
        return send.call(this, options);
      };
    }
  }`);
  return () => page.evaluate<unknown[]>(`JSON.parse(sessionStorage.getItem("signals") ?? "[]")`);
}

/** A domain that was set up, with a passkey, and the tab in which that was done. */
async function ownerWithPasskey({ domain, open, setUp }: Walk) {
  const page = await setUp(await open());
  return { page, passkey: await givePasskey(world.at, domain) };
}

const openDomainPage = (page: Page) => page.goto(authorizationUrl(world.at, world.client));

browserTests("a passkey manager in Chromium", () => {
  test("forgets the passkey that its owner removes", async (context) => {
    const { page, passkey } = await ownerWithPasskey(startWalk(world, context));
    const signals = await overheard(page);
    await page.goto(`${world.at.issuer}/account`);
    const held = await plugIn(page, passkey);
    // The page that asks for the domain offers it, and it signs in by itself.
    await page.click("#remove-passkey-1");
    await atStep(page, "account-change");
    expect(await held()).toEqual([passkey.credentialId]);
    await press(page, "remove-passkey-form");
    await page.locator("#dns-value").waitFor();
    await eventually(async () => expect(await held()).toEqual([]));
    const { credentialId } = passkey;
    expect(await signals()).toContainEqual([
      ...["signalUnknownCredential", { rpId: "localhost", credentialId }],
    ]);
  });

  test("forgets a passkey that was removed elsewhere once it is presented", async (context) => {
    const walk = startWalk(world, context);
    const { passkey } = await ownerWithPasskey(walk);
    await world.at.store.passkeys.removePasskey(passkey, NOW);
    const page = await (await walk.open()).context.newPage();
    const held = await plugIn(page, passkey);
    await openDomainPage(page);
    await page.locator("#domain-problem").waitFor();
    await eventually(async () => expect(await held()).toEqual([]));
  });

  test("keeps the passkey of another domain, and that of an unfinished set-up, which sign nobody in here", async (context) => {
    const walk = startWalk(world, context);
    await ownerWithPasskey(walk);
    const { domain } = await liveAccount(world.at.store);
    const known = await givePasskey(world.at, domain);
    for (const passkey of [known, { ...known, credentialId: "A".repeat(43) }]) {
      const page = await (await walk.open()).context.newPage();
      const signals = await overheard(page);
      await openDomainPage(page);
      await enter(page, walk.domain);
      await atStep(page, "passkey");
      const held = await plugIn(page, passkey);
      await press(page, "passkey-form");
      await page.locator("#passkey-problem").waitFor();
      await page.waitForLoadState("networkidle");
      expect(await held()).toEqual([passkey.credentialId]);
      expect(await signals()).toEqual([]);
    }
  });

  test("learns on the account page which passkeys of the account there are", async (context) => {
    const { page, passkey } = await ownerWithPasskey(startWalk(world, context));
    const signals = await overheard(page);
    const foreign = { ...passkey, credentialId: `${"B".repeat(42)}A`, userHandle: "AAAA" };
    const held = await plugIn(page, { ...passkey, credentialId: "A".repeat(43) }, foreign);
    await page.goto(`${world.at.issuer}/account`);
    await eventually(async () => expect(await held()).toEqual([foreign.credentialId]));
    const { userHandle: userId, credentialId } = passkey;
    const all = { rpId: "localhost", userId, allAcceptedCredentialIds: [credentialId] };
    expect(await signals()).toEqual([["signalAllAcceptedCredentials", all]]);
  });

  test("is told nothing by a browser that knows no signals, and the pages work", async (context) => {
    const { page } = await ownerWithPasskey(startWalk(world, context));
    await page.addInitScript(`delete PublicKeyCredential.signalAllAcceptedCredentials`);
    await page.goto(`${world.at.issuer}/account`);
    await page.locator("#passkey-signals").waitFor({ state: "attached" });
    expect(await page.evaluate(`"signalAllAcceptedCredentials" in PublicKeyCredential`)).toBe(
      false,
    );
    await page.click("#history summary");
    await page.locator("#history li").first().waitFor();
  });
});
