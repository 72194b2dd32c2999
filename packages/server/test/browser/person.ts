// A person at a browser: opens tabs, does what pages ask for, and hears what the browser complains of.

import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { TestService } from "../support/service.ts";

export interface Person {
  readonly context: BrowserContext;
  /** Errors and warnings of the console, scripts that failed, requests that did or went elsewhere. */
  readonly complaints: string[];
}

/** How long the browser may take for one thing, in milliseconds. */
const patience = 20_000;

/** A browser of its own: no cookie is shared with another person. */
export async function openBrowser(
  browser: Browser,
  origins: readonly string[],
  options: BrowserContextOptions = {},
): Promise<Person> {
  const context = await browser.newContext(options);
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

/** Waits for the page of this step. */
export async function atStep(page: Page, step: string): Promise<void> {
  await page.locator(`body[data-step="${step}"]`).waitFor();
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
  await page.click(`#${form} button.button${which}`);
}

/** Publishes the record that the page shows, in the place of what stood there, as a person would. */
export async function publish({ zone }: Pick<TestService, "zone">, page: Page): Promise<void> {
  const [name, type, value] = await Promise.all(
    ["name", "type", "value"].map((part) => page.innerText(`#dns-${part}`)),
  );
  if (name === undefined || type === undefined || value === undefined) throw new Error("no record");
  for (const record of zone.records()) if (record.name === name) zone.remove(record);
  zone.add({ name, type, value, ttl: 300 });
}

/** Waits until the browser is back at the client; the parameters of the answer. */
export async function backAt(page: Page, redirectUri: string): Promise<URLSearchParams> {
  await page.waitForURL(({ href }) => href.startsWith(`${redirectUri}?`), { timeout: patience });
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
