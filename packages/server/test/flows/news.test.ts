// What happened to an account in another browser is told at the next sign-in, until the person goes on.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, expect, test } from "vitest";
import { givePasskey, usePasskey } from "../support/passkeys.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import { authorizationUrl, copyOf, openDomainPage, signIn } from "../support/sign-in.ts";

let at: TestService;
let client: TestClient;

beforeAll(async () => {
  at = await startTestService();
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
