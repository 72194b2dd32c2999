// Tests of sessions on a real store: which ones a request can use, and when they end.

import { createCookieJar } from "domain-signin-demo/browser/cookie-jar";
import { beforeEach, describe, expect, it, test } from "vitest";
import { testCookies } from "../../test/support/cookies.ts";
import { fixture, standIn } from "../../test/support/fixture.ts";
import { httpRequest } from "../../test/support/http-request.ts";
import { openMemoryStore } from "../../test/support/memory-store.ts";
import { liveAccount } from "../../test/support/store-rows.ts";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import { jsonEvents } from "../telemetry/events.ts";
import { createBrowserSessions, type LiveSession } from "./browser-sessions.ts";

const start = 1_700_000_000;
const day = 86_400;
const alice = "account of alice";
const cookies = testCookies("https://auth.example.com");

const store = fixture(openMemoryStore, "test");
let now: number;

beforeEach(async () => {
  now = start;
  await addAccount(alice, "alice.test");
});

const addAccount = (accountId: string, domain: string) =>
  liveAccount(store, { domain, accountId, now: start });
/** Runs a statement that no service makes. */
const execute = (sql: string, ...parameters: (string | number)[]) =>
  store.engine.execute(sql, parameters);

const browserSessions = createBrowserSessions({
  sessions: standIn(() => store.sessions),
  ...{ cookies, random: systemRandom, events: jsonEvents({ write: () => {} }) },
  clock: clockFrom(() => now * 1000),
  returningBrowsers: {
    cookieFor: () => cookies.set("returning", "of no use here"),
    read: () => null,
  },
});

/** A browser: what it keeps, and what it can do. */
function createBrowser() {
  const url = "https://auth.example.com/oauth/authorize";
  const jar = createCookieJar();
  const requestWith = (cookie: string | undefined) =>
    httpRequest(new Request(url, { headers: cookie === undefined ? {} : { cookie } }));
  const request = () => requestWith(jar.header(url));
  return {
    jar,
    request,
    cookie: () => jar.header(url) ?? "",
    /** What a copy of its cookies from now on can do. */
    copied: () => {
      const cookie = jar.header(url);
      return { sessions: () => browserSessions.read(requestWith(cookie)) };
    },
    async authenticate(accountId = alice) {
      const proof = { domain: "alice.test", authTime: now, amr: "dns", controlCheckedAt: now };
      const { secret, session } = browserSessions.newSession(request(), { ...proof, accountId });
      const { sid } = await store.sessions.startSession(session);
      const setCookies = await browserSessions.cookiesOf(
        request(),
        { ...proof, accountId },
        secret,
      );
      const ofSession = setCookies.filter((cookie) => !cookie.includes("_returning_"));
      jar.store(url, ofSession);
      return sid;
    },
    sessions: () => browserSessions.read(request()),
    async cleared() {
      const found = await browserSessions.read(request());
      jar.store(url, found.cleared);
      return found;
    },
  };
}

/** The hash of the last secret, which no browser has sent. */
async function unsentOf(sid: string): Promise<string> {
  const unsent =
    "SELECT secret_hash FROM sessions WHERE sid = ?1 AND presented_at IS NULL ORDER BY number DESC";
  const [row] = await execute(unsent, sid);
  return String(row?.secret_hash);
}

const domainsOf = ({ live }: { readonly live: readonly LiveSession[] }) =>
  live.map(({ account }) => account.domain);

