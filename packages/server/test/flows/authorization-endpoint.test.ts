// What OIDC Core §3.1.2 requires of the authorization endpoint, section by section, where no other test holds it.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { beforeAll, describe, expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { flow } from "../support/flow.ts";
import { openidClient } from "../support/openid-client.ts";
import { authorizationUrl, STATE } from "../support/sign-in.ts";

const at = flow({ client: "file" });
const op = fixture(async () => openidClient(at));
beforeAll(() => op.signIn(at.client));

const ask = (parameters: Record<string, string | undefined>, more = "") =>
  fetch(authorizationUrl(at, at.client, parameters) + more, { redirect: "manual" });

describe("the request (§3.1.2.1)", () => {
  const once = {
    ...{ response_type: "code", scope: "openid", nonce: "n", response_mode: "query" },
    ...{ display: "page", prompt: "login", max_age: "60", ui_locales: "de", claims_locales: "de" },
    ...{ id_token_hint: "a.b.c", login_hint: "alice.test", acr_values: "phr", claims: "{}" },
    ...{ code_challenge: "A".repeat(43), code_challenge_method: "S256", unknown: "x" },
  };

  test.each(Object.entries(once))("%s=%s twice is invalid_request", async (name, value) => {
    const twice = `&${name}=${value}&${name}=${value}`;
    const answer = await ask({ [name]: undefined }, twice);
    const back = new URL(answer.headers.get("location") ?? "").searchParams;
    expect([back.get("error"), back.get("state")]).toEqual(["invalid_request", STATE]);
    expect(back.get("error_description")).toContain(name);
  });

  test.each(Object.keys(once).filter((name) => !["response_type", "scope"].includes(name)))(
    "%s without a value is as if it were absent",
    async (name) => {
      const done = await op.signIn(at.client, { prompt: undefined, nonce: undefined, [name]: "" });
      expect(done.steps).toEqual(["continue"]);
    },
  );

  test("a scope without openid is a request of OAuth alone: no ID token, and no userinfo", async () => {
    const app = await at.addClient({ consent: "never" });
    const { response } = await op.authorize(app, { scope: "profile" });
    const code = response.get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: app.redirectUri };
    const { body } = await at.token(form, app);
    expect([body.scope, body.id_token]).toEqual(["profile", undefined]);
    expect((await at.userinfo(body.access_token)).status).toBe(403);
  });

  test("scopes are told apart by case: OpenID is not openid", async () => {
    expect(await op.refusal(at.client, { scope: "OpenID" })).toBe("invalid_scope");
  });

  test("a nonce comes back octet for octet, whatever it contains", async () => {
    for (const nonce of ["n".repeat(2048), 'a b+c&d=e%20/é\n"\\', "0"]) {
      expect((await op.signIn(at.client, { nonce })).idToken.nonce).toBe(nonce);
    }
  });

  test.each(["page", "popup", "touch", "wap", "hologram"])(
    "display=%s is no error, and gets the same page",
    async (display) => {
      const [usual, page] = [await op.open(at.client), await op.open(at.client, { display })];
      const ids = ({ forms }: Page) => forms.map(({ id }) => id);
      expect([page.status, page.step, ids(page)]).toEqual([200, usual.step, ids(usual)]);
    },
  );

  test("prompt=consent asks for consent that was given before, and so does prompt=login consent", async () => {
    const app = await at.addClient({ consent: "first" });
    expect((await op.signIn(app)).steps).toEqual(["continue", "consent"]);
    expect((await op.signIn(app)).steps).toEqual(["continue"]);
    expect((await op.signIn(app, { prompt: "consent" })).steps).toEqual(["continue", "consent"]);
    const both = await op.signIn(app, { prompt: "login consent" });
    expect(both.steps).toEqual(["domain", "dns-challenge", "consent"]);
  });

  test("prompt=select_account lets the person choose, also if only one domain is signed in", async () => {
    expect((await op.open(at.client, { prompt: "select_account" })).step).toBe("continue");
  });

  test("max_age=0 is as prompt=login: no session is new enough", async () => {
    await op.signIn(at.client, { prompt: "login" });
    expect((await op.open(at.client, { max_age: "0" })).step).toBe("domain");
    expect(await op.refusal(at.client, { max_age: "0", prompt: "none" })).toBe("login_required");
  });

  test("auth_time is in the ID token with max_age and without", async () => {
    for (const max_age of [undefined, "10000"]) {
      expect((await op.signIn(at.client, { max_age })).idToken.auth_time).toEqual(
        expect.any(Number),
      );
    }
  });

  test("acr_values are a wish: prompt=none gets a code, and the ID token says what was done", async () => {
    const { idToken } = await op.signIn(at.client, { prompt: "none", acr_values: "phr" });
    expect(idToken.acr).toBe("urn:domain-signin:dns");
  });
});

