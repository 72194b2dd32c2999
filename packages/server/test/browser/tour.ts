// A tour of every page: shows each as a person came to see it, and then in every language.

import type { Page, Response } from "playwright-core";
import { LANGUAGES } from "../../src/pages/languages.ts";
import { launchChromium } from "../support/chromium.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { everyPage } from "./every-page.ts";
import { startFailingService } from "./failing-service.ts";
import type { Person } from "./person.ts";
import type { Visit, VisitedClient } from "./visit.ts";

export interface Tour {
  readonly at: TestService;
  /** Shows the page of this name until `look` is done with it. */
  show(name: string, look: (page: Page) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const longName = `Notes of ${"a-name-without-a-place-to-break-".repeat(3)}`.slice(0, 100);
const longHost =
  "notes.a-host-with-a-name-that-is-longer-than-any-small-screen-is-wide.example.org";
const longScope = [
  ...["openid", "offline_access", "notes:read", "notes:write"],
  "https://api.example.org/scopes/everything-that-can-be-done-with-notes.readonly",
].join(" ");

export const sizes = [
  { width: 320, height: 640 },
  { width: 1280, height: 800 },
];
export const schemes = ["light", "dark"] as const;
/** In other languages than English: each size and each scheme once. */
const fewer = ["320-light", "1280-dark"];
export const languages: readonly string[] = [...LANGUAGES.keys()];

export async function openTour(): Promise<Tour> {
  const [browser, at, failing] = await Promise.all([
    launchChromium(),
    // Each visit comes from an address of its own: one alone would be a flood.
    startTestService({ config: { trustedProxies: ["127.0.0.1"] } }),
    startFailingService(),
  ]);
  const client = await addClient(at, "Notes", "notes.example.org", "openid offline_access");
  const longClient = await addClient(at, longName, longHost, longScope);
  let count = 0;
  return {
    at,
    async show(name, look) {
      const way = everyPage[name];
      if (way === undefined) throw new Error(`no page ${name}`);
      const people: Person[] = [];
      const domain = count++ === 0 ? "alice.test" : `blog-${count}.alice.test`;
      const shared: Omit<Visit, "domain" | "address" | "people"> = {
        ...{ at, browser, client, longClient },
        failing: failing.origin,
      };
      try {
        await look(await way({ ...shared, domain, address: `192.0.2.${count}`, people }));
      } finally {
        await Promise.all(people.map(({ context }) => context.close()));
      }
    },
    async close() {
      await browser.close();
      await Promise.all([at.close(), failing.close()]);
    },
  };
}

/** The same page again, as it is answered to a browser that asks for this language. */
export async function inLanguage(page: Page, language: string): Promise<Response> {
  const before = await whatIsShown(page);
  await page.setExtraHTTPHeaders({ "accept-language": language });
  const response = await page.reload();
  const [after, lang] = [await whatIsShown(page), await page.getAttribute("html", "lang")];
  if (response === null || after !== before || lang?.split("-")[0] !== language) {
    throw new Error(`${page.url()} in ${language} is ${after} in ${lang} and was ${before}`);
  }
  return response;
}

export async function eachLook(
  page: Page,
  language: string,
  act: (look: string, isFirst: boolean) => Promise<unknown>,
): Promise<void> {
  for (const size of sizes) {
    for (const scheme of schemes) {
      if (language !== "en" && !fewer.includes(`${size.width}-${scheme}`)) continue;
      await setLook(page, size, scheme);
      await act(`${size.width}-${scheme}`, size === sizes[0] && scheme === schemes[0]);
    }
  }
}

export async function setLook(
  page: Page,
  size: (typeof sizes)[number],
  colorScheme: (typeof schemes)[number],
): Promise<void> {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
}

function whatIsShown(page: Page): Promise<string> {
  return page.evaluate<string>(`document.body.dataset.step
    + ", problem " + document.querySelectorAll(".notice[role=alert]").length
    + ", records " + document.querySelectorAll(".found > li").length
    + ", open " + document.querySelectorAll("details[open]").length`);
}

async function addClient(
  at: TestService,
  name: string,
  host: string,
  scope: string,
): Promise<VisitedClient> {
  const registration = { name, redirect_uris: [`https://${host}/callback`], scope };
  return { ...(await at.addClient(registration)), scope };
}
