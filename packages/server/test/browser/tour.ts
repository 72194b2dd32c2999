// A tour of every page: a service, and a few tabs that come to see one page after the other.

import type { Page, Response } from "playwright-core";
import { launchChromium } from "../support/chromium.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { everyPage } from "./every-page.ts";
import { startFailingService } from "./failing-service.ts";
import { openBrowser } from "./person.ts";
import type { VisitedClient } from "./visit.ts";

export interface Tour {
  readonly at: TestService;
  /** Shows the page of this name until `act` is done with it; `shown` is what the tab was answered. */
  show(name: string, act: (page: Page, shown: Response) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** More would not be quicker on two cores. */
const TABS = 3;
/** By turns: the lookups for one of them alone would soon be over the limit for a registrable domain. */
const ZONES = ["alice.test", "bob.test", "carol.test"];

const longName = `Notes of ${"a-name-without-a-place-to-break-".repeat(3)}`.slice(0, 100);
const longHost =
  "notes.a-host-with-a-name-that-is-longer-than-any-small-screen-is-wide.example.org";
const longScope = "openid profile offline_access";

export async function openTour(): Promise<Tour> {
  let requests = 0;
  // Each request comes from another address: from one alone they would be a flood.
  const clientAddress = () => `192.0.2.${++requests % 256}`;
  const [browser, at, failing] = await Promise.all([
    launchChromium(),
    startTestService({ clientAddress }),
    startFailingService(),
  ]);
  const client = await addClient(at, "Notes", "notes.example.org", "openid offline_access");
  const longClient = await addClient(at, longName, longHost, longScope);
  const shared = { at, client, longClient, failing: failing.origin };
  let visits = 0;

  const openTab = async () => (await openBrowser(browser, [at.issuer])).context.newPage();
  // A context with its tab costs as much as five loads, so the tabs are used again.
  const free = Array.from({ length: TABS }, openTab);
  const waiting: ((tab: Promise<Page>) => void)[] = [];
  const take = () => free.pop() ?? new Promise<Page>((resolve) => waiting.push(resolve));
  const giveBack = (tab: Promise<Page>) => {
    const next = waiting.shift();
    if (next === undefined) free.push(tab);
    else next(tab);
  };

  return {
    at,
    async show(name, act) {
      const way = everyPage[name];
      if (way === undefined) throw new Error(`no page ${name}`);
      const tab = await take();
      const domain = `blog-${++visits}.${ZONES[visits % ZONES.length]}`;
      try {
        const documents = documentsOf(tab);
        await way({ ...shared, tab, domain });
        await tab.waitForLoadState();
        await act(tab, documents.last());
        documents.end();
        await forget(tab);
        giveBack(Promise.resolve(tab));
      } catch (error) {
        const another = openTab();
        // It cannot be opened any more if this was the last visit.
        another.catch(() => {});
        giveBack(another);
        throw error;
      }
    },
    async close() {
      await browser.close();
      await Promise.all([at.close(), failing.close()]);
    },
  };
}

/** The answers that the tab is given as its document. */
function documentsOf(tab: Page): { last(): Response; end(): void } {
  let last: Response | undefined;
  const note = (response: Response) => {
    const isDocument = response.request().isNavigationRequest();
    if (isDocument && (response.status() < 300 || response.status() > 399)) last = response;
  };
  tab.on("response", note);
  return {
    last() {
      if (last === undefined) throw new Error("the tab shows no page");
      return last;
    },
    end: () => tab.off("response", note),
  };
}

/** Makes the tab that of a browser that was never here. */
async function forget(tab: Page): Promise<void> {
  await tab.context().clearCookies();
  await tab.evaluate("sessionStorage.clear()");
}

async function addClient(
  at: TestService,
  name: string,
  host: string,
  scope: string,
): Promise<VisitedClient> {
  const uris = [`https://${host}/callback`];
  const registration = { name, redirect_uris: uris, post_logout_redirect_uris: uris, scope };
  return { ...(await at.addClient(registration)), scope };
}
