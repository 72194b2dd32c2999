// A part of the walk: a third domain is set up with a passkey, whose signature the app verifies offline.

import {
  parseTrustAnchor,
  type VerificationOptions,
  verifyValidationData,
} from "domain-signin-verify";
import type { Page } from "playwright-core";
import type { findChromium } from "../browser/chromium.ts";
import { openWalkChromium } from "./chromium.ts";
import type { TxtRecord } from "./client.ts";
import { refusalCode, type Walk } from "./proof.ts";
import { expectEqual, expectThat } from "./steps.ts";

export type FoundChromium = ReturnType<typeof findChromium>;

/** Passkeys need a browser. Without Chromium, the walk says so and goes on. */
export async function signInWithPasskey(
  all: Omit<Walk, "browser">,
  { chromium, stopped }: { chromium: FoundChromium; stopped: Promise<unknown> | undefined },
): Promise<void> {
  const { narrate } = all;
  const opened =
    "missing" in chromium
      ? chromium.missing
      : await openWalkChromium(chromium.path, { issuer: all.demo.issuer, narrate, stopped });
  if (typeof opened === "string") {
    narrate(`   The sign-in with a passkey is left out: ${opened}.`);
    return;
  }
  try {
    await walkWithPasskey(all, opened.page);
  } finally {
    await opened.close();
  }
}

async function walkWithPasskey(
  { demo, domain, client, narrate, step }: Omit<Walk, "browser">,
  page: Page,
): Promise<void> {
  /** Acts, and waits until the browser is sent back to the app. */
  async function codeAfter(act: () => Promise<unknown>, state: string): Promise<string> {
    const isBack = (url: string) => url.startsWith(`${client.redirectUri}?`);
    const [request] = await Promise.all([
      page.waitForRequest((request) => isBack(request.url())),
      act(),
    ]);
    return client.readCode({ url: request.url(), stopped: true }, state);
  }

  const request = await step("passkey-set-up", async () => {
    const begun = client.begin();
    await page.goto(begun.url);
    await page.fill("#domain", domain);
    await page.click("#domain-form button");
    await page.click("#passkey-form button");
    await page.locator("#dns-value", { hasText: "jkt=" }).waitFor();
    // The full name is closed: most panels want the other one.
    const [name = "", value = ""] = await Promise.all(
      ["name", "value"].map(async (part) => (await page.textContent(`#dns-${part}`)) ?? ""),
    );
    const record: TxtRecord = { name, type: "TXT", value, ttl: 60 };
    narrate(`   record   ${name} TXT "${value}"`);
    return { ...begun, record };
  });

  await step("passkey-record", async () => {
    await client.publish(request.record);
    // The page looks every three seconds, and goes on looking if DNS was too slow.
    await page.locator("main[data-found]").waitFor();
    narrate("   page     found the record by itself; one button continues with the passkey");
  });

  const tokens = await step("passkey-first", async () => {
    await page.click("#passkey-form button");
    await page.click("#recovery-codes-form button");
    const allow = () => page.click('#consent-form button[value="allow"]');
    return client.exchange(await codeAfter(allow, request.state), request.verifier);
  });

  await step("owner-proof", async () => {
    const options = {
      clientId: client.clientId,
      redirectUri: client.redirectUri,
      issuer: demo.issuer,
      codeVerifier: request.verifier,
      require: "owner_proof",
      trustAnchors: demo.trust_anchors.map(parseTrustAnchor),
    } as const satisfies VerificationOptions;
    const proven = await verifyValidationData(tokens.validation_data, options);
    expectEqual("the proven domain", proven.domain, domain);
    expectThat(
      "the record lists the key that signed",
      request.record.value.includes(`jkt=${proven.jkt}`),
      proven.jkt,
    );
    narrate(
      "   owner proof     The owner approved this request of this app, with the passkey whose",
    );
    narrate(`                   thumbprint the record lists in jkt: ${proven.jkt}.`);
    narrate("                   The app trusts neither the service nor its published keys.");
    const other = { ...options, clientId: "another app" };
    const code = await refusalCode(tokens.validation_data, other);
    narrate(`   refused         for another app: ${code}`);
    expectThat("it counts for this app alone", code !== "not refused", code);
  });

  await step("passkey-again", async () => {
    const again = client.begin();
    // As in a browser that is not signed in. The authenticator offers its passkey with the field.
    await codeAfter(() => page.goto(`${again.url}&prompt=login`), again.state);
  });

  await step("passkey-clean-up", () => client.withdraw(request.record));
}
