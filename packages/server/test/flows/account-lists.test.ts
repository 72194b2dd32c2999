// The account page of an account with many apps and sessions: each page is small, and everything is within reach.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { signIn } from "../support/sign-in.ts";
import { issuedGrant, someSession } from "../support/store-rows.ts";

const APPS = 25;
const SESSIONS = 100;
const BROWSERS = 100;
/** Octets of a page without its style sheet, scripts and icon, which have about 7,000. */
const LIMIT = 22_000;
const domain = "many.alice.test";
const agent = createUserAgent();

let at: TestService;
let accountId: string;
beforeAll(async () => {
  at = await startTestService();
  await signIn(at, await at.addClient({ consent: "never" }), { agent, domain });
  const [account] = await at.store.accountsOf(domain);
  accountId = account?.id ?? "";
  const now = Math.floor(Date.now() / 1000);
  for (let index = 1; index < APPS; index++) {
    const { id } = await at.addClient({ name: `${index} ${"Wörter ".repeat(13)}` });
    const times = { createdAt: now - index, codeExpiresAt: now + 600, expiresAt: now + 86_400 };
    await issuedGrant(at.store, { accountId, clientId: id, ...times });
  }
  for (let index = 1; index < SESSIONS; index++) {
    const times = { authTime: now, now: now - index, expiresAt: now + 86_400 };
    await at.store.startSession(someSession(accountId, times));
  }
  for (let index = 0; index < BROWSERS; index++) {
    const times = { authTime: now, now: now - index, expiresAt: now + 86_400 };
    const { sid } = await at.store.startSession(someSession(accountId, times));
    await at.store.endSession({ sid, accountId }, "signed_out", now);
  }
});
afterAll(() => at.close());

/** The account page, and those behind its links to more of these. */
async function pagesOf(what: "apps" | "sessions" | "browsers"): Promise<Page[]> {
  const first = `${at.issuer}/account?domain=${domain}`;
  const pages = [await agent.open(first)];
  for (;;) {
    const [page] = pages.slice(-1);
    if (page === undefined || !page.html.includes(`id="more-${what}"`)) return pages;
    pages.push(await agent.open(new URL(page.link(`more-${what}`), at.issuer).href));
  }
}

const formsOf = (page: Page, pattern: RegExp) =>
  page.forms.filter(({ id }) => pattern.test(id ?? ""));

test.each([
  { what: "apps", form: /^revoke-\d+-form$/, perPage: [10, 10, 5] },
  // All but the session of this browser can be ended.
  { what: "sessions", form: /^sign-out-\d+-form$/, perPage: [9, ...Array(9).fill(10)] },
  { what: "browsers", form: /^forget-\d+-form$/, perPage: Array(20).fill(5) },
] as const)("$what are shown a few at a time, on pages of at most 30 KB, in Arabic", async (of) => {
  const pages = await pagesOf(of.what);
  expect(pages.map((page) => formsOf(page, of.form).length)).toEqual(of.perPage);
  const cookie = agent.cookies.header(at.issuer) ?? "";
  for (const { url } of pages) {
    const response = await fetch(url, { headers: { cookie, "accept-language": "ar" } });
    const html = await response.text();
    expect(html).toContain('lang="ar"');
    expect(Buffer.byteLength(html)).toBeLessThan(LIMIT);
  }
});

test("an app on the last page is revoked, a session there is ended, and a browser is forgotten", async () => {
  const apps = (await pagesOf("apps")).at(-1);
  const sessions = (await pagesOf("sessions")).at(-1);
  const browsers = (await pagesOf("browsers")).at(-1);
  if (apps === undefined || sessions === undefined || browsers === undefined)
    throw new Error("no pages");
  await agent.submit(apps, formsOf(apps, /^revoke-\d+-form$/).at(-1)?.id ?? "");
  await agent.submit(sessions, formsOf(sessions, /^sign-out-\d+-form$/).at(-1)?.id ?? "");
  await agent.submit(browsers, formsOf(browsers, /^forget-\d+-form$/).at(-1)?.id ?? "");
  const now = Math.floor(Date.now() / 1000);
  expect(await at.store.knownBrowsersOf(accountId, now)).toHaveLength(BROWSERS - 1);
  expect(await at.store.grantsOf(accountId, now)).toHaveLength(APPS - 1);
  expect(await at.store.sessionsOf(accountId, now)).toHaveLength(SESSIONS - 1);
});

test.each(["-1", "9999", "ten", "1e3"])(
  "a page that is not there (%s) is no error",
  async (apps) => {
    const page = await agent.open(`${at.issuer}/account?domain=${domain}&apps=${apps}`);
    expect([page.status, page.step]).toEqual([200, "account"]);
  },
);
