// The set-up of a domain: it belongs to the browser that began it, and to that one start.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, expect, test } from "vitest";
import { changedText } from "../support/changed-text.ts";
import { flow, hasCode, recordIn } from "../support/flow.ts";
import { givePasskey, usePasskey } from "../support/passkeys.ts";
import {
  checkAndSave,
  copyOf,
  leaveSessions,
  recoveryCodesIn,
  saveCodes,
} from "../support/sign-in.ts";

const DAY = 86_400;

const at = flow();
let owner: UserAgent;
beforeEach(() => {
  owner = at.agent;
});

const stopAt = "https://app.example.org/";
const begin = (agent = owner) => at.begin({ agent });
const check = (agent: UserAgent, page: Page) => at.submit(page, "check-form", {}, { agent });
const isSignedIn = async (agent: UserAgent) => (await at.silently({ agent })) === null;
const setUpCookies = () => owner.cookies.names(at.issuer).filter((name) => /^ds_setup_/.test(name));
/** A set-up whose record is seen, as far as the codes, which are not saved. */
async function seen() {
  const shown = await begin();
  at.publish(shown);
  at.advance(5);
  const codes = await check(owner, shown);
  expect(codes.step).toBe("recovery-codes");
  return { shown, codes };
}
/** The owner publishes the record that is shown now, and has finished the set-up with ten codes. */
async function expectFinished(shown: Page) {
  const { page, codes } = await at.finish(shown);
  expect([hasCode(page), codes.length]).toEqual([true, 10]);
  return codes;
}

test("who copied the cookies before a set-up began sees neither its record nor its codes, and is not signed in", async () => {
  await at.signIn({ domain: "bob.test" });
  const thief = copyOf(owner, at.issuer);
  const shown = await begin();
  const theirs = await begin(thief);
  expect(recordIn(theirs)).not.toBe(recordIn(shown));
  const codes = await expectFinished(shown);
  at.advance(10);
  const told = await check(thief, theirs);
  // It still shows the thief's own record, and what is in DNS.
  const own = ["dns-setup", recordIn(theirs), []];
  expect([told.step, recordIn(told), recoveryCodesIn(told)]).toEqual(own);
  const opened = await thief.open(shown.url, { stopAt });
  expect(recoveryCodesIn(opened)).toEqual([]);
  for (const code of codes) expect(`${told.html}${opened.html}`).not.toContain(code);
  expect(await isSignedIn(thief)).toBe(false);
});

test("nothing is stored until the record is seen", async () => {
  const before = await at.dump();
  const page = await begin();
  const acct = /acct=([^;]+)/.exec(recordIn(page))?.[1] ?? "";
  const after = await at.dump();
  expect(await at.store.accounts.accountsOf(at.domain)).toEqual([]);
  expect(acct).toHaveLength(22);
  expect(after).not.toContain(acct);
  expect(after.split("sub_").length).toBe(before.split("sub_").length);
});

test("a record that is published 29 days later finishes the set-up; after 30 days the page says what to do", async () => {
  const shown = await begin();
  at.advance(29 * DAY);
  at.publish(shown);
  const found = await begin();
  // In one go: the record is there, so the account is.
  expect(found.step).toBe("recovery-codes");
  const done = await owner.submit(found, "recovery-codes-form", {}, { stopAt });
  expect(hasCode(done)).toBe(true);
  expect(setUpCookies()).toEqual([]);

  at.domain = `slow.${at.domain}`;
  const tooLate = await begin();
  at.advance(30 * DAY);
  at.publish(tooLate);
  const told = await begin();
  expect([told.step, told.html.includes("start-over-form")]).toEqual(["problem", true]);
});

test("the codes are shown until the person says that they are saved, however often the page is loaded", async () => {
  const { shown, codes: page } = await seen();
  expect(page.html).not.toContain("http-equiv");
  const codes = recoveryCodesIn(page);
  expect(new Set(codes).size).toBe(10);
  for (const url of [page.url, shown.url]) {
    expect(recoveryCodesIn(await owner.open(url, { stopAt }))).toEqual(codes);
  }
  // The response to the sign-in got lost: the same browser begins again at the app.
  const saved = await owner.submit(page, "recovery-codes-form", {}, { stopAt });
  expect(hasCode(saved)).toBe(true);
  const again = await owner.open(page.url, { stopAt });
  expect([recoveryCodesIn(again), hasCode(again)]).toEqual([[], true]);
  const twice = await owner.submit(page, "recovery-codes-form", {}, { stopAt });
  expect(hasCode(twice)).toBe(true);
});

