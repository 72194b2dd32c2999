// The pages of an account's owner, and those that sign out, and how a person comes to see them.

import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { sha256 } from "../../src/lib/random.ts";
import { testCookies } from "../support/cookies.ts";
import {
  DAY,
  redemptionOf,
  someEnrolment,
  someGrant,
  someId,
  somePasskey,
  someSession,
} from "../support/store-rows.ts";
import { atStep, enter, press, publish } from "./person.ts";
import { longest, setUp, unfolded, type Visit, type Way } from "./visit.ts";

/** By the name of the screenshot. */
export const everyAccountPage: Readonly<Record<string, Way>> = {
  account: async (visit) => {
    const page = await setUp(visit);
    await grantTo(visit, "Notes");
    await grantTo(visit, "A calendar with a name that goes on and on and on and on");
    // In order: closed is what a person rarely needs, and the record is.
    await visit.at.store.passkeys.addPasskey(somePasskey(await accountIdOf(visit)));
    return accountPage(page, visit, ".notice.good");
  },
  "new-passkey": async (visit) => {
    const page = await setUp(visit);
    await page.goto(`${visit.at.issuer}/account`);
    await page.click("#add-passkey");
    return authenticated(page, visit, "new-passkey");
  },
  "account-passkeys": async (visit) => {
    const page = await setUp(visit);
    const accountId = await accountIdOf(visit);
    // One more than a page shows.
    for (const name of ["firefox linux", "w".repeat(60), ...Array<string>(9).fill("safari ios")]) {
      await visit.at.store.passkeys.addPasskey(somePasskey(accountId, { name }));
    }
    return unfolded(await accountPage(page, visit, "#more-passkeys"));
  },
  "remove-passkey": (visit) => askedToRemove(visit),
  "remove-passkey-longest": (visit) => askedToRemove(longest(visit)),
  "passkey-removed": async (visit) => {
    const page = await askedToRemove(visit);
    await press(page, "remove-passkey-form");
    await page.locator("#dns-value").waitFor();
    return unfolded(page);
  },
  "new-codes": async (visit) => {
    const page = await withFewCodes(visit);
    await page.goto(`${visit.at.issuer}/account`);
    await page.click("#new-codes");
    return authenticated(page, visit, "recovery-codes");
  },
  "account-few-codes": async (visit) => {
    const page = await withFewCodes(visit);
    return accountPage(page, visit, "#new-codes");
  },
  "delete-account": (visit) => askedToDelete(visit),
  "delete-account-longest": (visit) => askedToDelete(longest(visit)),
  "delete-account-wrong": async (visit) => {
    const page = await askedToDelete(visit);
    await page.fill("#domain", "other.test");
    await press(page, "delete-account-form");
    await page.locator("#delete-problem").waitFor();
    return page;
  },
  "account-deleted": async (visit) => {
    const page = await askedToDelete(visit);
    await page.fill("#domain", visit.domain);
    await press(page, "delete-account-form");
    await page.locator("#sign-in").waitFor();
    return page;
  },
  "account-longest": async (visit) => {
    const page = await setUp(longest(visit));
    return accountPage(page, visit, "#sign-out-everywhere-form");
  },
  "account-several": async (visit) => {
    const page = await setUp(visit);
    await setUp({ ...visit, domain: `two.${visit.domain}` });
    return accountPage(page, visit, ".entries");
  },
  "account-browsers": async (visit) => {
    const page = await setUp(visit);
    const accountId = await accountIdOf(visit);
    const now = Math.floor(Date.now() / 1000);
    for (let index = 0; index < 11; index++) {
      const times = { now, authTime: now, expiresAt: now + DAY };
      const { sid } = await visit.at.store.sessions.startSession(someSession(accountId, times));
      await visit.at.store.sessions.endSession({ sid, accountId }, "signed_out", now);
    }
    return unfolded(await accountPage(page, visit, "#browsers"));
  },
  "account-former": (visit) => formerAccount(visit),
  "account-former-longest": (visit) => formerAccount(longest(visit)),
  "account-external": async (visit) => {
    const { at, domain } = visit;
    const sp = "https://sign-in.a-service-with-a-long-name.example.net";
    const named = { domain, sp, acct: "g".repeat(22) };
    const record = `v=dsi1 sp=${sp} acct=${named.acct}`;
    at.zone.add({ name: `_domain-signin.${domain}`, type: "TXT", value: record, ttl: 300 });
    const now = Math.floor(Date.now() / 1000);
    const account = await at.store.accounts.adoptAccount({ ...named, id: someId(), now });
    if (typeof account === "string") throw new Error("the account exists");
    const page = await signedIn(visit, account.id);
    return unfolded(await accountPage(page, visit, "#provider"));
  },
  "account-signed-out": async (visit) => {
    const page = await setUp(visit);
    await page.goto(`${visit.at.issuer}/account`);
    await press(page, "sign-out-form");
    await page.locator("#sign-in").waitFor();
    return page;
  },

  logout: async (visit) => {
    const page = await setUp(visit);
    await page.goto(logoutOf(visit, visit.client.redirectUri));
    return page;
  },
  "logout-several": async (visit) => {
    const page = await setUp(visit);
    await setUp({ ...visit, domain: `two.${visit.domain}` });
    await page.goto(`${visit.at.issuer}/oauth/logout`);
    return page;
  },
  "logout-nothing": async (visit) => {
    await visit.tab.goto(logoutOf(visit, visit.client.redirectUri));
    return visit.tab;
  },
  "logout-longest": async (visit) => {
    const page = await setUp(longest(visit));
    await page.goto(logoutOf(longest(visit), visit.longClient.redirectUri));
    return page;
  },
};

