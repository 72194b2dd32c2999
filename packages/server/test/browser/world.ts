// What tests of signing in share: a service, a client and Chromium, with a domain and people for each test.

import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect, type TestContext } from "vitest";
import { launchChromium } from "../support/chromium.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import { authorizationUrl } from "../support/sign-in.ts";
import { type Callback, startCallback } from "./callback.ts";
import {
  atRecord,
  atStep,
  backAt,
  enter,
  openBrowser,
  type Person,
  press,
  publish,
  saveCodes,
} from "./person.ts";

/** What the tests of a file share. */
export interface World {
  readonly browser: Browser;
  readonly at: TestService;
  readonly callback: Callback;
  readonly client: TestClient;
  close(): Promise<void>;
}

export interface Walk {
  /** A domain that no other test uses. */
  readonly domain: string;
  /** A new browser, which must complain of nothing until the test is over. */
  open(options?: BrowserContextOptions): Promise<Person>;
  /** A tab that the client has just sent here. */
  begin(person: Person, parameters?: Record<string, string>): Promise<Page>;
  /** A tab that has come as far as the consent page, by the set-up. */
  setUp(person: Person, parameters?: Record<string, string>): Promise<Page>;
}

/** Everything that a state may hold and that encodings like to change. */
export const state = 'a state/with+signs & ü = %20 "quoted" \'';

export async function openWorld(
  options: Parameters<typeof startTestService>[0] = {},
): Promise<World> {
  const [browser, at, callback] = await Promise.all([
    launchChromium(),
    startTestService(options),
    startCallback(),
  ]);
  const client = await at.addClient({ name: "Notes", redirect_uris: [callback.redirectUri] });
  return {
    ...{ browser, at, callback, client },
    async close() {
      await browser.close();
      await Promise.all([at.close(), callback.close()]);
    },
  };
}

/**
 * Problem pages have an error status, and Chromium notes that. It gives up a navigation when another
 * one replaces it: at the second press of a double click, if the answer to the first is not there yet.
 */
const EXPECTED = /status of 400 \(Bad Request\)|^failed: .* net::ERR_ABORTED$/;

export function startWalk(
  { browser, at, client }: World,
  { task, onTestFinished }: TestContext,
): Walk {
  const domain = `test${task.id.replace(/[^0-9]+/g, "-")}.alice.test`;
  const people: Person[] = [];
  onTestFinished(async () => {
    const complaints = people.flatMap((person) => [...person.complaints]);
    await Promise.all(people.map(({ context }) => closeContext(context)));
    expect(complaints.filter((text) => !EXPECTED.test(text))).toEqual([]);
    expect(at.events.filter((event) => event.startsWith("failed"))).toEqual([]);
  });

  async function begin(person: Person, parameters = {}): Promise<Page> {
    const page = await person.context.newPage();
    await page.goto(authorizationUrl(at, client, { state, ...parameters }));
    return page;
  }
  return {
    domain,
    begin,
    async open(options) {
      const origins = [at.issuer, new URL(client.redirectUri).origin];
      const person = await openBrowser(browser, origins, options);
      people.push(person);
      return person;
    },
    async setUp(person, parameters) {
      const page = await begin(person, parameters);
      await enter(page, domain);
      await atRecord(page);
      await publish(at, page);
      await press(page, "check-form");
      await saveCodes(page);
      await atStep(page, "consent");
      return page;
    },
  };
}

/** The page is a problem page with this title, and its link leads back to the client. */
export async function expectWayBack({ client }: World, page: Page, title: string): Promise<void> {
  await atStep(page, "problem");
  expect(await page.innerText("h1")).toBe(title);
  await page.click("#back-to-app");
  expect((await backAt(page, client.redirectUri)).get("error")).toBe("access_denied");
}

/** Redeems the code that came back with this state, for an access token. */
export async function redeem({ at, callback, client }: World, ofState: string): Promise<string> {
  const parameters = {
    grant_type: "authorization_code",
    code: callback.of(ofState)[0]?.get("code") ?? "",
    redirect_uri: client.redirectUri,
  };
  const { status, body } = await at.token(parameters, client);
  expect(status).toBe(200);
  return String(body.access_token);
}

/** The domain that the sign-in with this state was for. */
export async function domainOf(world: World, ofState: string): Promise<unknown> {
  const authorization = `Bearer ${await redeem(world, ofState)}`;
  const answer = await fetch(`${world.at.issuer}/oauth/userinfo`, { headers: { authorization } });
  return ((await answer.json()) as { domain?: string }).domain;
}

/**
 * Closing a context was seen never to end while one of its tabs navigates. It is housekeeping: what is
 * still open ends with the browser, so that nobody waits longer than this for it.
 */
const CLOSING_MS = 10_000;

async function closeContext(context: BrowserContext): Promise<void> {
  // A tab that is closing already has nothing to leave.
  const leave = (page: Page) => page.goto("about:blank", { timeout: CLOSING_MS }).catch(() => {});
  await Promise.all(context.pages().map(leave));
  const closed = context.close();
  // What fails after the wait fails because the browser is gone.
  closed.catch(() => {});
  const end = new AbortController();
  const late = sleep(CLOSING_MS, undefined, { signal: end.signal }).catch(() => {});
  await Promise.race([closed, late]);
  end.abort();
}
