// Signing in as a person would: set-up, continue, challenge, consent, and the ways that must fail.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import { errorOf, flow, hasCode } from "../support/flow.ts";
import { startTestService } from "../support/service.ts";
import {
  answerPage,
  authorizationUrl,
  checkAndSave,
  recoveryCodesIn,
  refresh,
  STATE,
} from "../support/sign-in.ts";

const at = flow({ domain: "alice.test" });

const stopAt = "https://app.example.org/";
const subNow = async () => {
  const answer = await at.userinfo((await at.tokens()).access_token);
  return (await answer.json()) as { sub: string; domain: string; domain_since: number };
};
/** The way to the page that asks for consent, at an app that asks for it. */
async function askedForConsent(): Promise<Page> {
  at.client = await at.addClient({ consent: "first" });
  let page = await at.open();
  while (page.step !== "consent") {
    page = await answerPage(at, at.agent, page, { domain: at.domain, stopAt });
  }
  return page;
}
const decide = (page: Page, button: "allow" | "deny") =>
  at.submit(page, "consent-form", {}, { button });

test("the first sign-in sets the domain up; the second continues; both are the same sub", async () => {
  const first = await at.signIn();
  expect(first.steps).toEqual(["domain", "dns-setup", "recovery-codes"]);
  expect(first.answer.get("state")).toBe(STATE);
  expect(first.answer.get("iss")).toBe(at.issuer);
  const second = await at.signIn();
  expect(second.steps).toEqual(["continue"]);
  const claims = await subNow();
  expect(claims).toEqual({
    sub: expect.stringMatching(/^sub_/),
    domain: "alice.test",
    domain_since: expect.any(Number),
    client_id: expect.any(String),
  });
});

test("a browser that was signed out is known, and signs in by a DNS challenge", async () => {
  const { sub } = await subNow();
  expect((await at.submit(await at.open(), "sign-out-form")).step).toBe("domain");
  const again = await at.signIn();
  expect(again.steps).toEqual(["domain", "dns-challenge"]);
  expect((await subNow()).sub).toBe(sub);
});

test("the set-up page goes on by itself when it is reloaded after the record is there", async () => {
  const page = await at.begin();
  expect(page.html).toContain('<noscript><meta http-equiv="refresh" content="15"></noscript>');
  at.publish(page);
  at.advance(4);
  const after = await at.agent.open(page.url, { stopAt });
  // The person goes on, when the codes are saved.
  expect([after.step, recoveryCodesIn(after).length]).toEqual(["recovery-codes", 10]);
  const again = await at.agent.open(page.url, { stopAt });
  expect(recoveryCodesIn(again)).toEqual(recoveryCodesIn(after));
  expect(hasCode(await at.submit(again, "recovery-codes-form"))).toBe(true);
});

test("the record alone does not let another browser in; with a recovery code and a challenge it does", async () => {
  const { codes } = await at.setUp();
  expect(new Set(codes).size).toBe(10);
  const { sub } = await subNow();

  at.agent = createUserAgent();
  const challenge = await at.begin();
  expect(challenge.step).toBe("dns-challenge");
  at.publish(challenge);
  const wrong = await at.submit(challenge, "check-form", { recovery_code: "no such code" });
  expect(wrong.status).toBe(400);
  expect(wrong.html).toContain("no such code");
  const spoken = String(codes[3]).toUpperCase().replaceAll("-", " ");
  expect(hasCode(await at.submit(wrong, "check-form", { recovery_code: spoken }))).toBe(true);
  expect((await subNow()).sub).toBe(sub);

  at.agent = createUserAgent();
  const third = await at.begin();
  at.publish(third);
  const used = await at.submit(third, "check-form", { recovery_code: String(codes[3]) });
  expect([used.status, used.step]).toEqual([400, "dns-challenge"]);
});

test("a recovery code without the challenge record does not sign in, and is not used up", async () => {
  const [code = ""] = (await at.setUp()).codes;
  at.agent = createUserAgent();
  const challenge = await at.begin();
  const before = await at.submit(challenge, "check-form", { recovery_code: code });
  expect([before.step, before.has("recovery_code")]).toEqual(["dns-challenge", false]);
  expect((await at.finish(before)).page.stopped).toBe(true);
});

test("a set-up that began in another browser cannot be finished here, but started over", async () => {
  at.publish(await at.begin());
  at.agent = createUserAgent();
  const elsewhere = await at.begin();
  expect([elsewhere.step, elsewhere.status]).toEqual(["problem", 200]);
  const fresh = await at.submit(elsewhere, "start-over-form");
  expect(fresh.step).toBe("dns-setup");
  expect((await at.finish(fresh)).page.stopped).toBe(true);
});

test("a new acct is a new account with a new sub, and the old one's tokens and session end", async () => {
  const old = await at.tokens();
  const before = await subNow();
  const seller = at.agent;

  at.agent = createUserAgent();
  const challenge = await at.begin();
  await at.finish(await at.submit(challenge, "lost-access-form"));
  const after = await subNow();
  expect(after.sub).not.toBe(before.sub);

  // A second look, a day later, must confirm it before the refresh token is refused.
  const body = { error: "temporarily_unavailable" };
  const refreshed = await at.token(refresh(old.refresh_token), at.client);
  expect(refreshed).toMatchObject({ status: 503, body });
  expect((await at.open({}, { agent: seller })).step).toBe("domain");
});