test("a thief who copied the set-up itself and finishes it first is found out, and starting over undoes it", async () => {
  const shown = await begin();
  const thief = copyOf(owner, at.issuer);
  const theirs = await begin(thief);
  expect(recordIn(theirs)).not.toBe(recordIn(shown));
  at.publish(shown);
  const stolen = await checkAndSave(thief, theirs, { stopAt });
  expect([hasCode(stolen.page), stolen.codes.length]).toEqual([true, 10]);
  at.advance(5);
  const told = await check(owner, shown);
  expect(told.step).toBe("problem");
  expect(told.html).toContain("Somebody finished this setup");
  expect(recoveryCodesIn(told)).toEqual([]);
  await expectFinished(await owner.submit(told, "start-over-form"));
  at.advance(301);
  expect(await isSignedIn(thief)).toBe(false);
  expect(await isSignedIn(owner)).toBe(true);
});

test("a thief who copied the set-up itself gets nothing once its owner has finished it", async () => {
  const shown = await begin();
  const thief = copyOf(owner, at.issuer);
  const theirs = await begin(thief);
  await expectFinished(shown);
  at.advance(5);
  const told = await check(thief, theirs);
  expect([told.step, recoveryCodesIn(told)]).toEqual(["problem", []]);
  expect(await isSignedIn(thief)).toBe(false);
  // The owner is told, once.
  await check(thief, theirs);
  const next = async () => (await at.open()).html;
  await expect.poll(next).toContain("opened in another browser");
  expect((await next()).match(/opened in another browser/g)).toHaveLength(1);
});

test("two tabs have a record each; either record finishes in either tab, and the other tab goes on", async () => {
  const [one, two] = [await begin(), await begin()];
  expect(recordIn(one)).not.toBe(recordIn(two));
  at.publish(one);
  at.advance(5);
  const { page } = await checkAndSave(owner, two, { stopAt });
  expect(hasCode(page)).toBe(true);
  at.advance(5);
  const other = await check(owner, one);
  expect([other.step, other.html.includes(at.domain)]).toEqual(["continue", true]);

  // The other way round: the record of the tab that finishes.
  at.domain = `same.${at.domain}`;
  const [three, four] = [await begin(), await begin()];
  at.publish(three);
  at.advance(5);
  await checkAndSave(owner, three, { stopAt });
  at.advance(5);
  expect((await check(owner, four)).step).toBe("continue");
});

test("who is signed in and lost access can still set the domain up anew in the same browser", async () => {
  await at.signIn();
  const challenge = await at.begin({ parameters: { prompt: "login" } });
  at.advance(5);
  const fresh = await owner.submit(challenge, "lost-access-form");
  at.advance(5);
  expect((await check(owner, fresh)).step).toBe("dns-setup");
  expect(hasCode((await at.finish(fresh)).page)).toBe(true);
});

test("a cookie that was changed, or moved to another name, is none", async () => {
  const shown = await begin();
  const [name = ""] = setUpCookies();
  const pairs = at.cookies().cookie.split("; ");
  const pair = pairs.find((one) => one.startsWith(`${name}=`));
  const value = pair?.slice(name.length + 1) ?? "";
  expect(value.length).toBeLessThan(1500);
  at.publish(shown);
  for (const [other, changed] of [
    [name, changedText(value)],
    [name, value.slice(0, 60)],
    [name.replace(/.{8}$/, "00000000"), value],
    [name, "A".repeat(200)],
  ] as const) {
    const agent = createUserAgent();
    agent.cookies.store(at.issuer, [`${other}=${changed}; Path=/`]);
    const told = await begin(agent);
    expect([told.step, recoveryCodesIn(told)]).toEqual(["problem", []]);
  }
  expect((await check(owner, shown)).step).toBe("recovery-codes");
});

test("who signs in after a thief with the copied set-up is told, and the account gets a notice, whichever page it was", async () => {
  const shown = await begin();
  const thief = copyOf(owner, at.issuer);
  at.advance(7 * DAY);
  at.publish(shown);
  const stolen = await saveCodes(thief, await begin(thief), { stopAt });
  expect([hasCode(stolen.page), stolen.codes.length]).toEqual([true, 10]);
  at.advance(5);
  const told = await begin();
  expect(told.step).toBe("problem");
  expect(told.html).toContain("Somebody finished this setup");
  expect(reusesOf(await at.accountId())).not.toEqual([]);
  const next = await at.open({}, { agent: thief });
  await expect.poll(() => next.html).toContain("opened in another browser");
  // The former record is still there while the new one is waited for.
  const fresh = await owner.submit(told, "start-over-form");
  expect([fresh.step, recordIn(fresh)]).toEqual(["dns-setup", expect.stringContaining("acct=")]);
  await expectFinished(fresh);
  at.advance(301);
  expect(await isSignedIn(thief)).toBe(false);
});

