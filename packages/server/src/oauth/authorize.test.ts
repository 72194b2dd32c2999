// Tests of the authorization endpoint: the first page, and `prompt=none`.

import { beforeEach, describe, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import {
  ISSUER,
  makeOAuthWorld,
  prepared,
  queryFor,
  REDIRECT_URI,
  requestTo,
} from "../../test/support/oauth-world.ts";
import type { Client } from "../clients/client.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { createRequirements } from "../interaction/requirements.ts";
import { UnavailableError } from "../lib/errors.ts";
import type { Account } from "../store/accounts.ts";
import { createAuthorizationResponse } from "./authorization-response.ts";
import { createAuthorize } from "./authorize.ts";
import { readGrantToken } from "./grant-token.ts";
import { AuthorizationError, redirectPosted } from "./protocol-errors.ts";

const world = fixture(makeOAuthWorld);
let client: Client;
let account: Account;
let cookie: string;
beforeEach(async () => {
  client = (await world.addClient({ name: "Notes" })).client;
  account = await world.addAccount();
  cookie = await world.signIn(account);
  world.control = { control: "held", checkedAt: world.now };
  world.look = world.lookOf(account);
  world.reported.splice(0);
});

function ask(
  more: Record<string, string> = {},
  headers: Record<string, string> = { cookie },
  parts = world.parts,
) {
  const query = queryFor(client, more);
  const requirement = createRequirements(parts).request;
  const http = requestTo("/oauth/authorize", { query, headers });
  return prepared(
    { requirement, http },
    createAuthorize({ ...parts, ...createAuthorizationResponse(parts) }).authorize,
  );
}

/** Which of the two pages it is, judged by the form that only this page has. */
async function pageOf(answer: Promise<HttpResponse>): Promise<string> {
  const html = (await answer).body;
  return html.includes('id="continue-form"')
    ? "continue"
    : html.includes('id="domain-form"')
      ? "domain"
      : html;
}

describe("the first page", () => {
  test("asks for the domain where nobody is signed in, and marks the browser", async () => {
    const response = await ask({ login_hint: "alice.test" }, {});
    expect(response.status).toBe(200);
    expect(response.headers["set-cookie"]).toEqual([expect.stringMatching(/^__Host-ds_browser_/)]);
    const html = response.body;
    const query = queryFor(client, { login_hint: "alice.test" }).replaceAll("&", "&amp;");
    expect(html).toContain(`action="/sign-in?${query}"`);
    expect(html).toContain('value="alice.test"');
    expect(html).toContain("Notes");
    expect(html).toContain("app.example.org");
  });

  test("keeps no more of a hint than its field holds", async () => {
    const html = (await ask({ login_hint: "a".repeat(400) }, {})).body;
    expect(html).toContain(`value="${"a".repeat(300)}"`);
  });

  test("offers to go on with the domain of the session, and writes nothing", async () => {
    const response = await ask();
    expect(response.status).toBe(200);
    // The cookie to which the offer is bound.
    expect(response.headers["set-cookie"]).toEqual([expect.stringMatching(/^__Host-ds_browser_/)]);
    const html = response.body;
    const query = queryFor(client).replaceAll("&", "&amp;");
    expect(html).toContain(account.domain);
    expect(html).toContain(`action="/sign-in/continue?${query}"`);
    expect(html).toContain(`action="/sign-in/other?${query}"`);
  });

  test("asks for the domain where the request wants another sign-in", async () => {
    expect(await pageOf(ask())).toBe("continue");
    expect(await pageOf(ask({ prompt: "consent" }))).toBe("continue");
    expect(await pageOf(ask({ prompt: "select_account" }))).toBe("continue");
    expect(await pageOf(ask({ prompt: "login" }))).toBe("domain");
  });

  test("asks for the domain where login_hint names another one", async () => {
    expect(await pageOf(ask({ login_hint: account.domain }))).toBe("continue");
    expect(await pageOf(ask({ login_hint: "another.test" }))).toBe("domain");
    // A hint that is not a domain is ignored.
    expect(await pageOf(ask({ login_hint: "alice" }))).toBe("continue");
  });
});

describe("a silent request (prompt=none)", () => {
  const silently = (
    more: Record<string, string> = {},
    ...rest: [Record<string, string>?, typeof world.parts?]
  ) => ask({ prompt: "none", ...more }, ...rest);

  async function refusal(answer: Promise<unknown>): Promise<string> {
    const error = await answer.catch((cause: unknown) => cause);
    if (!(error instanceof AuthorizationError)) throw error;
    expect(error.target.uri).toBe(REDIRECT_URI);
    return `${error.code}: ${error.message}`;
  }

  const allow = (scopes = ["openid"]) =>
    world.store.consents.rememberConsent({
      ...{ accountId: account.id, clientId: client.client_id, scopes, now: world.now },
    });

  test("gets a code of the session, as it was authenticated, and keeps the session", async () => {
    await allow();
    const authenticated = world.now;
    world.now += 7200;
    world.control = { control: "held", checkedAt: world.now - 40 };
    const response = await silently({ state: "s" });
    world.now -= 7200;
    expect(response.status).toBe(303);
    const { searchParams } = new URL(String(response.headers.location));
    expect(searchParams.get("state")).toBe("s");
    const token = await readGrantToken(world.keyring, "code", searchParams.get("code") ?? "");
    expect(await world.grant(token?.grantId ?? "")).toMatchObject({
      ...{ accountId: account.id, clientId: client.client_id, authTime: authenticated, amr: "dns" },
      controlCheckedAt: authenticated + 7200 - 40,
    });
    const [session] = await world.engine.execute(
      "SELECT last_used_at FROM sessions WHERE account_id = ?1",
      [account.id],
    );
    expect(session).toEqual({ last_used_at: authenticated + 7200 });
  });

  test("is refused where nobody is signed in, or somebody else than the hint names", async () => {
    const words = "login_required: no user is signed in";
    expect(await refusal(silently({}, {}))).toBe(words);
    expect(await refusal(silently({ login_hint: "another.test" }))).toBe(words);
  });

  test("is refused where the person would be asked for consent to more", async () => {
    await allow(["profile"]);
    expect(await refusal(silently())).toBe(
      "consent_required: the user has not consented to this request",
    );
  });

  test.each(["first", "always"] as const)(
    "learns nothing of who is signed in without a consent (consent: %s)",
    async (consent) => {
      client = (await world.addClient({ consent })).client;
      const other = await world.addAccount();
      const both = { cookie: `${cookie}; ${await world.signIn(other)}` };
      const hintOf = ({ id: sub }: Account) =>
        world.signed({ iss: ISSUER, aud: client.client_id, sub });
      const looked: string[] = [];
      const check = async ({ domain }: Account) => {
        looked.push(domain);
        return { control: "lost" } as const;
      };
      const parts = { ...world.parts, control: { ...world.parts.control, check } };
      const answers = new Set<string>();
      for (const sent of [{}, { cookie }, both]) {
        for (const hint of [
          {},
          ...[account.domain, other.domain, "nobody.test"].map((login_hint) => ({ login_hint })),
          ...[account, other].map((one) => ({ id_token_hint: hintOf(one) })),
          { claims: JSON.stringify({ id_token: { sub: { value: account.id } } }) },
          { max_age: "1" },
        ]) {
          answers.add(await refusal(silently(hint as Record<string, string>, sent, parts)));
        }
      }
      expect([...answers]).toEqual(["login_required: no user is signed in"]);
      expect(looked).toEqual([]);
    },
  );

  test("learns nothing of a session that may have expired, without a consent", async () => {
    const read = async (http: HttpRequest, clientId?: string) => {
      const groups = await world.parts.browserSessions.read(http, clientId);
      return { ...groups, live: [], uncertain: groups.live };
    };
    const browserSessions = { ...world.parts.browserSessions, read };
    const parts = { ...world.parts, browserSessions };
    const asked = () => refusal(silently({}, { cookie }, parts));
    expect(await asked()).toBe("login_required: no user is signed in");
    await allow();
    expect(await asked()).toBe("temporarily_unavailable: the clock has jumped ahead");
  });

  test("chooses only among the accounts that have consented", async () => {
    const other = await world.addAccount();
    const both = { cookie: `${cookie}; ${await world.signIn(other)}` };
    await allow();
    expect((await silently({}, both)).status).toBe(303);
  });

  test("gets consent_required where the person is asked each time and has once consented", async () => {
    client = (await world.addClient({ consent: "always" })).client;
    await allow();
    const words = "consent_required: the user is asked for consent each time";
    expect(await refusal(silently())).toBe(words);
    expect(await refusal(silently({ login_hint: account.domain }))).toBe(words);
    expect(await refusal(silently({ login_hint: "another.test" }))).toBe(
      "login_required: no user is signed in",
    );
  });

  test("is refused where DNS does not answer, and where the zone names another account", async () => {
    await allow();
    world.control = { control: "unknown", failure: "indeterminate" };
    expect(await refusal(silently())).toBe(
      "temporarily_unavailable: the DNS lookup for the domain failed",
    );
    world.control = { control: "lost" };
    expect(await refusal(silently())).toBe(
      "login_required: the DNS record of the domain no longer names the account",
    );
    expect(world.reported).toEqual([]);
  });

  test("tells the client of a failure of ours, and the log of its cause", async () => {
    for (const [cause, words] of [
      [new UnavailableError("away"), "temporarily_unavailable: try again later"],
      [new Error("a bug"), "server_error: internal server error"],
    ] as const) {
      const read = () => Promise.reject(cause);
      const browserSessions = { ...world.parts.browserSessions, read };
      const parts = { ...world.parts, browserSessions };
      expect(await refusal(silently({}, { cookie }, parts))).toBe(words);
      expect(world.reported.splice(0)).toEqual([
        { event: "failed", fields: { path: "/oauth/authorize", cause } },
      ]);
      // With a page, the error is shown to the user.
      await expect(ask({}, { cookie }, parts)).rejects.toBe(cause);
    }
  });
});

describe("a posted request (OIDC Core §3.1.2.1)", () => {
  const post = (form: string, headers: Record<string, string> = {}) =>
    redirectPosted("/oauth/authorize")(requestTo("/oauth/authorize", { form, headers }));

  test("becomes the same request as a GET, with what was repeated", async () => {
    const response = await post("client_id=a&scope=openid+notes&scope=&state=%C3%A9");
    expect(response.status).toBe(303);
    expect(response.headers.location).toBe(
      "/oauth/authorize?client_id=a&scope=openid+notes&state=%C3%A9&scope=",
    );
  });

  test("that is no form ends on a page", async () => {
    const refused = post("{}", { "content-type": "application/json" });
    await expect(refused).rejects.toMatchObject({ problem: "malformedRequest" });
    const header = () => {
      throw new TypeError("a bug");
    };
    const broken = { ...requestTo("/"), header };
    await expect(redirectPosted("/oauth/authorize")(broken)).rejects.toThrow(TypeError);
  });
});

describe("several domains in one browser", () => {
  let other: Account;
  let both: string;
  beforeEach(async () => {
    client = (await world.addClient({ consent: "never" })).client;
    other = await world.addAccount();
    both = `${cookie}; ${await world.signIn(other)}`;
  });
  const silently = (more: Record<string, string>) =>
    ask({ prompt: "none", ...more }, { cookie: both });
  const accountOf = async (answer: Promise<HttpResponse>) => {
    const code = new URL(String((await answer).headers.location)).searchParams.get("code") ?? "";
    const token = await readGrantToken(world.keyring, "code", code);
    return (await world.grant(token?.grantId ?? ""))?.accountId;
  };
  const hintOf = (sub: string) => world.signed({ iss: ISSUER, aud: client.client_id, sub });

  test("a silent request says which one it means", async () => {
    const isOf = async ({ id, acct }: Account, hints: Record<string, string>) => {
      world.look = { ...world.look, acct } as typeof world.look;
      expect(await accountOf(silently(hints))).toBe(id);
    };
    await isOf(other, { login_hint: other.domain });
    await isOf(account, { login_hint: account.domain });
    await isOf(account, { id_token_hint: hintOf(account.id) });
    // The token is of this very account; the domain only helps to type.
    await isOf(other, { id_token_hint: hintOf(other.id), login_hint: account.domain });
  });

  test("a silent request that does not is refused, and so is one for somebody else", async () => {
    await expect(silently({})).rejects.toMatchObject({
      ...{ code: "account_selection_required" },
      message: "several domains are signed in: send login_hint",
    });
    for (const hint of [hintOf("sub_of_nobody"), "rubbish"]) {
      const refused = silently({ id_token_hint: hint });
      await expect(refused).rejects.toMatchObject({ code: "login_required" });
    }
  });

  test("are listed, unless the request names one", async () => {
    const shown = (await ask({}, { cookie: both })).body;
    expect([shown.includes(account.domain), shown.includes(other.domain)]).toEqual([true, true]);
    const one = (await ask({ login_hint: other.domain }, { cookie: both })).body;
    expect([one.includes(account.domain), one.includes(other.domain)]).toEqual([false, true]);
  });

  test("a cookie that means nothing is removed", async () => {
    const [name] = cookie.split("=");
    const unknown = `${name?.slice(0, -4)}0000=${"x".repeat(43)}`;
    const response = await ask({}, { cookie: `${cookie}; ${unknown}` });
    expect(response.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^__Host-ds_browser_/),
      expect.stringMatching(new RegExp(`^${unknown.split("=")[0]}=; Max-Age=0`)),
    ]);
    expect((await ask({})).headers["set-cookie"]).toHaveLength(1);
  });
});

describe("what happened in another browser", () => {
  const happened = async (entry: { kind: "new_browser" } | { kind: "passkey_added" }) => {
    const at = world.now;
    const head = { id: `${at}-${account.id}`, accountId: account.id, at };
    const detail = entry.kind === "passkey_added" ? { name: "safari ios" } : {};
    await world.store.histories.recordHistory([{ ...head, ...entry, detail } as never]);
    await world.store.sessions.noticeOthers({ accountId: account.id, sid: "another", at });
  };

  test("is told on the page, with the time at which it was made", async () => {
    expect((await ask()).body).not.toContain("news_seen");
    await happened({ kind: "passkey_added" });
    const { body } = await ask();
    expect(body).toContain("Safari on iOS");
    expect(body).toContain(`name="news_seen" value="${world.now}"`);
  });

  test("is nothing if there is no entry of it", async () => {
    await world.store.sessions.noticeOthers({
      accountId: account.id,
      sid: "another",
      at: world.now,
    });
    expect((await ask()).body).not.toContain("news_seen");
  });
});
