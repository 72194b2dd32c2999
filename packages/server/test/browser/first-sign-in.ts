// A first sign-in as a person goes through it in Chromium, with what each page asks of its reader.

import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { atStep, backAt, publish, refreshAfter } from "./person.ts";
import { plugIn } from "./plug-in.ts";
import type { Walk, World } from "./world.ts";

/** What a page asks of its reader, as the first screen shows it. */
export interface Looks {
  readonly words: number;
  readonly primaryButtons: number;
  /** From the top of the window, in CSS pixels. */
  readonly firstControl: number;
  readonly taskEnd: number;
}

export interface FirstSignIn {
  /** Back at the client. */
  readonly page: Page;
  readonly clicks: number;
  readonly copies: number;
  /** By the step of the page, in the order of the pages; a record that was found is the step "found". */
  readonly looks: Readonly<Record<string, Looks>>;
}

/** Signs in as the domain for the first time, with a passkey; `see` is called with each page. */
export async function firstSignIn(
  { at, client }: World,
  { open, begin }: Walk,
  domain: string,
  options: BrowserContextOptions,
  see: (name: string, page: Page) => Promise<void> = async () => {},
): Promise<FirstSignIn> {
  const person = await open({ ...options, extraHTTPHeaders: refreshAfter(1) });
  await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await begin(person, { state: domain });
  await plugIn(page, null);
  const looks: Record<string, Looks> = {};
  let [clicks, copies] = [0, 0];
  const click = async (selector: string) => {
    clicks++;
    await page.click(selector);
  };
  const copy = async (name: string) => {
    copies++;
    await click(`button[data-copy="${name}"]`);
  };
  const arrive = async (name: string, task: string) => {
    looks[name] = await looksOf(page, task);
    await see(name, page);
  };

  await atStep(page, "domain");
  await page.fill("#domain", domain);
  await arrive("domain", "#domain-form button");
  await click("#domain-form button");
  await atStep(page, "set-up-passkey");
  await arrive("set-up-passkey", "#passkey-form button");
  await click("#passkey-form button");
  await atStep(page, "dns-setup");
  await page.locator("#look-result", { hasText: "Not there yet." }).waitFor();
  await arrive("dns-setup", "#look");
  await copy("dns-relative-name");
  await copy("dns-value");
  await publish(at, page);
  await page.locator("main[data-found]").waitFor();
  await arrive("found", "#passkey-form button");
  await click("#passkey-form button");
  await atStep(page, "recovery-codes");
  await arrive("recovery-codes", "#recovery-codes-form button");
  await click("#recovery-codes-form button");
  await atStep(page, "consent");
  await arrive("consent", "#consent-form button");
  await click('#consent-form button[value="allow"]');
  expect((await backAt(page, client.redirectUri)).get("code")).toMatch(/^dsc_/);
  return { page, clicks, copies, looks };
}

/** `task` is what the page is for. Values to be copied are no words, nor is what is closed. */
function looksOf(page: Page, task: string): Promise<Looks> {
  return page.evaluate<Looks>(`(() => {
    const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    let words = 0;
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const element = text.parentElement;
      if (!isShown(element) || element.closest("code, noscript, .visually-hidden")) continue;
      words += (text.data.match(/[\\p{L}\\p{N}][^\\s]*/gu) ?? []).length;
    }
    const controls = [...document.querySelectorAll("main :is(a, button, input, summary)")].filter(isShown);
    const primary = [...document.querySelectorAll("main .button.primary")].filter(isShown);
    return {
      words,
      primaryButtons: primary.length,
      firstControl: Math.round(controls[0].getBoundingClientRect().top),
      taskEnd: Math.round(document.querySelector(${JSON.stringify(task)}).getBoundingClientRect().bottom),
    };
  })()`);
}