test("a browser that finished its set-up itself is known, also while the set-up's cookie is still there", async () => {
  await seen();
  leaveSessions(owner, at.issuer);
  expect((await begin()).step).toBe("dns-challenge");
});

/** As from the account page in another browser. */
async function signOutElsewhere(accountId: string) {
  const now = Math.floor(Date.now() / 1000) + 30 * DAY;
  await at.store.sessions.endSessionsOf(accountId, { reason: "elsewhere", now });
  await at.store.sessions.forgetBrowsersOf(accountId, "elsewhere");
}
const reusesOf = (accountId: string) =>
  at.events.filter((event) => event.startsWith("set up reused") && event.includes(accountId));

test("whose codes were never saved, and who was signed out from elsewhere, is asked for the passkey and not told of a thief", async () => {
  await seen();
  const passkey = await givePasskey(at, at.domain);
  await signOutElsewhere(passkey.accountId);
  const asked = await begin();
  expect([asked.step, setUpCookies().length]).toEqual(["passkey", 1]);
  // Somebody else may have finished the set-up and have that passkey.
  const copy = copyOf(owner, at.issuer);
  const without = await copy.submit(await begin(copy), "without-passkey-form");
  expect((await copy.submit(without, "lost-access-form")).step).toBe("dns-setup");
  expect(hasCode(await usePasskey(owner, asked, passkey, { stopAt }))).toBe(true);
  expect(reusesOf(passkey.accountId)).toEqual([]);
});

test.each(["continue-form", "sign-out-form"])(
  "the cookie of a set-up goes by the %s of its session, once the codes are shown no more",
  async (form) => {
    const { codes } = await seen();
    const use = async () => at.submit(await at.open(), form);
    if (form === "continue-form") {
      expect(hasCode(await use())).toBe(true);
      expect(recoveryCodesIn(await owner.open(codes.url))).toHaveLength(10);
    }
    at.advance(DAY + 1);
    await use();
    expect(setUpCookies()).toEqual([]);
    const accountId = await at.accountId();
    await signOutElsewhere(accountId);
    expect((await begin()).step).toBe("dns-challenge");
    expect(reusesOf(accountId)).toEqual([]);
  },
);

test("a set-up whose account has ended says so, and starting over gives a record that is accepted", async () => {
  const shown = await begin();
  const copy = copyOf(owner, at.issuer);
  await at.finish(shown);
  await at.store.accountAdmin.endAccountNow({ accountId: await at.accountId(), now: 1 });
  at.advance(400);
  const told = await begin(copy);
  expect([told.status, told.step]).toEqual([200, "problem"]);
  expect(told.html).toContain("was used before");
  expect(told.html).not.toContain("could not confirm");
  const fresh = await copy.submit(told, "start-over-form");
  expect([fresh.step, recordIn(fresh) === recordIn(shown)]).toEqual(["dns-setup", false]);
  expect(hasCode((await at.finish(fresh, { agent: copy })).page)).toBe(true);
});

test("a page of a set-up whose row is gone goes on to the app, only in its browser", async () => {
  const shown = await begin();
  at.advance(29 * DAY);
  await removeRows();
  // As after 29 days: the cookies of a day are gone.
  owner.cookies.forget((name) => /_(request|browser)_/.test(name));
  const stranger = await createUserAgent().open(shown.url);
  expect([stranger.status, stranger.step]).toEqual([400, "problem"]);
  const again = await owner.open(shown.url);
  expect([again.status, again.step, recordIn(again)]).toEqual([200, "dns-setup", recordIn(shown)]);
  await removeRows();
  at.publish(again);
  const { page: done } = await at.finish(again);
  expect(hasCode(done)).toBe(true);
});

test("a set-up whose row is gone is named without its request, only in its browser", async () => {
  const shown = await begin();
  at.advance(10 * DAY);
  await removeRows();
  owner.cookies.forget((name) => name.includes("_request_"));
  const { origin, pathname } = new URL(shown.url);
  const late = await owner.open(origin + pathname);
  expect([late.status, late.step]).toEqual([400, "problem"]);
  expect(late.html).toContain("If you have published a record, it is still valid.");
  expect(late.html).toContain("to sign in to Test App.");
  expect((await createUserAgent().open(shown.url)).html).not.toContain("Test App");
});

async function removeRows(): Promise<void> {
  const over = { before: 0, ran: 1000 * DAY };
  await at.store.cleanUp.removeEnded("interactions", null, over, { historyDays: 90 });
}
