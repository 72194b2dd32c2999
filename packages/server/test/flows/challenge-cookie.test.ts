// A DNS challenge lives in a cookie of its browser: its row may go at any time, and a copy of the cookie opens nothing.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, describe, expect, test } from "vitest";
import { flow, hasCode, recordIn } from "../support/flow.ts";
import { heldStatements } from "../support/held-statements.ts";
import { givePasskey } from "../support/passkeys.ts";
import { startTestService } from "../support/service.ts";
import { accountChangeUrl, authorizationUrl, copyOf, leaveSessions } from "../support/sign-in.ts";

const DAY = 86_400;
const HOUR = 3600;
const stopAt = "https://app.example.org/";

const statements = heldStatements();
const at = flow({ start: () => startTestService(statements) });
let owner: UserAgent;
let codes: readonly string[];
beforeEach(async () => {
  owner = at.agent;
  codes = (await at.setUp()).codes;
  leaveSessions(owner, at.issuer);
});

const check = (page: Page, agent = owner, fields: Record<string, string> = {}) =>
  agent.submit(page, "check-form", fields, { stopAt });
const challengeCookies = (agent = owner) =>
  agent.cookies.names(at.issuer).filter((name) => name.includes("_challenge_"));
const withNonce = (nonce: string) => at.begin({ parameters: { nonce } });

/** As if others had used up the room that rows without a proof share. */
async function removeRows(): Promise<void> {
  const over = { before: 0, ran: 1000 * DAY };
  await at.store.cleanUp.removeEnded("interactions", null, over, { historyDays: 90 });
}

/** A browser with a code, in which the account is not known. */
async function inNewBrowser(): Promise<{ page: Page; agent: UserAgent }> {
  const agent = createUserAgent();
  const asked = await at.begin({ agent });
  return { agent, page: await check(asked, agent, { recovery_code: codes[0] ?? "" }) };
}

/** What `agent` has of the challenge, without what shows that the account knows the browser. */
function copyOfChallenge(agent: UserAgent): UserAgent {
  const copy = copyOf(agent, at.issuer);
  copy.cookies.forget((name) => /_(session|known|returning)_/.test(name));
  return copy;
}

/** The page of the same interaction, for another request. */
function pageFor(page: Page, url: string): string {
  return `${page.url.split("?")[0]}?${new URL(url).searchParams}`;
}

describe("the owner, whose row is gone,", () => {
  test("sees the same page, and signs in in a known browser", async () => {
    const page = await at.begin();
    await removeRows();
    const again = await owner.open(page.url);
    expect([again.status, again.step, recordIn(again)]).toEqual([
      200,
      "dns-challenge",
      recordIn(page),
    ]);
    await removeRows();
    at.publish(page);
    expect(hasCode(await check(page))).toBe(true);
    expect(challengeCookies()).toEqual([]);
  });

  test("signs in with a recovery code that was entered before, within a day", async () => {
    const { page, agent } = await inNewBrowser();
    at.advance(DAY - 60);
    await removeRows();
    at.publish(page);
    expect(hasCode(await check(page, agent))).toBe(true);
    const id = await at.accountId();
    expect(await at.store.recoveryCodes.countRecoveryCodesOf(id)).toBe(9);
  });

  test("enters the recovery code then", async () => {
    const agent = createUserAgent();
    const asked = await at.begin({ agent });
    await removeRows();
    const page = await check(asked, agent, { recovery_code: codes[0] ?? "" });
    at.publish(page);
    await removeRows();
    expect(hasCode(await check(page, agent))).toBe(true);
  });

  test("recovers an account with a passkey", async () => {
    await givePasskey(at, at.domain);
    const left = await at.submit(await at.begin(), "without-passkey-form");
    const page = await check(left, owner, { recovery_code: codes[0] ?? "" });
    at.publish(page);
    at.advance(DAY - 60);
    await removeRows();
    expect((await check(page)).step).toBe("new-passkey");
  });

  test("makes a change of the account", async () => {
    const { domain } = at;
    const url = accountChangeUrl(at, "delete-account", { login_hint: domain });
    const page = await owner.submit(await owner.open(url), "domain-form", { domain });
    const { id } = await at.accountOf();
    at.advance(2 * HOUR);
    await removeRows();
    at.publish(page);
    const deletion = await check(page);
    await owner.submit(deletion, "delete-account-form", { domain });
    expect((await at.store.accounts.readAccount(id))?.endedAt).not.toBeNull();
  });

  test("signs in although the row goes while the proof is on its way", async () => {
    const page = await at.begin();
    at.publish(page);
    const { reached, release } = statements.hold("UPDATE interactions SET account_id");
    const checked = check(page);
    await reached;
    await removeRows();
    release();
    expect(hasCode(await checked)).toBe(true);
  });

  test("signs in although the hour ends while the proof is on its way, and has time for what follows", async () => {
    const page = await at.begin();
    at.publish(page);
    at.advance(HOUR - 1);
    const { reached, release } = statements.hold("FROM passkeys WHERE account_id");
    const checked = check(page);
    await reached;
    at.advance(2);
    release();
    expect(hasCode(await checked)).toBe(true);
  });

  test("sees the page while the script asks, also if the browser has dropped the request", async () => {
    const page = await at.begin();
    await removeRows();
    const poll = async () =>
      (await fetch(new URL("?by-itself=yes", page.url), { headers: at.cookies() })).status;
    expect(await poll()).toBe(200);
    await removeRows();
    owner.cookies.forget((name) => name.includes("_request_"));
    // The page offers its button then.
    expect(await poll()).toBe(400);
    expect((await check(page)).step).toBe("dns-challenge");
  });
});

