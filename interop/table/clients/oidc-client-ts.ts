// oidc-client-ts, on a page in Chromium.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { findChromium, launchChromium } from "../../../packages/server/test/support/chromium.ts";
import type { Driver } from "../driver.ts";
import { silentRequest, type World } from "../world.ts";

const SCRIPT = readFileSync(
  fileURLToPath(import.meta.resolve("oidc-client-ts")).replace(
    /esm.*|umd.*/,
    "browser/oidc-client-ts.min.js",
  ),
);

export const oidcClientTs: Driver = {
  name: "oidc-client-ts",
  source: import.meta.url,
  about: "In Chromium, as a public client: without a secret.",
  isPublic: true,
  knobs: { userinfo: "`loadUserInfo: true`" },
  async missing() {
    const found = await findChromium();
    return "missing" in found ? found.missing : undefined;
  },
  async signIn(at, turned) {
    const { issuer, id, redirectUri, goodbye, app } = at;
    serveApp(at);
    const browser = await launchChromium();
    try {
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      const page = await context.newPage();
      await page.goto(`${app}/`);
      const settings = JSON.stringify({
        // configuration
        authority: issuer,
        client_id: id,
        redirect_uri: redirectUri,
        post_logout_redirect_uri: goodbye,
        // end of configuration
        ...(turned && { loadUserInfo: true }),
      });
      const manager = `globalThis.manager ??= new oidc.UserManager(${settings})`;
      const run = <T>(call: string) => page.evaluate<T>(`(${manager}, ${call})`);
      // Without waiting for it, because the page goes away.
      await run("void manager.signinRedirect()");
      await page.waitForURL(`${issuer}/**`);
      await answerInBrowser(at, page);
      const user = await run<BrowserUser>("manager.signinCallback()");
      const { access_token: accessToken, profile } = user;
      return {
        accessToken,
        claims: profile,
        userinfo: async () => profile,
        refresh: async () => (await run<BrowserUser>("manager.signinSilent()")).access_token,
        revoke: () => run("manager.revokeTokens()"),
        async logout() {
          await run("void manager.signoutRedirect()");
          await page.waitForURL(goodbye);
          return page.url();
        },
        silentError: () => silentErrorOf(context, at),
        close: () => browser.close(),
      };
    } catch (error) {
      await browser.close();
      throw error;
    }
  },
};

interface BrowserUser {
  readonly access_token: string;
  readonly profile: Readonly<Record<string, unknown>>;
}

function serveApp({ serve }: World): void {
  serve(({ url }, outgoing) => {
    const isScript = url === "/oidc.js";
    outgoing.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    outgoing.end(
      isScript ? SCRIPT : '<!doctype html><title>An app</title><script src="/oidc.js"></script>',
    );
  });
}

/** Does what the pages of the service ask for, until the browser is back at the app. */
async function answerInBrowser({ app, domain, publish }: World, page: Page): Promise<void> {
  const submit = (form: string, button = "button.button") => page.click(`#${form} ${button}`);
  for (let steps = 0; steps < 8; steps++) {
    await page.waitForLoadState("load");
    if (new URL(page.url()).origin === app) return;
    const step = await page.getAttribute("body", "data-step");
    if (step === "domain") {
      await page.fill("#domain", domain);
      await submit("domain-form", "button");
    } else if (step === "set-up-passkey") {
      await submit("without-passkey-form");
    } else if (step === "dns-setup") {
      const [name, value] = await Promise.all(
        ["name", "value"].map((part) => page.textContent(`#dns-${part}`)),
      );
      publish({ text: (element) => (element === "dns-name" ? name : value) ?? "" });
      // The full name and the button that checks at once are closed.
      await page.click("#servers summary");
      await submit("check-form");
    } else if (step === "recovery-codes") await submit("recovery-codes-form");
    else if (step === "consent") await submit("consent-form", 'button[value="allow"]');
    else throw new Error(`stuck at ${step}`);
  }
  throw new Error(`no end: ${page.url()}`);
}

async function silentErrorOf(context: BrowserContext, at: World): Promise<string | null> {
  const tab = await context.newPage();
  await tab.goto(silentRequest(at.issuer, at));
  const error = new URL(tab.url()).searchParams.get("error");
  await tab.close();
  return error;
}
