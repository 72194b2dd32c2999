// What happened to an account in another browser is told at the next sign-in, until the person goes on.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { givePasskey, usePasskey } from "../support/passkeys.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import { authorizationUrl, copyOf, openDomainPage, signIn } from "../support/sign-in.ts";

let at: TestService;
let client: TestClient;
/** Called before each statement. */
let beforeStatement: (sql: string) => Promise<void> = async () => undefined;

beforeAll(async () => {
  at = await startTestService({ beforeStatement: (sql) => beforeStatement(sql) });
  client = await at.addClient({ consent: "never" });
});
afterAll(() => at.close());

/** The page that offers to continue; the history is written in the background. */
async function continuePage(agent: UserAgent, wanted: RegExp | null): Promise<Page> {
  const open = () => agent.open(authorizationUrl(at, client));
  if (wanted !== null) await expect.poll(async () => (await open()).html).toMatch(wanted);
  const page = await open();
  expect(page.step).toBe("continue");
  return page;
}

async function ownerOf(domain: string) {
  const agent = createUserAgent();
  await signIn(at, client, { agent, domain });
  return { agent, passkey: await givePasskey(at, domain) };
}

async function signInElsewhere(passkey: Awaited<ReturnType<typeof givePasskey>>) {
  const other = createUserAgent();
  const page = await openDomainPage(other, authorizationUrl(at, client));
  const done = await usePasskey(other, page, passkey, { stopAt: client.redirectUri });
  expect(done.stopped).toBe(true);
  return other;
}

const NEWS = /New activity for <[^>]*>alice\.test|First sign-in from a new browser/;
const goOn = (agent: UserAgent, page: Page) =>
  agent.submit(page, "continue-form", {}, { stopAt: client.redirectUri });

test("a sign-in in a new browser is told in the one that was there before, once, and not in itself", async () => {
  const { agent, passkey } = await ownerOf("alice.test");
  expect((await continuePage(agent, null)).html).not.toMatch(NEWS);
  at.advance(60);
  const other = await signInElsewhere(passkey);
  const told = await continuePage(agent, NEWS);
  expect(told.html).toContain("If that was not you, check your account.");
  expect((await continuePage(other, null)).html).not.toMatch(NEWS);
  // Until the person goes on, by a page that has told it.
  expect((await continuePage(agent, NEWS)).html).toMatch(NEWS);
  const hidden = told.forms.find(({ id }) => id === "continue-form")?.controls ?? [];
  expect(hidden.map(({ name }) => name)).toContain("news_seen");
  for (const news_seen of ["", "0", "-1", "1e9", "9999999999999"]) {
    await agent.submit(told, "continue-form", { news_seen }, { stopAt: client.redirectUri });
    expect((await continuePage(agent, NEWS)).html).toMatch(NEWS);
  }
  expect((await goOn(agent, told)).stopped).toBe(true);
  expect((await continuePage(agent, null)).html).not.toMatch(NEWS);
});

test("a page with news waits for entries that are still being written: one that is missing would count as shown", async () => {
  const { agent, passkey } = await ownerOf("waits.alice.test");
  at.advance(60);
  await signInElsewhere(passkey);
  await continuePage(agent, NEWS);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isHeld = new Promise<void>((resolve) => {
    beforeStatement = async (sql) => {
      if (!sql.includes("INSERT INTO history")) return;
      resolve();
      await isReleased;
    };
  });
  await signInElsewhere(passkey);
  await isHeld;
  const opening = agent.open(authorizationUrl(at, client));
  // Without waiting, the page would be made before these answers.
  for (let turn = 0; turn < 5; turn++) await fetch(`${at.issuer}/account`, { redirect: "manual" });
  release();
  const { html } = await opening;
  expect(html.match(/First sign-in from a new browser/g)).toHaveLength(2);
  beforeStatement = async () => undefined;
});

test("an old copy of the cookies is told in every other browser", async () => {
  const { agent, passkey } = await ownerOf("bob.test");
  const other = await signInElsewhere(passkey);
  await goOn(agent, await continuePage(agent, NEWS));
  const copy = copyOf(other, at.issuer);
  at.advance(1);
  const again = await openDomainPage(other, authorizationUrl(at, client, { prompt: "login" }));
  await usePasskey(other, again, passkey, { stopAt: client.redirectUri });
  await other.open(authorizationUrl(at, client));
  at.advance(61);
  await copy.open(authorizationUrl(at, client));
  const page = await continuePage(agent, /Someone used an old copy/);
  expect(page.html).not.toMatch(NEWS);
});

