// How the pages look: on a small screen and a large one, by day and by night.

import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { browserTests } from "../support/browser-tests.ts";
import { launchChromium } from "../support/chromium.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { everyPage, type VisitedClient } from "./every-page.ts";
import { layoutFindings } from "./page-probe.ts";
import type { Person } from "./person.ts";

/** For people to look at: nothing compares them. */
const screenshots = fileURLToPath(
  new URL("../../../../test-results/screenshots/", import.meta.url),
);
const sizes = [
  { width: 320, height: 640 },
  { width: 1280, height: 800 },
];
const schemes = ["light", "dark"] as const;

const longName = `Notes of ${"a-name-without-a-place-to-break-".repeat(3)}`.slice(0, 100);
const longHost =
  "notes.a-host-with-a-name-that-is-longer-than-any-small-screen-is-wide.example.org";
const longScope = [
  ...["openid", "offline_access", "notes:read", "notes:write"],
  "https://api.example.org/scopes/everything-that-can-be-done-with-notes.readonly",
].join(" ");

let browser: Browser;
let at: TestService;
let client: VisitedClient;
let longClient: VisitedClient;
const people: Person[] = [];
let count = 0;

browserTests("every page", () => {
  beforeAll(async () => {
    [browser, at] = await Promise.all([launchChromium(), startTestService()]);
    client = await addClient("Notes", "notes.example.org", "openid offline_access");
    longClient = await addClient(longName, longHost, longScope);
  });
  afterAll(async () => {
    await browser?.close();
    await at?.close();
  });
  afterEach(() => Promise.all(people.splice(0).map(({ context }) => context.close())));

  test.each(Object.entries(everyPage))(
    "%s fits, can be read, pressed and reached by key at 320 and 1280 pixels, light and dark",
    async (name, visit) => {
      const domain = count++ === 0 ? "alice.test" : `blog-${count}.alice.test`;
      const page = await visit({ at, browser, client, longClient, domain, people });
      await eachLook(page, (look) =>
        page.screenshot({ path: `${screenshots}${name}-${look}.png`, fullPage: true }),
      );
      const findings: string[] = [];
      await eachLook(page, async (look) => {
        findings.push(...(await layoutFindings(page)).map((finding) => `${look}: ${finding}`));
      });
      expect(findings).toEqual([]);
    },
  );
});

async function addClient(name: string, host: string, scope: string): Promise<VisitedClient> {
  const registration = { name, redirect_uris: [`https://${host}/callback`], scope };
  return { ...(await at.addClient(registration)), scope };
}

async function eachLook(page: Page, act: (look: string) => Promise<unknown>): Promise<void> {
  for (const size of sizes) {
    for (const colorScheme of schemes) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await act(`${size.width}-${colorScheme}`);
    }
  }
}
