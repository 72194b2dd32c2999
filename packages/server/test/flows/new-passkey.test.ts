// A passkey is added by an authentication that was made for it, and then signs in.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, expect, test } from "vitest";
import { createAuthenticator } from "../support/authenticator.ts";
import { flow } from "../support/flow.ts";
import { optionsIn, registrationFor, usePasskey } from "../support/passkeys.ts";
import { answerPage } from "../support/sign-in.ts";

const at = flow();
let agent: UserAgent;
beforeEach(async () => {
  ({ agent } = await at.signIn());
});

const stopAt = "none:";

/** From the account page to the page that adds a passkey. */
async function comeToNewPasskey(): Promise<Page> {
  const account = await agent.open(`${at.issuer}/account`);
  return answeredUpTo("new-passkey", await agent.open(account.link("add-passkey")));
}

async function answeredUpTo(step: string, from: Page): Promise<Page> {
  let page = from;
  for (let turn = 0; page.step !== step && turn < 4; turn++) {
    page = await answerPage(at, agent, page, { domain: at.domain, stopAt });
  }
  return page;
}

const post = (page: Page, credential: string) => agent.submit(page, "passkey-form", { credential });
const passkeys = async () => at.store.passkeys.passkeysOf(await at.accountId());

test("from the account page: a DNS challenge adds it, and from then on it signs in without DNS", async () => {
  const page = await comeToNewPasskey();
  expect([page.status, page.step]).toEqual([200, "new-passkey"]);
  const { passkey, json } = registrationFor(page);
  const done = await post(page, json);
  expect([done.status, done.step]).toEqual([200, "account-change"]);
  expect(done.text("dns-value")).toContain(`jkt=${(await passkeys())[0]?.thumbprint}`);
  expect(await passkeys()).toHaveLength(1);
  const other = createUserAgent();
  const asked = await at.begin({ agent: other });
  expect(asked.step).toBe("passkey");
  const signedIn = await usePasskey(other, asked, passkey, { stopAt: at.client.redirectUri });
  expect(new URL(signedIn.url).searchParams.get("code")).toMatch(/^dsc_/);
});

test("an authentication adds one passkey, also if two tabs post at once", async () => {
  const page = await comeToNewPasskey();
  const all = [1, 2, 3, 4].map(() => registrationFor(page).json);
  const ends = await Promise.all(all.map((json) => post(page, json)));
  const refused = ["problem", "problem", "problem"];
  expect(ends.map(({ step }) => step).sort()).toEqual(["account-change", ...refused]);
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
  const late = await post(page, json);
  expect([late.status, late.step]).toEqual([400, "problem"]);
  expect(await passkeys()).toEqual([]);
});

test("an authentication for an app adds none, in the same browser and minute", async () => {
  at.client = await at.addClient({ consent: "always" });
  const page = await answeredUpTo("consent", await at.open({ prompt: "login" }));
  const refused = await agent.open(page.url.replace(/consent$/, "new-passkey"));
  expect([refused.status, refused.step]).toEqual([400, "problem"]);
});

test("a registration that is no answer to this page is refused with a way to try again", async () => {
  const page = await comeToNewPasskey();
  const elsewhere = createAuthenticator("https://evil.example").create(optionsIn(page), {});
  const { json } = registrationFor(page);
  for (const credential of ["", "x", "{}", "a".repeat(9000), elsewhere.json]) {
    const refused = await post(page, credential);
    expect([refused.status, refused.step]).toEqual([400, "new-passkey"]);
    expect(refused.has("passkey-problem")).toBe(true);
  }
  expect(await passkeys()).toEqual([]);
  expect((await post(page, json)).step).toBe("account-change");
});

test("with a passkey, another one is added by the first; the page does not offer the same device again", async () => {
  const first = registrationFor(await comeToNewPasskey());
  await post(await comeToNewPasskey(), "");
  const page = await comeToNewPasskey();
  await post(page, registrationFor(page).json);
  expect(await passkeys()).toHaveLength(1);
  const account = await agent.open(`${at.issuer}/account`);
  const shown = await agent.open(account.link("add-passkey"));
  const asked = await agent.submit(shown, "domain-form", { domain: at.domain });
  expect(asked.step).toBe("passkey");
  expect(first.passkey.credentialId).not.toBe("");
  at.publish({ text: (id) => (id === "dns-name" ? `unused.${at.domain}` : "unused") });
});
