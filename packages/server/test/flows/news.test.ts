// What happened to an account in another browser is told at the next sign-in, until the person goes on.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { describe, expect, test } from "vitest";
import { flow, hasCode } from "../support/flow.ts";
import { heldStatements } from "../support/held-statements.ts";
import { givePasskey, usePasskey } from "../support/passkeys.ts";
import { startTestService } from "../support/service.ts";
import { authorizationUrl, copyOf, openDomainPage } from "../support/sign-in.ts";

type Passkey = Awaited<ReturnType<typeof givePasskey>>;

const statements = heldStatements();
const at = flow({ start: () => startTestService(statements) });

/** The page that offers to continue; the history is written in the background. */
async function continuePage(agent: UserAgent, wanted: RegExp | null = null): Promise<Page> {
  const open = () => at.open({}, { agent });
  if (wanted !== null) await expect.poll(async () => (await open()).html).toMatch(wanted);
  const page = await open();
  expect(page.step).toBe("continue");
  return page;
}

async function owner() {
  const { agent } = await at.signIn();
  return { agent, passkey: await givePasskey(at, at.domain) };
}

/** With the passkey, on the page that asks for a domain. */
async function withoutTyping(agent: UserAgent, passkey: Passkey, parameters = {}) {
  const page = await openDomainPage(agent, authorizationUrl(at, at.client, parameters));
  return usePasskey(agent, page, passkey, { stopAt: at.client.redirectUri });
}

async function signInElsewhere(passkey: Passkey) {
  const other = createUserAgent();
  expect((await withoutTyping(other, passkey)).stopped).toBe(true);
  return other;
}

const NEWS = /New activity for <[^>]*>alice\.test|First sign-in from a new browser/;
const goOn = (agent: UserAgent, page: Page) => at.submit(page, "continue-form", {}, { agent });

test("a sign-in in a new browser is told in the one that was there before, once, and not in itself", async () => {
  const { agent, passkey } = await owner();
  expect((await continuePage(agent)).html).not.toMatch(NEWS);
  at.advance(60);
  const other = await signInElsewhere(passkey);
  const told = await continuePage(agent, NEWS);
  expect(told.html).toContain("If that was not you, check your account.");
  expect((await continuePage(other)).html).not.toMatch(NEWS);
  // Until the person goes on, by a page that has told it.
  expect((await continuePage(agent, NEWS)).html).toMatch(NEWS);
  const hidden = told.forms.find(({ id }) => id === "continue-form")?.controls ?? [];
  expect(hidden.map(({ name }) => name)).toContain("news_seen");
  for (const news_seen of ["", "0", "-1", "1e9", "9999999999999"]) {
    await at.submit(told, "continue-form", { news_seen });
    expect((await continuePage(agent, NEWS)).html).toMatch(NEWS);
  }
  expect((await goOn(agent, told)).stopped).toBe(true);
  expect((await continuePage(agent)).html).not.toMatch(NEWS);
});

test("a page with news waits for entries that are still being written: one that is missing would count as shown", async () => {
  const { agent, passkey } = await owner();
  at.advance(60);
  await signInElsewhere(passkey);
  await continuePage(agent, NEWS);
  const { reached, release } = statements.hold("INSERT INTO history");
  await signInElsewhere(passkey);
  await reached;
  const opening = at.open();
  // Without waiting, the page would be made before these answers.
  for (let turn = 0; turn < 5; turn++) await fetch(`${at.issuer}/account`, { redirect: "manual" });
  release();
  const { html } = await opening;
  expect(html.match(/First sign-in from a new browser/g)).toHaveLength(2);
});

test("an old copy of the cookies is told in every other browser", async () => {
  const { agent, passkey } = await owner();
  const other = await signInElsewhere(passkey);
  await goOn(agent, await continuePage(agent, NEWS));
  const copy = copyOf(other, at.issuer);
  at.advance(1);
  await withoutTyping(other, passkey, { prompt: "login" });
  await at.open({}, { agent: other });
  at.advance(61);
  await at.open({}, { agent: copy });
  const page = await continuePage(agent, /Someone used an old copy/);
  expect(page.html).not.toMatch(NEWS);
});

