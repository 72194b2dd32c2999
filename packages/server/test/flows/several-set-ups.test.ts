// Several set-ups in one browser: which of them stay, and how the person resumes one.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  authorizationUrl,
  checkAndSave,
  copyOf,
  openDomainPage,
  publish,
  saveCodes,
} from "../support/sign-in.ts";

const DAY = 86_400;

let at: TestService;
let client: TestClient;
let owner: UserAgent;
beforeAll(async () => {
  at = await startTestService();
});
afterAll(() => at.close());
let domain: string;
let count = 0;
beforeEach(async () => {
  client = await at.addClient({ consent: "never" });
  owner = createUserAgent();
  domain = `owner-${++count}.alice.test`;
});

const stopAt = "https://app.example.org/";
const begin = async (agent: UserAgent) => {
  const first = await openDomainPage(agent, authorizationUrl(at, client), { stopAt });
  return agent.submit(first, "domain-form", { domain }, { stopAt });
};
/** What the script of the page asks while nobody may be there. */
const poll = (page: Page) => {
  const headers = { cookie: owner.cookies.header(at.issuer) ?? "" };
  return fetch(`${page.url}?by-itself=yes`, { headers, redirect: "manual" });
};
const recordIn = (page: Page) => page.text("dns-value");
const hasCode = (page: Page) => new URL(page.url).searchParams.has("code");
const setUpCookies = (agent: UserAgent) =>
  agent.cookies.names(at.issuer).filter((name) => /^ds_setup_/.test(name));

test("an earlier set-up is shown again only when the person asks for it", async () => {
  const first = await begin(owner);
  at.advance(2 * DAY);
  const second = await begin(owner);
  expect(second.html).not.toContain(recordIn(first));
  const resumed = await owner.submit(second, "resume-1-form");
  expect([resumed.step, recordIn(resumed)]).toEqual(["dns-setup", recordIn(first)]);
  publish(at, resumed);
  const { page } = await checkAndSave(owner, resumed, { stopAt });
  expect(hasCode(page)).toBe(true);
});

test("a browser keeps three set-ups, and a visit drops none of the domain: the first, which was handed on, still counts", async () => {
  const first = await begin(owner);
  const handOn = await owner.open(first.link("hand-on"));
  const records = [recordIn(first)];
  for (const _ of [2, 3]) {
    at.advance(DAY);
    records.push(recordIn(await begin(owner)));
  }
  at.advance(DAY);
  const cookies = setUpCookies(owner).sort();
  for (const _ of [4, 5]) {
    const page = await begin(owner);
    expect([page.status, page.step]).toEqual([200, "earlier-set-ups"]);
    expect(setUpCookies(owner).sort()).toEqual(cookies);
    for (const record of records) expect(page.html).not.toContain(record);
    expect(page.html).toContain(
      "You have already started 3 for this domain: continue one of them.",
    );
  }
  expect(cookies).toHaveLength(3);
  const colleague = await createUserAgent().open(handOn.text("set-up-link"));
  publish(at, colleague);
  at.advance(5);
  expect((await begin(owner)).step).toBe("recovery-codes");
});

test("with three set-ups each can be resumed, those of one second too, and starting over names the one that it drops", async () => {
  const records: string[] = [];
  for (let index = 0; index < 3; index++) records.push(recordIn(await begin(owner)));
  const thief = copyOf(owner, at.issuer);
  const shown: string[] = [];
  for (const form of ["resume-1-form", "resume-2-form", "resume-3-form"]) {
    const agent = copyOf(owner, at.issuer);
    shown.push(recordIn(await agent.submit(await begin(agent), form)));
    // The one that moved here is none more, and no other goes for it.
    expect(setUpCookies(agent)).toHaveLength(3);
  }
  expect(shown.sort()).toEqual(records.sort());
  const page = await begin(owner);
  const fresh = await owner.submit(page, "start-over-form");
  expect(fresh.step).toBe("dns-setup");
  expect(setUpCookies(owner)).toHaveLength(3);
  // Who had copied the cookies before does not see the new record.
  expect((await thief.open(fresh.url)).html).not.toContain(recordIn(fresh));
});

