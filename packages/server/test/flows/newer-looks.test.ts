// Another look makes a newer account of the domain while a request still acts on an older look: the newer one stays.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { beforeEach, expect, test } from "vitest";
import { flow, hasCode } from "../support/flow.ts";
import { startTestService } from "../support/service.ts";
import { checkAndSave, leaveSessions, publish, refresh } from "../support/sign-in.ts";
import { someEnrolment } from "../support/store-rows.ts";

const domain = "alice.test";
const stopAt = "https://app.example.org/";
let advanced: number;
/** Runs once between the look of a request and what is based on it. */
let between: (() => Promise<unknown>) | null;
const beforeStatement = async (sql: string) => {
  if (!/^\s*UPDATE accounts SET asleep_since = \?1, .*\s+WHERE domain/.test(sql)) return;
  const run = between;
  between = null;
  await run?.();
};
const at = flow({ start: () => startTestService({ beforeStatement }), service: "test", domain });
beforeEach(() => {
  advanced = 0;
  between = null;
});

const seconds = () => Math.floor(Date.now() / 1000) + advanced;
function advance(by: number): void {
  at.advance(by);
  advanced += by;
}
/** Publishes without `at.advance`, which `seconds` would not know. */
const publishHere = (page: Page) => publish({ zone: at.zone }, page);

const check = async (page: Page) => (await checkAndSave(at.agent, page, { stopAt })).page;
const live = async () => {
  const accounts = await at.store.accounts.accountsOf(domain);
  return accounts.filter(({ asleepSince }) => asleepSince === null).map(({ id }) => id);
};

/** The buyer's account, by a look a second after now. */
function buyerComes(): { id: string } {
  const enrolment = someEnrolment({ domain });
  between = () =>
    at.store.enrolments.enrol({ enrolment, recoveryCodeHashes: ["h"], now: seconds() + 1 });
  return { id: enrolment.accountId };
}

/** An account that this browser knows; its record is there, and it sleeps. */
async function sleeper(): Promise<{ id: string; token: string }> {
  const page = await at.begin();
  publishHere(page);
  expect(hasCode(await check(page))).toBe(true);
  const { refresh_token: token } = await at.tokens();
  const [id = ""] = await live();
  advance(3);
  await at.store.accounts.putToSleep(id, seconds());
  advance(3);
  return { id, token };
}

test("the first page says that it cannot sign in now, and signs in by the next look", async () => {
  const { id } = await sleeper();
  const buyer = buyerComes();
  expect((await at.begin()).status).toBe(503);
  expect(await live()).toEqual([buyer.id]);
  advance(3);
  expect(hasCode(await at.begin())).toBe(true);
  expect(await live()).toEqual([id]);
});

test("so does the page of a challenge, and the challenge is good for the next look", async () => {
  const { id } = await sleeper();
  leaveSessions(at.agent, at.issuer);
  const page = await at.begin();
  expect(page.step).toBe("dns-challenge");
  advance(3);
  await at.store.accounts.putToSleep(id, seconds());
  advance(3);
  publishHere(page);
  const buyer = buyerComes();
  expect((await check(page)).status).toBe(503);
  expect(await live()).toEqual([buyer.id]);
  advance(3);
  expect(hasCode(await check(page))).toBe(true);
});

test("a set-up is not finished by the older look, and is by the next one", async () => {
  const page = await at.begin();
  publishHere(page);
  const buyer = buyerComes();
  const refused = await check(page);
  expect([refused.step, refused.html]).toEqual([
    "dns-setup",
    expect.stringContaining("We could not confirm the DNS answer for alice.test"),
  ]);
  expect(await live()).toEqual([buyer.id]);
  advance(5);
  expect(hasCode(await check(page))).toBe(true);
  expect(await live()).not.toEqual([buyer.id]);
});

test("a refresh, which looks in the background, wakes the account by the next look only", async () => {
  const { id, token } = await sleeper();
  const refreshed = async () => (await at.token(refresh(token), at.client)).status;
  const buyer = buyerComes();
  expect(await refreshed()).toBe(503);
  await expect.poll(live).toEqual([buyer.id]);
  // After a failure there is no look for five minutes.
  advance(301);
  expect(await refreshed()).toBe(503);
  await expect.poll(live).toEqual([id]);
  expect(await refreshed()).toBe(200);
});