describe("a sign-in that passes no page with the news gets a page of its own", () => {
  const NOTICE = "First sign-in from a new browser";
  const DAY = 86_400;

  /** A browser that has not shown yet that there is another one. */
  async function withNews() {
    const { agent, passkey } = await owner();
    at.advance(60);
    await signInElsewhere(passkey);
    await expect.poll(() => told(passkey)).toContain("new_browser");
    return { agent, passkey };
  }

  const told = async ({ accountId }: Passkey) =>
    (await at.store.histories.historyOf(accountId, { since: 0, limit: 50 })).map(
      ({ kind }) => kind,
    );

  /** With the domain and the passkey, where no session counts. */
  async function anew(agent: UserAgent, passkey: Passkey, parameters = {}) {
    const asked = await at.begin({ parameters: { prompt: "login", ...parameters } });
    expect(asked.step).toBe("passkey");
    return usePasskey(agent, asked, passkey, { stopAt: at.client.redirectUri });
  }

  test.each<[string, (agent: UserAgent, passkey: Passkey) => Promise<Page>]>([
    ["with prompt=login", anew],
    ["with max_age", (...of) => anew(...of, { prompt: undefined, max_age: "0" })],
    ["by a passkey on the first page", withoutTyping],
    [
      "after 31 days, when the session has expired",
      (...of) => {
        at.advance(31 * DAY);
        return withoutTyping(...of);
      },
    ],
    ["by typing the domain of a session", () => at.begin()],
  ])("%s, and goes on from there", async (_, signsIn) => {
    const { agent, passkey } = await withNews();
    const page = await signsIn(agent, passkey);
    expect([page.status, page.step]).toEqual([200, "news"]);
    expect(page.html).toContain(NOTICE);
    const forms = ["news-form", "sign-out-form", "sign-out-all-form"];
    expect(page.forms.map(({ id }) => id)).toEqual(forms);
    // Until the person goes on, also after a reload.
    expect((await agent.open(page.url)).html).toContain(NOTICE);
    expect(hasCode(await at.submit(page, "news-form"))).toBe(true);
    // Once: neither the next sign-in nor a second answer shows it.
    expect((await continuePage(agent)).html).not.toContain(NOTICE);
    expect((await anew(agent, passkey)).stopped).toBe(true);
  });

  test("but not after the page that offers to continue, which has shown it", async () => {
    const { agent } = await withNews();
    const page = await continuePage(agent);
    expect(page.html).toContain(NOTICE);
    expect((await goOn(agent, page)).stopped).toBe(true);
  });

  test("but prompt=none shows nothing and keeps it", async () => {
    const { agent } = await withNews();
    expect(await at.silently()).toBeNull();
    expect((await continuePage(agent)).html).toContain(NOTICE);
  });

  test("and keeps what the page has not shown for the next time", async () => {
    const { agent, passkey } = await withNews();
    const page = await withoutTyping(agent, passkey);
    at.advance(5);
    await signInElsewhere(passkey);
    await expect.poll(async () => (await told(passkey)).length).toBeGreaterThan(4);
    expect((await at.submit(page, "news-form")).stopped).toBe(true);
    const next = await anew(agent, passkey);
    expect(next.step).toBe("news");
    for (const news_seen of ["", "-1", "1e9", "9999999999999"]) {
      const refused = await agent.submit(next, "news-form", { news_seen });
      expect([refused.status, refused.step]).toEqual([400, "problem"]);
    }
    expect((await at.submit(next, "news-form", { news_seen: "0" })).stopped).toBe(true);
    expect((await anew(agent, passkey)).step).toBe("news");
  });

  test("but none if the history has no entry of it", async () => {
    const { agent, passkey } = await withNews();
    await at.store.histories.deleteHistory(passkey.accountId);
    at.advance(100);
    expect((await withoutTyping(agent, passkey)).stopped).toBe(true);
  });
});
