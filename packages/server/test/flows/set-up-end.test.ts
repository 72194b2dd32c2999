// The end of a set-up: what waits for the person, and what a lost answer or a slow request loses.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import { flow, hasCode, recordIn } from "../support/flow.ts";
import { heldStatements } from "../support/held-statements.ts";
import { startTestService } from "../support/service.ts";
import { copyOf, recoveryCodesIn, saveCodes } from "../support/sign-in.ts";

const DAY = 86_400;
const KEPT = { historyDays: 90 };
const stopAt = "https://app.example.org/";

const statements = heldStatements();
const at = flow({ start: () => startTestService(statements) });
const isSignedIn = async (agent = at.agent) => (await at.silently({ agent })) === null;

test("who is away when the record is seen finds the codes a day long, and does not sign in again for them", async () => {
  const shown = await at.begin();
  at.advance(58 * 60);
  at.publish(shown);
  at.advance(5);
  const headers = at.cookies();
  const sent = await fetch(shown.url, { headers, redirect: "manual" });
  const set = sent.headers.getSetCookie();
  // It binds the interaction to the browser, and would end before it.
  expect(set.filter((one) => /^ds_browser_.*Max-Age=86400/.test(one))).toHaveLength(1);
  at.agent.cookies.store(at.issuer, set);
  at.advance(23 * 3600);
  const page = await at.agent.open(shown.url);
  expect([page.step, recoveryCodesIn(page).length]).toEqual(["recovery-codes", 10]);
  expect(hasCode((await saveCodes(at.agent, page, { stopAt })).page)).toBe(true);

  at.domain = `later.${at.domain}`;
  const late = await at.begin();
  at.publish(late);
  expect((await at.submit(late, "check-form")).step).toBe("recovery-codes");
  at.advance(DAY);
  expect((await at.agent.open(late.url)).step).toBe("problem");
});

test("the page that checks by itself finishes nothing when the record is there", async () => {
  const shown = await at.begin();
  at.publish(shown);
  at.advance(5);
  const headers = at.cookies();
  const polled = await fetch(new URL("?by-itself=yes", shown.url), { headers, redirect: "manual" });
  // The script shows this page in the place of the one that waits.
  expect([polled.status, (await polled.text()).includes("<main data-found>")]).toEqual([200, true]);
  expect(polled.headers.getSetCookie()).toEqual([]);
  expect(await at.store.accounts.accountsOf(at.domain)).toEqual([]);
  // The person was away for longer than the interaction, and has lost nothing.
  at.advance(2 * DAY);
  const found = await at.agent.open(shown.url);
  expect([found.step, recoveryCodesIn(found).length]).toEqual(["recovery-codes", 10]);
});

/** What the script of the page asks. */
async function poll(page: Page) {
  const headers = at.cookies();
  const polled = await fetch(new URL("?by-itself=yes", page.url), { headers, redirect: "manual" });
  at.agent.cookies.store(at.issuer, polled.headers.getSetCookie());
  return { status: polled.status, html: await polled.text() };
}
const dropBrowser = () => at.agent.cookies.forget((name) => name.includes("_browser_"));

test("the page that checks by itself is not told that a record was seen when another tab starts over", async () => {
  at.agent = createUserAgent({ hasScript: true });
  const shown = await at.submit(await at.begin(), "without-passkey-form");
  expect((await poll(shown)).status).toBe(200);
  const fresh = await at.submit(shown, "start-over-form");
  // The script loads the page again when it is another one.
  const polled = await poll(shown);
  expect([fresh.step, polled.status]).toEqual(["set-up-passkey", 200]);
  expect(polled.html).toContain('<body data-step="set-up-passkey">');
  expect(polled.html).not.toContain("data-found");
});

test("a page that has checked for a day goes on in its browser, whose cookie of a day it renews", async () => {
  const shown = await at.begin();
  const lasting = new Map<string, number>();
  const headers = () => at.cookies();
  for (let hour = 0; hour < 25; hour++) {
    at.advance(3590);
    const polled = await fetch(new URL("?by-itself=yes", shown.url), { headers: headers() });
    expect([hour, polled.status]).toEqual([hour, 200]);
    const [cookie] = polled.headers.getSetCookie().filter((one) => one.startsWith("ds_browser_"));
    lasting.set(cookie?.replace(/^[^=]*=/, "").split(";")[0] ?? "", hour);
  }
  const [own] = at.cookies().cookie.match(/(?<=ds_browser_\w+=)[\w-]+/) ?? [];
  expect([...lasting]).toEqual([[own, 24]]);
  at.publish(shown);
  expect((await at.submit(shown, "check-form")).step).toBe("recovery-codes");
});