describe("a session", () => {
  it("is found again by its cookie, with account and authentication", async () => {
    const browser = createBrowser();
    const sid = await browser.authenticate();
    const { live, resting, ended, cleared } = await browser.sessions();
    const session = { sid, authTime: start, amr: "dns" };
    expect(live).toMatchObject([{ session, account: { id: alice, domain: "alice.test" } }]);
    expect([resting, ended, cleared]).toEqual([[], [], []]);
  });

  it("is not there without the cookie; one that nobody knows is removed", async () => {
    const nothing = { live: [], resting: [], uncertain: [], ended: [], cleared: [] };
    expect(await createBrowser().sessions()).toEqual(nothing);
    const browser = createBrowser();
    await browser.authenticate();
    await execute("DELETE FROM sessions");
    const found = await browser.cleared();
    expect([found.live, found.ended]).toEqual([[], []]);
    expect(browser.cookie()).toBe("");
  });

  it("has a new secret of 256 bits at each authentication, of which the store keeps only a hash", async () => {
    const browser = createBrowser();
    const secrets: string[] = [];
    for (let count = 0; count < 2; count++) {
      await browser.authenticate();
      secrets.push(browser.cookie().split("=")[1] ?? "");
    }
    expect(new Set(secrets).size).toBe(2);
    const rows = JSON.stringify(await execute("SELECT * FROM sessions"));
    for (const secret of secrets) {
      expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(rows).not.toContain(secret);
    }
  });

  it("rests while its account is asleep, and is gone once it has ended", async () => {
    const browser = createBrowser();
    await browser.authenticate();
    await execute("UPDATE accounts SET asleep_since = ?1", start);
    const { live, resting } = await browser.cleared();
    expect([live.length, resting.length]).toEqual([0, 1]);
    await execute("UPDATE accounts SET asleep_since = NULL");
    expect(domainsOf(await browser.sessions())).toEqual(["alice.test"]);
    await execute("UPDATE accounts SET ended_at = ?1", start);
    expect(await browser.cleared()).toMatchObject({ live: [], resting: [], ended: [] });
    expect(browser.cookie()).toBe("");
  });

  it("ends 30 days after its last use, without a notice", async () => {
    const browser = createBrowser();
    await browser.authenticate();
    now = start + 30 * day - 1;
    expect((await browser.sessions()).live).toHaveLength(1);
    now += 1;
    expect(await browser.cleared()).toMatchObject({ live: [], ended: [] });
  });

  it("ends 180 days after the authentication, however often it was used", async () => {
    const browser = createBrowser();
    await browser.authenticate();
    for (now = start + 20 * day; now < start + 180 * day; now += 20 * day) {
      const [one] = (await browser.sessions()).live;
      expect(one).toBeDefined();
      if (one) await browserSessions.touch(one.session);
    }
    now = start + 180 * day - 1;
    expect((await browser.sessions()).live).toHaveLength(1);
    now += 1;
    expect((await browser.sessions()).live).toEqual([]);
  });

  it("records its use once an hour at most", async () => {
    const browser = createBrowser();
    await browser.authenticate();
    const used = async () => (await browser.sessions()).live[0]?.session;
    for (const [after, recorded] of [
      [3599, start],
      [3600, start + 3600],
    ] as const) {
      now = start + after;
      const session = await used();
      if (session) await browserSessions.touch(session);
      expect((await used())?.lastUsedAt).toBe(recorded);
    }
  });
});

test("a secret in two cookies is one session", async () => {
  const browser = createBrowser();
  const sid = await browser.authenticate();
  const [session = ""] = /__Host-ds_session_[^;]*/.exec(browser.cookie()) ?? [];
  const [name = "", value = ""] = session.split("=");
  const again = `${name.slice(0, -1)}${name.endsWith("0") ? "1" : "0"}=${value}`;
  const request = new Request("https://auth.example.com/oauth/authorize", {
    headers: { cookie: `${session}; ${again}` },
  });
  const { live, cleared } = await browserSessions.read(httpRequest(request));
  expect(live.map((one) => one.session.sid)).toEqual([sid]);
  expect(cleared).toEqual([]);
});

