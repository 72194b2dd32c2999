// The account page: what its owner sees and ends there, and what others cannot.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  answerPage,
  authorizationUrl,
  recoveryCodesIn,
  refresh,
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
  client = await at.addClient({ name: "Notes", consent: "first" });
  agent = createUserAgent();
});

const account = (from = agent, query = "") => from.open(`${at.issuer}/account${query}`);
const silently = async (from: UserAgent, domain = "alice.test") => {
  const url = authorizationUrl(at, client, { prompt: "none", login_hint: domain });
  const page = await from.open(url, { stopAt: client.redirectUri });
  return new URL(page.url).searchParams.get("error");
};
const userinfo = async (token: string) =>
  (await fetch(`${at.issuer}/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } }))
    .status;

const withoutHistory = ({ html }: Page) => html.split('id="history-title"')[0];

/** Signs in at the account page itself. */
async function signInToAccount(from: UserAgent, domain = "alice.test"): Promise<Page> {
  let page = await account(from);
  for (let count = 0; page.step !== "account" && count < 5; count++) {
    page = await answerPage(at, from, page, { domain, stopAt: client.redirectUri });
  }
  return page;
}

test("/ leads to the account page, which has a sign-in of its own and gets no code", async () => {
  const first = await agent.open(`${at.issuer}/`);
  expect(first.step).toBe("domain");
  const page = await signInToAccount(agent);
  expect([page.status, page.step]).toEqual([200, "account"]);
  expect(page.url).toBe(`${at.issuer}/account?domain=alice.test`);
  expect(page.html).toContain("alice.test");
  expect(page.html).toContain("No app has access");
  // A person who turns back is not sent there again.
  const other = createUserAgent();
  const back = await other.open((await other.open(`${at.issuer}/account`)).link("back-to-app"));
  expect([back.status, back.step, back.has("sign-in")]).toEqual([200, "account", true]);
});

test("an app is listed with its scopes; revoking it ends its tokens, its codes and its consent at once", async () => {
  const tokens = await signInForTokens(at, client, { agent });
  const other = await at.addClient({ name: "Calendar", consent: "never" });
  const kept = await signInForTokens(at, other, { agent });
  const pending = await signIn(at, client, { agent });
  const page = await account();
  expect(page.html).toMatch(/Notes[\s\S]*openid/);
  expect(page.html).toContain("Calendar");
  const form = page.forms.find(
    ({ id, controls }) =>
      id?.startsWith("revoke-") && controls.some(({ value }) => value === client.id),
  );
  const after = await agent.submit(page, form?.id ?? "");
  expect(withoutHistory(after)).not.toContain("Notes");
  expect(after.html).toContain("Calendar");
  expect(await userinfo(tokens.access_token)).toBe(401);
  expect((await at.token(refresh(tokens.refresh_token), client)).body.error).toBe("invalid_grant");
  const { code, verifier } = pending;
  const redeemed = await at.token(
    {
      ...{ grant_type: "authorization_code", code, code_verifier: verifier },
      redirect_uri: client.redirectUri,
    },
    client,
  );
  expect(redeemed.body.error).toBe("invalid_grant");
  expect(await userinfo(kept.access_token)).toBe(200);
  expect(await silently(agent)).toBe("consent_required");
});

test("sessions are listed by browser; another one is ended only soon after an authentication", async () => {
  const [code = ""] = await setUpWithCodes();
  const other = createUserAgent();
  await other.open(authorizationUrl(at, client));
  await signInWithCode(other, code);
  at.advance(301);
  const page = await account();
  const form = page.forms.find(({ id }) => /^sign-out-\d+-form$/.test(id ?? ""));
  expect(form).toBeDefined();
  expect(page.html).toContain("this browser");
  // The session of this browser is five minutes old: authenticate first.
  const first = await agent.submit(page, form?.id ?? "");
  expect(first.step).toBe("domain");
  expect(await silently(other)).toBeNull();
  let again: Page = first;
  while (again.step !== "account") {
    again = await answerPage(at, agent, again, { domain: "alice.test", stopAt: "none:" });
  }
  const others = again.forms.filter(({ id }) => /^sign-out-\d+-form$/.test(id ?? ""));
  expect(others).toHaveLength(1);
  const ended = await agent.submit(again, others[0]?.id ?? "");
  expect([ended.status, ended.step]).toEqual([200, "account"]);
  expect(await silently(other)).toBe("login_required");
  const told = await account(other);
  expect(told.html).toContain("alice.test was signed out here by someone in another browser.");
  expect(await silently(agent)).toBeNull();
});

test("signing out everywhere keeps the sub, and ends apps only if that is asked for", async () => {
  const { refresh_token, signIn: done } = await signInForTokens(at, client, { agent });
  const [before] = await at.store.accountsOf("alice.test");
  const page = await account();
  const after = await agent.submit(page, "sign-out-everywhere-form");
  expect([after.status, after.has("sign-in")]).toEqual([200, true]);
  expect(await silently(agent)).toBe("login_required");
  const refreshed = await at.token(refresh(refresh_token), client);
  expect(refreshed.status).toBe(200);
  const [account_] = await at.store.accountsOf("alice.test");
  expect(account_?.id).toBe(before?.id);
  expect(done.answer.get("code")).not.toBeNull();
});

test("signing out everywhere with all apps revokes them", async () => {
  const { access_token } = await signInForTokens(at, client, { agent });
  await agent.submit(await account(), "sign-out-everywhere-apps-form");
  expect(await userinfo(access_token)).toBe(401);
});

test("each domain of a browser has its own account page", async () => {
  await signInToAccount(agent);
  const options = { agent, domain: "bob.test", parameters: { prompt: "login" } };
  await signInForTokens(at, client, options);
  const chosen = await account();
  expect(chosen.html).toContain("/account?domain=alice.test");
  expect(chosen.html).toContain("/account?domain=bob.test");
  const bobs = await account(agent, "?domain=bob.test");
  expect(bobs.html).toContain("Notes");
  expect(withoutHistory(await account(agent, "?domain=alice.test"))).not.toContain("Notes");
  // One that is not signed in here is asked for.
  const other = await account(agent, "?domain=carol.test");
  expect([other.step, other.html.includes('value="carol.test"')]).toEqual(["domain", true]);
});

test("an account that sleeps can still be signed out of, and its apps revoked", async () => {
  const { signIn: done } = await signInForTokens(at, client, { agent });
  for (const record of at.zone.records()) at.zone.remove(record);
  at.advance(301);
  const page = await account();
  expect(page.html).toContain("Your DNS record does not name this account at the moment.");
  expect(page.html).not.toContain("recovery codes are left");
  const revoked = await agent.submit(page, "revoke-1-form");
  expect(revoked.html).toContain("No app has access");
  const out = await agent.submit(revoked, "sign-out-form");
  expect(out.has("sign-in")).toBe(true);
  expect(done.steps).toContain("consent");
});

describe("no page says that nobody is signed in while another domain is", () => {
  const NOBODY = "not signed in to any account";
  async function bobAndCarol(): Promise<void> {
    for (const domain of ["bob.test", "carol.test"]) {
      await signIn(at, client, { agent, domain, parameters: { prompt: "login" } });
    }
  }
  const endCarol = async () => {
    const [carol] = await at.store.accountsOf("carol.test");
    const now = Math.floor(Date.now() / 1000);
    await at.store.endSessionsOf(carol?.id ?? "", { reason: "operator", now });
  };

  test("such as that of a domain that the operator signed out", async () => {
    await bobAndCarol();
    await endCarol();
    const page = await account(agent, "?domain=carol.test");
    expect([page.status, page.step, page.html.includes(NOBODY)]).toEqual([200, "account", false]);
    expect(page.html.replace(/<[^>]*>/g, "")).toContain(
      "This browser is not signed in as carol.test",
    );
    expect(page.html).toContain("It is still signed in to other accounts.");
    expect(page.has("sign-in")).toBe(true);
    const others = await agent.open(page.link("other-accounts"));
    expect(others.has("sign-out-form")).toBe(true);
    expect(others.html).toContain('value="bob.test"');
  });

  test("such as that of the last domain, if no other one is left", async () => {
    await signIn(at, client, { agent, domain: "carol.test" });
    await endCarol();
    const page = await account(agent, "?domain=carol.test");
    expect([page.html.includes(NOBODY), page.has("other-accounts")]).toEqual([true, false]);
  });

  test("such as the way back from the sign-in of another domain", async () => {
    await bobAndCarol();
    await endCarol();
    // The notice is shown once.
    await account(agent, "?domain=carol.test");
    const back = await account(agent, "?domain=carol.test&error=access_denied");
    expect([back.status, back.html.includes(NOBODY)]).toEqual([200, false]);
    expect(back.html).toContain('value="bob.test"');
  });
});

describe("without its record, an account can be authenticated by nobody", () => {
  const endings = ({ forms }: Page) =>
    forms.flatMap(({ id = "" }) =>
      /^sign-out-(\d+|everywhere|everywhere-apps)-form$|^forget-/.test(id) ? [id] : [],
    );

  /** The account page from before the record is lost, with a session and a known browser to end. */
  async function pageBefore(): Promise<Page> {
    const [code = "", another = ""] = await setUpWithCodes();
    for (const one of [code, another]) {
      const other = createUserAgent();
      await other.open(authorizationUrl(at, client));
      await signInWithCode(other, one);
      if (one === another) await other.submit(await account(other), "sign-out-form");
    }
    const page = await account();
    const kinds = endings(page).map((id) => id.replace(/\d/, "N"));
    expect(kinds).toEqual([
      ...["sign-out-N-form", "forget-N-form"],
      ...["sign-out-everywhere-form", "sign-out-everywhere-apps-form"],
    ]);
    for (const record of at.zone.records()) at.zone.remove(record);
    return page;
  }

  test("so the page does not offer what needs a recent authentication, and an old page leads back", async () => {
    const before = await pageBefore();
    at.advance(301);
    for (const form of endings(before)) {
      const back = await agent.submit(before, form);
      expect([form, back.status, back.step]).toEqual([form, 200, "account"]);
      expect(back.html).toContain("You can sign out in this browser and revoke apps here.");
      expect(endings(back)).toEqual([]);
    }
    const [own] = await at.store.accountsOf("alice.test");
    const now = Math.floor(Date.now() / 1000);
    expect(await at.store.sessionsOf(own?.id ?? "", now)).toHaveLength(2);
    expect(await at.store.knownBrowsersOf(own?.id ?? "", now)).toHaveLength(1);
  });

  test("but an authentication of the last five minutes still counts", async () => {
    const before = await pageBefore();
    const [own] = await at.store.accountsOf("alice.test");
    await at.store.putToSleep(own?.id ?? "", Math.floor(Date.now() / 1000) + 86_400);
    const page = await account();
    expect(page.html).toContain("Your DNS record does not name this account at the moment.");
    expect(endings(page)).toEqual(endings(before));
    const left = await agent.submit(page, "sign-out-everywhere-form");
    expect(left.html).toContain("You are signed out");
    expect(await at.store.sessionsOf(own?.id ?? "", Math.floor(Date.now() / 1000))).toEqual([]);
  });
});

test("forged posts, and those with somebody else's values, change nothing", async () => {
  const { access_token } = await signInForTokens(at, client, { agent });
  const mallory = createUserAgent();
  await signIn(at, client, { agent: mallory, domain: "carol.test" });
  const post = async (
    from: UserAgent,
    path: string,
    form: Record<string, string>,
    origin?: string,
  ) => {
    const headers = new Headers({
      cookie: from.cookies.header(at.issuer) ?? "",
      origin: origin ?? at.issuer,
      "content-type": "application/x-www-form-urlencoded",
    });
    const body = new URLSearchParams(form).toString();
    const init = { method: "POST", headers, body, redirect: "manual" } as const;
    const response = await fetch(`${at.issuer}${path}`, init);
    return `${response.status} ${response.headers.get("location")?.split("?")[0] ?? ""}`.trim();
  };
  const alice = { domain: "alice.test", client_id: client.id };
  const evil = "https://evil.example";
  for (const path of ["revoke", "sign-out", "sign-out-everywhere"]) {
    expect(await post(agent, `/account/${path}`, alice, evil)).toBe("403");
    // Another person's browser is asked to sign in as the domain first.
    expect(await post(mallory, `/account/${path}`, alice)).toBe("303 /oauth/authorize");
    expect(await post(createUserAgent(), `/account/${path}`, alice)).toBe("303 /oauth/authorize");
  }
  const [id] = (await at.store.accountsOf("alice.test")).map((one) => one.id);
  const [{ sid } = { sid: "" }] = await at.store.sessionsOf(
    id ?? "",
    Math.floor(Date.now() / 1000),
  );
  // A sid is no secret: apps know it from ID tokens.
  expect(await post(mallory, "/account/sign-out", { domain: "carol.test", sid })).toBe(
    "303 /account",
  );
  expect(await post(agent, "/account/revoke", { domain: "alice.test" })).toBe("400");
  expect(await post(agent, "/account/revoke", { ...alice, client_id: "none" })).toBe(
    "303 /account",
  );
  expect(await silently(agent)).toBeNull();
  expect(await userinfo(access_token)).toBe(200);
});

/** Sets the domain up, and returns the recovery codes. */
async function setUpWithCodes(): Promise<readonly string[]> {
  const stopAt = client.redirectUri;
  const codes: string[] = [];
  let page = await agent.open(authorizationUrl(at, client), { stopAt });
  while (!page.stopped) {
    codes.push(...recoveryCodesIn(page));
    page = await answerPage(at, agent, page, { domain: "alice.test", stopAt });
  }
  return codes;
}

async function signInWithCode(from: UserAgent, code: string): Promise<void> {
  const stopAt = client.redirectUri;
  const first = await from.open(authorizationUrl(at, client), { stopAt });
  const challenge = await from.submit(first, "domain-form", { domain: "alice.test" }, { stopAt });
  expect(challenge.step).toBe("dns-challenge");
  const name = challenge.text("dns-name");
  for (const record of at.zone.records()) if (record.name === name) at.zone.remove(record);
  at.zone.add({ name, type: "TXT", value: challenge.text("dns-value"), ttl: 300 });
  at.advance(1);
  const fields = { recovery_code: code };
  const next = await from.submit(challenge, "check-form", fields, { stopAt });
  expect([next.step ?? "the app"]).toEqual(["the app"]);
}