test("a page that was asleep for a day, and then checks by itself, leaves no interaction that its browser cannot use", async () => {
  const shown = await at.begin();
  at.advance(DAY + 60);
  await at.store.cleanUp.removeEnded("interactions", null, { before: 0, ran: 1000 * DAY }, KEPT);
  dropBrowser();
  expect((await poll(shown)).status).toBe(400);
  const again = await at.submit(shown, "check-form");
  expect([again.status, again.step, recordIn(again)]).toEqual([200, "dns-setup", recordIn(shown)]);
  at.publish(shown);
  at.advance(5);
  expect((await poll(again)).html).toContain("<main data-found>");
  expect((await at.submit(again, "check-form")).step).toBe("recovery-codes");
});

test("a set-up that four requests finish at once is told as one new account", async () => {
  const shown = await at.begin();
  at.publish(shown);
  at.advance(5);
  const headers = at.cookies();
  const get = () => fetch(shown.url, { headers, redirect: "manual" });
  const answers = await Promise.all([get(), get(), get(), get()]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
  const [account] = await at.store.accounts.accountsOf(at.domain);
  const enrolled = at.events.filter(
    (event) => event.startsWith("enrolled ") && event.includes(account?.id ?? "none"),
  );
  expect(enrolled).toHaveLength(1);
});

test("a session whose response was lost is issued again with the codes, and the lost secret is refused", async () => {
  const shown = await at.begin();
  at.publish(shown);
  at.advance(5);
  const without = copyOf(at.agent, at.issuer);
  without.cookies.forget((name) => name.includes("_setup_"));
  const headers = at.cookies();
  const lost = (await fetch(shown.url, { headers, redirect: "manual" })).headers.getSetCookie();
  const secrets = lost.filter((one) => one.includes("_session_"));
  expect(secrets).toHaveLength(1);
  // A browser that has only the interaction gets neither.
  expect(recoveryCodesIn(await without.open(shown.url))).toEqual([]);
  expect(without.cookies.names(at.issuer).join()).not.toContain("_session_");
  // A reload, whose answer is lost as well, and another one.
  await fetch(shown.url.replace("dns-setup", "recovery-codes"), { headers });
  const page = await at.agent.open(shown.url);
  expect(recoveryCodesIn(page)).toHaveLength(10);
  expect(hasCode((await saveCodes(at.agent, page, { stopAt })).page)).toBe(true);
  expect(await isSignedIn()).toBe(true);
  const thief = createUserAgent();
  thief.cookies.store(at.issuer, secrets);
  expect(await isSignedIn(thief)).toBe(false);
  // Once it was sent, it is not replaced.
  expect(await isSignedIn()).toBe(true);
});

test("a session that got lost is also given with the answer to saved codes", async () => {
  const shown = await at.begin();
  at.publish(shown);
  const page = await at.submit(shown, "check-form");
  at.agent.cookies.forget((name) => name.includes("_session_"));
  // Whoever has the cookie of the set-up sees its codes until they are saved, and gets its session until then.
  const other = copyOf(at.agent, at.issuer);
  expect(hasCode((await saveCodes(at.agent, page, { stopAt })).page)).toBe(true);
  expect(await isSignedIn()).toBe(true);
  await other.open(page.url, { stopAt });
  expect(other.cookies.header(at.issuer)).not.toContain("_session_");

  at.domain = `saved.${at.domain}`;
  const next = await at.begin();
  at.publish(next);
  at.advance(5);
  const headers = at.cookies();
  await fetch(next.url, { headers, redirect: "manual" });
  const codes = { ...next, forms: page.forms.map((form) => ({ ...form })) };
  const action = new URL(next.url.replace("dns-setup", "recovery-codes")).pathname;
  const forms = codes.forms.map((form) => ({ ...form, action }));
  const saved = await at.agent.submit({ ...codes, forms }, "recovery-codes-form", {}, { stopAt });
  expect(hasCode(saved)).toBe(true);
  expect(await isSignedIn()).toBe(true);
});

test("a slower request of the interaction that finished a set-up goes on, though the codes were saved meanwhile", async () => {
  const shown = await at.begin();
  at.publish(shown);
  const { reached, release } = statements.hold("INSERT INTO recovery_codes");
  const slow = at.submit(shown, "check-form", {}, { agent: copyOf(at.agent, at.issuer) });
  await reached;
  const page = await at.submit(shown, "check-form");
  expect(hasCode((await saveCodes(at.agent, page, { stopAt })).page)).toBe(true);
  release();
  expect(hasCode(await slow)).toBe(true);
  expect(at.events.filter((event) => event.startsWith("set up reused"))).toEqual([]);
});
