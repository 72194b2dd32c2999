// What a client may ask of the first page: prompt, max_age, login_hint, and the way to another domain.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import { authorizationUrl, redemption, signIn, signInForTokens } from "../support/sign-in.ts";

let at: TestService;
let client: TestClient;
let agent: UserAgent;
beforeAll(async () => {
  at = await startTestService();
});
afterAll(() => at.close());
beforeEach(async () => {
  for (const record of at.zone.records()) at.zone.remove(record);
  client = await at.addClient({ consent: "never" });
  agent = createUserAgent();
});

const stopAt = "https://app.example.org/";
const open = (parameters: Record<string, string> = {}) =>
  agent.open(authorizationUrl(at, client, parameters), { stopAt });
/** Asks for a domain also if somebody is signed in. */
const fresh = { prompt: "login" };
/** The claims of the ID token, which others have verified. */
const claimsOf = ({ id_token }: { readonly id_token?: unknown }) =>
  JSON.parse(Buffer.from(String(id_token).split(".")[1] ?? "", "base64url").toString()) as {
    domain: string;
    auth_time: number;
  };
const errorOf = (page: Page) => new URL(page.url).searchParams.get("error");

test("prompt=none answers with a code, login_required or consent_required, never with a page", async () => {
  expect(errorOf(await open({ prompt: "none" }))).toBe("login_required");
  await signIn(at, client, { agent });
  expect((await open({ prompt: "none" })).url).toContain("code=dsc_");
  client = await at.addClient({ consent: "first" });
  expect(errorOf(await open({ prompt: "none" }))).toBe("consent_required");
  for (const record of at.zone.records()) at.zone.remove(record);
  at.advance(301);
  expect(errorOf(await open({ prompt: "none" }))).toBe("login_required");
});

test("prompt=none selects by id_token_hint, else by login_hint, else the only account", async () => {
  const alice = await signInForTokens(at, client, { agent });
  const bob = await signInForTokens(at, client, { agent, domain: "bob.test", parameters: fresh });
  const silent = async (parameters: Record<string, string> = {}) => {
    const done = await open({ prompt: "none", ...parameters });
    const code = new URL(done.url).searchParams.get("code");
    if (code === null) return errorOf(done);
    const { body } = await at.token(
      redemption(client, { ...alice.signIn, code, verifier: "" }),
      client,
    );
    return claimsOf(body).domain;
  };
  expect(await silent()).toBe("account_selection_required");
  expect(await silent({ login_hint: "alice.test" })).toBe("alice.test");
  expect(await silent({ login_hint: "bob.test" })).toBe("bob.test");
  expect(await silent({ login_hint: "carol.test" })).toBe("login_required");
  // One that names no domain selects none.
  expect(await silent({ login_hint: "bob@mail.test" })).toBe("account_selection_required");
  const [ofAlice, ofBob] = [alice, bob].map(({ id_token }) => id_token);
  expect(await silent({ id_token_hint: ofAlice ?? "" })).toBe("alice.test");
  expect(await silent({ id_token_hint: ofBob ?? "", login_hint: "alice.test" })).toBe("bob.test");
  // However old it is.
  at.advance(3600);
  expect(await silent({ id_token_hint: ofBob ?? "" })).toBe("bob.test");
  // What nobody signed, or another app got, names nobody.
  const [head, body, signature] = (ofBob ?? "").split(".");
  for (const hint of [
    "e30.e30.AA",
    "",
    "a".repeat(9000),
    [head, (ofAlice ?? "").split(".")[1], signature].join("."),
    [Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url"), body, ""].join("."),
  ]) {
    expect(await silent({ id_token_hint: hint, login_hint: "" })).toBe(
      hint === "" ? "account_selection_required" : "login_required",
    );
  }
  client = await at.addClient({ consent: "never" });
  expect(await silent({ id_token_hint: ofBob ?? "" })).toBe("login_required");
  // The only account that is left.
  const page = await open();
  await agent.submit(page, "sign-out-form", { which: "alice.test" });
  expect(await silent()).toBe("bob.test");
});

test("select_account lists the domains; each is continued as it was authenticated", async () => {
  const authTimes: Record<string, unknown> = {};
  for (const domain of ["alice.test", "bob.test"]) {
    const tokens = await signInForTokens(at, client, { agent, domain, parameters: fresh });
    authTimes[domain] = claimsOf(tokens).auth_time;
    at.advance(50);
  }
  const page = await open({ prompt: "select_account" });
  expect(page.step).toBe("continue");
  const ids = page.forms.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(["continue-form", "continue-2-form"]));
  for (const form of ["continue-form", "continue-2-form"]) {
    const done = await agent.submit(await open(), form, {}, { stopAt });
    const code = new URL(done.url).searchParams.get("code") ?? "";
    const signedIn = { code, verifier: "", answer: new URLSearchParams(), agent, steps: [] };
    const claims = claimsOf((await at.token(redemption(client, signedIn), client)).body);
    expect(claims.auth_time).toBe(authTimes[claims.domain]);
    delete authTimes[claims.domain];
  }
  expect(authTimes).toEqual({});
  // max_age counts for each by itself.
  const [recent] = (await open({ max_age: "60" })).forms;
  expect(recent?.controls.find(({ name }) => name === "domain")?.value).toBe("bob.test");
  expect((await open({ max_age: "60", login_hint: "alice.test" })).step).toBe("domain");
});

