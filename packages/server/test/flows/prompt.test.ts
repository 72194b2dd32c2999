// What a client may ask of the first page: prompt, max_age, login_hint, and the way to another domain.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import { claimsOf, errorOf, flow, hasCode } from "../support/flow.ts";
import { authorizationUrl, redeemed } from "../support/sign-in.ts";

const at = flow({ domain: "alice.test" });

/** Asks for a domain also if somebody is signed in. */
const fresh = { prompt: "login" };

test("prompt=none answers with a code, login_required or consent_required, never with a page", async () => {
  expect(errorOf(await at.open({ prompt: "none" }))).toBe("login_required");
  await at.signIn();
  expect((await at.open({ prompt: "none" })).url).toContain("code=dsc_");
  at.client = await at.addClient({ consent: "first", scope: "openid profile" });
  const page = await at.submit(await at.open({ scope: "openid" }), "continue-form");
  expect(errorOf(await at.open({ prompt: "none" }))).toBe("login_required");
  await at.submit(page, "consent-form", {}, { button: "allow" });
  expect((await at.open({ prompt: "none", scope: "openid" })).url).toContain("code=dsc_");
  const more = { prompt: "none", scope: "openid profile" };
  expect(errorOf(await at.open(more))).toBe("consent_required");
  for (const record of at.zone.records()) at.zone.remove(record);
  at.advance(301);
  expect(errorOf(await at.open({ prompt: "none" }))).toBe("login_required");
});

test("prompt=none selects by id_token_hint, else by login_hint, else the only account", async () => {
  const alice = await at.tokens();
  const bob = await at.tokens({ domain: "bob.test", parameters: fresh });
  const silent = async (parameters: Record<string, string> = {}) => {
    const done = await at.open({ prompt: "none", ...parameters });
    if (!hasCode(done)) return errorOf(done);
    return claimsOf((await redeemed(at, at.client, done)).body.id_token).domain;
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
  at.client = await at.addClient({ consent: "never" });
  expect(await silent({ id_token_hint: ofBob ?? "" })).toBe("login_required");
  // The only account that is left.
  const page = await at.open();
  await at.submit(page, "sign-out-form", { which: "alice.test" });
  expect(await silent()).toBe("bob.test");
});

test("prompt=none tells a client nothing of domains that have not consented to it (OIDC Core §3.1.2.6)", async () => {
  const { id_token } = await at.tokens();
  await at.signIn({ domain: "bob.test", parameters: fresh });
  const stranger = await at.addClient({ consent: "first" });
  const hints = ["alice.test", "bob.test", "carol.test"].map((login_hint) => ({ login_hint }));
  const answers = new Set<string>();
  for (const agent of [createUserAgent(), at.agent]) {
    for (const hint of [{}, ...hints, { id_token_hint: id_token }]) {
      const parameters = { prompt: "none", state: "s", ...hint };
      const { url } = await at.open(parameters, { client: stranger, agent });
      answers.add(url.replace(/&error_id=\w+/, ""));
    }
  }
  expect([...answers]).toHaveLength(1);
  expect([...answers].join()).toContain("error=login_required");
});

test("select_account lists the domains; each is continued as it was authenticated", async () => {
  const authTimes: Record<string, unknown> = {};
  for (const domain of ["alice.test", "bob.test"]) {
    const { id_token } = await at.tokens({ domain, parameters: fresh });
    authTimes[domain] = claimsOf(id_token).auth_time;
    at.advance(50);
  }
  const page = await at.open({ prompt: "select_account" });
  expect(page.step).toBe("continue");
  const ids = page.forms.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(["continue-form", "continue-2-form"]));
  for (const form of ["continue-form", "continue-2-form"]) {
    const done = await at.submit(await at.open(), form);
    const { domain, auth_time } = claimsOf((await redeemed(at, at.client, done)).body.id_token);
    expect(auth_time).toBe(authTimes[String(domain)]);
    delete authTimes[String(domain)];
  }
  expect(authTimes).toEqual({});
  // max_age counts for each by itself.
  const [recent] = (await at.open({ max_age: "60" })).forms;
  expect(recent?.controls.find(({ name }) => name === "domain")?.value).toBe("bob.test");
  expect((await at.open({ max_age: "60", login_hint: "alice.test" })).step).toBe("domain");
});

test("another domain is asked for with the same request, octet for octet", async () => {
  await at.signIn();
  const state = "a\r\nb \n+&=%";
  const page = await at.submit(await at.open({ state, prompt: "consent" }), "other-domain-form");
  expect(page.step).toBe("domain");
  const done = await at.submit(page, "domain-form", { domain: "alice.test" });
  const consented = await at.submit(done, "consent-form", {}, { button: "allow" });
  expect(new URL(consented.url).searchParams.get("state")).toBe(state);
});

test("another domain is asked for however the request spells prompt", async () => {
  await at.signIn();
  const url = authorizationUrl(at, at.client, { prompt: "consent" });
  const first = await at.agent.open(url.replace("prompt=", "%70rompt="));
  const page = await at.submit(first, "other-domain-form");
  expect([page.status, page.step]).toEqual([200, "domain"]);
});

test("prompt=login and max_age ask again, login_hint fills the field in", async () => {
  await at.signIn();
  expect((await at.open({ prompt: "login" })).step).toBe("domain");
  at.advance(100);
  expect((await at.open({ max_age: "99" })).step).toBe("domain");
  expect((await at.open({ max_age: "1000" })).step).toBe("continue");
  const hinted = await at.open({ prompt: "login", login_hint: "Bob.test" });
  expect(hinted.html).toContain('value="Bob.test"');
});

test("a session of another domain than login_hint names does not count (OIDC Core §3.1.2.1)", async () => {
  await at.signIn();
  const other = await at.open({ login_hint: "Bob.test" });
  expect(other.step).toBe("domain");
  expect(other.html).toContain('value="Bob.test"');
  const silent = { prompt: "none", login_hint: "bob.test" };
  expect(errorOf(await at.open(silent))).toBe("login_required");
  expect((await at.open({ ...silent, login_hint: "ALICE.test." })).url).toContain("code=dsc_");
  expect((await at.open({ login_hint: "alice.test" })).step).toBe("continue");
  // What names no domain hints at nothing that we know.
  expect((await at.open({ login_hint: "bob@mail.test" })).step).toBe("continue");
  expect(errorOf(await at.open({ ...silent, login_hint: "bob" }))).toBeNull();
});

test("a page ignores id_token_hint: the person chooses", async () => {
  await at.signIn();
  expect((await at.open({ id_token_hint: "e30.e30.AA" })).step).toBe("continue");
});
