// The user's side of the sign-in with a passkey: a real Chromium, with an authenticator that needs no hardware.

import type { Browser, Page } from "playwright-core";
import type { Narrate } from "./steps.ts";

const PATIENCE_MS = 20_000;

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
  issuer: string,
  narrate: Narrate,
): Promise<WalkChromium | string> {
  let browser: Browser;
  try {
    const { chromium } = await import("playwright-core");
    // Chromium refuses to sandbox itself as root. A container's /dev/shm is too small for it.
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    browser = await chromium.launch({
      executablePath,
      timeout: PATIENCE_MS,
      args: [
        ...args,
        ...["--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking"],
        ...["--disable-component-update", "--disable-sync", "--no-first-run"],
      ],
    });
  } catch (error) {
    const [line = ""] = String(error instanceof Error ? error.message : error).split("\n");
    return line;
  }
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await plugInAuthenticator(page);
  page.on("response", (response) => {
    const { origin, pathname } = new URL(response.url());
    if (origin !== issuer || !response.request().isNavigationRequest()) return;
    const path = pathname.replace(/^(\/interaction\/[^/]{6})[^/]*/, "$1…");
    narrate(`   Chromium ${response.request().method()} ${path} → ${response.status()}`);
  });
  return { page, close: () => browser.close() };
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
