// Several set-ups in one browser: which of them stay, and how the person resumes one.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, expect, test } from "vitest";
import { flow, hasCode, recordIn } from "../support/flow.ts";
import { copyOf, saveCodes } from "../support/sign-in.ts";

const DAY = 86_400;

const at = flow();
let owner: UserAgent;
beforeEach(() => {
  owner = at.agent;
});

const stopAt = "https://app.example.org/";
const begin = (agent = owner, domain = at.domain) => at.begin({ agent, domain });
/** What the script of the page asks while nobody may be there. */
const poll = (page: Page) =>
  fetch(new URL("?by-itself=yes", page.url), { headers: at.cookies(), redirect: "manual" });
const setUpCookies = (agent = owner) =>
  agent.cookies.names(at.issuer).filter((name) => /^ds_setup_/.test(name));
/** Begins a set-up for each of these names, a second after the former one. */
async function beginEach(...labels: string[]): Promise<Page[]> {
  const pages: Page[] = [];
  for (const label of labels) {
    pages.push(await begin(owner, `${label}-${at.domain}`));
    at.advance(1);
  }
  return pages;
}

test("an earlier set-up is shown again only when the person asks for it", async () => {
  const first = await begin();
  at.advance(2 * DAY);
  const second = await begin();
  expect(second.html).not.toContain(recordIn(first));
  const resumed = await owner.submit(second, "resume-1-form");
  expect([resumed.step, recordIn(resumed)]).toEqual(["dns-setup", recordIn(first)]);
  expect(hasCode((await at.finish(resumed)).page)).toBe(true);
});

test("a browser keeps three set-ups, and a visit drops none of the domain: the first, which was handed on, still counts", async () => {
  const first = await begin();
  const handOn = await owner.open(first.link("hand-on"));
  const records = [recordIn(first)];
  for (const _ of [2, 3]) {
    at.advance(DAY);
    records.push(recordIn(await begin()));
  }
  at.advance(DAY);
  const cookies = setUpCookies().sort();
  for (const _ of [4, 5]) {
    const page = await begin();
    expect([page.status, page.step]).toEqual([200, "earlier-set-ups"]);
    expect(setUpCookies().sort()).toEqual(cookies);
    for (const record of records) expect(page.html).not.toContain(record);
    const told = "You have already started 3 for this domain: continue one of them.";
    expect(page.html).toContain(told);
  }
  expect(cookies).toHaveLength(3);
  const colleague = await createUserAgent().open(handOn.text("set-up-link"));
  at.publish(colleague);
  at.advance(5);
  expect((await begin()).step).toBe("recovery-codes");
});

test("with three set-ups each can be resumed, those of one second too, and starting over names the one that it drops", async () => {
  const records: string[] = [];
  for (let index = 0; index < 3; index++) records.push(recordIn(await begin()));
  const thief = copyOf(owner, at.issuer);
  const shown: string[] = [];
  for (const form of ["resume-1-form", "resume-2-form", "resume-3-form"]) {
    const agent = copyOf(owner, at.issuer);
    shown.push(recordIn(await agent.submit(await begin(agent), form)));
    // The one that moved here is none more, and no other goes for it.
    expect(setUpCookies(agent)).toHaveLength(3);
  }
  expect(shown.sort()).toEqual(records.sort());
  const page = await begin();
  const fresh = await owner.submit(page, "start-over-form");
  expect(fresh.step).toBe("dns-setup");
  expect(setUpCookies()).toHaveLength(3);
  // Who had copied the cookies before does not see the new record.
  expect((await thief.open(fresh.url)).html).not.toContain(recordIn(fresh));
});

test("with set-ups of three domains, a visit to one of them is offered its own, and starting over names the domain that it drops", async () => {
  await beginEach("e", "f", "g");
  const page = await begin(owner, `g-${at.domain}`);
  expect(page.step).toBe("earlier-set-ups");
  const told = "This browser keeps three setups. You have already started one for this domain:";
  expect(page.html).toContain(`${told} continue it.`);
  expect(page.html.match(/id="resume-\d-form"/g)).toEqual(['id="resume-1-form"']);
  expect(page.html.replace(/<[^>]*>/g, "")).toMatch(`Your setup of e-${at.domain} from `);
  const [first, ...others] = setUpCookies();
  await owner.submit(page, "start-over-form");
  expect(setUpCookies()).not.toContain(first);
  expect(setUpCookies()).toEqual(expect.arrayContaining(others));
});

