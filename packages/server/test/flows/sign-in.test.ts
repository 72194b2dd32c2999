// Signing in as a person would: set-up, continue, challenge, consent, and the ways that must fail.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  answerPage,
  authorizationUrl,
  checkAndSave,
  openDomainPage,
  publish,
  recoveryCodesIn,
  STATE,
  signIn,
  signInForTokens,
} from "../support/sign-in.ts";

let at: TestService;
let client: TestClient;
let agent: UserAgent;
beforeAll(async () => {
  at = await startTestService();
});
afterAll(() => at.close());
beforeEach(async () => {
  for (const record of at.zone.records()) at.zone.remove(record);
  client = await at.addClient({ consent: "never" });
  agent = createUserAgent();
});

const stopAt = "https://app.example.org/";
const subOf = async (options: { agent: UserAgent; domain?: string }) => {
  const { access_token } = await signInForTokens(at, client, options);
  const authorization = `Bearer ${access_token}`;
  const answer = await fetch(`${at.issuer}/oauth/userinfo`, { headers: { authorization } });
  return (await answer.json()) as { sub: string; domain: string; domain_since: number };
};
const open = (parameters: Record<string, string> = {}) =>
  agent.open(authorizationUrl(at, client, parameters), { stopAt });
const enter = async (domain: string) =>
  agent.submit(
    await openDomainPage(agent, authorizationUrl(at, client), { stopAt }),
    "domain-form",
    { domain },
    { stopAt },
  );
const errorOf = (page: Page) => new URL(page.url).searchParams.get("error");
const signOut = async (from: UserAgent) => {
  const page = await from.open(authorizationUrl(at, client));
  const domainPage = await from.submit(page, "sign-out-form");
  expect(domainPage.step).toBe("domain");
  return from;
};

test("the first sign-in sets the domain up; the second continues; both are the same sub", async () => {
  const first = await signIn(at, client, { agent });
  expect(first.steps).toEqual(["domain", "dns-setup", "recovery-codes"]);
  expect(first.answer.get("state")).toBe(STATE);
  expect(first.answer.get("iss")).toBe(at.issuer);
  const second = await signIn(at, client, { agent });
  expect(second.steps).toEqual(["continue"]);
  const claims = await subOf({ agent });
  expect(claims).toEqual({
    sub: expect.stringMatching(/^sub_/),
    domain: "alice.test",
    domain_since: expect.any(Number),
    client_id: expect.any(String),
  });
});

test("a browser that was signed out is known, and signs in by a DNS challenge", async () => {
  const { sub } = await subOf({ agent });
  const again = await signIn(at, client, { agent: await signOut(agent) });
  expect(again.steps).toEqual(["domain", "dns-challenge"]);
  expect((await subOf({ agent })).sub).toBe(sub);
});

test("the set-up page goes on by itself when it is reloaded after the record is there", async () => {
  const page = await enter("alice.test");
  expect(page.html).toContain('<noscript><meta http-equiv="refresh" content="15"></noscript>');
  publish(at, page);
  at.advance(4);
  const after = await agent.open(page.url, { stopAt });
  // The person goes on, when the codes are saved.
  expect([after.step, recoveryCodesIn(after).length]).toEqual(["recovery-codes", 10]);
  const again = await agent.open(page.url, { stopAt });
  expect(recoveryCodesIn(again)).toEqual(recoveryCodesIn(after));
  const done = await agent.submit(again, "recovery-codes-form", {}, { stopAt });
  expect(new URL(done.url).searchParams.get("code")).toMatch(/^dsc_/);
});

test("the record alone does not let another browser in; with a recovery code and a challenge it does", async () => {
  const page = await enter("alice.test");
  publish(at, page);
  const { codes } = await checkAndSave(agent, page, { stopAt });
  expect(new Set(codes).size).toBe(10);
  const { sub } = await subOf({ agent });

  agent = createUserAgent();
  const challenge = await enter("alice.test");
  expect(challenge.step).toBe("dns-challenge");
  publish(at, challenge);
  const wrong = await agent.submit(challenge, "check-form", { recovery_code: "no such code" });
  expect(wrong.status).toBe(400);
  expect(wrong.html).toContain("no such code");
  const spoken = String(codes[3]).toUpperCase().replaceAll("-", " ");
  const done = await agent.submit(wrong, "check-form", { recovery_code: spoken }, { stopAt });
  expect(new URL(done.url).searchParams.get("code")).toMatch(/^dsc_/);
  expect((await subOf({ agent })).sub).toBe(sub);

  agent = createUserAgent();
  const third = await enter("alice.test");
  publish(at, third);
  const used = await agent.submit(third, "check-form", { recovery_code: String(codes[3]) });
  expect([used.status, used.step]).toEqual([400, "dns-challenge"]);
});

