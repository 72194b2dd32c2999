// The sale of a domain: the buyer inherits nothing, the seller keeps nothing, and nobody had to do anything.

import { createUserAgent, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import type { TestClient } from "../support/service.ts";
import { redemption, refresh, type SignIn, type Tokens } from "../support/sign-in.ts";

const DAY = 86_400;
const DOMAIN = "alice.test";
const RECORD = `_domain-signin.${DOMAIN}`;

const at = flow({ service: "test", domain: DOMAIN });
let apps: TestClient[];
let seller: UserAgent;
let buyer: UserAgent;
/** The seller's, at each app. */
let tokens: Tokens[];
/** A code that the seller's first app has not redeemed yet. */
let unused: SignIn;
let sellersRecord: string;
let recoveryCodes: readonly string[];

beforeEach(async () => {
  apps = [];
  for (const name of ["Notes", "Mail", "Maps"]) {
    const redirect_uris = [`https://${name.toLowerCase()}.example.org/callback`];
    apps.push(await at.addClient({ name, redirect_uris }));
  }
  [seller, buyer] = [createUserAgent(), createUserAgent()];
  at.client = app(0);
  const done = await at.setUp({ agent: seller });
  recoveryCodes = done.codes;
  expect(recoveryCodes).toHaveLength(10);
  expect(done.page.step).toBe("consent");
  tokens = [];
  for (const client of apps) tokens.push(await at.tokens({ client, agent: seller }));
  unused = await at.signIn({ agent: seller });
  sellersRecord = at.zone.records().find(({ name }) => name === RECORD)?.value ?? "";
});

function app(index: number): TestClient {
  const found = apps[index];
  if (found === undefined) throw new Error("no such app");
  return found;
}

/** The first page of a sign-in, with the domain entered. */
async function entered(agent: UserAgent) {
  const first = await at.open({}, { agent });
  if (first.step === "continue") throw new Error("the browser is signed in");
  return at.submit(first, "domain-form", { domain: DOMAIN }, { agent });
}

/** The zone as the buyer finds it: empty, or with the one record that is given. */
function zoneBecomes(value?: string): void {
  for (const record of at.zone.records()) at.zone.remove(record);
  if (value !== undefined) at.zone.add({ name: RECORD, type: "TXT", value, ttl: 300 });
}

async function subOf(of: Tokens | undefined): Promise<unknown> {
  const response = await at.userinfo(of?.access_token);
  return response.status === 200 ? ((await response.json()) as { sub: unknown }).sub : null;
}

/** What is left to the seller's browser and apps. */
async function expectSellerHasNothing(refreshStatus: 400 | 503): Promise<void> {
  for (const [index, { access_token, refresh_token }] of tokens.entries()) {
    expect(await subOf({ access_token, refresh_token })).toBeNull();
    const { status } = await at.token(refresh(refresh_token), app(index));
    expect(status).toBe(refreshStatus);
    expect(await at.silently({ agent: seller, client: app(index) })).toBe("login_required");
  }
  const redeemed = await at.token(redemption(app(0), unused), app(0));
  expect([redeemed.status, redeemed.body.error]).toEqual([400, "invalid_grant"]);
}

test("the buyer signs in to the same apps as somebody else, and the seller's sign-ins are over", async () => {
  const sellersSub = await subOf(tokens[0]);
  expect(sellersSub).toMatch(/^sub_/);
  for (const each of tokens) expect(await subOf(each)).toBe(sellersSub);

  zoneBecomes();
  at.advance(60);
  const buyers = [];
  for (const client of apps) buyers.push(await at.tokens({ client, agent: buyer }));
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
  const again = await at.tokens({ client: app(1), agent: buyer });
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
  at.publish(challenged);
  const guesses = ["0123456789abcdefghjkmnpqrs", "a guess that is too long to be a code"];
  for (const recovery_code of ["", ...guesses]) {
    const refused = await at.submit(challenged, "check-form", { recovery_code }, { agent: buyer });
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
  const checked = await at.submit(shown, "check-form", {}, { agent: buyer });
  expect([checked.status, checked.step]).toEqual([200, "dns-setup"]);
  expect(at.events.filter((event) => event.startsWith("enrolled"))).toHaveLength(1);
  const again = await at.tokens({ client: app(1), agent: seller });
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
  for (const agent of [buyer, seller]) {
    const page = await entered(agent);
    expect([page.status, page.step]).toEqual([200, "problem"]);
    expect(page.html).toContain('id="start-over-form"');
    // Starting over shows a fresh record, which only whoever has the zone can publish.
    const fresh = await at.submit(page, "start-over-form", {}, { agent });
    expect(fresh.step).toBe("dns-setup");
    expect(fresh.text("dns-value")).not.toBe(sellersRecord);
  }
  expect(recoveryCodes).toHaveLength(10);
  const left = await at.dump();
  expect(left).not.toContain('"code_hash"');
});

test("within the thirty days the seller who gets the domain back is the same account again", async () => {
  const sub = await subOf(tokens[0]);
  zoneBecomes();
  for (const days of [7, 1, 19]) {
    at.advance(days * DAY);
    await at.walk();
  }
  await expectSellerHasNothing(400);
  zoneBecomes(sellersRecord);
  at.advance(301);
  const back = await at.tokens({ agent: seller });
  expect(await subOf(back)).toBe(sub);
});
