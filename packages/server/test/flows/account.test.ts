// The account page: what its owner sees and ends there, and what others cannot.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { describe, expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import { recoveryCodesIn, redemption, refresh } from "../support/sign-in.ts";

const at = flow({ registration: { name: "Notes", consent: "first" }, domain: "alice.test" });

const account = (from = at.agent, query = "") => from.open(`${at.issuer}/account${query}`);
const nowSeconds = () => Math.floor(Date.now() / 1000);
const withoutHistory = ({ html }: Page) => html.split('id="history-title"')[0];

/** Signs in at the account page itself. */
async function signInToAccount(): Promise<Page> {
  return at.until("account", await account());
}

test("/ leads to the account page, which has a sign-in of its own and gets no code", async () => {
  const home = await at.agent.open(`${at.issuer}/`);
  const first = await at.agent.open(home.link("account"));
  expect(first.step).toBe("domain");
  const page = await signInToAccount();
  expect([page.status, page.step]).toEqual([200, "account"]);
  expect(page.url).toBe(`${at.issuer}/account?domain=alice.test`);
  expect(page.html).toContain("alice.test");
  expect(page.html).toContain("No app has access");
  // A person who turns back is not sent there again.
  const other = createUserAgent();
  const back = await other.open((await other.open(`${at.issuer}/account`)).link("back-to-app"));
  expect([back.status, back.step, back.has("sign-in")]).toEqual([200, "account", true]);
});

test("an app is listed with what it may do; revoking it ends its tokens, its codes and its consent at once", async () => {
  const tokens = await at.tokens();
  const other = await at.addClient({ name: "Calendar", consent: "never" });
  const kept = await at.tokens({ client: other });
  const pending = await at.signIn();
  const page = await account();
  expect(page.html).toMatch(/Notes[\s\S]*?Allowed to: know that you control this domain/);
  expect(page.html).not.toContain("<code>openid");
  expect(page.html).toContain("Calendar");
  const form = page.forms.find(
    ({ id, controls }) =>
      id?.startsWith("revoke-") && controls.some(({ value }) => value === at.client.id),
  );
  const after = await at.agent.submit(page, form?.id ?? "");
  expect(withoutHistory(after)).not.toContain("Notes");
  expect(after.html).toContain("Calendar");
  expect((await at.userinfo(tokens.access_token)).status).toBe(401);
  expect((await at.token(refresh(tokens.refresh_token), at.client)).body.error).toBe(
    "invalid_grant",
  );
  const redeemed = await at.token(redemption(at.client, pending), at.client);
  expect(redeemed.body.error).toBe("invalid_grant");
  expect((await at.userinfo(kept.access_token)).status).toBe(200);
  expect(await at.silently()).toBe("login_required");
});

test("sessions are listed by browser; another one is ended only soon after an authentication", async () => {
  const [code = ""] = await setUpWithCodes();
  const other = createUserAgent();
  await signInWithCode(other, code);
  at.advance(301);
  const page = await account();
  const form = page.forms.find(({ id }) => /^sign-out-\d+-form$/.test(id ?? ""));
  expect(form).toBeDefined();
  expect(page.html).toContain("this browser");
  // The session of this browser is five minutes old: authenticate first.
  const first = await at.agent.submit(page, form?.id ?? "");
  expect(first.step).toBe("domain");
  expect(await at.silently({ agent: other })).toBeNull();
  const again = await at.until("account", first);
  const others = again.forms.filter(({ id }) => /^sign-out-\d+-form$/.test(id ?? ""));
  expect(others).toHaveLength(1);
  const ended = await at.agent.submit(again, others[0]?.id ?? "");
  expect([ended.status, ended.step]).toEqual([200, "account"]);
  expect(await at.silently({ agent: other })).toBe("login_required");
  const told = await account(other);
  expect(told.html).toContain("alice.test was signed out here by someone in another browser.");
  expect(await at.silently()).toBeNull();
});