test("a visit to another domain drops a later set-up of a domain rather than its first, and of three domains the oldest", async () => {
  await begin();
  const [first] = setUpCookies();
  for (const _ of [2, 3]) {
    at.advance(1);
    await begin();
  }
  for (const label of ["second", "third", "fourth"]) {
    at.advance(1);
    expect((await begin(owner, `${label}-${at.domain}`)).step).toBe("dns-setup");
    expect(setUpCookies()).toHaveLength(3);
    expect([label, setUpCookies().includes(first ?? "")]).toEqual([label, label !== "fourth"]);
  }
});

test("an earlier set-up is resumed from the page about a passkey, without another passkey", async () => {
  const scripted = createUserAgent({ hasScript: true });
  const asked = await begin(scripted);
  const first = await scripted.submit(asked, "without-passkey-form", {}, { stopAt });
  at.advance(86_400);
  const later = await begin(scripted);
  expect(later.step).toBe("set-up-passkey");
  const resumed = await scripted.submit(later, "resume-1-form", {}, { stopAt });
  expect([resumed.step, recordIn(resumed)]).toEqual(["dns-setup", recordIn(first)]);
});

test("a page that checks by itself begins no set-up in the place of its own, which other tabs dropped", async () => {
  const [a, b] = await beginEach("a", "b", "c", "d");
  const cookies = setUpCookies().sort();
  if (a === undefined || b === undefined) throw new Error("no set-up has begun");
  const polled = await poll(a);
  // A redirect would tell the script that the record was seen.
  expect([polled.status, polled.headers.getSetCookie()]).toEqual([400, []]);
  owner.cookies.store(at.issuer, polled.headers.getSetCookie());
  expect(setUpCookies().sort()).toEqual(cookies);
  at.publish(b);
  expect(await (await poll(b)).text()).toContain("<main data-found>");
  expect((await owner.submit(b, "check-form")).step).toBe("recovery-codes");
  // The interaction has moved on, which is not what the page waits for.
  expect((await poll(b)).status).toBe(400);
});

test("starting over where the record of another tab was found drops that record, which finishes nothing then", async () => {
  const published = await begin();
  const waiting = await begin();
  at.publish(published);
  at.advance(5);
  const found = await owner.open(new URL("?by-itself=yes", waiting.url).href);
  expect(found.html).toContain("<main data-found>");
  const fresh = await owner.submit(found, "start-over-form");
  expect(fresh.step).toBe("dns-setup");
  expect([recordIn(published), recordIn(waiting)]).not.toContain(recordIn(fresh));
  expect(await at.store.accounts.accountsOf(at.domain)).toEqual([]);
  expect(hasCode((await at.finish(fresh)).page)).toBe(true);
});

test("starting over drops no set-up of another domain to make room, if one that is over goes anyway", async () => {
  const [oldest] = await beginEach("oldest");
  if (oldest === undefined) throw new Error("no set-up has begun");
  const finished = await begin();
  const thief = copyOf(owner, at.issuer);
  at.advance(1);
  await begin(owner, `third-${at.domain}`);
  const [first] = setUpCookies();
  at.publish(finished);
  await saveCodes(thief, await begin(thief), { stopAt });
  const told = await begin();
  expect([told.step, setUpCookies().length]).toEqual(["problem", 3]);
  expect((await owner.submit(told, "start-over-form")).step).toBe("dns-setup");
  expect(setUpCookies()).toHaveLength(3);
  expect(setUpCookies()).toContain(first);
  // The record of the oldest still counts.
  at.publish(oldest);
  expect((await owner.submit(oldest, "check-form")).step).toBe("recovery-codes");
});

test("an earlier set-up is named with its app, by which it can be told from others", async () => {
  at.client = await at.addClient({ consent: "never", name: "Notes & Tasks" });
  await begin();
  at.client = await at.addClient({ consent: "never", name: `${"long".repeat(20)}` });
  const page = await begin();
  expect(page.html).toMatch(/Resume the setup of [^<]* for Notes &amp; Tasks</);
  const next = await begin();
  expect(next.html).toContain(`for ${"long".repeat(15)}<`);
});

test("the record from before a set-up was started over is named as this browser's own, in no other browser", async () => {
  const first = await begin();
  at.publish(first);
  at.advance(5);
  const fresh = await owner.submit(first, "start-over-form");
  expect(recordIn(fresh)).not.toBe(recordIn(first));
  const told = "This is the record of an earlier setup in this browser.";
  expect(fresh.html).toContain(told);
  // What differs is the account.
  expect(fresh.html).toMatch(/<mark>[\w-]+<\/mark>/);
  const stranger = createUserAgent();
  const unknown = await at.begin({ agent: stranger });
  const theirs = await stranger.submit(unknown, "start-over-form");
  expect(theirs.step).toBe("dns-setup");
  expect(theirs.html).not.toContain(told);
  expect(theirs.html).toContain("We found a record, but not this one.");
});
