// Each page that recognizes somebody leads to signing out everywhere, also if several domains are signed in.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import { authorizationUrl, signIn } from "../support/sign-in.ts";

const DOMAINS = ["alice.test", "bob.test"];

let at: TestService;
let client: TestClient;
const agent = createUserAgent();
beforeAll(async () => {
  at = await startTestService();
  client = await at.addClient({ consent: "never" });
  for (const domain of DOMAINS) {
    await signIn(at, client, { agent, domain, parameters: { prompt: "login" } });
  }
});
afterAll(() => at.close());

/** Where the links of the page lead that sign out everywhere, by their order. */
const everywhere = (page: Page) =>
  [...page.html.matchAll(/ id="(sign-out-everywhere(?:-\d+)?)"/g)].map(([, id = ""]) =>
    page.link(id),
  );

test.each([
  { name: "the page that offers to continue", url: () => authorizationUrl(at, client) },
  { name: "the choice of an account", url: () => `${at.issuer}/account` },
  { name: "the page that an app asks to sign out", url: () => `${at.issuer}/oauth/logout` },
])("$name leads to signing out of each domain everywhere", async ({ url }) => {
  const pages = [];
  for (const link of everywhere(await agent.open(url()))) pages.push(await agent.open(link));
  const domains = pages.map(({ url }) => new URL(url).searchParams.get("domain") ?? "none");
  expect(domains.toSorted()).toEqual(DOMAINS);
  for (const page of pages) {
    expect(page.has("sign-out-everywhere-form")).toBe(true);
    // The link names this part of the page.
    expect(page.has("sign-out-title")).toBe(true);
  }
});

test("the way from the choice of an account signs out of that domain alone, in all browsers", async () => {
  const [alice, bob] = await Promise.all(
    DOMAINS.map(async (domain) => (await at.store.accountsOf(domain))[0]?.id ?? ""),
  );
  const links = everywhere(await agent.open(`${at.issuer}/account`));
  const ofAlice = links.find((link) => link.includes("domain=alice.test")) ?? "";
  await agent.submit(await agent.open(ofAlice), "sign-out-everywhere-form");
  const now = Math.floor(Date.now() / 1000);
  expect(await at.store.sessionsOf(alice ?? "", now)).toEqual([]);
  expect(await at.store.sessionsOf(bob ?? "", now)).toHaveLength(1);
});