test("another domain is asked for with the same request, octet for octet", async () => {
  await signIn(at, client, { agent });
  const state = "a\r\nb \n+&=%";
  const page = await agent.submit(await open({ state, prompt: "consent" }), "other-domain-form");
  expect(page.step).toBe("domain");
  const done = await agent.submit(page, "domain-form", { domain: "alice.test" }, { stopAt });
  const consented = await agent.submit(done, "consent-form", {}, { button: "allow", stopAt });
  expect(new URL(consented.url).searchParams.get("state")).toBe(state);
});

test("another domain is asked for however the request spells prompt", async () => {
  await signIn(at, client, { agent });
  const url = authorizationUrl(at, client, { prompt: "consent" }).replace("prompt=", "%70rompt=");
  const page = await agent.submit(await agent.open(url, { stopAt }), "other-domain-form");
  expect([page.status, page.step]).toEqual([200, "domain"]);
});

test("prompt=login and max_age ask again, login_hint fills the field in", async () => {
  await signIn(at, client, { agent });
  expect((await open({ prompt: "login" })).step).toBe("domain");
  at.advance(100);
  expect((await open({ max_age: "99" })).step).toBe("domain");
  expect((await open({ max_age: "1000" })).step).toBe("continue");
  const hinted = await open({ prompt: "login", login_hint: "Bob.test" });
  expect(hinted.html).toContain('value="Bob.test"');
});

test("a session of another domain than login_hint names does not count (OIDC Core §3.1.2.1)", async () => {
  await signIn(at, client, { agent });
  const other = await open({ login_hint: "Bob.test" });
  expect(other.step).toBe("domain");
  expect(other.html).toContain('value="Bob.test"');
  const silent = { prompt: "none", login_hint: "bob.test" };
  expect(errorOf(await open(silent))).toBe("login_required");
  expect((await open({ ...silent, login_hint: "ALICE.test." })).url).toContain("code=dsc_");
  expect((await open({ login_hint: "alice.test" })).step).toBe("continue");
  // What names no domain hints at nothing that we know.
  expect((await open({ login_hint: "bob@mail.test" })).step).toBe("continue");
  expect(errorOf(await open({ ...silent, login_hint: "bob" }))).toBeNull();
});

test("a page ignores id_token_hint: the person chooses", async () => {
  await signIn(at, client, { agent });
  expect((await open({ id_token_hint: "e30.e30.AA" })).step).toBe("continue");
});