describe("the person that a request is about (§3.1.2.2)", () => {
  test.each(["e30.e30.", "rubbish", "a.b.c"])(
    "with prompt=none, the id_token_hint %s, which this service did not issue, is login_required",
    async (id_token_hint) => {
      expect(await op.refusal(at.client, { prompt: "none", id_token_hint })).toBe("login_required");
    },
  );

  test("with prompt=none, the id_token_hint of somebody who is not signed in here is login_required", async () => {
    const { rawIdToken } = await op.signIn(at.client);
    const stranger = openidClient(at);
    const asked = { prompt: "none", id_token_hint: rawIdToken };
    expect(await stranger.refusal(at.client, asked)).toBe("login_required");
    // That of an ID token for another client, which this client should not have, neither.
    const app = await at.addClient({ consent: "never" });
    expect(await op.refusal(app, asked)).toBe("login_required");
  });

  test("sub that a claims request names is nobody else, whatever its place", async () => {
    const { idToken } = await op.signIn(at.client);
    for (const place of ["id_token", "userinfo"]) {
      const claims = (value: unknown) => JSON.stringify({ [place]: { sub: { value } } });
      const silent = { prompt: "none", claims: claims(idToken.sub) };
      expect((await op.signIn(at.client, silent)).idToken.sub).toBe(idToken.sub);
      const wrong = { prompt: "none", claims: claims("sub_other") };
      expect(await op.refusal(at.client, wrong)).toBe("login_required");
    }
  });
});

describe("the authentication (§3.1.2.3)", () => {
  test("prompt=none never authenticates: a session that max_age calls too old is login_required", async () => {
    await op.signIn(at.client);
    at.advance(100);
    expect(await op.refusal(at.client, { prompt: "none", max_age: "99" })).toBe("login_required");
    expect((await op.signIn(at.client, { prompt: "none", max_age: "1000" })).steps).toEqual([]);
  });

  test("prompt=login leaves the session there: a request without it goes on", async () => {
    expect((await op.open(at.client, { prompt: "login" })).step).toBe("domain");
    expect((await op.open(at.client)).step).toBe("continue");
  });

  test("opening the page signs nobody in: without the person's act there is no code", async () => {
    const answer = await ask({});
    expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
    const page = await op.open(at.client);
    expect([page.stopped, page.step]).toEqual([false, "continue"]);
  });
});

describe("the response (§3.1.2.5, §3.1.2.6)", () => {
  test("is a redirect with code, state and iss in the query, and nothing in the fragment", async () => {
    const { url, response } = await op.authorize(at.client, { state: "a b&c=d+é" });
    expect(new URL(url).hash).toBe("");
    expect([...response.keys()].sort()).toEqual(["code", "iss", "state"]);
    expect(response.get("state")).toBe("a b&c=d+é");
  });

  test("has no state if the request had none, also with an error", async () => {
    const { response } = await op.authorize(at.client, { state: undefined });
    expect(response.has("state")).toBe(false);
    const refused = await ask({ state: undefined, scope: undefined });
    const back = new URL(refused.headers.get("location") ?? "").searchParams;
    expect([back.has("state"), back.get("error")]).toEqual([false, "invalid_scope"]);
  });

  test("of prompt=none where a consent lacks a scope is consent_required, with state and iss", async () => {
    const app = await at.addClient({ consent: "first" });
    const silent = { prompt: "none", scope: "openid profile" };
    expect(await op.refusal(app, silent)).toBe("login_required");
    await op.signIn(app, { scope: "openid" });
    expect(await op.refusal(app, silent)).toBe("consent_required");
  });

  test("of a person who refuses is access_denied, with state and iss and without a code", async () => {
    const app = await at.addClient({ consent: "first" });
    const stopAt = app.redirectUri;
    const page = await op.agent.submit(await op.open(app), "continue-form", {}, { stopAt });
    const denied = await op.agent.submit(page, "consent-form", {}, { button: "deny", stopAt });
    const back = Object.fromEntries(new URL(denied.url).searchParams);
    expect(back).toMatchObject({ error: "access_denied", state: STATE, iss: at.issuer });
    expect(back).not.toHaveProperty("code");
  });

  test("is cached by nobody, as a redirect and as a page", async () => {
    for (const parameters of [{ prompt: "none" }, {}, { client_id: "nobody" }]) {
      expect((await ask(parameters)).headers.get("cache-control")).toBe("no-store");
    }
  });
});

test.each([
  ...["/oauth/par", "/oauth/device_authorization", "/oauth/bc-authorize", "/oauth/check_session"],
  "/.well-known/webfinger?resource=acct:alice@alice.test",
])("%s, which is not implemented, is nowhere", async (path) => {
  for (const method of ["GET", "POST"]) {
    expect((await fetch(`${at.issuer}${path}`, { method })).status).toBe(404);
  }
});
