// An account is deleted by its owner: by an authentication made for that, and after typing the domain.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  answerPage,
  authorizationUrl,
  refresh,
  signIn,
  signInForTokens,
} from "../support/sign-in.ts";

let at: TestService;
let client: TestClient;
let agent: UserAgent;
let domain: string;
let accountId: string;
let tokens: Awaited<ReturnType<typeof signInForTokens>>;
let count = 0;
beforeAll(async () => {
  at = await startTestService();
});
afterAll(() => at.close());
beforeEach(async () => {
  client = await at.addClient({ consent: "first" });
  agent = createUserAgent();
  domain = `gone-${++count}.alice.test`;
  tokens = await signInForTokens(at, client, { agent, domain });
  const [account] = await at.store.accountsOf(domain);
  accountId = account?.id ?? "";
});

const stopAt = "none:";
const openAccount = () => agent.open(`${at.issuer}/account?domain=${domain}`);
const isLive = async () => (await at.store.readAccount(accountId))?.endedAt === null;

async function authenticate(): Promise<Page> {
  let page = await agent.open((await openAccount()).link("delete-account"));
  for (let turn = 0; page.step !== "account-change" && turn < 4; turn++) {
    page = await answerPage(at, agent, page, { domain, stopAt });
  }
  expect(page.has("delete-account-form")).toBe(true);
  return page;
}

const confirm = (page: Page, typed = domain) =>
  agent.submit(page, "delete-account-form", { domain: typed });

async function post(from: UserAgent, url: string, typed: string, origin = at.issuer) {
  const headers = {
    cookie: from.cookies.header(at.issuer) ?? "",
    origin,
    "content-type": "application/x-www-form-urlencoded",
  };
  const body = new URLSearchParams({ domain: typed }).toString();
  return (await fetch(url, { method: "POST", headers, body, redirect: "manual" })).status;
}

test("the account, its tokens, sessions and history are gone at once; who comes back is somebody else", async () => {
  const page = await authenticate();
  expect(page.html).toContain("you get a new identifier");
  const done = await confirm(page);
  expect([done.status, done.step]).toEqual([200, "account-change"]);
  expect(done.html).toContain("was deleted");
  expect(await isLive()).toBe(false);
  expect((await at.token(refresh(tokens.refresh_token), client)).body.error).toBe("invalid_grant");
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  expect((await fetch(`${at.issuer}/oauth/userinfo`, { headers })).status).toBe(401);
  const silently = authorizationUrl(at, client, { prompt: "none", login_hint: domain });
  const silent = await agent.open(silently, { stopAt: client.redirectUri });
  expect(new URL(silent.url).searchParams.get("error")).toBe("login_required");
  expect(await at.store.historyOf(accountId, { since: 0, limit: 10 })).toEqual([]);
  await eventually(() => expect(at.events.join("\n")).toContain("account deleted"));

  // A reload, and a second post, show the same again.
  expect((await agent.open(done.url)).html).toContain("was deleted");
  expect((await confirm(page)).html).toContain("was deleted");
  for (const record of at.zone.records()) {
    if (record.name.endsWith(domain)) at.zone.remove(record);
  }
  at.advance(301);
  await signIn(at, client, { agent: createUserAgent(), domain });
  const [account] = await at.store.accountsOf(domain);
  expect(account?.id).not.toBe(accountId);
});

/** The consent page of a new client, after another authentication. */
async function openConsent(other: TestClient): Promise<Page> {
  let page = await agent.open(authorizationUrl(at, other, { prompt: "login" }), { stopAt });
  for (let turn = 0; page.step !== "consent" && turn < 4; turn++) {
    page = await answerPage(at, agent, page, { domain, stopAt });
  }
  expect(page.step).toBe("consent");
  return page;
}

test("a consent page that was open stores no consent of an account that was deleted", async () => {
  const other = await at.addClient({ consent: "first" });
  const consent = await openConsent(other);
  await confirm(await authenticate());
  expect(await isLive()).toBe(false);
  const answered = await agent.submit(consent, "consent-form", { decision: "allow" }, { stopAt });
  expect([answered.status, answered.step]).toEqual([400, "problem"]);
  expect(await at.store.readConsent(accountId, other.id)).toEqual(new Set());
});

test("an account that is ended gets no code, not even by a sign-in that is at its last step", async () => {
  const consent = await openConsent(await at.addClient({ consent: "first" }));
  await at.store.endAccountNow({ accountId, now: Math.floor(Date.now() / 1000) });
  const answered = await agent.submit(consent, "consent-form", { decision: "allow" }, { stopAt });
  expect([answered.status, answered.step]).toEqual([400, "problem"]);
  expect(answered.url).not.toContain("code=");
});

test("the domain must be typed; its letter case and a final dot do not matter", async () => {
  const page = await authenticate();
  for (const typed of ["", "alice.test", `x${domain}`, "delete"]) {
    const refused = await confirm(page, typed);
    expect([refused.status, refused.has("delete-problem")]).toEqual([400, true]);
  }
  expect(await isLive()).toBe(true);
  await confirm(page, ` ${domain.toUpperCase()}. `);
  expect(await isLive()).toBe(false);
});

test("posts at once delete it once", async () => {
  const page = await authenticate();
  const ends = await Promise.all([1, 2, 3].map(() => post(agent, page.url, domain)));
  expect(ends).toEqual([303, 303, 303]);
  expect(await isLive()).toBe(false);
  expect(await at.store.historyOf(accountId, { since: 0, limit: 10 })).toEqual([]);
  const told = at.events.filter(
    (line) => line.startsWith("account deleted") && line.includes(domain),
  );
  expect(told).toHaveLength(1);
});

test("a session, another site, another browser, another change and five minutes later delete nothing", async () => {
  const link = new URL((await openAccount()).link("delete-account"), at.issuer).href;
  expect((await agent.open(link)).step).toBe("domain");
  let continued = await agent.open(link.replace("&prompt=login", ""), { stopAt });
  if (continued.step === "continue") continued = await agent.submit(continued, "continue-form");
  expect(continued.has("delete-account-form")).toBe(false);
  expect(await post(agent, continued.url, domain)).not.toBe(303);
  const page = await authenticate();
  expect(await post(agent, page.url, domain, "https://evil.example")).toBe(403);
  expect(await post(createUserAgent(), page.url, domain)).toBe(403);
  const mallory = createUserAgent();
  await signIn(at, client, { agent: mallory, domain: `mallory-${domain}` });
  expect(await post(mallory, page.url, domain)).toBe(403);
  expect(await post(agent, page.url.replace("delete-account", "new-codes"), domain)).toBe(400);
  at.advance(301);
  expect(await post(agent, page.url, domain)).toBe(400);
  expect(await isLive()).toBe(true);
});
