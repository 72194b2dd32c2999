// Signing out, and what a copy of a browser's cookies is worth, from the outside.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, expect, test } from "vitest";
import { testCookies } from "../support/cookies.ts";
import { claimsOf, errorOf, flow, hasCode } from "../support/flow.ts";
import { authorizationUrl, checkAndSave, copyOf, refresh } from "../support/sign-in.ts";

const at = flow({ domain: "alice.test" });
let agent: UserAgent;
beforeEach(() => {
  agent = at.agent;
});

const stopAt = "https://app.example.org/";
const open = (from: UserAgent, parameters = {}) => at.open(parameters, { agent: from });
/** What the app hears if it asks without a page; null for a code. */
const silently = (from: UserAgent, domain = "alice.test") => at.silently({ agent: from, domain });
/** Authenticates again in the same browser. */
const again = (from: UserAgent, domain = "alice.test") =>
  at.signIn({ agent: from, domain, parameters: { prompt: "login" } });
const noticesOf = (page: Page) =>
  [...page.html.matchAll(/id="session-ended-\d+" role="alert">\s*<p class="summary">([^<]*)/g)].map(
    ([, text]) => text,
  );
const REUSED = ["Someone used an old copy of this browser’s session for alice.test."];

test("signing out ends the session: prompt=none answers login_required, and no cookie is left", async () => {
  const { refresh_token } = await at.tokens();
  const copy = copyOf(agent, at.issuer);
  const page = await agent.submit(await open(agent), "sign-out-form");
  expect([page.status, page.step]).toEqual([200, "domain"]);
  expect(agent.cookies.names(at.issuer).filter((name) => /_session_/.test(name))).toEqual([]);
  expect(await silently(agent)).toBe("login_required");
  // The copy too, and without a notice, because the owner did it.
  expect(await silently(copy)).toBe("login_required");
  expect(noticesOf(await open(copy))).toEqual([]);
  // The app keeps its tokens, and the account its sub.
  expect((await at.token(refresh(refresh_token), at.client)).status).toBe(200);
});

test("a page makes a browser drop the cookies for which it has no room", async () => {
  const { requestName, clear } = testCookies(at.issuer);
  const [older, newer] = [requestName("1"), requestName("2")];
  const setBy = async (octets: number) => {
    const cookie = [older, newer].map((name) => `${name}=${"q".repeat(octets)}`).join("; ");
    const response = await fetch(authorizationUrl(at, at.client), { headers: { cookie } });
    return response.headers.getSetCookie();
  };
  expect((await setBy(3500)).slice(1)).toEqual([clear(older)]);
  expect((await setBy(1500)).slice(1)).toEqual([]);
});

/** The page that a browser gets that is not signed in. */
const challenged = (from: UserAgent) => at.begin({ agent: from, parameters: { prompt: "login" } });

const asksForCode = (page: Page) => [page.step, page.has("recovery_code")];

test.each([
  { when: "while it was signed in", signsOut: false },
  { when: "after it was signed out", signsOut: true },
])(
  "a browser is known by its last secret: a copy made $when is worth nothing a minute after the next sign-in",
  async ({ signsOut }) => {
    await at.signIn();
    if (signsOut) await agent.submit(await open(agent), "sign-out-form");
    const copy = copyOf(agent, at.issuer);
    expect(asksForCode(await challenged(copy))).toEqual(["dns-challenge", false]);
    // The owner signs in again by DNS, in the same browser.
    await again(agent);
    at.advance(61);
    expect(asksForCode(await challenged(copy))).toEqual(["dns-challenge", true]);
    // The owner is told, by the page or by the history of the account, and the browser is still known.
    const accountId = await at.accountId();
    const told = async () =>
      (await at.store.histories.historyOf(accountId, { since: 0, limit: 50 })).map(
        ({ kind }) => kind,
      );
    await expect.poll(told).toContain("session_reused");
    expect(asksForCode(await challenged(agent))).toEqual(["dns-challenge", false]);
  },
);

