// The account page of an account with many apps and sessions: each page is small, and everything is within reach.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { beforeAll, expect, test } from "vitest";
import type { MoreOf } from "../../src/pages/account-entries.ts";
import { assets } from "../../src/pages/assets.ts";
import { flow } from "../support/flow.ts";
import { issuedGrant, somePasskey, someSession } from "../support/store-rows.ts";

const APPS = 24;
const SESSIONS = 24;
const BROWSERS = 12;
const PASSKEYS = 12;
/** Octets of a page with its style sheet, scripts and icon, headers included. */
const LIMIT = 30_000;
/** As long as may be: 228 octets. */
const domain = `${["a", "b", "c"].map((letter) => letter.repeat(63)).join(".")}.${"d".repeat(25)}.alice.test`;
/** 100 characters, of two octets each. */
const NAME = "تقويم".repeat(20);
const LISTS: readonly MoreOf[] = ["apps", "sessions", "browsers", "passkeys"];
const SCOPE = Array.from({ length: 31 }, (_, index) => `calendar.events.read:${index}`).join(" ");

const at = flow({ client: "file" });
let accountId: string;
beforeAll(async () => {
  await at.signIn({ domain });
  accountId = (await at.accountOf(domain)).id;
  const now = Math.floor(Date.now() / 1000);
  for (let index = 1; index < APPS; index++) {
    const { id } = await at.addClient({ name: `${NAME.slice(0, 95)} ${index}` });
    const times = { createdAt: now - index, codeExpiresAt: now + 600, expiresAt: now + 86_400 };
    await issuedGrant(at.store, { accountId, clientId: id, scope: SCOPE, ...times });
  }
  for (let index = 1; index < SESSIONS + BROWSERS; index++) {
    const times = { authTime: now, now: now - index, expiresAt: now + 86_400 };
    const { sid } = await at.store.sessions.startSession(someSession(accountId, times));
    if (index >= SESSIONS)
      await at.store.sessions.endSession({ sid, accountId }, "signed_out", now);
  }
  for (let index = 0; index < PASSKEYS; index++) {
    const createdAt = now - index;
    await at.store.passkeys.addPasskey(
      somePasskey(accountId, { name: NAME.slice(0, 60), createdAt }),
    );
  }
  const granted = await at.store.grants.grantsOf(accountId, now);
  await at.store.histories.recordHistory(
    granted.slice(0, 22).map(({ clientId }, index) => ({
      ...{ id: `${now}-${index + 10}`, accountId, at: now, kind: "app_revoked" },
      detail: { client_id: clientId },
    })),
  );
});

const urlOf = (query = "") => `${at.issuer}/account?domain=${domain}${query}`;

/** The account page, and those behind its links to more of these. */
async function pagesOf(what: MoreOf): Promise<Page[]> {
  const pages = [await at.agent.open(urlOf())];
  for (;;) {
    const [page] = pages.slice(-1);
    if (page === undefined || !page.html.includes(`id="more-${what}"`)) return pages;
    pages.push(await at.agent.open(new URL(page.link(`more-${what}`), at.issuer).href));
  }
}

const formsOf = (page: Page, pattern: RegExp) =>
  page.forms.filter(({ id }) => pattern.test(id ?? ""));

/** Octets of the answer with its headers. */
async function octetsOf(response: Response): Promise<number> {
  const { status, headers } = response;
  expect(status).toBe(200);
  const head = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  await response.arrayBuffer();
  return head.length + Number(headers.get("content-length"));
}

test.each([
  { what: "apps", form: /^revoke-\d+-form$/, field: "client_id", count: APPS },
  // All but the session of this browser can be ended.
  { what: "sessions", form: /^sign-out-\d+-form$/, field: "sid", count: SESSIONS - 1 },
  { what: "browsers", form: /^forget-\d+-form$/, field: "browser", count: BROWSERS },
  { what: "passkeys", form: /^rename-passkey-\d+-form$/, field: "passkey", count: PASSKEYS },
] as const)("all $what are within reach, each on one page, and at most ten on each", async (of) => {
  const pages = (await pagesOf(of.what)).map((page) => formsOf(page, of.form));
  const shown = pages
    .flat()
    .map(({ controls }) => controls.find(({ name }) => name === of.field)?.value);
  expect(shown).toHaveLength(of.count);
  expect(new Set(shown).size).toBe(of.count);
  expect(Math.max(...pages.map((forms) => forms.length))).toBeLessThanOrEqual(10);
});

test.each(["en", "ar"])(
  "each page has at most 30 KB with all that it loads, in %s",
  async (language) => {
    const lists = await Promise.all(LISTS.map(pagesOf));
    const [first] = lists.flat();
    const paths = [...assets.keys()];
    const files = paths.map(async (path) => octetsOf(await fetch(`${at.issuer}${path}`)));
    const shared = (await Promise.all(files)).reduce((sum, octets) => sum + octets, 0);
    const headers = { ...at.cookies(), "accept-language": language };
    const older = new URL(first?.link("older") ?? "", at.issuer).href;
    for (const url of new Set([...lists.flat().map((page) => page.url), older])) {
      const own = await octetsOf(await fetch(url, { headers }));
      expect(own + shared, url).toBeLessThanOrEqual(LIMIT);
    }
  },
  60_000,
);

test("an app on the last page is revoked, a session there is ended, and a browser is forgotten", async () => {
  for (const [what, form] of [
    ["apps", /^revoke-\d+-form$/],
    ["sessions", /^sign-out-\d+-form$/],
    ["browsers", /^forget-\d+-form$/],
  ] as const) {
    const [page] = (await pagesOf(what)).slice(-1);
    if (page === undefined) throw new Error("no pages");
    await at.agent.submit(page, formsOf(page, form).at(-1)?.id ?? "");
  }
  const now = Math.floor(Date.now() / 1000);
  expect(await at.store.sessions.knownBrowsersOf(accountId, now)).toHaveLength(BROWSERS - 1);
  expect(await at.store.grants.grantsOf(accountId, now)).toHaveLength(APPS - 1);
  expect(await at.store.sessions.sessionsOf(accountId, now)).toHaveLength(SESSIONS - 1);
});

test.each(["-1", "100", "9999", "ten", "1e3"])(
  "a page that is not there (%s) is the first, and does not say that no app has access",
  async (from) => {
    const query = LISTS.map((what) => `&${what}=${from}`).join("");
    const page = await at.agent.open(urlOf(query));
    expect([page.status, page.step]).toEqual([200, "account"]);
    expect(page.html).not.toContain("No app has access.");
    expect(formsOf(page, /^revoke-\d+-form$/)).not.toEqual([]);
    expect(["session-1", "browser-1", "passkey-1"].filter((id) => !page.has(id))).toEqual([]);
  },
);
