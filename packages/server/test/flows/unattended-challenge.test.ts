// The page of a DNS challenge checks by itself while nobody may be there. The person finishes the sign-in.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { recoveryCodeHash } from "../../src/sign-in/recovery-codes.ts";
import { givePasskey } from "../support/passkeys.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import { authorizationUrl, checkAndSave, leaveSessions, publish } from "../support/sign-in.ts";

let at: TestService;
let client: TestClient;
let stopAt: string;
let owner: UserAgent;
let domain: string;
let codes: readonly string[];
let count = 0;
beforeAll(async () => {
  at = await startTestService();
  client = await at.addClient({ consent: "never" });
  stopAt = client.redirectUri;
});
afterAll(() => at.close());
beforeEach(async () => {
  domain = `away-${++count}.alice.test`;
  owner = createUserAgent();
  const page = await enter(owner);
  publish(at, page);
  codes = (await checkAndSave(owner, page, { stopAt })).codes;
});

async function enter(from: UserAgent, url = authorizationUrl(at, client)): Promise<Page> {
  const first = await from.open(url, { stopAt });
  return first.step === "domain"
    ? from.submit(first, "domain-form", { domain }, { stopAt })
    : first;
}

/** What the script of the page asks for, again and again. */
async function poll(page: Page, from: UserAgent) {
  const headers = { cookie: from.cookies.header(at.issuer) ?? "" };
  const answer = await fetch(`${page.url}?by-itself=yes`, { headers, redirect: "manual" });
  return {
    status: answer.status,
    location: answer.headers.get("location"),
    cookies: answer.headers.getSetCookie(),
  };
}

/** With this, the script offers a link to the page itself. */
const offersToGoOn = (page: Page) => ({
  ...{ status: 303, location: new URL(page.url).pathname, cookies: [] },
});

const hasCode = ({ url }: Page) => new URL(url).searchParams.has("code");

test("an unattended page uses up no recovery code, and the person goes on where they left off", async () => {
  const { accountId } = await givePasskey(at, domain);
  const [code = ""] = codes;
  const isUnused = () => at.store.hasRecoveryCode(accountId, recoveryCodeHash(code));
  const agent = createUserAgent();
  const left = await agent.submit(await enter(agent), "without-passkey-form", {}, { stopAt });
  const page = await agent.submit(left, "check-form", { recovery_code: code }, { stopAt });
  expect((await poll(page, agent)).status).toBe(200);
  publish(at, page);
  at.advance(5);
  expect(await poll(page, agent)).toEqual(offersToGoOn(page));
  expect(await isUnused()).toBe(true);
  at.advance(2 * 3600);
  expect(await poll(page, agent)).toEqual(offersToGoOn(page));
  expect((await agent.open(page.url)).step).toBe("new-passkey");
  expect(await isUnused()).toBe(false);
});

test("an unattended page in a known browser signs nobody in", async () => {
  leaveSessions(owner, at.issuer);
  const page = await enter(owner);
  expect(page.step).toBe("dns-challenge");
  publish(at, page);
  at.advance(5);
  expect(await poll(page, owner)).toEqual(offersToGoOn(page));
  at.advance(3600);
  expect(hasCode(await owner.open(page.url, { stopAt }))).toBe(true);
});

test("an unattended page leaves the person the whole time to change the account", async () => {
  const account = `${at.issuer}/account`;
  const query = new URLSearchParams({
    ...{ client_id: account, redirect_uri: `${account}/new-codes`, response_type: "code" },
    ...{ scope: "openid", prompt: "login", login_hint: domain },
  });
  const page = await enter(owner, `${at.issuer}/oauth/authorize?${query}`);
  expect(page.step).toBe("dns-challenge");
  publish(at, page);
  at.advance(5);
  await poll(page, owner);
  at.advance(360);
  expect((await owner.open(page.url)).url).toMatch(/\/new-codes$/);
});