describe("a new secret", () => {
  it("replaces the former one 60 seconds after it was first sent, and keeps the sid", async () => {
    const browser = createBrowser();
    const sid = await browser.authenticate();
    now += 1000;
    const copy = browser.copied();
    expect(await browser.authenticate()).toBe(sid);
    // Nobody has sent the new one yet: perhaps the response got lost.
    now += 1000;
    expect((await copy.sessions()).live[0]?.session.authTime).toBe(start);
    await browser.sessions();
    now += 59;
    expect((await copy.sessions()).live[0]?.session.authTime).toBe(start);
    expect((await browser.sessions()).live[0]?.session.authTime).toBe(start + 1000);
  });

  it("is counted as sent by the next step of the sign-in alone", async () => {
    const browser = createBrowser();
    await browser.authenticate();
    const copy = browser.copied();
    const sid = await browser.authenticate();
    await browserSessions.present(browser.request(), alice, await unsentOf(sid));
    now += 60;
    expect((await copy.sessions()).live).toEqual([]);
  });

  it("shows the use of a copy of the former one to the thief's and the owner's browser", async () => {
    const browser = createBrowser();
    await browser.authenticate();
    const copy = browser.copied();
    await browser.authenticate();
    await browser.sessions();
    now += 60;
    const ended = [{ domain: "alice.test", reason: "reused" }];
    expect(await copy.sessions()).toMatchObject({ live: [], ended });
    expect(await browser.cleared()).toMatchObject({ live: [], ended });
    // Told once: the cookie is gone.
    expect(await browser.sessions()).toMatchObject({ live: [], ended: [] });
    // And the next authentication begins another session.
    const sid = await browser.authenticate();
    expect((await browser.sessions()).live[0]?.session.sid).toBe(sid);
  });

  it("that a thief made for his own domain gives him no other account, and the owner nothing of his", async () => {
    await addAccount("account of mallory", "mallory.test");
    const owner = createBrowser();
    await owner.authenticate();
    await owner.sessions();
    const thief = createBrowser();
    const stolen = owner.cookie().split("; ");
    const setCookies = stolen.map((pair) => `${pair}; Path=/; Secure`);
    thief.jar.store("https://auth.example.com/", setCookies);
    await thief.authenticate("account of mallory");
    await thief.sessions();
    now += 100;
    await owner.authenticate();
    await owner.sessions();
    now += 100;
    expect(domainsOf(await thief.sessions())).toEqual(["mallory.test"]);
    expect(domainsOf(await owner.sessions())).toEqual([]);
    await owner.cleared();
    await owner.authenticate();
    expect(domainsOf(await owner.sessions())).toEqual(["alice.test"]);
  });
});

describe("several domains in one browser", () => {
  beforeEach(() => addAccount("account of bob", "bob.test"));

  it("each have their own session, authentication time and end; the last used one comes first", async () => {
    const browser = createBrowser();
    const sids = [await browser.authenticate()];
    now += 100;
    sids.push(await browser.authenticate("account of bob"));
    expect(new Set(sids).size).toBe(2);
    const { live } = await browser.sessions();
    expect(live.map(({ account, session }) => [account.domain, session.authTime])).toEqual([
      ["bob.test", start + 100],
      ["alice.test", start],
    ]);
    // Neither authentication extended the other.
    expect(live.map(({ session }) => session.lastUsedAt)).toEqual([start + 100, start]);
    const setCookies = await browserSessions.end(live.slice(0, 1));
    browser.jar.store("https://auth.example.com/", setCookies);
    expect(domainsOf(await browser.cleared())).toEqual(["alice.test"]);
  });

  it("are at most eight: one more ends the oldest", async () => {
    const browser = createBrowser();
    await browser.authenticate();
    const [first] = (await browser.sessions()).live;
    for (let count = 2; count <= 9; count++) {
      await addAccount(`account ${count}`, `domain-${count}.test`);
      now += 1;
      await browser.authenticate(`account ${count}`);
    }
    const { live } = await browser.sessions();
    expect(live).toHaveLength(8);
    expect(domainsOf({ live })).not.toContain("alice.test");
    expect(await store.sessions.isWithoutSession(first?.session.sid ?? "")).toBe(true);
    // Authenticating one of the eight again ends none.
    await browser.authenticate("account 5");
    expect((await browser.sessions()).live).toHaveLength(8);
  });
});