describe("a sign-in that passes no page with the news gets a page of its own", () => {
  type Passkey = Awaited<ReturnType<typeof givePasskey>>;
  const NOTICE = "First sign-in from a new browser";
  const DAY = 86_400;

  /** A browser that has not shown yet that there is another one. */
  async function withNews(domain: string) {
    const { agent, passkey } = await ownerOf(domain);
    at.advance(60);
    await signInElsewhere(passkey);
    await expect.poll(() => told(passkey)).toContain("new_browser");
    return { agent, passkey };
  }

  const told = async ({ accountId }: Passkey) =>
    (await at.store.historyOf(accountId, { since: 0, limit: 50 })).map(({ kind }) => kind);

  const stopAt = () => client.redirectUri;
  /** With the passkey, on the page that asks for a domain. */
  async function withoutTyping(agent: UserAgent, passkey: Passkey) {
    const page = await openDomainPage(agent, authorizationUrl(at, client));
    return usePasskey(agent, page, passkey, { stopAt: stopAt() });
  }
  /** With the domain and the passkey, where no session counts. */
  async function anew(agent: UserAgent, passkey: Passkey, parameters: Record<string, string>) {
    const page = await agent.open(authorizationUrl(at, client, parameters));
    const { domain } = (await at.store.readAccount(passkey.accountId)) ?? { domain: "" };
    const asked = await agent.submit(page, "domain-form", { domain });
    expect(asked.step).toBe("passkey");
    return usePasskey(agent, asked, passkey, { stopAt: stopAt() });
  }

  test.each<[string, string, (agent: UserAgent, passkey: Passkey) => Promise<Page>]>([
    ["with prompt=login", "login.carol.test", (...of) => anew(...of, { prompt: "login" })],
    ["with max_age", "age.carol.test", (...of) => anew(...of, { max_age: "0" })],
    ["by a passkey on the first page", "first.carol.test", withoutTyping],
    [
      "after 31 days, when the session has expired",
      "idle.carol.test",
      (agent, passkey) => {
        at.advance(31 * DAY);
        return withoutTyping(agent, passkey);
      },
    ],
    [
      "by typing the domain of a session",
      "typed.carol.test",
      async (agent) => {
        const page = await openDomainPage(agent, authorizationUrl(at, client));
        const fields = { domain: "typed.carol.test" };
        return agent.submit(page, "domain-form", fields, { stopAt: stopAt() });
      },
    ],
  ])("%s, and goes on from there", async (_, domain, signsIn) => {
    const { agent, passkey } = await withNews(domain);
    const page = await signsIn(agent, passkey);
    expect([page.status, page.step]).toEqual([200, "news"]);
    expect(page.html).toContain(NOTICE);
    expect(page.forms.map(({ id }) => id)).toEqual([
      "news-form",
      "sign-out-form",
      "sign-out-all-form",
    ]);
    // Until the person goes on, also after a reload.
    expect((await agent.open(page.url)).html).toContain(NOTICE);
    const done = await agent.submit(page, "news-form", {}, { stopAt: stopAt() });
    expect(new URL(done.url).searchParams.get("code")).toMatch(/^dsc_/);
    // Once: neither the next sign-in nor a second answer shows it.
    expect((await continuePage(agent, null)).html).not.toContain(NOTICE);
    expect((await anew(agent, passkey, { prompt: "login" })).stopped).toBe(true);
  });

  test("but not after the page that offers to continue, which has shown it", async () => {
    const { agent } = await withNews("shown.carol.test");
    const page = await continuePage(agent, null);
    expect(page.html).toContain(NOTICE);
    expect((await goOn(agent, page)).stopped).toBe(true);
  });

  test("but prompt=none shows nothing and keeps it", async () => {
    const { agent } = await withNews("none.carol.test");
    const url = authorizationUrl(at, client, { prompt: "none", login_hint: "none.carol.test" });
    const { url: answer } = await agent.open(url, { stopAt: stopAt() });
    expect(new URL(answer).searchParams.get("code")).toMatch(/^dsc_/);
    expect((await continuePage(agent, null)).html).toContain(NOTICE);
  });

  test("and keeps what the page has not shown for the next time", async () => {
    const { agent, passkey } = await withNews("later.carol.test");
    const page = await withoutTyping(agent, passkey);
    at.advance(5);
    await signInElsewhere(passkey);
    await expect.poll(async () => (await told(passkey)).length).toBeGreaterThan(4);
    expect((await agent.submit(page, "news-form", {}, { stopAt: stopAt() })).stopped).toBe(true);
    const next = await anew(agent, passkey, { prompt: "login" });
    expect(next.step).toBe("news");
    for (const news_seen of ["", "-1", "1e9", "9999999999999"]) {
      const refused = await agent.submit(next, "news-form", { news_seen });
      expect([refused.status, refused.step]).toEqual([400, "problem"]);
    }
    const seen = { news_seen: "0" };
    expect((await agent.submit(next, "news-form", seen, { stopAt: stopAt() })).stopped).toBe(true);
    expect((await anew(agent, passkey, { prompt: "login" })).step).toBe("news");
  });

  test("but none if the history has no entry of it", async () => {
    const { agent, passkey } = await withNews("gone.carol.test");
    await at.store.deleteHistory(passkey.accountId);
    at.advance(100);
    expect((await withoutTyping(agent, passkey)).stopped).toBe(true);
  });
});