test("with set-ups of three domains, a visit to one of them is offered its own, and starting over names the domain that it drops", async () => {
  const mine = domain;
  for (const label of ["e", "f", "g"]) {
    domain = `${label}-${mine}`;
    await begin(owner);
    at.advance(1);
  }
  const page = await begin(owner);
  expect(page.step).toBe("earlier-set-ups");
  expect(page.html).toContain(
    "This browser keeps three setups. You have already started one for this domain: continue it.",
  );
  expect(page.html.match(/id="resume-\d-form"/g)).toEqual(['id="resume-1-form"']);
  expect(page.html.replace(/<[^>]*>/g, "")).toMatch(`Your setup of e-${mine} from `);
  const [first, ...others] = setUpCookies(owner);
  await owner.submit(page, "start-over-form");
  expect(setUpCookies(owner)).not.toContain(first);
  expect(setUpCookies(owner)).toEqual(expect.arrayContaining(others));
});

test("a visit to another domain drops a later set-up of a domain rather than its first, and of three domains the oldest", async () => {
  const mine = domain;
  await begin(owner);
  const [first] = setUpCookies(owner);
  for (const _ of [2, 3]) {
    at.advance(1);
    await begin(owner);
  }
  for (const label of ["second", "third", "fourth"]) {
    at.advance(1);
    domain = `${label}-${mine}`;
    expect((await begin(owner)).step).toBe("dns-setup");
    expect(setUpCookies(owner)).toHaveLength(3);
    expect([label, setUpCookies(owner).includes(first ?? "")]).toEqual([
      ...[label, label !== "fourth"],
    ]);
  }
});

test("a page that checks by itself begins no set-up in the place of its own, which other tabs dropped", async () => {
  const mine = domain;
  const tabs: Page[] = [];
  for (const label of ["a", "b", "c", "d"]) {
    domain = `${label}-${mine}`;
    tabs.push(await begin(owner));
    at.advance(1);
  }
  const cookies = setUpCookies(owner).sort();
  const [a, b] = tabs;
  if (a === undefined || b === undefined) throw new Error("no set-up has begun");
  const polled = await poll(a);
  // A redirect would tell the script that the record was seen.
  expect([polled.status, polled.headers.getSetCookie()]).toEqual([400, []]);
  owner.cookies.store(at.issuer, polled.headers.getSetCookie());
  expect(setUpCookies(owner).sort()).toEqual(cookies);
  publish(at, b);
  expect((await poll(b)).status).toBe(303);
  expect((await owner.submit(b, "check-form")).step).toBe("recovery-codes");
  // The interaction has moved on, which is not what the page waits for.
  expect((await poll(b)).status).toBe(400);
});

test("starting over drops no set-up of another domain to make room, if one that is over goes anyway", async () => {
  const mine = domain;
  domain = `oldest-${mine}`;
  const oldest = await begin(owner);
  at.advance(1);
  domain = mine;
  const finished = await begin(owner);
  const thief = copyOf(owner, at.issuer);
  at.advance(1);
  domain = `third-${mine}`;
  await begin(owner);
  const [first] = setUpCookies(owner);
  domain = mine;
  publish(at, finished);
  await saveCodes(thief, await begin(thief), { stopAt });
  const told = await begin(owner);
  expect([told.step, setUpCookies(owner).length]).toEqual(["problem", 3]);
  expect((await owner.submit(told, "start-over-form")).step).toBe("dns-setup");
  expect(setUpCookies(owner)).toHaveLength(3);
  expect(setUpCookies(owner)).toContain(first);
  // The record of the oldest still counts.
  publish(at, oldest);
  expect((await owner.submit(oldest, "check-form")).step).toBe("recovery-codes");
});

test("an earlier set-up is named with its app, by which it can be told from others", async () => {
  client = await at.addClient({ consent: "never", name: "Notes & Tasks" });
  await begin(owner);
  client = await at.addClient({ consent: "never", name: `${"long".repeat(20)}` });
  const page = await begin(owner);
  expect(page.html).toMatch(/Resume the setup of [^<]* for Notes &amp; Tasks</);
  const next = await begin(owner);
  expect(next.html).toContain(`for ${"long".repeat(15)}<`);
});
