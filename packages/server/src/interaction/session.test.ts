// Tests of sessions on a real store: which ones a request can use, and when they end.

import { beforeEach, describe, expect, it, test } from "vitest";
import { httpRequest } from "../../test/support/http-request.ts";
import { cookiesOf } from "../http/cookies.ts";
import type { HttpRequest } from "../http/message.ts";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import type { SqlEngine } from "../store/engine.ts";
import { migrate } from "../store/migrations.ts";
import { openSqlite } from "../store/sqlite.ts";
import { createStore, type Store } from "../store/store.ts";
import { findSession, startSession } from "./session.ts";

const start = 1_700_000_000;
const day = 86_400;
const accountId = "account of alice";
const proof = { accountId, authTime: start, amr: "dns", controlCheckedAt: start };
const cookies = cookiesOf("https://auth.example.com");

let engine: SqlEngine;
let store: Store;
let now: number;

beforeEach(async () => {
  engine = openSqlite(":memory:");
  await migrate(engine);
  store = createStore(engine);
  now = start;
  const enrolment = {
    ...{ domain: "alice.test", deviceHash: "device", acct: "acct", accountId },
    ...{ recoverySalt: "salt", expiresAt: start + 100 },
  };
  await store.enrol({ enrolment, recoveryCodeHashes: ["hash"], now: start });
});

/** Starts a session and returns its cookie as the browser sends it. */
async function begin(): Promise<string> {
  const clock = clockFrom(() => now * 1000);
  const setCookie = await startSession(proof, {
    sessions: store,
    cookies,
    random: systemRandom,
    clock,
  });
  return setCookie.split(";")[0] ?? "";
}

function requestWith(cookie: string | undefined): HttpRequest {
  const headers = cookie === undefined ? {} : { cookie };
  const request = new Request("https://auth.example.com/oauth/authorize", { headers });
  return httpRequest(request);
}

/** Whether a request can use the session of this browser. */
async function counts(
  cookie: string | undefined,
  request: { prompt?: string[]; maxAge?: number; mayFederate?: boolean } = {},
): Promise<boolean> {
  const { prompt, maxAge, mayFederate = true } = request;
  const wanted = { prompt: new Set(prompt), maxAge, mayFederate };
  const clock = clockFrom(() => now * 1000);
  const found = await findSession(requestWith(cookie), wanted, { sessions: store, cookies, clock });
  if (found !== null) expect(found.account.id).toBe(accountId);
  return found !== null;
}

describe("a session", () => {
  it("is found again by its cookie, with account and authentication", async () => {
    const cookie = await begin();
    const wanted = { prompt: new Set<string>(), maxAge: undefined, mayFederate: true };
    const clock = clockFrom(() => now * 1000);
    const found = await findSession(requestWith(cookie), wanted, {
      sessions: store,
      cookies,
      clock,
    });
    expect(found).toMatchObject({
      session: { accountId, authTime: start, amr: "dns" },
      account: { id: accountId, domain: "alice.test" },
    });
  });

  it("is not there without the cookie, or with another's", async () => {
    const cookie = await begin();
    expect(await counts(undefined)).toBe(false);
    expect(await counts(cookie.slice(0, -1) + (cookie.endsWith("A") ? "E" : "A"))).toBe(false);
  });

  it("has a new id of 256 bits at each authentication, of which the store keeps only a hash", async () => {
    const all = [await begin(), await begin()];
    expect(new Set(all).size).toBe(2);
    const rows = JSON.stringify(await engine.execute("SELECT * FROM sessions", []));
    for (const cookie of all) {
      const id = cookie.split("=")[1] ?? "";
      expect(id).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(rows).not.toContain(id);
      expect(await counts(cookie)).toBe(true);
    }
  });

  it("of an account at another SP does not count where nobody else can be meant", async () => {
    const cookie = await begin();
    expect(await counts(cookie, { mayFederate: false })).toBe(true);
    await engine.execute("UPDATE accounts SET sp = 'https://sp.example'", []);
    expect(await counts(cookie, { mayFederate: false })).toBe(false);
    expect(await counts(cookie)).toBe(true);
  });

  it("is worth nothing while its account is asleep, nor once it has ended", async () => {
    const cookie = await begin();
    await engine.execute("UPDATE accounts SET asleep_since = ?1", [start]);
    expect(await counts(cookie)).toBe(false);
    await engine.execute("UPDATE accounts SET asleep_since = NULL", []);
    expect(await counts(cookie)).toBe(true);
    await engine.execute("UPDATE accounts SET ended_at = ?1", [start]);
    expect(await counts(cookie)).toBe(false);
  });
});

describe("a session ends", () => {
  it("14 days after it was last used", async () => {
    const cookie = await begin();
    now = start + 14 * day - 1;
    expect(await counts(cookie)).toBe(true);
    now = start + 14 * day + 1;
    expect(await counts(cookie)).toBe(false);
  });

  it("90 days after the authentication, however often it was used", async () => {
    const cookie = await begin();
    await engine.execute("UPDATE sessions SET last_used_at = ?1", [start + 90 * day - 2]);
    now = start + 90 * day - 1;
    expect(await counts(cookie)).toBe(true);
    now = start + 90 * day + 1;
    expect(await counts(cookie)).toBe(false);
  });
});

describe("a request decides whether a session counts", () => {
  it("with prompt=login it does not (OIDC Core §3.1.2.1)", async () => {
    const cookie = await begin();
    expect(await counts(cookie, { prompt: ["login"] })).toBe(false);
    expect(await counts(cookie, { prompt: ["login", "consent"] })).toBe(false);
  });

  test.each(["none", "consent"])("with prompt=%s it does", async (prompt) => {
    expect(await counts(await begin(), { prompt: [prompt] })).toBe(true);
  });

  it("with max_age it does only if the authentication is recent enough (OIDC Core §3.1.2.1)", async () => {
    const cookie = await begin();
    now = start + 100;
    await engine.execute("UPDATE sessions SET last_used_at = ?1", [now]);
    expect(await counts(cookie, { maxAge: 100 })).toBe(true);
    expect(await counts(cookie, { maxAge: 99 })).toBe(false);
    expect(await counts(cookie, { maxAge: 0 })).toBe(false);
  });
});