test("signing out everywhere keeps the sub, and ends apps only if that is asked for", async () => {
  const { refresh_token, signIn: done } = await at.tokens();
  const before = await at.accountOf();
  const page = await account();
  const after = await at.agent.submit(page, "sign-out-everywhere-form");
  expect([after.status, after.has("sign-in")]).toEqual([200, true]);
  expect(await at.silently()).toBe("login_required");
  const refreshed = await at.token(refresh(refresh_token), at.client);
  expect(refreshed.status).toBe(200);
  expect((await at.accountOf()).id).toBe(before.id);
  expect(done.answer.get("code")).not.toBeNull();
});

test("signing out everywhere with all apps revokes them", async () => {
  const { access_token } = await at.tokens();
  await at.agent.submit(await account(), "sign-out-everywhere-apps-form");
  expect((await at.userinfo(access_token)).status).toBe(401);
});

test("each domain of a browser has its own account page", async () => {
  await signInToAccount();
  await at.tokens({ domain: "bob.test", parameters: { prompt: "login" } });
  const chosen = await account();
  expect(chosen.html).toContain("/account?domain=alice.test");
  expect(chosen.html).toContain("/account?domain=bob.test");
  const bobs = await account(at.agent, "?domain=bob.test");
  expect(bobs.html).toContain("Notes");
  expect(withoutHistory(await account(at.agent, "?domain=alice.test"))).not.toContain("Notes");
  // One that is not signed in here is asked for.
  const other = await account(at.agent, "?domain=carol.test");
  expect([other.step, other.html.includes('value="carol.test"')]).toEqual(["domain", true]);
});

test("an account that sleeps can still be signed out of, and its apps revoked", async () => {
  const { signIn: done } = await at.tokens();
  at.replaceRecord(null);
  at.advance(301);
  const page = await account();
  expect(page.html).toContain("Your DNS record does not name this account at the moment.");
  expect(page.html).not.toContain("recovery codes are left");
  const revoked = await at.agent.submit(page, "revoke-1-form");
  expect(revoked.html).toContain("No app has access");
  const out = await at.agent.submit(revoked, "sign-out-form");
  expect(out.has("sign-in")).toBe(true);
  expect(done.steps).toContain("consent");
});

describe("no page says that nobody is signed in while another domain is", () => {
  const NOBODY = "not signed in to any account";
  async function bobAndCarol(): Promise<void> {
    for (const domain of ["bob.test", "carol.test"]) {
      await at.signIn({ domain, parameters: { prompt: "login" } });
    }
  }
  const endCarol = async () => {
    const { id } = await at.accountOf("carol.test");
    await at.store.sessions.endSessionsOf(id, { reason: "operator", now: nowSeconds() });
  };

  test("such as that of a domain that the operator signed out", async () => {
    await bobAndCarol();
    await endCarol();
    const page = await account(at.agent, "?domain=carol.test");
    expect([page.status, page.step, page.html.includes(NOBODY)]).toEqual([200, "account", false]);
    expect(page.html.replace(/<[^>]*>/g, "")).toContain(
      "This browser is not signed in as carol.test",
    );
    expect(page.html).toContain("It is still signed in to other accounts.");
    expect(page.has("sign-in")).toBe(true);
    const others = await at.agent.open(page.link("other-accounts"));
    expect(others.has("sign-out-form")).toBe(true);
    expect(others.html).toContain('value="bob.test"');
  });

  test("such as that of the last domain, if no other one is left", async () => {
    await at.signIn({ domain: "carol.test" });
    await endCarol();
    const page = await account(at.agent, "?domain=carol.test");
    expect([page.html.includes(NOBODY), page.has("other-accounts")]).toEqual([true, false]);
  });

  test("such as the way back from the sign-in of another domain", async () => {
    await bobAndCarol();
    await endCarol();
    // The notice is shown once.
    await account(at.agent, "?domain=carol.test");
    const back = await account(at.agent, "?domain=carol.test&error=access_denied");
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
      await signInWithCode(other, one);
      if (one === another) await other.submit(await account(other), "sign-out-form");
    }
    const page = await account();
    const kinds = endings(page).map((id) => id.replace(/\d/, "N"));
    expect(kinds).toEqual([
      ...["sign-out-N-form", "forget-N-form"],
      ...["sign-out-everywhere-form", "sign-out-everywhere-apps-form"],
    ]);
    at.replaceRecord(null);
    return page;
  }

  test("so the page does not offer what needs a recent authentication, and an old page leads back", async () => {
    const before = await pageBefore();
    at.advance(301);
    for (const form of endings(before)) {
      const back = await at.agent.submit(before, form);
      expect([form, back.status, back.step]).toEqual([form, 200, "account"]);
      expect(back.html).toContain("Until the record is back, nobody can use this account");
      expect(endings(back)).toEqual([]);
    }
    const { id } = await at.accountOf();
    expect(await at.store.sessions.sessionsOf(id, nowSeconds())).toHaveLength(2);
    expect(await at.store.sessions.knownBrowsersOf(id, nowSeconds())).toHaveLength(1);
  });

  test("but an authentication of the last five minutes still counts", async () => {
    const before = await pageBefore();
    const { id } = await at.accountOf();
    await at.store.accounts.putToSleep(id, nowSeconds() + 86_400);
    const page = await account();
    expect(page.html).toContain("Your DNS record does not name this account at the moment.");
    expect(endings(page)).toEqual(endings(before));
    const left = await at.agent.submit(page, "sign-out-everywhere-form");
    expect(left.html).toContain("You are signed out");
    expect(await at.store.sessions.sessionsOf(id, nowSeconds())).toEqual([]);
  });
});