describe("a second start", () => {
  test("shows the same value within the hour, and another one later", async () => {
    const first = recordIn(await at.begin());
    at.advance(HOUR - 60);
    expect(recordIn(await at.begin())).toBe(first);
    at.advance(61);
    expect(recordIn(await at.begin())).not.toBe(first);
  });

  test("keeps the code, which both tabs can use", async () => {
    const { page, agent } = await inNewBrowser();
    const second = await at.begin({ agent });
    expect([second.has("recovery_code"), recordIn(second)]).toEqual([false, recordIn(page)]);
    await removeRows();
    at.publish(page);
    expect(hasCode(await check(page, agent))).toBe(true);
  });

  test("has a value of its own for another request; of three the oldest is dropped", async () => {
    const pages: Page[] = [];
    for (const nonce of ["first", "second", "third"]) {
      pages.push(await withNonce(nonce));
      at.advance(1);
    }
    expect(new Set(pages.map(recordIn)).size).toBe(3);
    expect(challengeCookies()).toHaveLength(2);
    await removeRows();
    const statuses = [];
    for (const { url } of pages) statuses.push((await owner.open(url)).status);
    expect(statuses).toEqual([400, 200, 200]);
  });
});

describe("a challenge is refused", () => {
  test("after 24 hours, with a text of its own", async () => {
    const page = await at.begin();
    at.publish(page);
    at.advance(DAY + 1);
    for (const late of [await check(page), await owner.open(page.url)]) {
      expect([late.status, late.step]).toEqual([400, "problem"]);
      expect(late.html).toContain("The time for this record is over");
    }
  });

  test("for another request than the one for which it began", async () => {
    const page = await withNonce("of request A");
    at.publish(page);
    const other = authorizationUrl(at, at.client, { nonce: "of request B" });
    for (const lose of [async () => {}, removeRows]) {
      await lose();
      const answer = await at.post(pageFor(page, other), {});
      const { searchParams } = new URL(answer.headers.get("location") ?? "", at.issuer);
      expect([searchParams.get("nonce") ?? "", answer.headers.getSetCookie().join()]).not.toEqual(
        expect.arrayContaining(["of request B"]),
      );
      if (lose === removeRows) expect(answer.status).toBe(400);
    }
  });

  test("for a change of the account, if it began for a sign-in; and for another change", async () => {
    const changes = ["delete-account", "new-codes"].map((change) =>
      accountChangeUrl(at, change, { login_hint: at.domain }),
    );
    const [deletion = "", renewal = ""] = changes;
    const signIn = await at.begin();
    const entered = await owner.open(renewal);
    const change = await owner.submit(entered, "domain-form", { domain: at.domain });
    at.publish(signIn);
    at.publish(change);
    await removeRows();
    for (const page of [signIn, change]) {
      expect((await at.post(pageFor(page, deletion), {})).status).toBe(400);
    }
  });

  test("in another interaction", async () => {
    const page = await at.begin();
    at.publish(page);
    await removeRows();
    const { searchParams } = new URL(page.url);
    const other = `/interaction/${"a".repeat(22)}/dns-challenge?${searchParams}`;
    expect((await at.post(other, {})).status).toBe(400);
  });

  test("from a copy of its cookie, without what shows that the account knows the browser", async () => {
    const page = await at.begin();
    const thief = copyOfChallenge(owner);
    at.publish(page);
    for (const lose of [async () => {}, removeRows]) {
      await lose();
      const asked = await check(page, thief);
      expect([asked.status, asked.step, asked.has("recovery_code")]).toEqual([
        400,
        "dns-challenge",
        true,
      ]);
    }
    const alone = createUserAgent();
    alone.cookies.store(at.issuer, [`${challengeCookies()[0]}=of%20no%20use; Path=/`]);
    expect((await check(page, alone)).status).toBe(403);
    expect(hasCode(await check(page))).toBe(true);
  });

  test("with a recovery code that was used up meanwhile", async () => {
    const { page, agent } = await inNewBrowser();
    const other = await inNewBrowser();
    at.publish(other.page);
    expect(hasCode(await check(other.page, other.agent))).toBe(true);
    at.publish(page);
    await removeRows();
    const again = await check(page, agent);
    expect([again.step, again.has("recovery_code")]).toEqual(["dns-challenge", true]);
  });
});