test("consent is asked the first time, remembered, and asked again for a new scope", async () => {
  at.client = await at.addClient({ consent: "first", scope: "openid profile" });
  const first = await at.signIn();
  expect(first.steps).toEqual(["domain", "dns-setup", "recovery-codes", "consent"]);
  expect((await at.signIn()).steps).toEqual(["continue"]);
  const more = { parameters: { scope: "openid profile" } };
  expect((await at.signIn(more)).steps).toEqual(["continue", "consent"]);
  expect((await at.signIn(more)).steps).toEqual(["continue"]);
});

test("a client with consent always asks each time", async () => {
  at.client = await at.addClient({ consent: "always" });
  await at.signIn();
  expect((await at.signIn()).steps).toEqual(["continue", "consent"]);
});

test("who does not allow it goes back with access_denied, and a later Allow does not undo that", async () => {
  const page = await askedForConsent();
  const denied = await decide(page, "deny");
  expect(errorOf(denied)).toBe("access_denied");
  expect(new URL(denied.url).searchParams.get("state")).toBe(STATE);
  const late = await decide(page, "allow");
  expect([late.step, late.status]).toEqual(["problem", 400]);
  expect(late.link("back-to-app")).toContain("error=access_denied");
});

test.each(["", "yes", "ALLOW"])("the answer %j is none: nothing is decided", async (decision) => {
  const page = await askedForConsent();
  const answer = await fetch(page.url, {
    ...{ method: "POST", redirect: "manual", body: new URLSearchParams({ decision }) },
    headers: { origin: at.issuer, ...at.cookies() },
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  expect(hasCode(await decide(page, "allow"))).toBe(true);
});

test("a double click on Allow makes one grant: both get the same code", async () => {
  const page = await askedForConsent();
  const [one, two] = await Promise.all([decide(page, "allow"), decide(page, "allow")]);
  expect(one?.url).toContain("code=dsc_");
  expect(two?.url).toBe(one?.url);
});

test("two checks at once of a finished set-up make one account", async () => {
  const page = await at.begin();
  at.publish(page);
  const ends = await Promise.all(
    [1, 2, 3, 4].map(async () => (await checkAndSave(at.agent, page, { stopAt })).page),
  );
  expect(new Set(ends.map(({ url }) => url)).size).toBe(1);
  expect(ends[0]?.url).toContain("code=dsc_");
});

test("an interaction opens in no other browser, and after its hour not without its set-up; both lead back to the app", async () => {
  const page = await at.begin();
  const other = createUserAgent();
  for (const cookies of ["no cookies yet", "cookies of its own"]) {
    const stranger = await other.open(page.url);
    expect([cookies, stranger.status, stranger.step]).toEqual([cookies, 403, "problem"]);
    expect(stranger.link("back-to-app")).toContain(stopAt);
    await at.open({}, { agent: other });
  }
  at.advance(3601);
  at.agent.cookies.forget((name) => name.includes("_setup_"));
  const late = await at.agent.open(page.url);
  expect([late.status, late.step]).toEqual([400, "problem"]);
  expect(late.link("back-to-app")).toContain("error=access_denied");
});

test("a post from another site, or from nowhere, is refused", async () => {
  const url = authorizationUrl(at, at.client).replace("/oauth/authorize", "/sign-in");
  const body = new URLSearchParams({ domain: "x" });
  const post = async (headers: Record<string, string>) =>
    (await fetch(url, { method: "POST", body, headers })).status;
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
    const page = await at.begin({ domain: typed });
    expect([page.step, page.status]).toEqual(["domain", status]);
    expect(page.html).toContain(words);
    expect(page.html).toContain(`value="${typed}"`);
  }
  expect(at.statements.filter((sql) => !sql.startsWith("SELECT"))).toEqual([]);
});

test.each([
  ["v=dsi1 sp=none", 422, "Sign-in as bob.test is turned off"],
  ["v=dsi1 sp=https://sp.example.net", 422, "contains an error"],
  ["v=dsi2; sp=none", 422, "does not support"],
])("a record %s signs nobody in, and the page says why", async (value, status, words) => {
  at.zone.add({ name: "_domain-signin.bob.test", type: "TXT", value, ttl: 300 });
  const page = await at.begin({ domain: "bob.test" });
  expect([page.step, page.status]).toEqual(["domain", status]);
  expect(page.html).toContain(words);
});

test("a dead DNS signs nobody in: the page says so, and nothing is lost", async () => {
  const dead = await startTestService();
  try {
    const client = await dead.addClient({ consent: "never" });
    await dead.zone.close();
    const first = await at.agent.open(authorizationUrl(dead, client));
    const page = await at.submit(first, "domain-form", { domain: "alice.test" });
    expect([page.step, page.status]).toEqual(["domain", 503]);
    expect(page.html).toContain("did not answer");
    expect(page.html).toContain('value="alice.test"');
  } finally {
    await dead.close().catch(() => {});
  }
});
