// The user's side of the sign-in with a passkey: a real Chromium, with an authenticator that needs no hardware.

import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page, Response } from "playwright-core";
import { messageOf } from "../demo-error.ts";
import { waitAskedBy } from "../patience.ts";
import { type Narrate, narrateWait } from "./steps.ts";

/** Only ends a hang: on a busy machine, Chromium may need minutes for what takes a second otherwise. */
const HANG_MS = 600_000;

export interface WalkChromium {
  readonly page: Page;
  close(): Promise<void>;
}

/**
 * Prints its requests to `issuer`. Resolves to why there is none, if the program does not start or its driver is not
 * installed.
 */
export async function openWalkChromium(
  executablePath: string,
  {
    issuer,
    narrate,
    stopped,
  }: { issuer: string; narrate: Narrate; stopped: Promise<unknown> | undefined },
): Promise<WalkChromium | string> {
  let browser: Browser;
  try {
    const { chromium } = await import("playwright-core");
    // Chromium refuses to sandbox itself as root. A container's /dev/shm is too small for it.
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    browser = await chromium.launch({
      executablePath,
      timeout: HANG_MS,
      // Else it would end this process before the demo has closed what it opened.
      ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
      args: [
        ...args,
        ...["--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking"],
        ...["--disable-component-update", "--disable-sync", "--no-first-run"],
      ],
    });
  } catch (error) {
    return messageOf(error);
  }
  // What waits for a page ends with an error then.
  stopped?.then(() => browser.close()).catch(() => {});
  try {
    const page = await openPage(browser, issuer, narrate);
    return { page, close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function openPage(browser: Browser, issuer: string, narrate: Narrate): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(HANG_MS);
  await plugInAuthenticator(page);
  let last: Response | undefined;
  page.on("response", (response) => {
    const { origin, pathname } = new URL(response.url());
    if (origin !== issuer || !response.request().isNavigationRequest()) return;
    const path = pathname.replace(/^(\/interaction\/[^/]{6})[^/]*/, "$1…");
    narrate(`   Chromium ${response.request().method()} ${path} → ${response.status()}`);
    last = response;
  });
  page.on("domcontentloaded", () => {
    const loaded = last;
    last = undefined;
    // It rejects if the page was left or closed in the meantime.
    if (loaded !== undefined) void tryAgain(page, loaded, narrate).catch(() => {});
  });
  return page;
}

/** What its user does on a page that says that the service is busy. The steps of the walk wait meanwhile. */
async function tryAgain(page: Page, response: Response, narrate: Narrate): Promise<void> {
  const wait = waitAskedBy({
    status: response.status(),
    headers: { get: (name) => response.headers()[name] ?? null },
  });
  if (wait === null) return;
  narrateWait(narrate)(wait);
  await sleep(wait, undefined, { ref: false });
  const domain = page.locator("#domain");
  if ((await page.locator('body[data-step="passkey"]').count()) > 0) {
    await page.click("#passkey-form button");
  } else if ((await domain.count()) === 0) {
    await page.reload();
  } else if (!new URL(page.url()).pathname.endsWith("/passkey")) {
    await page.click("#domain-form button");
  }
  // Otherwise the page has offered the passkey again by itself.
}

/** It keeps passkeys like a phone or a laptop, and confirms at once that its user is present. */
async function plugInAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
}