test("forged posts, and those with somebody else's values, change nothing", async () => {
  const { access_token } = await at.tokens();
  const mallory = await at.owner({ domain: "carol.test" });
  const post = async (
    agent: UserAgent,
    path: string,
    form: Record<string, string>,
    origin = at.issuer,
  ) => {
    const { status, headers } = await at.post(path, form, { agent, origin });
    return `${status} ${headers.get("location")?.split("?")[0] ?? ""}`.trim();
  };
  const alice = { domain: "alice.test", client_id: at.client.id };
  const evil = "https://evil.example";
  for (const path of ["revoke", "sign-out", "sign-out-everywhere"]) {
    expect(await post(at.agent, `/account/${path}`, alice, evil)).toBe("403");
    // Another person's browser is asked to sign in as the domain first.
    expect(await post(mallory, `/account/${path}`, alice)).toBe("303 /oauth/authorize");
    expect(await post(createUserAgent(), `/account/${path}`, alice)).toBe("303 /oauth/authorize");
  }
  const { id } = await at.accountOf();
  const [{ sid } = { sid: "" }] = await at.store.sessions.sessionsOf(id, nowSeconds());
  // A sid is no secret: apps know it from ID tokens.
  expect(await post(mallory, "/account/sign-out", { domain: "carol.test", sid })).toBe(
    "303 /account",
  );
  expect(await post(at.agent, "/account/revoke", { domain: "alice.test" })).toBe("400");
  expect(await post(at.agent, "/account/revoke", { ...alice, client_id: "none" })).toBe(
    "303 /account",
  );
  expect(await at.silently()).toBeNull();
  expect((await at.userinfo(access_token)).status).toBe(200);
});

/** Sets the domain up, and returns the recovery codes. */
async function setUpWithCodes(): Promise<readonly string[]> {
  const page = await at.until("recovery-codes", await at.open());
  const codes = recoveryCodesIn(page);
  await at.submit(await at.until("consent", page), "consent-form", {}, { button: "allow" });
  return codes;
}

async function signInWithCode(agent: UserAgent, code: string): Promise<void> {
  const challenge = await at.begin({ agent });
  expect(challenge.step).toBe("dns-challenge");
  at.publish(challenge);
  const next = await at.submit(challenge, "check-form", { recovery_code: code }, { agent });
  expect([next.step ?? "the app"]).toEqual(["the app"]);
}
