// The sale of a domain: the buyer inherits nothing, the seller keeps nothing, and nobody had to do anything.

import { createUserAgent, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  authorizationUrl,
  checkAndSave,
  publish,
  redemption,
  refresh,
  type SignIn,
  signIn,
  signInForTokens,
  type Tokens,
} from "../support/sign-in.ts";

const DAY = 86_400;
const DOMAIN = "alice.test";
const RECORD = `_domain-signin.${DOMAIN}`;

let at: TestService;
let apps: TestClient[];
let seller: UserAgent;
let buyer: UserAgent;
/** The seller's, at each app. */
let tokens: Tokens[];
/** A code that the seller's first app has not redeemed yet. */
let unused: SignIn;
let sellersRecord: string;
let recoveryCodes: string[];

beforeEach(async () => {
  at = await startTestService();
  apps = [];
  for (const name of ["Notes", "Mail", "Maps"]) {
    const redirect_uris = [`https://${name.toLowerCase()}.example.org/callback`];
    apps.push(await at.addClient({ name, redirect_uris }));
  }
  [seller, buyer] = [createUserAgent(), createUserAgent()];
  recoveryCodes = await setUpKeepingCodes(seller);
  tokens = [];
  for (const app of apps) {
    tokens.push(await signInForTokens(at, app, { agent: seller, domain: DOMAIN }));
  }
  unused = await signIn(at, app(0), { agent: seller, domain: DOMAIN });
  sellersRecord = at.zone.records().find(({ name }) => name === RECORD)?.value ?? "";
});
afterEach(() => at.close());

function app(index: number): TestClient {
  const found = apps[index];
  if (found === undefined) throw new Error("no such app");
  return found;
}

/** The first page of a sign-in, with the domain entered. */
async function entered(agent: UserAgent, client = app(0)) {
  const stopAt = client.redirectUri;
  const first = await agent.open(authorizationUrl(at, client), { stopAt });
  if (first.step === "continue") throw new Error("the browser is signed in");
  return agent.submit(first, "domain-form", { domain: DOMAIN }, { stopAt });
}

async function setUpKeepingCodes(agent: UserAgent): Promise<string[]> {
  const page = await entered(agent);
  publish(at, page);
  const done = await checkAndSave(agent, page, { stopAt: app(0).redirectUri });
  expect(done.codes).toHaveLength(10);
  expect(done.page.step).toBe("consent");
  return [...done.codes];
}

/** The zone as the buyer finds it: empty, or with the one record that is given. */
function zoneBecomes(value?: string): void {
  for (const record of at.zone.records()) at.zone.remove(record);
  if (value !== undefined) at.zone.add({ name: RECORD, type: "TXT", value, ttl: 300 });
}

async function subOf({ access_token }: Tokens): Promise<unknown> {
  const headers = { authorization: `Bearer ${access_token}` };
  const response = await fetch(`${at.issuer}/oauth/userinfo`, { headers });
  return response.status === 200 ? ((await response.json()) as { sub: unknown }).sub : null;
}

/** What is left to the seller's browser and apps. */
async function expectSellerHasNothing(refreshStatus: 400 | 503): Promise<void> {
  for (const [index, { access_token, refresh_token }] of tokens.entries()) {
    expect(await subOf({ access_token, refresh_token })).toBeNull();
    const { status } = await at.token(refresh(refresh_token), app(index));
    expect(status).toBe(refreshStatus);
    const silent = authorizationUrl(at, app(index), { prompt: "none" });
    const { url } = await seller.open(silent, { stopAt: app(index).redirectUri });
    expect(new URL(url).searchParams.get("error")).toBe("login_required");
  }
  const redeemed = await at.token(redemption(app(0), unused), app(0));
  expect([redeemed.status, redeemed.body.error]).toEqual([400, "invalid_grant"]);
}

