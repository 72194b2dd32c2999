// What it takes to come to see a page: a browser, a client that asks, a domain, and the steps on the way.

import type { Browser, Page } from "playwright-core";
import type { TestClient, TestService } from "../support/service.ts";
import { authorizationUrl } from "../support/sign-in.ts";
import { atStep, enter, openBrowser, type Person, press, publish } from "./person.ts";

export interface Visit {
  readonly at: TestService;
  /** The origin of a service whose every request fails. */
  readonly failing: string;
  readonly browser: Browser;
  readonly client: VisitedClient;
  /** A client with a name, a host and scopes as long as may be. */
  readonly longClient: VisitedClient;
  /** A domain that no other visit uses. */
  readonly domain: string;
  /** The address that the visit seems to come from, which no other visit uses. */
  readonly address: string;
  readonly people: Person[];
}

export type VisitedClient = TestClient & { readonly scope: string };

/** How a person comes to see one page. */
export type Way = (visit: Visit) => Promise<Page>;

/** With everything as long as it may be: a domain of 228 octets, a name of 100 characters. */
export function longest(visit: Visit): Visit {
  const label = "a-very-long-label-that-goes-on-and-on-";
  const room = 228 - visit.domain.length - 1;
  const labels = [63, 63, 63, room - 3 * 64].map((length) =>
    label.repeat(2).slice(0, length).replace(/-$/, "z"),
  );
  const domain = `${labels.join(".")}.${visit.domain}`;
  return { ...visit, domain, client: visit.longClient };
}

export function requestOf(
  { at, client }: Visit,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  return authorizationUrl(at, client, { scope: client.scope, ...parameters });
}

/** A tab in a browser that was never here. */
export async function blank({ browser, at, people, address }: Visit): Promise<Page> {
  const extraHTTPHeaders = { "x-forwarded-for": address };
  const person = await openBrowser(browser, [at.issuer], { extraHTTPHeaders });
  people.push(person);
  return person.context.newPage();
}

export async function begin(visit: Visit): Promise<Page> {
  const page = await blank(visit);
  await page.goto(requestOf(visit));
  return page;
}

export async function begunSetUp(visit: Visit): Promise<Page> {
  const page = await begin(visit);
  await enter(page, visit.domain);
  await atStep(page, "dns-setup");
  return page;
}

/** As far as the consent page. */
export async function setUp(visit: Visit): Promise<Page> {
  const page = await begunSetUp(visit);
  await publish(visit.at, page);
  await press(page, "check-form");
  await atStep(page, "consent");
  return page;
}

export async function continued(visit: Visit): Promise<Page> {
  const page = await setUp(visit);
  await page.goto(requestOf(visit));
  await atStep(page, "continue");
  return page;
}

export async function challenged(visit: Visit, page: Page): Promise<Page> {
  await page.goto(requestOf(visit));
  await enter(page, visit.domain);
  await atStep(page, "dns-challenge");
  return page;
}

/** Sends a form of the page as its own button would, without following what comes of it. */
export async function post(page: Page, form: Record<string, string>): Promise<void> {
  const headers = { "sec-fetch-site": "same-origin" };
  await page.context().request.post(page.url(), { form, headers, maxRedirects: 0 });
}

/** Shows what a page holds back until it is asked for. */
export async function unfolded(page: Page): Promise<Page> {
  const closed = page.locator("details:not([open]) > summary");
  while ((await closed.count()) > 0) await closed.first().click();
  return page;
}