test("after signing out everywhere no browser is known, also none that was signed out before", async () => {
  const { codes } = await at.setUp();
  const other = createUserAgent();
  const page = await challenged(other);
  const shown = await other.submit(page, "check-form", { recovery_code: codes[0] ?? "" });
  expect((await at.finish(shown, { agent: other })).page.stopped).toBe(true);
  await other.submit(await open(other), "sign-out-form");
  expect(asksForCode(await challenged(other))).toEqual(["dns-challenge", false]);
  const account = await agent.open(`${at.issuer}/account`);
  await agent.submit(account, "sign-out-everywhere-form");
  for (const one of [agent, other]) {
    expect(asksForCode(await challenged(one))).toEqual(["dns-challenge", true]);
  }
});

test("a challenge is accepted for 24 hours, and the code is asked for once, before the record", async () => {
  const { codes } = await at.setUp();
  const other = createUserAgent();
  const asked = await challenged(other);
  expect(asksForCode(asked)).toEqual(["dns-challenge", true]);
  const shown = await other.submit(asked, "check-form", { recovery_code: codes[0] ?? "" });
  expect(asksForCode(shown)).toEqual(["dns-challenge", false]);
  at.advance(86_000);
  const still = await other.open(shown.url, { stopAt });
  expect(still.text("dns-value")).toBe(shown.text("dns-value"));
  expect((await at.finish(still, { agent: other })).page.stopped).toBe(true);

  const late = createUserAgent();
  const begun = await challenged(late);
  const next = await late.submit(begun, "check-form", { recovery_code: codes[1] ?? "" });
  at.publish(next);
  at.advance(86_400);
  const expired = await late.open(next.url, { stopAt });
  expect([expired.status, expired.step]).toEqual([400, "problem"]);
});

test("two domains in one browser: no DNS edit at a switch, and each is signed out by itself", async () => {
  await at.signIn();
  await again(agent, "bob.test");
  const edits = at.zone.records().length;
  for (const domain of ["alice.test", "bob.test", "alice.test"]) {
    expect(await silently(agent, domain)).toBeNull();
  }
  expect(at.zone.records()).toHaveLength(edits);
  const page = await open(agent, { login_hint: "bob.test" });
  await agent.submit(page, "sign-out-form");
  expect(await silently(agent, "bob.test")).toBe("login_required");
  expect(await silently(agent, "alice.test")).toBeNull();
});

test("all domains of a browser are signed out with one button, also one whose account sleeps", async () => {
  for (const domain of ["alice.test", "bob.test", "carol.test"]) await again(agent, domain);
  const id = await at.accountId({ domain: "carol.test" });
  await at.store.accounts.putToSleep(id, Math.floor(Date.now() / 1000) + 10_000);
  const copy = copyOf(agent, at.issuer);
  const page = await agent.submit(await open(agent), "sign-out-all-form");
  expect(page.step).toBe("domain");
  for (const domain of ["alice.test", "bob.test"]) {
    expect(await silently(copy, domain)).toBe("login_required");
  }
  expect(agent.cookies.names(at.issuer).filter((name) => /_session_/.test(name))).toEqual([]);
});