test("the cookie of the longest domain is short enough", async () => {
  const long = ["a".repeat(60), "b".repeat(60), "c".repeat(60)].join(".");
  const domain = `${long}.${"d".repeat(20)}.alice.test`;
  const agent = createUserAgent();
  const [code = ""] = (await at.setUp({ agent, domain })).codes;
  leaveSessions(agent, at.issuer);
  const other = createUserAgent();
  const asked = await at.begin({ agent: other, domain });
  await check(asked, other, { recovery_code: code });
  const pairs = (other.cookies.header(at.issuer) ?? "").split("; ");
  const [pair = ""] = pairs.filter((one) => one.includes("_challenge_"));
  // With the room for a domain of 253 octets, the prefix of https and the second tab.
  expect(pair.length).toBeGreaterThan(500);
  expect(pair.length).toBeLessThan(850);
});

describe("of two uses of one challenge", () => {
  const sessions = async () => {
    const { id } = await at.accountOf();
    return at.store.sessions.countSessionsOf(id, 0);
  };

  test("at once, in two browsers, one signs in", async () => {
    const { page, agent } = await inNewBrowser();
    const before = await sessions();
    const thief = copyOf(agent, at.issuer);
    // In an interaction of its own, so that only the challenge is the same.
    const second = await at.begin({ agent: thief });
    expect(recordIn(second)).toBe(recordIn(page));
    at.publish(page);
    const ends = await Promise.all([check(page, agent), check(second, thief)]);
    expect(ends.filter(hasCode)).toHaveLength(1);
    expect((await sessions()) - before).toBe(1);
    const id = await at.accountId();
    expect(await at.store.recoveryCodes.countRecoveryCodesOf(id)).toBe(9);
  });

  test("the second is told, and the owner sees it and ends the session that was made with it", async () => {
    const { page, agent } = await inNewBrowser();
    const thief = copyOf(agent, at.issuer);
    at.publish(page);
    expect(hasCode(await check(page, thief))).toBe(true);
    await removeRows();
    at.events.length = 0;
    // A new browser is not known, and the code is used up: with another one, only the challenge is the same.
    const asked = await check(page, agent);
    const told = await check(asked, agent, { recovery_code: codes[1] ?? "" });
    expect([told.status, told.step]).toEqual([400, "problem"]);
    expect(told.html).toContain("This sign-in was finished elsewhere");
    expect(told.link("account")).toBe(`${at.issuer}/account`);
    expect(at.events.filter((event) => event.startsWith("challenge reused"))).toHaveLength(1);
    expect(await at.store.recoveryCodes.countRecoveryCodesOf(await at.accountId())).toBe(9);
    expect(recordIn(await at.begin({ agent }))).not.toBe(recordIn(page));
    // The owner is not kept from starting again, and sees it in their known browser.
    const again = await at.begin({ parameters: { prompt: "login" } });
    at.publish(again);
    const news = await check(again);
    expect(news.step).toBe("news");
    expect(news.html).toContain("The record for a sign-in was used a second time");
    const account = await at.account();
    expect(account.html).toContain("The record for a sign-in was used a second time");
    const isSignedIn = async () => (await at.silently({ agent: thief })) === null;
    expect(await isSignedIn()).toBe(true);
    await at.submit(account, "sign-out-everywhere-form");
    expect(await isSignedIn()).toBe(false);
  });

  test("the second in the same browser goes back to the first page, and nobody is alarmed", async () => {
    const page = await at.begin();
    const second = await at.begin();
    at.publish(page);
    expect(hasCode(await check(page))).toBe(true);
    at.events.length = 0;
    await removeRows();
    expect((await owner.open(second.url)).step).not.toBe("dns-challenge");
    expect(at.events.filter((event) => event.includes("reused"))).toEqual([]);
  });
});
