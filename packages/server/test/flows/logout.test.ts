// Signing out at the request of an app: whom it ends, when it asks, and where it may lead.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { beforeEach, describe, expect, test } from "vitest";
import { flow } from "../support/flow.ts";

const GOODBYE = "https://app.example.org/goodbye?from=us";

const at = flow({
  registration: { consent: "never", post_logout_redirect_uris: [GOODBYE] },
  domain: "alice.test",
});
let hint: string;
beforeEach(async () => {
  hint = await signedIn();
});

/** Signs in, and gives back the ID token. */
async function signedIn(agent = at.agent, domain = at.domain): Promise<string> {
  return (await at.tokens({ agent, domain, parameters: { prompt: "login" } })).id_token;
}

function logoutUrl(parameters: Record<string, string>): string {
  return `${at.issuer}/oauth/logout?${new URLSearchParams(parameters)}`;
}
const logout = (parameters: Record<string, string>, agent = at.agent) =>
  agent.open(logoutUrl(parameters), { stopAt: "https://app.example.org/" });
const back = { post_logout_redirect_uri: GOODBYE, state: "s&1" };
const GONE = `${GOODBYE}&state=s%261`;

/** Whether the browser is still signed in as the domain. */
async function isSignedIn(agent = at.agent, domain = at.domain): Promise<boolean> {
  return (await at.silently({ agent, domain })) === null;
}
const decide = (asked: Page, button: string) =>
  at.agent.submit(asked, "logout-form", {}, { button, stopAt: "https://app.example.org/" });
const seen = ({ status, step }: Page) => [status, step];

describe("with the ID token of a session of this browser", () => {
  test("signs out at once and leads back with the state alone", async () => {
    const page = await logout({ id_token_hint: hint, ...back });
    expect([page.stopped, page.url]).toEqual([true, GONE]);
    expect(await isSignedIn()).toBe(false);
  });

  test("without a return address ends at a page that says so; another domain stays signed in", async () => {
    await signedIn(at.agent, "bob.test");
    const page = await logout({ id_token_hint: hint, client_id: at.client.id });
    expect(page.step).toBe("account");
    expect([await isSignedIn(), await isSignedIn(at.agent, "bob.test")]).toEqual([false, true]);
    await logout({ id_token_hint: await signedIn(at.agent, "bob.test"), client_id: at.client.id });
    expect((await at.agent.open(`${at.issuer}/account?signed_out=1`)).html).toContain("signed out");
  });

  test("also one that has expired, and of an account that sleeps", async () => {
    at.advance(7200);
    at.replaceRecord(null);
    const { url } = await logout({ id_token_hint: hint, ...back });
    expect(url).toBe(GONE);
  });

  test("of an account that is not signed in in this browser ends nothing here", async () => {
    const another = createUserAgent();
    await signedIn(another, "carol.test");
    const page = await logout({ id_token_hint: hint, ...back }, another);
    // Nobody is signed in there as the domain of the hint, so there is nothing to end.
    expect([page.url, await isSignedIn(another, "carol.test")]).toEqual([GONE, true]);
    expect(await isSignedIn()).toBe(true);
  });
});

describe("asks first", () => {
  test("without a hint, and does what the person says", async () => {
    const asked = await logout({ client_id: at.client.id, ...back });
    expect(seen(asked)).toEqual([200, "logout"]);
    expect(asked.html).toContain("app.example.org");
    const stayed = await decide(asked, "stay");
    expect([stayed.step, await isSignedIn()]).toEqual(["account", true]);
    const left = await decide(asked, "sign-out");
    expect([left.url, await isSignedIn()]).toEqual([GONE, false]);
  });

  test("about all domains of the browser, if the request names none", async () => {
    await signedIn(at.agent, "bob.test");
    const asked = await logout({});
    for (const domain of [at.domain, "bob.test"]) expect(asked.html).toContain(domain);
    const left = await decide(asked, "sign-out");
    expect(left.step).toBe("account");
    expect([await isSignedIn(), await isSignedIn(at.agent, "bob.test")]).toEqual([false, false]);
  });

  test("with an ID token of an earlier session, whose copy anybody may have", async () => {
    await logout({ id_token_hint: hint, ...back });
    await signedIn();
    const asked = await logout({ id_token_hint: hint, ...back });
    expect([...seen(asked), await isSignedIn()]).toEqual([200, "logout", true]);
  });

  test.each([
    ["forged", (token: string) => `${token.slice(0, -6)}AAAAAA`],
    ["of no JWT", () => "x.y.z"],
    ["unsigned", (token: string) => `e30.${token.split(".")[1]}.`],
    ["too long", (token: string) => token + "A".repeat(8192)],
  ])("with a hint that is %s", async (_, alter) => {
    const asked = await logout({ id_token_hint: alter(hint), client_id: at.client.id, ...back });
    expect([...seen(asked), await isSignedIn()]).toEqual([200, "logout", true]);
  });

  test("a decision that is posted by another site, or that is none, changes nothing", async () => {
    const action = logoutUrl({ client_id: at.client.id }).replace("/logout?", "/logout/decision?");
    const post = (form: string, origin?: string) =>
      at.post(action, form, origin === undefined ? {} : { origin });
    expect((await post("decision=sign-out", "https://evil.example")).status).toBe(403);
    expect((await post("decision=perhaps")).status).toBe(400);
    expect((await post("")).status).toBe(400);
    expect(await isSignedIn()).toBe(true);
    expect((await post("decision=sign-out")).status).toBe(303);
    expect(await isSignedIn()).toBe(false);
  });
});

