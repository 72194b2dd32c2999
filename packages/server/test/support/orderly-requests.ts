// A request to each endpoint that is in order: what hostile ones are made from.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { happenedElsewhere } from "./news.ts";
import type { RawRequest } from "./raw-http.ts";
import type { TestClient, TestService } from "./service.ts";
import { authorizationUrl, openDomainPage, publish, signInForTokens } from "./sign-in.ts";
import { somePasskey } from "./store-rows.ts";

export interface OrderlyRequests {
  readonly client: TestClient;
  readonly to: ReadonlyMap<string, RawRequest>;
}

const FORM_TYPE = "Content-Type: application/x-www-form-urlencoded";

/** Brings sign-ins to every step, so that each endpoint has something to answer. */
export async function orderlyRequests(at: TestService): Promise<OrderlyRequests> {
  const client = await at.addClient({ consent: "always" });
  const url = authorizationUrl(at, client);
  const alice = createUserAgent();
  const { access_token } = await signInForTokens(at, client, { agent: alice });
  const bob = createUserAgent();
  const stranger = createUserAgent();
  const begin = async (agent: typeof alice, domain: string) =>
    agent.submit(await openDomainPage(agent, url), "domain-form", { domain });
  const askConsent = async () => alice.submit(await alice.open(url), "continue-form");
  const proof = (await alice.open(url)).forms[0]?.controls.find(
    ({ name }) => name === "proof",
  )?.value;
  const complete = await askConsent();
  await alice.submit(complete, "consent-form", {}, { button: "allow", stopAt: client.redirectUri });

  const { host } = new URL(at.issuer);
  const plain = [`Host: ${host}`, "Connection: close"];
  const get = (target: string, ...more: string[]): RawRequest => ({
    method: "GET",
    target,
    version: "1.1",
    headers: [...plain, ...more],
  });
  const post = (target: string, body: string, ...more: string[]): RawRequest => ({
    method: "POST",
    target,
    version: "1.1",
    headers: [...plain, FORM_TYPE, ...more],
    body,
  });
  const sameOrigin = "Sec-Fetch-Site: same-origin";
  const cookies = (agent: typeof alice) => `Cookie: ${agent.cookies.header(at.issuer)}`;
  const step = (page: Page, name: string) =>
    new URL(page.url).pathname.replace(/[^/]+$/, () => name);
  const pair = Buffer.from(`${client.id}:${client.secret}`).toString("base64");
  const basic = `Authorization: Basic ${pair}`;
  const bearer = `Authorization: Bearer ${access_token}`;
  const { search } = new URL(url);

  const bobs = await begin(bob, "bob.test");
  const bobsOther = await begin(bob, "bob.test");
  /** As far as the page with the recovery codes. */
  const setUp = async (domain: string) => {
    const agent = createUserAgent();
    const page = await begin(agent, domain);
    publish(at, page);
    return { agent, page: await agent.submit(page, "check-form") };
  };
  const [dora, erin] = [await setUp("dora.alice.test"), await setUp("erin.alice.test")];
  const earlier = bobsOther.forms
    .find(({ id }) => id === "resume-1-form")
    ?.controls.find(({ name }) => name === "set_up")?.value;
  const strange = await begin(stranger, "alice.test");
  const dave = createUserAgent();
  const domainOfDave = "dave.alice.test";
  await signInForTokens(at, client, { agent: createUserAgent(), domain: domainOfDave });
  const [account] = await at.store.accounts.accountsOf(domainOfDave);
  await at.store.passkeys.addPasskey(somePasskey(account?.id ?? ""));
  const daves = await begin(dave, domainOfDave);
  const davesOther = await begin(dave, domainOfDave);
  // An SP that cannot be found in DNS.
  const record = `v=dsi1 sp=https://sp.example.net acct=${"a".repeat(22)}`;
  at.zone.add({ name: "_domain-signin.away.alice.test", type: "TXT", value: record, ttl: 300 });
  const carol = createUserAgent();
  const handed = await begin(carol, "away.alice.test");
  const spOfCarol = "h".repeat(43);
  const fred = createUserAgent();
  const domainOfFred = "fred.alice.test";
  await signInForTokens(at, client, { agent: fred, domain: domainOfFred });
  await happenedElsewhere(at.store, domainOfFred);
  const freds = await begin(fred, domainOfFred);
  const fredsOther = await begin(fred, domainOfFred);
  const asked = await askConsent();
  const askedToo = await askConsent();
  const requests: Record<string, RawRequest> = {
    "GET /": get("/"),
    "GET /check": get("/check?domain=carol.test"),
    "GET /oauth/authorize": get(`/oauth/authorize${search}`),
    "POST /oauth/authorize": post("/oauth/authorize", search.slice(1)),
    "POST /sign-in": post(`/sign-in${search}`, "domain=carol.test", sameOrigin),
    "GET /sign-in": get(`/sign-in${search}`),
    "POST /sign-in/passkey": post(`/sign-in/passkey${search}`, "credential=x", sameOrigin),
    "GET /sign-in/passkey": get(`/sign-in/passkey${search}`),
    "POST /sign-in/continue": post(
      `/sign-in/continue${search}`,
      `domain=alice.test&proof=${proof}`,
      sameOrigin,
      cookies(alice),
    ),
    "GET /sign-in/continue": get(`/sign-in/continue${search}`),
    "POST /sign-in/other": post(`/sign-in/other${search}`, "", sameOrigin, cookies(alice)),
    "GET /sign-in/other": get(`/sign-in/other${search}`),
    // Of a domain that is not signed in, so that the other requests find the sessions that they need.
    "POST /sign-in/sign-out": post(
      `/sign-in/sign-out${search}`,
      "which=carol.test",
      sameOrigin,
      cookies(alice),
    ),
    "GET /sign-in/sign-out": get(`/sign-in/sign-out${search}`),
    "GET /interaction/:id/dns-setup": get(step(bobs, "dns-setup"), cookies(bob)),
    "POST /interaction/:id/dns-setup": post(step(bobs, "dns-setup"), "", sameOrigin, cookies(bob)),
    "GET /interaction/:id/set-up-passkey": get(step(bobs, "set-up-passkey"), cookies(bob)),
    "POST /interaction/:id/set-up-passkey": post(
      step(bobs, "set-up-passkey"),
      "credential=x",
      sameOrigin,
      cookies(bob),
    ),
    "GET /interaction/:id/hand-on": get(step(bobs, "hand-on"), cookies(bob)),
    "GET /set-up/:link": get("/set-up/x"),
    "GET /interaction/:id/former-record": get(step(bobs, "former-record"), cookies(bob)),
    "POST /interaction/:id/former-record": post(
      step(bobs, "former-record"),
      "recovery_code=+",
      sameOrigin,
      cookies(bob),
    ),
    "POST /interaction/:id/start-over": post(
      step(bobsOther, "start-over"),
      "",
      sameOrigin,
      cookies(bob),
    ),
    "POST /interaction/:id/resume": post(
      step(bobsOther, "resume"),
      `set_up=${earlier}`,
      sameOrigin,
      cookies(bob),
    ),
    "GET /interaction/:id/recovery-codes": get(
      step(dora.page, "recovery-codes"),
      cookies(dora.agent),
    ),
    "POST /interaction/:id/recovery-codes": post(
      step(erin.page, "recovery-codes"),
      "",
      sameOrigin,
      cookies(erin.agent),
    ),
    "GET /interaction/:id/passkey": get(step(daves, "passkey"), cookies(dave)),
    "POST /interaction/:id/passkey": post(
      step(daves, "passkey"),
      "credential=x",
      sameOrigin,
      cookies(dave),
    ),
    "POST /interaction/:id/without-passkey": post(
      step(davesOther, "without-passkey"),
      "",
      sameOrigin,
      cookies(dave),
    ),
    "GET /interaction/:id/dns-challenge": get(step(strange, "dns-challenge"), cookies(stranger)),
    "POST /interaction/:id/dns-challenge": post(
      step(strange, "dns-challenge"),
      "recovery_code=+",
      sameOrigin,
      cookies(stranger),
    ),
    "GET /interaction/:id/external": get(step(handed, "external"), cookies(carol)),
    "GET /federation/callback/:h": get(
      `/federation/callback/${spOfCarol}?code=x&state=${"s".repeat(65)}`,
      cookies(carol),
    ),
    // Of a sign-in to an app, which adds no passkey.
    "GET /interaction/:id/new-passkey": get(step(asked, "new-passkey"), cookies(alice)),
    "POST /interaction/:id/new-passkey": post(
      step(asked, "new-passkey"),
      "credential=x",
      sameOrigin,
      cookies(alice),
    ),
    // Of a sign-in to an app, which removes no passkey.
    "GET /interaction/:id/remove-passkey": get(step(asked, "remove-passkey"), cookies(alice)),
    "POST /interaction/:id/remove-passkey": post(
      step(asked, "remove-passkey"),
      "",
      sameOrigin,
      cookies(alice),
    ),
    // Of a sign-in to an app, which makes no codes.
    "GET /interaction/:id/new-codes": get(step(asked, "new-codes"), cookies(alice)),
    "POST /interaction/:id/new-codes": post(
      step(asked, "new-codes"),
      "",
      sameOrigin,
      cookies(alice),
    ),
    // Of a sign-in to an app, which deletes nothing.
    "GET /interaction/:id/delete-account": get(step(asked, "delete-account"), cookies(alice)),
    "POST /interaction/:id/delete-account": post(
      step(asked, "delete-account"),
      `domain=alice.test&proof=${proof}`,
      sameOrigin,
      cookies(alice),
    ),
    "GET /interaction/:id/news": get(step(freds, "news"), cookies(fred)),
    "POST /interaction/:id/news": post(
      step(fredsOther, "news"),
      "news_seen=0",
      sameOrigin,
      cookies(fred),
    ),
    "GET /interaction/:id/consent": get(step(asked, "consent"), cookies(alice)),
    "POST /interaction/:id/consent": post(
      step(askedToo, "consent"),
      "decision=allow",
      sameOrigin,
      cookies(alice),
    ),
    "GET /interaction/:id/complete": get(step(complete, "complete"), cookies(alice)),
    "GET /account": get("/account"),
    "GET /account/new-passkey": get("/account/new-passkey"),
    "GET /account/remove-passkey": get("/account/remove-passkey"),
    "GET /account/new-codes": get("/account/new-codes"),
    "GET /account/delete-account": get("/account/delete-account"),
    "POST /account/rename-passkey": post(
      "/account/rename-passkey",
      "domain=alice.test&passkey=none&name=x",
      sameOrigin,
      cookies(alice),
    ),
    "GET /account/rename-passkey": get("/account/rename-passkey"),
    "POST /account/revoke": post(
      "/account/revoke",
      "domain=alice.test&client_id=none",
      sameOrigin,
      cookies(alice),
    ),
    "GET /account/revoke": get("/account/revoke"),
    "POST /account/sign-out": post(
      "/account/sign-out",
      "domain=alice.test&sid=none",
      sameOrigin,
      cookies(alice),
    ),
    "GET /account/sign-out": get("/account/sign-out"),
    // Of a domain that is not signed in, so that the next request finds the same.
    "POST /account/sign-out-everywhere": post(
      ...(["/account/sign-out-everywhere", "domain=dave.test"] as const),
      ...[sameOrigin, cookies(alice)],
    ),
    "GET /account/sign-out-everywhere": get("/account/sign-out-everywhere"),
    "GET /oauth/logout": get("/oauth/logout", cookies(alice)),
    "POST /oauth/logout": post("/oauth/logout", `client_id=${client.id}`),
    "POST /oauth/logout/decision": post(
      "/oauth/logout/decision",
      "decision=stay",
      sameOrigin,
      cookies(alice),
    ),
    "GET /oauth/logout/decision": get("/oauth/logout/decision"),
    "POST /oauth/token": post("/oauth/token", "grant_type=refresh_token&refresh_token=x", basic),
    "GET /oauth/userinfo": get("/oauth/userinfo", bearer),
    "POST /oauth/userinfo": post("/oauth/userinfo", `access_token=${access_token}`),
    "GET /oauth/validation_data": get("/oauth/validation_data", bearer),
    "POST /oauth/revoke": post("/oauth/revoke", "token=x", basic),
    "POST /oauth/introspect": post("/oauth/introspect", "token=x", basic),
    "POST /oauth/register": post("/oauth/register", "{}"),
    "GET /oauth/register/:id": get("/oauth/register/x", bearer),
    "PUT /oauth/register/:id": { ...post("/oauth/register/x", "{}", bearer), method: "PUT" },
    "DELETE /oauth/register/:id": { ...get("/oauth/register/x", bearer), method: "DELETE" },
    "GET /.well-known/oauth-authorization-server": get("/.well-known/oauth-authorization-server"),
    "GET /.well-known/openid-configuration": get("/.well-known/openid-configuration"),
    "GET /.well-known/jwks.json": get("/.well-known/jwks.json"),
    "GET /.well-known/security.txt": get("/.well-known/security.txt"),
    "GET /federation/client/:h": get(`/federation/client/${spOfCarol}`),
    "GET /federation/public-client/:h": get(`/federation/public-client/${spOfCarol}`),
    "GET /federation/jwks.json": get("/federation/jwks.json"),
    "GET /livez": get("/livez"),
    "GET /readyz": get("/readyz"),
  };
  return { client, to: new Map(Object.entries(requests)) };
}