test("a recovery code without the challenge record does not sign in, and is not used up", async () => {
  const page = await enter("alice.test");
  publish(at, page);
  const [code = ""] = (await checkAndSave(agent, page, { stopAt })).codes;

  agent = createUserAgent();
  const challenge = await enter("alice.test");
  const before = await agent.submit(challenge, "check-form", { recovery_code: code });
  expect([before.step, before.has("recovery_code")]).toEqual(["dns-challenge", false]);
  publish(at, before);
  const after = await agent.submit(before, "check-form", {}, { stopAt });
  expect(after.stopped).toBe(true);
});

test("a set-up that began in another browser cannot be finished here, but started over", async () => {
  publish(at, await enter("alice.test"));
  agent = createUserAgent();
  const elsewhere = await enter("alice.test");
  expect([elsewhere.step, elsewhere.status]).toEqual(["problem", 200]);
  const fresh = await agent.submit(elsewhere, "start-over-form");
  expect(fresh.step).toBe("dns-setup");
  publish(at, fresh);
  expect((await checkAndSave(agent, fresh, { stopAt })).page.stopped).toBe(true);
});

test("a new acct is a new account with a new sub, and the old one's tokens and session end", async () => {
  const old = await signInForTokens(at, client, { agent });
  const before = await subOf({ agent });
  const seller = agent;

  agent = createUserAgent();
  const challenge = await enter("alice.test");
  const fresh = await agent.submit(challenge, "lost-access-form");
  publish(at, fresh);
  await checkAndSave(agent, fresh, { stopAt });
  const after = await subOf({ agent });
  expect(after.sub).not.toBe(before.sub);

  const refreshed = at.token(
    { grant_type: "refresh_token", refresh_token: old.refresh_token },
    client,
  );
  // A second look, a day later, must confirm it before the refresh token is refused.
  const body = { error: "temporarily_unavailable" };
  expect(await refreshed).toMatchObject({ status: 503, body });
  expect((await seller.open(authorizationUrl(at, client))).step).toBe("domain");
});

test("consent is asked the first time, remembered, and asked again for a new scope", async () => {
  client = await at.addClient({ consent: "first", scope: "openid profile" });
  const first = await signIn(at, client, { agent });
  expect(first.steps).toEqual(["domain", "dns-setup", "recovery-codes", "consent"]);
  expect((await signIn(at, client, { agent })).steps).toEqual(["continue"]);
  const more = { agent, parameters: { scope: "openid profile" } };
  expect((await signIn(at, client, more)).steps).toEqual(["continue", "consent"]);
  expect((await signIn(at, client, more)).steps).toEqual(["continue"]);
});

test("a client with consent always asks each time", async () => {
  client = await at.addClient({ consent: "always" });
  await signIn(at, client, { agent });
  expect((await signIn(at, client, { agent })).steps).toEqual(["continue", "consent"]);
});

test("who does not allow it goes back with access_denied, and a later Allow does not undo that", async () => {
  client = await at.addClient({ consent: "first" });
  let page = await open();
  while (page.step !== "consent") {
    page = await answerPage(at, agent, page, { domain: "alice.test", stopAt });
  }
  const denied = await agent.submit(page, "consent-form", {}, { button: "deny", stopAt });
  expect(errorOf(denied)).toBe("access_denied");
  expect(new URL(denied.url).searchParams.get("state")).toBe(STATE);
  const late = await agent.submit(page, "consent-form", {}, { button: "allow", stopAt });
  expect([late.step, late.status]).toEqual(["problem", 400]);
  expect(late.link("back-to-app")).toContain("error=access_denied");
});

