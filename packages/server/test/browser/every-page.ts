// Every page of the service, and how a person comes to see it.

import type { Browser, Page } from "playwright-core";
import type { TestClient, TestService } from "../support/service.ts";
import { authorizationUrl } from "../support/sign-in.ts";
import { atStep, enter, openBrowser, type Person, press, publish } from "./person.ts";

export interface Visit {
  readonly at: TestService;
  readonly browser: Browser;
  readonly client: VisitedClient;
  /** A client with a name, a host and scopes as long as may be. */
  readonly longClient: VisitedClient;
  /** A domain that no other visit uses. */
  readonly domain: string;
  readonly people: Person[];
}

export type VisitedClient = TestClient & { readonly scope: string };

type Way = (visit: Visit) => Promise<Page>;

/** By the name of the screenshot. */
export const everyPage: Readonly<Record<string, Way>> = {
  domain: (visit) => begin(visit),

  "domain-mistake": async (visit) => {
    const page = await begin(visit);
    await enter(page, `someone@${visit.domain}`);
    await page.locator("#domain-problem").waitFor();
    return unfolded(page);
  },

  "domain-bad-record": async (visit) => {
    const name = `_domain-signin.${visit.domain}`;
    visit.at.zone.add({ name, type: "TXT", value: "v=dsi1; sp=https://a.example", ttl: 300 });
    visit.at.zone.add({ name, type: "TXT", value: "v=dsi1; acct=short; acct=twice", ttl: 300 });
    const page = await begin(visit);
    await enter(page, visit.domain);
    await page.locator("#domain-problem").waitFor();
    return page;
  },

  "dns-setup": (visit) => begunSetUp(visit),

  "dns-setup-other-value": async (visit) => {
    const page = await begunSetUp(visit);
    const name = `_domain-signin.${visit.domain}`;
    const value = (await page.innerText("#dns-value")).replace(/acct=.*/, `acct=${"x".repeat(22)}`);
    visit.at.zone.add({ name, type: "TXT", value, ttl: 300 });
    await press(page, "check-form");
    await page.locator(".found").waitFor();
    return unfolded(page);
  },

  "dns-setup-longest": async (visit) => unfolded(await begunSetUp(longest(visit))),

  consent: (visit) => setUp(visit),
  "consent-longest": (visit) => setUp(longest(visit)),

  continue: (visit) => continued(visit),
  "continue-longest": (visit) => continued(longest(visit)),

  "dns-challenge": async (visit) => {
    const page = await setUp(visit);
    await page.context().clearCookies({ name: /^ds_session_/ });
    return challenged(visit, page);
  },

  "dns-challenge-with-code": async (visit) => {
    await setUp(visit);
    const page = await challenged(visit, await begin(visit));
    await page.fill("#recovery_code", "7k2xq-not-one-of-them");
    await press(page, "check-form");
    await page.locator("#recovery-problem").waitFor();
    return unfolded(page);
  },

  "dns-challenge-longest": async (visit) => {
    await setUp(longest(visit));
    return challenged(longest(visit), await begin(longest(visit)));
  },

  "own-unknown": async (visit) => {
    await publish(visit.at, await begunSetUp(visit));
    const page = await begin(visit);
    await enter(page, visit.domain);
    await page.locator("#start-over-form").waitFor();
    return page;
  },

  "problem-untrusted": async (visit) => {
    const page = await blank(visit);
    const elsewhere = { redirect_uri: "https://elsewhere.example/" };
    await page.goto(authorizationUrl(visit.at, visit.client, elsewhere));
    return page;
  },

  "problem-way-back": async (visit) => {
    const [page, other] = [await setUp(visit), await blank(visit)];
    // Another browser has not the cookie of the one that began.
    await other.goto(page.url());
    return other;
  },
};

/** With everything as long as it may be: a domain of 228 octets, a name of 100 characters. */
function longest(visit: Visit): Visit {
  const label = "a-very-long-label-that-goes-on-and-on-";
  const room = 228 - visit.domain.length - 1;
  const labels = [63, 63, 63, room - 3 * 64].map((length) =>
    label.repeat(2).slice(0, length).replace(/-$/, "z"),
  );
  const domain = `${labels.join(".")}.${visit.domain}`;
  return { ...visit, domain, client: visit.longClient };
}

function requestOf({ at, client }: Visit): string {
  return authorizationUrl(at, client, { scope: client.scope });
}

async function blank({ browser, at, people }: Visit): Promise<Page> {
  const person = await openBrowser(browser, [at.issuer]);
  people.push(person);
  return person.context.newPage();
}

async function begin(visit: Visit): Promise<Page> {
  const page = await blank(visit);
  await page.goto(requestOf(visit));
  return page;
}

async function begunSetUp(visit: Visit): Promise<Page> {
  const page = await begin(visit);
  await enter(page, visit.domain);
  await atStep(page, "dns-setup");
  return page;
}

async function setUp(visit: Visit): Promise<Page> {
  const page = await begunSetUp(visit);
  await publish(visit.at, page);
  await press(page, "check-form");
  await atStep(page, "consent");
  return page;
}

async function continued(visit: Visit): Promise<Page> {
  const page = await setUp(visit);
  await page.goto(requestOf(visit));
  await atStep(page, "continue");
  return page;
}

async function challenged(visit: Visit, page: Page): Promise<Page> {
  await page.goto(requestOf(visit));
  await enter(page, visit.domain);
  await atStep(page, "dns-challenge");
  return page;
}

/** Shows what a page holds back until it is asked for. */
async function unfolded(page: Page): Promise<Page> {
  const closed = page.locator("details:not([open]) > summary");
  while ((await closed.count()) > 0) await closed.first().click();
  return page;
}
