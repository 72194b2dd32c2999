// Tests of signing out at the request of an app: when it asks, and where it leads.

import { beforeEach, describe, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { ISSUER, makeOAuthWorld, requestTo } from "../../test/support/oauth-world.ts";
import type { Client } from "../clients/client.ts";
import { PageError } from "../interaction/pending-request.ts";
import { sha256 } from "../lib/random.ts";
import type { Account } from "../store/accounts.ts";
import { askAgain, createLogout } from "./logout.ts";
import { redirectPosted, UntrustedRequestError } from "./protocol-errors.ts";

const GOODBYE = "https://app.example.org/goodbye";

const world = fixture(makeOAuthWorld);
let client: Client;
let account: Account;
let cookie: string;
beforeEach(async () => {
  const uris = { post_logout_redirect_uris: [GOODBYE] };
  client = (await world.addClient({ name: "Notes", ...uris })).client;
  account = await world.addAccount();
  cookie = await world.signIn(account);
});

const back = { post_logout_redirect_uri: GOODBYE, state: "s 1" };
const GONE = `${GOODBYE}?state=s+1`;

function requestOf(query: Record<string, string> | string, sent = cookie) {
  const text = typeof query === "string" ? query : new URLSearchParams(query).toString();
  return requestTo("/oauth/logout", { query: text, headers: { cookie: sent } });
}

const ask = (query: Record<string, string> | string = {}, sent = cookie) =>
  createLogout(world.parts).logout(requestOf(query, sent));

function decide(form: Record<string, string> | string, query: Record<string, string> = {}) {
  const path = "/oauth/logout/decision";
  const text = new URLSearchParams(query).toString();
  const http = requestTo(path, { query: text, form, headers: { cookie } });
  return createLogout(world.parts).decideLogout(http);
}

const sessionOf = async (sent = cookie) => {
  const [found] = await world.store.sessions.findSessions([sha256(sent.split("=")[1] ?? "")]);
  if (found === undefined) throw new Error("the session is not known");
  return found.session;
};
const hasEnded = async (sent = cookie) => (await sessionOf(sent)).endReason;

/** An ID token of the session, or of none. */
const hintOf = async (sid?: string, changes: object = {}) =>
  world.signed({ iss: ISSUER, aud: client.client_id, sub: account.id, sid, ...changes });
const hint = async () => hintOf((await sessionOf()).sid);

/** Adds a second account that is signed in in the same browser. */
async function another() {
  const other = await world.addAccount();
  const otherCookie = await world.signIn(other);
  cookie = `${cookie}; ${otherCookie}`;
  return { other, otherCookie };
}

describe("with the ID token of a session of this browser", () => {
  test("ends it, takes the cookie, and leads back with the state alone", async () => {
    const [own] = [cookie];
    const { otherCookie } = await another();
    const { status, headers } = await ask({
      id_token_hint: await hintOf((await sessionOf(own)).sid),
      ...back,
    });
    expect([status, headers.location]).toEqual([303, GONE]);
    expect(headers["set-cookie"]?.[0]).toMatch(/^__Host-ds_session_[^=]+=; Max-Age=0/);
    expect([await hasEnded(own), await hasEnded(otherCookie)]).toEqual(["signed_out", null]);
    expect(world.reported.at(-1)).toEqual({
      event: "signedOut",
      fields: { accountId: account.id, domain: account.domain, where: "here" },
    });
  });

  test("leads to a page of ours without a return address, and there without a state", async () => {
    const alone = await ask({ id_token_hint: await hint(), client_id: client.client_id });
    expect(alone.headers.location).toBe("/account?signed_out=1");
    cookie = await world.signIn(account);
    const { post_logout_redirect_uri } = back;
    const without = await ask({ id_token_hint: await hint(), post_logout_redirect_uri });
    expect(without.headers.location).toBe(GOODBYE);
  });

  test("also of an account that sleeps", async () => {
    await world.store.accounts.putToSleep(account.id, world.now);
    expect((await ask({ id_token_hint: await hint(), ...back })).headers.location).toBe(GONE);
    expect(await hasEnded()).toBe("signed_out");
  });
});

describe("asks first", () => {
  test("without a hint, about every domain, and says for whom", async () => {
    const { other } = await another();
    const { status, body } = await ask({ client_id: client.client_id, ...back });
    expect(status).toBe(200);
    for (const shown of [account.domain, other.domain, "Notes", "app.example.org"]) {
      expect(body).toContain(shown);
    }
    expect(body).toContain(
      `action="/oauth/logout/decision?client_id=${client.client_id}&amp;post_logout`,
    );
    expect(await hasEnded(cookie.split("; ")[0])).toBeNull();
  });

  test("of an app without a return address, and of nobody, it shows no host", async () => {
    expect((await ask({ client_id: client.client_id })).body).not.toContain("app.example.org");
    const { body } = await ask();
    expect(body).toContain('id="logout-form"');
    expect(body).not.toContain("Notes");
  });

  test("with an ID token of another session, only about its account", async () => {
    const { other } = await another();
    const { status, body } = await ask({ id_token_hint: await hintOf("of another"), ...back });
    expect([status, body.includes(account.domain)]).toEqual([200, true]);
    expect(body).not.toContain(other.domain);
  });

  test("with an ID token that proves nothing, about all", async () => {
    const forged = `${(await hint()).slice(0, -6)}AAAAAA`;
    const { other } = await another();
    const { status, body } = await ask({ id_token_hint: forged, client_id: client.client_id });
    const shown = [body.includes(other.domain), body.includes(account.domain)];
    expect([status, ...shown]).toEqual([200, true, true]);
  });
});

describe("where nobody is signed in", () => {
  test("leads back with a hint that is valid", async () => {
    const { status, headers } = await ask({ id_token_hint: await hintOf("gone"), ...back }, "");
    expect([status, headers.location, headers["set-cookie"] ?? []]).toEqual([303, GONE, []]);
  });

  test("says so without one, with a link to an app whose address is known", async () => {
    const { status, body } = await ask({ client_id: client.client_id, ...back }, "");
    expect([status, body.includes('id="logout-form"')]).toEqual([200, false]);
    expect(body).toContain(`href="${GONE}"`);
    expect(body).not.toContain("other-accounts");
    expect((await ask({ client_id: client.client_id }, "")).body).not.toContain("back-to-app");
  });

  /** Of an app that is known by its document. */
  async function askByDocument(idTokenHint: string, sent: string) {
    const document = { ...client, document: true };
    const clients = { find: async () => document as Client };
    const logout = createLogout({ ...world.parts, clients } as typeof world.parts).logout;
    return logout(requestOf({ id_token_hint: idTokenHint, ...back }, sent));
  }

  test("leads nowhere by itself for an app that is known by its document", async () => {
    const { status, body } = await askByDocument(await hintOf("gone"), "");
    expect([status, body.includes(`href="${GONE}"`)]).toEqual([200, true]);
    expect(body).toContain("This browser is not signed in to any account.");
    expect(body).not.toContain("other-accounts");
  });

  test("as the account of the hint, says to the person alone that others are", async () => {
    const other = await world.addAccount();
    const { status, headers, body } = await askByDocument(
      await hintOf("gone"),
      await world.signIn(other),
    );
    expect([status, headers.location]).toEqual([200, undefined]);
    expect(body).not.toContain("not signed in to any account");
    expect(body).toContain("This browser is not signed in to the account");
    expect(body).toContain('id="other-accounts" class="entry" href="/account"');
    // The return address of the app is the same as without them.
    expect(body).toContain(`href="${GONE}"`);
  });
});

describe("the decision", () => {
  test("to sign out ends what the request is about, and leads back", async () => {
    const own = cookie;
    const { otherCookie } = await another();
    const query = { id_token_hint: await hintOf("of another"), ...back };
    const { headers } = await decide({ decision: "sign-out" }, query);
    expect(headers.location).toBe(GONE);
    expect([await hasEnded(own), await hasEnded(otherCookie)]).toEqual(["signed_out", null]);
  });

  test("to sign out of all, without an app, leads to a page of ours", async () => {
    const own = cookie;
    const { otherCookie } = await another();
    const { headers } = await decide({ decision: "sign-out" });
    expect(headers.location).toBe("/account?signed_out=1");
    const ended = [await hasEnded(own), await hasEnded(otherCookie)];
    expect(ended).toEqual(["signed_out", "signed_out"]);
  });

  test("to stay leads to the account page", async () => {
    const { status, headers } = await decide({ decision: "stay" });
    expect([status, headers.location]).toEqual([303, "/account"]);
    expect(await hasEnded()).toBeNull();
  });

  test.each([
    ["another", { decision: "perhaps" }],
    ["none", {}],
    ["a form that is none", "decision=%zz"],
  ])("%s is refused", async (_, form) => {
    const refused = await decide(form).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PageError);
    expect(refused).toMatchObject({ status: 400, problem: "malformedRequest" });
    expect(await hasEnded()).toBeNull();
  });
});

