// What a client may ask of the first page: prompt, max_age, login_hint, and the way to another domain.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import { authorizationUrl, signIn } from "../support/sign-in.ts";

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

test("id_token_hint is ignored: the session answers", async () => {
  await signIn(at, client, { agent });
  expect((await open({ id_token_hint: "e30.e30.AA" })).step).toBe("continue");
});