describe("a session that was ended", () => {
  test.each(["elsewhere", "operator"] as const)("%s: the browser is told once", async (reason) => {
    const browser = createBrowser();
    await browser.authenticate();
    await store.sessions.endSessionsOf(alice, { reason, now });
    const ended = [{ domain: "alice.test", reason }];
    expect(await browser.cleared()).toMatchObject({ live: [], ended });
    expect(await browser.sessions()).toMatchObject({ live: [], ended: [] });
  });

  it("has ended for a secret that was added at the same moment", async () => {
    const browser = createBrowser();
    await browser.authenticate();
    await execute("UPDATE sessions SET ended_at = ?1, end_reason = 'operator'", now);
    const late = browser.copied();
    const [{ secret_hash } = {}] = await execute("SELECT * FROM sessions");
    const columns = "account_id, auth_time, amr, browser, issued_at, last_used_at, expires_at";
    await execute(
      `INSERT INTO sessions (secret_hash, sid, number, ${columns})
       SELECT 'another', sid, 2, ${columns} FROM sessions`,
    );
    // The browser has the added secret.
    const rename = "UPDATE sessions SET secret_hash = ?2 WHERE secret_hash = ?1";
    await execute(rename, String(secret_hash), "former");
    await execute(rename, "another", String(secret_hash));
    const ended = [{ domain: "alice.test", reason: "operator" }];
    expect(await late.sessions()).toMatchObject({ live: [], ended });
  });

  it("here: nothing is told, also in another tab that still sends the cookie", async () => {
    const browser = createBrowser();
    await browser.authenticate();
    await browserSessions.end((await browser.sessions()).live);
    expect(await browser.sessions()).toMatchObject({ live: [], ended: [] });
    const copy = browser.copied();
    expect((await copy.sessions()).live).toEqual([]);
  });
});

describe("a request decides which sessions count", () => {
  async function counts(
    request: {
      prompt?: string[];
      maxAge?: number;
      mayFederate?: boolean;
      ownerProof?: "none" | "required";
      requiredAcr?: readonly string[];
    } = {},
    age = 100,
  ): Promise<boolean> {
    const browser = createBrowser();
    await browser.authenticate();
    now = start + age;
    const { prompt, maxAge, mayFederate = true, ownerProof = "none", requiredAcr = null } = request;
    const wanted = { prompt: new Set(prompt), maxAge, mayFederate, ownerProof, requiredAcr };
    const usable = browserSessions.usable((await browser.sessions()).live, wanted);
    now = start;
    return usable.length === 1;
  }

  it("with prompt=login none does (OIDC Core §3.1.2.1)", async () => {
    expect(await counts({ prompt: ["login"] })).toBe(false);
    expect(await counts({ prompt: ["login", "consent"] })).toBe(false);
  });

  test.each(["none", "consent", "select_account"])("with prompt=%s it does", async (prompt) => {
    expect(await counts({ prompt: [prompt] })).toBe(true);
  });

  it("with max_age it does only if the authentication is recent enough (OIDC Core §3.1.2.1)", async () => {
    expect(await counts({ maxAge: 100 })).toBe(true);
    expect(await counts({ maxAge: 99 })).toBe(false);
    expect(await counts({ maxAge: 0 })).toBe(false);
  });

  it("with max_age=0 none does, not even that of this second (OIDC Core §3.1.2.1)", async () => {
    expect(await counts({ maxAge: 1 }, 0)).toBe(true);
    expect(await counts({ maxAge: 0 }, 0)).toBe(false);
  });

  it("with an essential acr it does only if it was authenticated so (OIDC Core §5.5.1.1)", async () => {
    expect(await counts({ requiredAcr: ["phr", "urn:domain-signin:dns"] })).toBe(true);
    expect(await counts({ requiredAcr: ["phr"] })).toBe(false);
    expect(await counts({ requiredAcr: [] })).toBe(false);
  });

  it("one of an account at another SP does not where nobody else can be meant", async () => {
    expect(await counts({ mayFederate: false })).toBe(true);
    await execute("UPDATE accounts SET sp = 'https://sp.example'");
    expect(await counts({ mayFederate: false })).toBe(false);
    expect(await counts()).toBe(true);
  });
});