describe("is refused, ends nothing and names the culprit:", () => {
  const refusalOf = async (query: Record<string, string> | string) => {
    const refused = await ask(query).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UntrustedRequestError);
    expect(await hasEnded()).toBeNull();
    return refused;
  };

  test("a repeated parameter", async () => {
    const refused = await refusalOf("state=1&state=2");
    expect(refused).toMatchObject({ problem: "repeatedParameter", parameter: "state" });
  });

  test("a query that cannot be read", async () => {
    expect(await refusalOf("state=%zz")).toMatchObject({ problem: "malformedRequest" });
  });

  test("a client that is not registered, by its id or by the hint", async () => {
    const expected = { problem: "unknownClient", clientId: "nobody" };
    expect(await refusalOf({ client_id: "nobody" })).toMatchObject(expected);
    const id_token_hint = await hintOf("any", { aud: "nobody" });
    expect(await refusalOf({ id_token_hint })).toMatchObject(expected);
  });

  test("the hint of another client", async () => {
    const { client: other } = await world.addClient();
    expect(
      await refusalOf({ id_token_hint: await hint(), client_id: other.client_id }),
    ).toMatchObject({ problem: "hintOfAnotherClient", clientId: other.client_id });
  });

  test("a return address that is not registered, or of nobody", async () => {
    const post_logout_redirect_uri = "https://evil.example/x?secret=1";
    const problem = "postLogoutRedirectUriNotRegistered";
    const found = "https://evil.example/x";
    const ofClient = { client_id: client.client_id, post_logout_redirect_uri };
    expect(await refusalOf(ofClient)).toMatchObject({ problem, found, clientId: client.client_id });
    const ofNobody = await refusalOf({ post_logout_redirect_uri });
    expect(ofNobody).toMatchObject({ problem, found, clientId: undefined });
  });

  test("a state of more than 2,048 octets, not one of as many", async () => {
    const request = { client_id: client.client_id, post_logout_redirect_uri: GOODBYE };
    const most = `${"ü".repeat(1023)}xx`;
    expect((await ask({ ...request, state: most })).status).toBe(200);
    const refused = await refusalOf({ ...request, state: `${most}x` });
    expect(refused).toMatchObject({ problem: "malformedRequest" });
  });
});

describe("a post from another site, and a reload of the decision", () => {
  test("lead to the same request as a GET, which carries the cookies", async () => {
    const { headers, status } = await redirectPosted("/oauth/logout")(
      requestTo("/oauth/logout", { form: { client_id: "app", state: "s 1" } }),
    );
    expect([status, headers.location]).toEqual([303, "/oauth/logout?client_id=app&state=s+1"]);
    const again = askAgain(requestTo("/oauth/logout/decision", { query: "client_id=app" }));
    expect([again.status, again.headers.location]).toEqual([303, "/oauth/logout?client_id=app"]);
  });
});