describe("leads nowhere that is not registered, and ends nothing then:", () => {
  test.each([
    ["an unregistered return address", { post_logout_redirect_uri: "https://evil.example/" }],
    ["one with another query", { post_logout_redirect_uri: `${GOODBYE}&more=1` }],
    ["a redirect_uri", { post_logout_redirect_uri: "https://app.example.org/callback" }],
    ["a state that is too long", { ...back, state: "s".repeat(2049) }],
    ["an unknown client", { client_id: "nobody", ...back }],
  ])("%s", async (_, parameters) => {
    const page = await logout({ client_id: at.client.id, id_token_hint: hint, ...parameters });
    expect([...seen(page), page.stopped]).toEqual([400, "problem", false]);
    expect(await isSignedIn()).toBe(true);
  });

  test("a return address without an app to which it could belong", async () => {
    expect(seen(await logout(back))).toEqual([400, "problem"]);
  });

  test("the hint of another app", async () => {
    const other = await at.addClient({ post_logout_redirect_uris: [GOODBYE] });
    const page = await logout({ client_id: other.id, id_token_hint: hint, ...back });
    expect(seen(page)).toEqual([400, "problem"]);
    expect(page.html).toContain("id_token_hint");
    expect(await isSignedIn()).toBe(true);
  });

  test("a parameter that stands twice, also if it was posted", async () => {
    const query = new URLSearchParams({ id_token_hint: hint, ...back });
    const twice = `${query}&state=2`;
    expect(seen(await at.agent.open(`${at.issuer}/oauth/logout?${twice}`))).toEqual([
      400,
      "problem",
    ]);
    const { status, headers } = await at.post("/oauth/logout", twice);
    expect(status).toBe(303);
    const page = await at.agent.open(new URL(headers.get("location") ?? "", at.issuer).href);
    expect(seen(page)).toEqual([400, "problem"]);
    expect(await isSignedIn()).toBe(true);
  });
});

test("a post of another site, which carries no cookies, becomes the same GET", async () => {
  const form = { id_token_hint: hint, ...back };
  const other = { agent: createUserAgent(), origin: "https://app.example.org" };
  const posted = await at.post("/oauth/logout", form, other);
  const { pathname, searchParams } = new URL(posted.headers.get("location") ?? "", at.issuer);
  expect([posted.status, pathname]).toEqual([303, "/oauth/logout"]);
  expect(Object.fromEntries(searchParams)).toEqual({ id_token_hint: hint, ...back });
});

test("who is not signed in gets a link to the app, because any site may have made the request", async () => {
  const page = await logout({ client_id: at.client.id, ...back }, createUserAgent());
  expect([...seen(page), page.stopped]).toEqual([200, "logout", false]);
  expect(page.html).toContain(`href="${GONE.replaceAll("&", "&amp;")}"`);
  expect(seen(await logout({}, createUserAgent()))).toEqual([200, "logout"]);
});

test("the metadata names the endpoint", async () => {
  const answer = await fetch(`${at.issuer}/.well-known/openid-configuration`);
  expect(await answer.json()).toMatchObject({ end_session_endpoint: `${at.issuer}/oauth/logout` });
});
