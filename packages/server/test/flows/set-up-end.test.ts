// The end of a set-up: what waits for the person, and what a lost answer or a slow request loses.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  authorizationUrl,
  checkAndSave,
  copyOf,
  openDomainPage,
  publish,
  recoveryCodesIn,
  saveCodes,
} from "../support/sign-in.ts";

const DAY = 86_400;

let at: TestService;
let client: TestClient;
let owner: UserAgent;
beforeAll(async () => {
  at = await startTestService();
});
afterAll(() => at.close());
let domain: string;
let count = 0;
beforeEach(async () => {
  client = await at.addClient({ consent: "never" });
  owner = createUserAgent();
  domain = `owner-${++count}.alice.test`;
});

const stopAt = "https://app.example.org/";
const begin = async (agent: UserAgent) => {
  const first = await openDomainPage(agent, authorizationUrl(at, client), { stopAt });
  return agent.submit(first, "domain-form", { domain }, { stopAt });
};
const check = (agent: UserAgent, page: Page) => agent.submit(page, "check-form", {}, { stopAt });
const hasCode = (page: Page) => new URL(page.url).searchParams.has("code");
const isSignedIn = async (agent: UserAgent) => {
  const parameters = { prompt: "none", login_hint: domain };
  return hasCode(await agent.open(authorizationUrl(at, client, parameters), { stopAt }));
};

test("who is away when the record is seen finds the codes a day long, and does not sign in again for them", async () => {
  const shown = await begin(owner);
  at.advance(58 * 60);
  publish(at, shown);
  at.advance(5);
  const headers = { cookie: owner.cookies.header(at.issuer) ?? "" };
  const sent = await fetch(shown.url, { headers, redirect: "manual" });
  const set = sent.headers.getSetCookie();
  // It binds the interaction to the browser, and would end before it.
  expect(set.filter((one) => /^ds_browser_.*Max-Age=86400/.test(one))).toHaveLength(1);
  owner.cookies.store(at.issuer, set);
  at.advance(23 * 3600);
  const page = await owner.open(shown.url);
  expect([page.step, recoveryCodesIn(page).length]).toEqual(["recovery-codes", 10]);
  expect(hasCode((await saveCodes(owner, page, { stopAt })).page)).toBe(true);

  domain = `later-${count}.alice.test`;
  const late = await begin(owner);
  publish(at, late);
  expect((await check(owner, late)).step).toBe("recovery-codes");
  at.advance(DAY);
  expect((await owner.open(late.url)).step).toBe("problem");
});

test("the page that checks by itself finishes nothing when the record is there", async () => {
  const shown = await begin(owner);
  publish(at, shown);
  at.advance(5);
  const headers = { cookie: owner.cookies.header(at.issuer) ?? "" };
  const polled = await fetch(`${shown.url}?by-itself=yes`, { headers, redirect: "manual" });
  // With which the script offers a link that goes on.
  expect([polled.status, polled.headers.get("location")]).toEqual([
    303,
    new URL(shown.url).pathname,
  ]);
  expect(polled.headers.getSetCookie()).toEqual([]);
  expect(await at.store.accountsOf(domain)).toEqual([]);
  // The person was away for longer than the interaction, and has lost nothing.
  at.advance(2 * DAY);
  expect((await owner.open(shown.url)).step).toBe("problem");
  const found = await begin(owner);
  expect([found.step, recoveryCodesIn(found).length]).toEqual(["recovery-codes", 10]);
});

test("a set-up that four requests finish at once is told as one new account", async () => {
  const shown = await begin(owner);
  publish(at, shown);
  at.advance(5);
  const headers = { cookie: owner.cookies.header(at.issuer) ?? "" };
  const get = () => fetch(shown.url, { headers, redirect: "manual" });
  const answers = await Promise.all([get(), get(), get(), get()]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
  const [account] = await at.store.accountsOf(domain);
  const enrolled = at.events.filter(
    (event) => event.startsWith("enrolled ") && event.includes(account?.id ?? "none"),
  );
  expect(enrolled).toHaveLength(1);
});

test("a session whose response was lost is issued again with the codes, and the lost secret is refused", async () => {
  const shown = await begin(owner);
  publish(at, shown);
  at.advance(5);
  const without = copyOf(owner, at.issuer);
  without.cookies.forget((name) => name.includes("_setup_"));
  const headers = { cookie: owner.cookies.header(at.issuer) ?? "" };
  const lost = (await fetch(shown.url, { headers, redirect: "manual" })).headers.getSetCookie();
  const secrets = lost.filter((one) => one.includes("_session_"));
  expect(secrets).toHaveLength(1);
  // A browser that has only the interaction gets neither.
  expect(recoveryCodesIn(await without.open(shown.url))).toEqual([]);
  expect(without.cookies.names(at.issuer).join()).not.toContain("_session_");
  // A reload, whose answer is lost as well, and another one.
  await fetch(shown.url.replace("dns-setup", "recovery-codes"), { headers });
  const page = await owner.open(shown.url);
  expect(recoveryCodesIn(page)).toHaveLength(10);
  expect(hasCode((await saveCodes(owner, page, { stopAt })).page)).toBe(true);
  expect(await isSignedIn(owner)).toBe(true);
  const thief = createUserAgent();
  thief.cookies.store(at.issuer, secrets);
  expect(await isSignedIn(thief)).toBe(false);
  // Once it was sent, it is not replaced.
  expect(await isSignedIn(owner)).toBe(true);
});

test("a session that got lost is also given with the answer to saved codes", async () => {
  const shown = await begin(owner);
  publish(at, shown);
  const page = await check(owner, shown);
  owner.cookies.forget((name) => name.includes("_session_"));
  // The page was shown to a browser that had the secret: it is not given again.
  expect(hasCode((await saveCodes(owner, page, { stopAt })).page)).toBe(true);
  expect(await isSignedIn(owner)).toBe(false);

  domain = `saved-${count}.alice.test`;
  const next = await begin(owner);
  publish(at, next);
  at.advance(5);
  const headers = { cookie: owner.cookies.header(at.issuer) ?? "" };
  await fetch(next.url, { headers, redirect: "manual" });
  const codes = { ...next, forms: page.forms.map((form) => ({ ...form })) };
  const action = new URL(next.url.replace("dns-setup", "recovery-codes")).pathname;
  const forms = codes.forms.map((form) => ({ ...form, action }));
  const saved = await owner.submit({ ...codes, forms }, "recovery-codes-form", {}, { stopAt });
  expect(hasCode(saved)).toBe(true);
  expect(await isSignedIn(owner)).toBe(true);
});

test("a slower request of the interaction that finished a set-up goes on, though the codes were saved meanwhile", async () => {
  let reach = () => {};
  let release = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isFirst = true;
  const other = await startTestService({
    async beforeStatement(sql) {
      if (!isFirst || !sql.includes("INSERT INTO recovery_codes")) return;
      isFirst = false;
      reach();
      await released;
    },
  });
  try {
    const app = await other.addClient({ consent: "never" });
    const first = await owner.open(authorizationUrl(other, app));
    const shown = await owner.submit(first, "domain-form", { domain });
    publish(other, shown);
    const slow = check(copyOf(owner, other.issuer), shown);
    await reached;
    expect(hasCode((await checkAndSave(owner, shown, { stopAt })).page)).toBe(true);
    release();
    expect(hasCode(await slow)).toBe(true);
    expect(other.events.filter((event) => event.startsWith("set up reused"))).toEqual([]);
  } finally {
    release();
    await other.close();
  }
});
