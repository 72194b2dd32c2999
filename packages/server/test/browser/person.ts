// A person at a browser: opens tabs, does what pages ask for, and hears what the browser complains of.

import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { REFRESH_AFTER_S, type TestService } from "../support/service.ts";
import { publish as publishShown } from "../support/sign-in.ts";

export interface Person {
  readonly context: BrowserContext;
  /** Errors and warnings of the console, scripts that failed, requests that did or went elsewhere. */
  readonly complaints: string[];
}

/** How long the browser may take for one thing, in milliseconds. */
const patience = 20_000;

/** A browser of its own: no cookie is shared with another person. No page refreshes itself there. */
export async function openBrowser(
  browser: Browser,
  origins: readonly string[],
  options: BrowserContextOptions = {},
): Promise<Person> {
  const context = await browser.newContext({ extraHTTPHeaders: refreshAfter(3600), ...options });
  context.setDefaultTimeout(patience);
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(`script: ${error.error()}`));
  context.on("requestfailed", (request) => {
    complaints.push(`failed: ${request.url()} ${request.failure()?.errorText}`);
  });
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== "data:" && !origins.includes(origin)) {
      complaints.push(`elsewhere: ${request.url()}`);
    }
  });
  return { context, complaints };
}

/** The headers with which a browser asks for pages that refresh themselves after these seconds. */
export function refreshAfter(seconds: number): Record<string, string> {
  return { [REFRESH_AFTER_S]: String(seconds) };
}

/** Waits for the page of this step. */
export async function atStep(page: Page, step: string): Promise<void> {
  await page.locator(`body[data-step="${step}"]`).waitFor();
}

/** Waits for the record of a set-up. Its first page asks for a passkey, which this person does not want. */
export async function atRecord(page: Page): Promise<void> {
  await page.locator('body:is([data-step="set-up-passkey"], [data-step="dns-setup"])').waitFor();
  const without = page.locator("#without-passkey-form button");
  // Without script, the browser is on its way already.
  if ((await without.count()) > 0) await without.click().catch(() => {});
  await atStep(page, "dns-setup");
}

/** Goes on from the recovery codes of a new account. */
export async function saveCodes(page: Page): Promise<void> {
  await atStep(page, "recovery-codes");
  await press(page, "recovery-codes-form");
}

/** Types the domain and sends the form. */
export async function enter(page: Page, domain: string): Promise<void> {
  await atStep(page, "domain");
  await page.fill("#domain", domain);
  await page.click("#domain-form button");
}

/** Presses the button of a form; `decision` chooses among several. */
export async function press(page: Page, form: string, decision?: "allow" | "deny"): Promise<void> {
  const which = decision === undefined ? "" : `[value="${decision}"]`;
  // The button that checks at once is for the impatient.
  const closed = page.locator(`details:not([open]):has(#${form}) > summary`);
  if ((await closed.count()) > 0) await closed.click();
  await page.click(`#${form} button.button${which}`);
}

/** Publishes the record that the page shows, as a person would. */
export async function publish(test: Pick<TestService, "zone">, page: Page): Promise<void> {
  // The full name is closed: most panels want the other one.
  const [name, value] = await Promise.all(
    ["name", "value"].map((part) => page.textContent(`#dns-${part}`)),
  );
  publishShown(test, { text: (id) => (id === "dns-name" ? name : value) ?? "" });
}

/** Goes on with the Tab key until the element has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let count = 0; count < 40; count++) {
    await page.keyboard.press("Tab");
    if ((await page.locator(`${selector}:focus`).count()) === 1) return;
  }
  throw new Error(`${selector} is not reached by Tab`);
}

export async function pressByKey(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press("Enter");
}

/** Waits until the browser is back at the client; the parameters of the answer. */
export async function backAt(page: Page, redirectUri: string): Promise<URLSearchParams> {
  const isBack = ({ href }: URL) => href.startsWith(`${redirectUri}?`);
  const arrive = () => page.waitForURL(isBack, { timeout: patience });
  await arrive().catch((error: unknown) => {
    // A second press ends the navigation that the first one began, and leads to the same place.
    if (!String(error).includes("net::ERR_ABORTED")) throw error;
    return arrive();
  });
  return new URL(page.url()).searchParams;
}

export async function openTab({ context }: Person, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** Whether the whole element can be seen without scrolling; scrolling goes by whole pixels, layout does not. */
export function isInSight(page: Page, selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const { top, bottom } = document.querySelector("${selector}").getBoundingClientRect();
    return top > -1 && bottom < innerHeight + 1;
  })()`);
}