test("the buyer signs in to the same apps as somebody else, and the seller's sign-ins are over", async () => {
  const sellersSub = await subOf(tokens[0] ?? { access_token: "", refresh_token: "" });
  expect(sellersSub).toMatch(/^sub_/);
  for (const each of tokens) expect(await subOf(each)).toBe(sellersSub);

  zoneBecomes();
  at.advance(60);
  const buyers = [];
  for (const each of apps) {
    buyers.push(await signInForTokens(at, each, { agent: buyer, domain: DOMAIN }));
  }
  expect(buyers[0]?.signIn.steps).toEqual(["domain", "dns-setup", "recovery-codes", "consent"]);
  const subs = await Promise.all(buyers.map(subOf));
  expect(new Set(subs).size).toBe(1);
  expect(subs[0]).toMatch(/^sub_/);
  expect(subs[0]).not.toBe(sellersSub);
  await expectSellerHasNothing(503);
  // And the next day, when a second look has confirmed it.
  at.advance(DAY);
  await at.walk();
  await expectSellerHasNothing(400);
  // And again a month later, when the walk has ended the seller's account for good.
  at.advance(31 * DAY);
  await at.walk();
  expect(at.events.filter((event) => event.startsWith("ended"))).toHaveLength(1);
  await expectSellerHasNothing(400);
  // The buyer goes on as before.
  const again = await signInForTokens(at, app(1), { agent: buyer, domain: DOMAIN });
  expect(await subOf(again)).toBe(subs[0]);
});

test("a zone that is merely emptied ends the seller's sign-ins at the next look, without a buyer", async () => {
  zoneBecomes();
  at.advance(7 * DAY);
  await at.walk();
  await expectSellerHasNothing(503);
  at.advance(DAY);
  await at.walk();
  await expectSellerHasNothing(400);
});

test("the old record, published again by the buyer, gives the buyer nothing", async () => {
  zoneBecomes(sellersRecord);
  const challenged = await entered(buyer);
  expect(challenged.step).toBe("dns-challenge");
  publish(at, challenged);
  const way = { stopAt: app(0).redirectUri };
  for (const recovery_code of [
    "",
    "0123456789abcdefghjkmnpqrs",
    "a guess that is too long to be a code",
  ]) {
    const refused = await buyer.submit(challenged, "check-form", { recovery_code }, way);
    expect([refused.status, refused.step]).toEqual([400, "dns-challenge"]);
  }
});

test("a set-up that the buyer began makes no account while the zone names the seller", async () => {
  zoneBecomes();
  at.advance(60);
  const shown = await entered(buyer);
  expect(shown.step).toBe("dns-setup");
  zoneBecomes(sellersRecord);
  at.advance(60);
  const checked = await buyer.submit(shown, "check-form", {}, { stopAt: app(0).redirectUri });
  expect([checked.status, checked.step]).toEqual([200, "dns-setup"]);
  expect(at.events.filter((event) => event.startsWith("enrolled"))).toHaveLength(1);
  const again = await signInForTokens(at, app(1), { agent: seller, domain: DOMAIN });
  expect(await subOf(again)).toMatch(/^sub_/);
});

test("nor after the seller's account has ended: then nobody is known by it, the seller included", async () => {
  zoneBecomes();
  // The first walk finds the record gone, a later one that it is still gone.
  at.advance(7 * DAY);
  await at.walk();
  at.advance(31 * DAY);
  await at.walk();
  expect(at.events.filter((event) => event.startsWith("ended"))).toHaveLength(1);

  zoneBecomes(sellersRecord);
  const way = { stopAt: app(0).redirectUri };
  for (const agent of [buyer, seller]) {
    const page = await entered(agent);
    expect([page.status, page.step]).toEqual([200, "problem"]);
    expect(page.html).toContain('id="start-over-form"');
    // Starting over shows a fresh record, which only whoever has the zone can publish.
    const fresh = await agent.submit(page, "start-over-form", {}, way);
    expect(fresh.step).toBe("dns-setup");
    expect(fresh.text("dns-value")).not.toBe(sellersRecord);
  }
  expect(recoveryCodes).toHaveLength(10);
  const left = await at.dump();
  expect(left).not.toContain('"code_hash"');
});

test("within the thirty days the seller who gets the domain back is the same account again", async () => {
  const sub = await subOf(tokens[0] ?? { access_token: "", refresh_token: "" });
  zoneBecomes();
  for (const days of [7, 1, 19]) {
    at.advance(days * DAY);
    await at.walk();
  }
  await expectSellerHasNothing(400);
  zoneBecomes(sellersRecord);
  at.advance(301);
  const back = await signInForTokens(at, app(0), { agent: seller, domain: DOMAIN });
  expect(await subOf(back)).toBe(sub);
});