async function accountIdOf({ at, domain }: Visit): Promise<string> {
  const [account] = await at.store.accounts.accountsOf(domain);
  return account?.id ?? "";
}

/** The account page, once it shows what the selector matches. */
async function accountPage(page: Page, { at }: Visit, selector: string) {
  await page.goto(`${at.issuer}/account`);
  await page.locator(selector).waitFor();
  return page;
}

/** The page at this step, after the person has authenticated by DNS. */
async function authenticated(page: Page, { at, domain }: Visit, step: string) {
  await enter(page, domain);
  await atStep(page, "dns-challenge");
  await publish(at, page);
  await press(page, "check-form");
  await atStep(page, step);
  return page;
}

/** Signed in to an account that has one recovery code left. */
async function withFewCodes(visit: Visit) {
  const page = await setUp(visit);
  const accountId = await accountIdOf(visit);
  const codes = { accountId, from: null, to: "a former set", codeHashes: ["one"] };
  await visit.at.store.recoveryCodes.renewRecoveryCodes(codes);
  return page;
}

/** The tab of a browser that is signed in to this account. */
async function signedIn({ at, tab }: Visit, accountId: string) {
  const now = Math.floor(Date.now() / 1000);
  const secret = randomBytes(32).toString("base64url");
  const times = { now, authTime: now, expiresAt: now + DAY };
  const session = someSession(accountId, { secretHash: sha256(secret), ...times });
  await at.store.sessions.startSession(session);
  const name = testCookies(at.issuer).sessionName(accountId);
  await tab.context().addCookies([{ name, value: secret, url: at.issuer }]);
  return tab;
}

/** The account that the domain had before it was set up again. */
async function formerAccount(visit: Visit) {
  const { at, domain } = visit;
  await setUp(visit);
  await grantTo(visit, "Notes");
  const [former] = await at.store.accounts.accountsOf(domain);
  const enrolled = await at.store.enrolments.enrol({
    enrolment: someEnrolment({ domain }),
    recoveryCodeHashes: [someId()],
    now: (former?.createdAt ?? 0) + 1,
  });
  if (typeof enrolled === "string") throw new Error("the account was not made");
  const present = enrolled.account;
  const name = `_domain-signin.${domain}`;
  for (const record of at.zone.records()) if (record.name === name) at.zone.remove(record);
  const value = `v=dsi1 sp=${at.issuer} acct=${present.acct}`;
  at.zone.add({ name, type: "TXT", value, ttl: 300 });
  const page = await signedIn(visit, present.id);
  await page.goto(`${at.issuer}/account`);
  await page.click("#former-account");
  await page.locator("#present-account").waitFor();
  return page;
}

/** As far as the page that removes the last passkey, by an authentication without one. */
async function askedToRemove(visit: Visit) {
  const { at, domain } = visit;
  const page = await setUp(visit);
  const passkey = somePasskey(await accountIdOf(visit));
  const query = new URLSearchParams({
    ...{ client_id: `${at.issuer}/account`, redirect_uri: `${at.issuer}/account/remove-passkey` },
    ...{ response_type: "code", scope: "openid", prompt: "login", login_hint: domain },
    nonce: passkey.thumbprint,
  });
  await page.goto(`${at.issuer}/oauth/authorize?${query}`);
  await authenticated(page, visit, "problem");
  // Only now, because with a passkey, this browser would be asked for it.
  await at.store.passkeys.addPasskey(passkey);
  await page.reload();
  await atStep(page, "account-change");
  return page;
}

/** As far as the page that deletes the account. */
async function askedToDelete(visit: Visit) {
  const page = await setUp(visit);
  await page.goto(`${visit.at.issuer}/account`);
  await page.click("#delete-account");
  return authenticated(page, visit, "account-change");
}

/** Gives an app with this name access to the account. */
async function grantTo(visit: Visit, name: string): Promise<void> {
  const { at } = visit;
  const { id: clientId } = await at.addClient({ name, consent: "never" });
  const grant = await at.store.grants.issueGrant(someGrant(await accountIdOf(visit), { clientId }));
  await at.store.grants.redeemCode(redemptionOf(grant));
}

/** The URL at which a client asks to sign people out. */
function logoutOf({ at, client }: Visit, uri: string): string {
  const query = new URLSearchParams({ client_id: client.id, post_logout_redirect_uri: uri });
  return `${at.issuer}/oauth/logout?${query}`;
}

/** Moves the clock, so it comes last: an authentication of the pages above is too old for a change five minutes later. */
export const accountAsleep: Way = async (visit) => {
  const page = await setUp(visit);
  for (const record of visit.at.zone.records()) {
    if (record.name === `_domain-signin.${visit.domain}`) visit.at.zone.remove(record);
  }
  visit.at.advance(301);
  return accountPage(page, visit, ".notice");
};
