// A passkey is added by an authentication that was made for it, and then signs in.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createAuthenticator } from "../support/authenticator.ts";
import { usePasskey } from "../support/passkeys.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import { answerPage, authorizationUrl, publish, signIn } from "../support/sign-in.ts";

let at: TestService;
let client: TestClient;
let agent: UserAgent;
let domain: string;
let count = 0;
beforeAll(async () => {
  at = await startTestService();
});
afterAll(() => at.close());
beforeEach(async () => {
  client = await at.addClient({ consent: "never" });
  agent = createUserAgent();
  domain = `owner-${++count}.alice.test`;
  await signIn(at, client, { agent, domain });
});

const stopAt = "none:";

/** From the account page to the page that adds a passkey. */
async function comeToNewPasskey(from = agent): Promise<Page> {
  const account = await from.open(`${at.issuer}/account`);
  let page = await from.open(account.link("add-passkey"));
  for (let turn = 0; page.step !== "new-passkey" && turn < 4; turn++) {
    page = await answerPage(at, from, page, { domain, stopAt });
  }
  return page;
}

function registrationFor(page: Page) {
  const [, escaped = ""] = /data-options="([^"]*)"/.exec(page.html) ?? [];
  const options = JSON.parse(escaped.replaceAll("&quot;", '"'));
  return createAuthenticator(at.issuer).create(options, {});
}

const post = (from: UserAgent, page: Page, credential: string) =>
  from.submit(page, "passkey-form", { credential });
const passkeys = async () => {
  const [account] = await at.store.accountsOf(domain);
  return at.store.passkeysOf(account?.id ?? "");
};

test("from the account page: a DNS challenge adds it, and from then on it signs in without DNS", async () => {
  const page = await comeToNewPasskey();
  expect([page.status, page.step]).toEqual([200, "new-passkey"]);
  const { passkey, json } = registrationFor(page);
  const done = await post(agent, page, json);
  expect([done.status, done.step]).toEqual([200, "account-change"]);
  expect(done.text("dns-value")).toContain(`jkt=${(await passkeys())[0]?.thumbprint}`);
  expect(await passkeys()).toHaveLength(1);
  const other = createUserAgent();
  const first = await other.open(authorizationUrl(at, client), { stopAt: client.redirectUri });
  const asked = await other.submit(first, "domain-form", { domain });
  expect(asked.step).toBe("passkey");
  const options = { stopAt: client.redirectUri };
  const signedIn = await usePasskey(other, asked, passkey, options);
  expect(new URL(signedIn.url).searchParams.get("code")).toMatch(/^dsc_/);
});

test("an authentication adds one passkey, also if two tabs post at once", async () => {
  const page = await comeToNewPasskey();
  const all = [1, 2, 3, 4].map(() => registrationFor(page).json);
  const ends = await Promise.all(all.map((json) => post(agent, page, json)));
  expect(ends.map(({ step }) => step).sort()).toEqual([
    "account-change",
    "problem",
    "problem",
    "problem",
  ]);
  expect(await passkeys()).toHaveLength(1);
});

test("a session alone adds none: not with its cookies, nor by the sign-in to an app, nor five minutes later", async () => {
  const account = await agent.open(`${at.issuer}/account`);
  // The link asks for an authentication of its own.
  expect((await agent.open(account.link("add-passkey"))).step).toBe("domain");
  const silent = account.link("add-passkey").replace("prompt=login", "prompt=none");
  const end = await agent.open(silent);
  expect(end.step).not.toBe("new-passkey");
  const continued = account.link("add-passkey").replace("&prompt=login", "");
  const first = await agent.open(continued);
  const refused = await agent.submit(first, "continue-form");
  expect([refused.status, refused.step]).toEqual([400, "problem"]);

  const page = await comeToNewPasskey();
  const { json } = registrationFor(page);
  const stranger = createUserAgent();
  expect((await stranger.open(page.url)).status).toBe(403);
  at.advance(301);
  const late = await post(agent, page, json);
  expect([late.status, late.step]).toEqual([400, "problem"]);
  expect(await passkeys()).toEqual([]);
});

test("an authentication for an app adds none, in the same browser and minute", async () => {
  client = await at.addClient({ consent: "always" });
  const url = authorizationUrl(at, client, { prompt: "login" });
  let page = await agent.open(url, { stopAt });
  for (let turn = 0; page.step !== "consent" && turn < 4; turn++) {
    page = await answerPage(at, agent, page, { domain, stopAt });
  }
  const refused = await agent.open(page.url.replace(/consent$/, "new-passkey"));
  expect([refused.status, refused.step]).toEqual([400, "problem"]);
});

test("a registration that is no answer to this page is refused with a way to try again", async () => {
  const page = await comeToNewPasskey();
  const elsewhere = createAuthenticator("https://evil.example").create(
    JSON.parse((/data-options="([^"]*)"/.exec(page.html)?.[1] ?? "").replaceAll("&quot;", '"')),
    {},
  );
  const { json } = registrationFor(page);
  for (const credential of ["", "x", "{}", "a".repeat(9000), elsewhere.json]) {
    const refused = await post(agent, page, credential);
    expect([refused.status, refused.step]).toEqual([400, "new-passkey"]);
    expect(refused.has("passkey-problem")).toBe(true);
  }
  expect(await passkeys()).toEqual([]);
  expect((await post(agent, page, json)).step).toBe("account-change");
});

test("with a passkey, another one is added by the first; the page does not offer the same device again", async () => {
  const first = registrationFor(await comeToNewPasskey());
  await post(agent, await comeToNewPasskey(), "");
  const page = await comeToNewPasskey();
  await post(agent, page, registrationFor(page).json);
  expect(await passkeys()).toHaveLength(1);
  const account = await agent.open(`${at.issuer}/account`);
  const asked = await agent.submit(await agent.open(account.link("add-passkey")), "domain-form", {
    domain,
  });
  expect(asked.step).toBe("passkey");
  expect(first.passkey.credentialId).not.toBe("");
  publish(at, { text: (id) => (id === "dns-name" ? `unused.${domain}` : "unused") });
});
