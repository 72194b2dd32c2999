// Another look makes a newer account of the domain while a request still acts on an older look: the newer one stays.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  authorizationUrl,
  checkAndSave,
  leaveSessions,
  openDomainPage,
  publish,
  refresh,
  signInForTokens,
} from "../support/sign-in.ts";
import { someEnrolment } from "../support/store-rows.ts";

const domain = "alice.test";
const stopAt = "https://app.example.org/";
let at: TestService;
let client: TestClient;
let agent: UserAgent;
let advanced: number;
/** Runs once between the look of a request and what is based on it. */
let between: (() => Promise<unknown>) | null;

beforeEach(async () => {
  advanced = 0;
  between = null;
  at = await startTestService({
    beforeStatement: async (sql) => {
      if (!/^\s*UPDATE accounts SET asleep_since = \?1\s+WHERE domain/.test(sql)) return;
      const run = between;
      between = null;
      await run?.();
    },
  });
  client = await at.addClient({ consent: "never" });
  agent = createUserAgent();
});
afterEach(() => at.close());

const seconds = () => Math.floor(Date.now() / 1000) + advanced;
function advance(by: number): void {
  at.advance(by);
  advanced += by;
}
/** Publishes without `at.advance`, which `seconds` would not know. */
const publishHere = (page: Page) => publish({ zone: at.zone }, page);

const enter = async () => {
  const page = await openDomainPage(agent, authorizationUrl(at, client), { stopAt });
  return agent.submit(page, "domain-form", { domain }, { stopAt });
};
const check = async (page: Page) => (await checkAndSave(agent, page, { stopAt })).page;
const isCode = (page: Page) => new URL(page.url).searchParams.has("code");
const live = async () => {
  const accounts = await at.store.accountsOf(domain);
  return accounts.filter(({ asleepSince }) => asleepSince === null).map(({ id }) => id);
};

/** The buyer's account, by a look a second after now. */
function buyerComes(): { id: string } {
  const enrolment = someEnrolment({ domain });
  between = () => at.store.enrol({ enrolment, recoveryCodeHashes: ["h"], now: seconds() + 1 });
  return { id: enrolment.accountId };
}

/** An account that this browser knows; its record is there, and it sleeps. */
async function sleeper(): Promise<{ id: string; token: string }> {
  const page = await enter();
  publishHere(page);
  expect(isCode(await check(page))).toBe(true);
  const { refresh_token: token } = await signInForTokens(at, client, { agent });
  const [id = ""] = await live();
  advance(3);
  await at.store.putToSleep(id, seconds());
  advance(3);
  return { id, token };
}

test("the first page says that it cannot sign in now, and signs in by the next look", async () => {
  const { id } = await sleeper();
  const buyer = buyerComes();
  expect((await enter()).status).toBe(503);
  expect(await live()).toEqual([buyer.id]);
  advance(3);
  expect(isCode(await enter())).toBe(true);
  expect(await live()).toEqual([id]);
});

test("so does the page of a challenge, and the challenge is good for the next look", async () => {
  const { id } = await sleeper();
  leaveSessions(agent, at.issuer);
  const page = await enter();
  expect(page.step).toBe("dns-challenge");
  advance(3);
  await at.store.putToSleep(id, seconds());
  advance(3);
  publishHere(page);
  const buyer = buyerComes();
  expect((await check(page)).status).toBe(503);
  expect(await live()).toEqual([buyer.id]);
  advance(3);
  expect(isCode(await check(page))).toBe(true);
});

test("a set-up is not finished by the older look, and is by the next one", async () => {
  const page = await enter();
  publishHere(page);
  const buyer = buyerComes();
  const refused = await check(page);
  expect([refused.step, refused.html]).toEqual([
    "dns-setup",
    expect.stringContaining("We could not confirm the DNS answer for alice.test"),
  ]);
  expect(await live()).toEqual([buyer.id]);
  advance(5);
  expect(isCode(await check(page))).toBe(true);
  expect(await live()).not.toEqual([buyer.id]);
});

test("a refresh, which looks in the background, wakes the account by the next look only", async () => {
  const { id, token } = await sleeper();
  const refreshed = async () => (await at.token(refresh(token), client)).status;
  const buyer = buyerComes();
  expect(await refreshed()).toBe(503);
  await expect.poll(live).toEqual([buyer.id]);
  // After a failure there is no look for five minutes.
  advance(301);
  expect(await refreshed()).toBe(503);
  await expect.poll(live).toEqual([id]);
  expect(await refreshed()).toBe(200);
});
