// Each page that recognizes somebody leads to signing out everywhere, also if several domains are signed in.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { beforeAll, expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import { authorizationUrl } from "../support/sign-in.ts";

const DOMAINS = ["alice.test", "bob.test"];

const at = flow({ client: "file" });
beforeAll(async () => {
  for (const domain of DOMAINS) await at.signIn({ domain, parameters: { prompt: "login" } });
});

/** Where the links of the page lead that sign out everywhere, by their order. */
const everywhere = (page: Page) =>
  [...page.html.matchAll(/ id="(sign-out-everywhere(?:-\d+)?)"/g)].map(([, id = ""]) =>
    page.link(id),
  );

test.each([
  { name: "the page that offers to continue", url: () => authorizationUrl(at, at.client) },
  { name: "the choice of an account", url: () => `${at.issuer}/account` },
  { name: "the page that an app asks to sign out", url: () => `${at.issuer}/oauth/logout` },
])("$name leads to signing out of each domain everywhere", async ({ url }) => {
  const pages = [];
  for (const link of everywhere(await at.agent.open(url()))) pages.push(await at.agent.open(link));
  const domains = pages.map(({ url }) => new URL(url).searchParams.get("domain") ?? "none");
  expect(domains.toSorted()).toEqual(DOMAINS);
  for (const page of pages) {
    expect(page.has("sign-out-everywhere-form")).toBe(true);
    // The link names this part of the page.
    expect(page.has("sign-out-title")).toBe(true);
  }
});

test("the way from the choice of an account signs out of that domain alone, in all browsers", async () => {
  const [alice, bob] = await Promise.all(DOMAINS.map((domain) => at.accountId({ domain })));
  const links = everywhere(await at.agent.open(`${at.issuer}/account`));
  const ofAlice = links.find((link) => link.includes("domain=alice.test")) ?? "";
  await at.agent.submit(await at.agent.open(ofAlice), "sign-out-everywhere-form");
  const now = Math.floor(Date.now() / 1000);
  expect(await at.store.sessions.sessionsOf(alice ?? "", now)).toEqual([]);
  expect(await at.store.sessions.sessionsOf(bob ?? "", now)).toHaveLength(1);
});
