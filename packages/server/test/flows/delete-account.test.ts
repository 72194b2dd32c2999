// An account is deleted by its owner: by an authentication made for that, and after typing the domain.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { beforeEach, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { flow } from "../support/flow.ts";
import type { TestClient } from "../support/service.ts";
import { refresh } from "../support/sign-in.ts";

const at = flow({ registration: { consent: "first" } });
let accountId: string;
let tokens: Awaited<ReturnType<typeof at.tokens>>;
beforeEach(async () => {
  tokens = await at.tokens();
  accountId = (await at.accountOf()).id;
});

const isLive = async () => (await at.store.accounts.readAccount(accountId))?.endedAt === null;

async function authenticate(): Promise<Page> {
  const link = (await at.account()).link("delete-account");
  const page = await at.until("account-change", await at.agent.open(link));
  expect(page.has("delete-account-form")).toBe(true);
  return page;
}

const confirm = (page: Page, domain = at.domain) =>
  at.submit(page, "delete-account-form", { domain });

/** The status of the answer to the domain as it was typed. */
async function post(url: string, choice?: Parameters<typeof at.post>[2]): Promise<number> {
  return (await at.post(url, { domain: at.domain }, choice)).status;
}

test("the account, its tokens, sessions and history are gone at once; who comes back is somebody else", async () => {
  const page = await authenticate();
  expect(page.html).toContain("you get a new identifier");
  const done = await confirm(page);
  expect([done.status, done.step]).toEqual([200, "account-change"]);
  expect(done.html).toContain("was deleted");
  expect(await isLive()).toBe(false);
  expect((await at.token(refresh(tokens.refresh_token), at.client)).body.error).toBe(
    "invalid_grant",
  );
  expect((await at.userinfo(tokens.access_token)).status).toBe(401);
  expect(await at.silently()).toBe("login_required");
  expect(await at.store.histories.historyOf(accountId, { since: 0, limit: 10 })).toEqual([]);
  await eventually(() => expect(at.events.join("\n")).toContain("account deleted"));

  // A reload, and a second post, show the same again.
  expect((await at.agent.open(done.url)).html).toContain("was deleted");
  expect((await confirm(page)).html).toContain("was deleted");
  at.replaceRecord(null);
  at.advance(301);
  await at.owner();
  expect((await at.accountOf()).id).not.toBe(accountId);
});

/** The consent page of a new client, after another authentication. */
async function openConsent(client: TestClient): Promise<Page> {
  return at.until("consent", await at.open({ prompt: "login" }, { client }));
}

test("a consent page that was open stores no consent of an account that was deleted", async () => {
  const other = await at.addClient({ consent: "first" });
  const consent = await openConsent(other);
  await confirm(await authenticate());
  expect(await isLive()).toBe(false);
  const answered = await at.submit(consent, "consent-form", { decision: "allow" });
  expect([answered.status, answered.step]).toEqual([400, "problem"]);
  expect(await at.store.consents.readConsent(accountId, other.id)).toEqual(new Set());
});

test("an account that is ended gets no code, not even by a sign-in that is at its last step", async () => {
  const consent = await openConsent(await at.addClient({ consent: "first" }));
  await at.store.accountAdmin.endAccountNow({ accountId, now: Math.floor(Date.now() / 1000) });
  const answered = await at.submit(consent, "consent-form", { decision: "allow" });
  expect([answered.status, answered.step]).toEqual([400, "problem"]);
  expect(answered.url).not.toContain("code=");
});

test("the domain must be typed; its letter case and a final dot do not matter", async () => {
  const page = await authenticate();
  for (const typed of ["", "alice.test", `x${at.domain}`, "delete"]) {
    const refused = await confirm(page, typed);
    expect([refused.status, refused.has("delete-problem")]).toEqual([400, true]);
  }
  expect(await isLive()).toBe(true);
  await confirm(page, ` ${at.domain.toUpperCase()}. `);
  expect(await isLive()).toBe(false);
});

test("posts at once delete it once", async () => {
  const page = await authenticate();
  const ends = await Promise.all([1, 2, 3].map(() => post(page.url)));
  expect(ends).toEqual([303, 303, 303]);
  expect(await isLive()).toBe(false);
  expect(await at.store.histories.historyOf(accountId, { since: 0, limit: 10 })).toEqual([]);
  const told = at.events.filter(
    (line) => line.startsWith("account deleted") && line.includes(at.domain),
  );
  expect(told).toHaveLength(1);
});

test("a session, another site, another browser, another change and five minutes later delete nothing", async () => {
  const link = new URL((await at.account()).link("delete-account"), at.issuer).href;
  expect((await at.agent.open(link)).step).toBe("domain");
  let continued = await at.agent.open(link.replace("&prompt=login", ""));
  if (continued.step === "continue") continued = await at.submit(continued, "continue-form");
  expect(continued.has("delete-account-form")).toBe(false);
  expect(await post(continued.url)).not.toBe(303);
  const page = await authenticate();
  expect(await post(page.url, { origin: "https://evil.example" })).toBe(403);
  expect(await post(page.url, { agent: createUserAgent() })).toBe(403);
  const mallory = await at.owner({ domain: `mallory-${at.domain}` });
  expect(await post(page.url, { agent: mallory })).toBe(403);
  expect(await post(page.url.replace("delete-account", "new-codes"))).toBe(400);
  at.advance(301);
  expect(await post(page.url)).toBe(400);
  expect(await isLive()).toBe(true);
});