test.each(["", "yes", "ALLOW"])("the answer %j is none: nothing is decided", async (decision) => {
  client = await at.addClient({ consent: "first" });
  let page = await open();
  while (page.step !== "consent") {
    page = await answerPage(at, agent, page, { domain: "alice.test", stopAt });
  }
  const cookie = agent.cookies.header(page.url) ?? "";
  const answer = await fetch(page.url, {
    ...{ method: "POST", redirect: "manual", body: new URLSearchParams({ decision }) },
    headers: { origin: at.issuer, cookie },
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  const allowed = await agent.submit(page, "consent-form", {}, { button: "allow", stopAt });
  expect(allowed.url).toContain("code=dsc_");
});

test("a double click on Allow makes one grant: both get the same code", async () => {
  client = await at.addClient({ consent: "first" });
  let page = await open();
  while (page.step !== "consent") {
    page = await answerPage(at, agent, page, { domain: "alice.test", stopAt });
  }
  const [one, two] = await Promise.all(
    [1, 2].map(() => agent.submit(page, "consent-form", {}, { button: "allow", stopAt })),
  );
  expect(one?.url).toContain("code=dsc_");
  expect(two?.url).toBe(one?.url);
});

test("two checks at once of a finished set-up make one account", async () => {
  const page = await enter("alice.test");
  publish(at, page);
  const ends = await Promise.all(
    [1, 2, 3, 4].map(async () => (await checkAndSave(agent, page, { stopAt })).page),
  );
  expect(new Set(ends.map(({ url }) => url)).size).toBe(1);
  expect(ends[0]?.url).toContain("code=dsc_");
});

test("an interaction opens in no other browser, and not after its hour; both lead back to the app", async () => {
  const page = await enter("alice.test");
  const other = createUserAgent();
  for (const cookies of ["no cookies yet", "cookies of its own"]) {
    const stranger = await other.open(page.url);
    expect([cookies, stranger.status, stranger.step]).toEqual([cookies, 403, "problem"]);
    expect(stranger.link("back-to-app")).toContain(stopAt);
    await other.open(authorizationUrl(at, client));
  }
  at.advance(3601);
  const late = await agent.open(page.url);
  expect([late.status, late.step]).toEqual([400, "problem"]);
  expect(late.link("back-to-app")).toContain("error=access_denied");
});

test("a post from another site, or from nowhere, is refused", async () => {
  const url = authorizationUrl(at, client).replace("/oauth/authorize", "/sign-in");
  const post = async (headers: Record<string, string>) =>
    (await fetch(url, { method: "POST", body: new URLSearchParams({ domain: "x" }), headers }))
      .status;
  expect(await post({})).toBe(403);
  expect(await post({ origin: "https://evil.example" })).toBe(403);
  expect(await post({ origin: "null" })).toBe(403);
  expect(await post({ origin: at.issuer, "sec-fetch-site": "same-site" })).toBe(403);
  expect(await post({ origin: at.issuer })).toBe(400);
  expect(await post({ "sec-fetch-site": "same-origin" })).toBe(400);
});

test("what is wrong with the domain is said, with what was typed kept, and nothing is written", async () => {
  at.statements.length = 0;
  const cases = [
    ["alice@alice.test", 400, "an email address at alice.test"],
    ["localhost", 400, "special use"],
    ["", 400, "Enter the domain name"],
    ["co.uk", 400, "an ending that many domains share"],
  ] as const;
  for (const [typed, status, words] of cases) {
    const page = await enter(typed);
    expect([page.step, page.status]).toEqual(["domain", status]);
    expect(page.html).toContain(words);
    expect(page.html).toContain(`value="${typed}"`);
  }
  expect(at.statements.filter((sql) => !sql.startsWith("SELECT"))).toEqual([]);
});

test.each([
  ["v=dsi1; sp=none", 422, "Sign-in as bob.test is turned off"],
  ["v=dsi1; sp=https://sp.example.net", 422, "contains an error"],
  ["v=dsi2; sp=none", 422, "does not support"],
])("a record %s signs nobody in, and the page says why", async (value, status, words) => {
  at.zone.add({ name: "_domain-signin.bob.test", type: "TXT", value, ttl: 300 });
  const page = await enter("bob.test");
  expect([page.step, page.status]).toEqual(["domain", status]);
  expect(page.html).toContain(words);
});

test("a dead DNS signs nobody in: the page says so, and nothing is lost", async () => {
  const dead = await startTestService();
  try {
    client = await dead.addClient({ consent: "never" });
    await dead.zone.close();
    const first = await agent.open(authorizationUrl(dead, client));
    const page = await agent.submit(first, "domain-form", { domain: "alice.test" });
    expect([page.step, page.status]).toEqual(["domain", 503]);
    expect(page.html).toContain("did not answer");
    expect(page.html).toContain('value="alice.test"');
  } finally {
    await dead.close().catch(() => {});
  }
});