test("signing out while another tab is signing in: that tab ends with a page and a way back", async () => {
  at.client = await at.addClient({ consent: "always" });
  const { page: consent } = await at.setUp();
  expect(consent.step).toBe("consent");
  const signedOut = await agent.submit(await open(agent), "sign-out-form");
  expect(signedOut.step).toBe("domain");
  const refused = await at.submit(consent, "consent-form", {}, { button: "allow" });
  expect([refused.status, refused.step]).toEqual([400, "problem"]);
  expect(refused.text("error-id")).not.toBe("");
  expect(refused.link("back-to-app")).toMatch(/^https:\/\/app\.example\.org\//);
  expect(refused.html).toContain("You have signed out");
});

test("a copied session is refused a minute after the owner's next sign-in, and the owner is told", async () => {
  await at.signIn();
  const thief = copyOf(agent, at.issuer);
  expect(await silently(thief)).toBeNull();
  at.advance(86_400);
  await again(agent);
  // The copy never gets the new secret, only what it had, with the old time of authentication.
  at.advance(30);
  expect(errorOf(await open(thief, { prompt: "none", max_age: "3600" }))).toBe("login_required");
  at.advance(31);
  expect(await silently(thief)).toBe("login_required");
  expect(noticesOf(await open(agent))).toEqual(REUSED);
  // Told once.
  expect(noticesOf(await open(agent))).toEqual([]);
  expect(await silently(agent)).toBe("login_required");
  await again(agent);
  expect(await silently(agent)).toBeNull();
  expect(await silently(thief)).toBe("login_required");
});

test("a copied jar is worth nothing more to a thief who signs in with a domain of his own", async () => {
  await at.signIn();
  const thief = copyOf(agent, at.issuer);
  await again(thief, "carol.test");
  await again(agent);
  at.advance(61);
  expect(await silently(thief)).toBe("login_required");
  expect(await silently(thief, "carol.test")).toBeNull();
  expect(await silently(agent, "carol.test")).toBe("login_required");
});

test("tabs and lost responses cut nobody off", async () => {
  await at.signIn();
  // The response to an authentication never reaches the browser.
  const browser = copyOf(agent, at.issuer);
  await again(agent);
  // In truth, the next step of `again` has sent the new secret. So one minute is left to sign in again.
  expect(await silently(browser)).toBeNull();
  await again(browser);
  expect(await silently(browser)).toBeNull();
  at.advance(61);
  expect(await silently(browser)).toBeNull();
  // Two tabs with two domains, both begun before either is authenticated.
  const tabs: Page[] = [];
  for (const domain of ["bob.test", "carol.test"]) {
    const page = await at.begin({ agent: browser, domain, parameters: { prompt: "login" } });
    at.publish(page);
    tabs.push(page);
  }
  at.advance(2);
  for (const page of tabs.reverse()) {
    expect(hasCode((await checkAndSave(browser, page, { stopAt })).page)).toBe(true);
  }
  for (const domain of ["alice.test", "bob.test", "carol.test"]) {
    expect(await silently(browser, domain)).toBeNull();
  }
});

test("a sign-out that another site posts, or without saying of what, changes nothing", async () => {
  await at.signIn();
  const query = new URL(authorizationUrl(at, at.client)).search;
  const post = async (body: string, origin: string) => {
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const { status } = await fetch(`${at.issuer}/sign-in/sign-out${query}`, {
      ...{ method: "POST", body, redirect: "manual" },
      headers: { ...at.cookies(), origin, ...type },
    });
    return status;
  };
  expect(await post("which=all", "https://evil.example")).toBe(403);
  expect(await post("which=", at.issuer)).toBe(400);
  expect(await post("", at.issuer)).toBe(400);
  expect(await post("which=bob.test", at.issuer)).toBe(303);
  expect(await silently(agent)).toBeNull();
  const reload = await agent.open(`${at.issuer}/sign-in/sign-out${query}`);
  expect(reload.step).toBe("continue");
});

test("an ID token names the session: the same at each sign-in of this browser, another elsewhere", async () => {
  const sidOf = async (from: UserAgent, parameters: Record<string, string> = {}) => {
    return claimsOf((await at.tokens({ agent: from, parameters })).id_token).sid;
  };
  const sid = await sidOf(agent);
  expect(sid).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(await sidOf(agent)).toBe(sid);
  expect(await sidOf(agent, { prompt: "login" })).toBe(sid);
  await agent.submit(await open(agent), "sign-out-form");
  const next = await sidOf(agent);
  expect(next).not.toBe(sid);
});
