// What people and apps see where an owner or an account has as much as it can have.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GRANTS_OF_CLIENT } from "../../src/store/grants.ts";
import { CLIENTS_OF_SESSION } from "../../src/store/logouts.ts";
import { PASSKEYS_OF_ACCOUNT } from "../../src/store/passkeys.ts";
import { REGISTRATIONS_PER_DOMAIN } from "../../src/store/sp-clients.ts";
import { createAuthenticator } from "../support/authenticator.ts";
import { withRegistration } from "../support/bent-sp.ts";
import {
  domainAt,
  expectRefusal,
  type FederatedWorld,
  startFederatedWorld,
  textOf,
  visit,
} from "../support/federated.ts";
import type { TestClient, TestService } from "../support/service.ts";
import {
  answerPage,
  authorizationUrl,
  publish,
  refresh,
  signIn,
  signInForTokens,
} from "../support/sign-in.ts";
import { someGrant, somePasskey } from "../support/store-rows.ts";

const MAX = 4;
const stopAt = "none:";

let world: FederatedWorld;
let at: TestService;
let client: TestClient;
beforeAll(async () => {
  world = await startFederatedWorld({ config: { accountsPerDomain: MAX } });
  at = world.test;
  client = world.client;
});
afterAll(() => world.close());

const accountOf = async (domain: string) => {
  const [account] = await at.store.accountsOf(domain);
  if (account === undefined) throw new Error(`${domain} has no account`);
  return account;
};
const check = (agent: UserAgent, page: Page) => agent.submit(page, "check-form", {}, { stopAt });
const setUp = async (agent: UserAgent, domain: string) => {
  const first = await agent.open(authorizationUrl(at, client), { stopAt });
  const shown = await agent.submit(first, "domain-form", { domain }, { stopAt });
  publish(at, shown);
  return shown;
};

test("a set-up beyond the accounts of a registrable domain says so, and leaves nothing behind", async () => {
  const agent = createUserAgent();
  const agents = Array.from({ length: MAX }, () => createUserAgent());
  for (const [index, owner] of agents.entries()) {
    await signIn(at, client, { agent: owner, domain: `n${index}.alice.test` });
  }
  const before = await at.dump();
  const refused = await check(agent, await setUp(agent, "one-more.alice.test"));
  expect([refused.status, refused.step]).toEqual([403, "problem"]);
  expect(textOf(refused)).toContain("No more accounts for this domain");
  const tables = (dump: string) => {
    const [, ...rest] = JSON.parse(dump) as unknown[][];
    return rest.map(({ length }) => length).reduce((sum, length) => sum + length, 0);
  };
  // The interaction of the sign-in alone.
  expect(tables(await at.dump()) - tables(before)).toBeLessThanOrEqual(1);
  expect(await at.store.accountsOf("one-more.alice.test")).toEqual([]);

  // One that exists still signs in, and another domain is set up.
  const known = { agent: agents[0] ?? agent, domain: "n0.alice.test" };
  await signIn(at, client, { ...known, parameters: { prompt: "login" } });
  await signIn(at, client, { agent, domain: "carol.test" });
});

test("so does the first sign-in with an account at an external SP", async () => {
  const sp = await world.sp();
  const owners = [1, 2, 3, 4].map((number) => `n${number}.bob.test`);
  for (const domain of owners) await signIn(at, client, { agent: createUserAgent(), domain });
  const domain = "external.bob.test";
  world.publish(domain, `v=dsi1; sp=${sp.issuer}; acct=${sp.acct(domain)}`);
  const { page } = await visit(world, domain);
  expect([page.status, page.step]).toEqual([403, "problem"]);
  expect(textOf(page)).toContain("No more accounts for this domain");
  expect(await at.store.accountsOf(domain)).toEqual([]);
});

test("an external SP at whose domain there are 20 registrations gets no other", async () => {
  const sp = await world.sp({ metadata: withRegistration });
  for (let number = 1; number <= REGISTRATIONS_PER_DOMAIN; number++) {
    const row = {
      issuer: `https://localhost:${number}`,
      source: "registered",
      clientId: "a",
    } as const;
    await at.store.addSpClient({ ...row, settings: "{}", sealedSecret: null, madeAt: 0 });
  }
  const done = await visit(world, domainAt(world, sp));
  expectRefusal(world, done, { sp, says: /has registered at as many SPs as it may/ });
  expect(sp.requests.filter(({ path }) => path.includes("register"))).toEqual([]);
});

test("a 21st grant of an app ends the oldest, whose refresh token is then refused", async () => {
  const [agent, domain] = [createUserAgent(), "grants.carol.test"];
  const first = await signInForTokens(at, client, { agent, domain });
  const { id } = await accountOf(domain);
  const later = { clientId: client.id, createdAt: Math.floor(Date.now() / 1000) + 300 };
  for (let number = 2; number <= GRANTS_OF_CLIENT; number++) {
    const codeExpiresAt = later.createdAt + 600;
    await at.store.issueGrant(someGrant(id, { ...later, codeExpiresAt }));
  }
  const rotated = await at.token(refresh(first.refresh_token), client);
  expect(rotated.status).toBe(200);
  const next = await signInForTokens(at, client, { agent, domain });
  const ended = await at.token(refresh(String(rotated.body.refresh_token)), client);
  expect([ended.status, ended.body.error]).toEqual([400, "invalid_grant"]);
  expect((await at.token(refresh(next.refresh_token), client)).status).toBe(200);
});

test("a session that signed in to 100 apps with back-channel logout signs in to no other such app", async () => {
  const [agent, domain] = [createUserAgent(), "session.carol.test"];
  await signIn(at, client, { agent, domain });
  const { id } = await accountOf(domain);
  const [session] = await at.store.sessionsOf(id, Math.floor(Date.now() / 1000) + 600);
  const sid = session?.sid ?? "";
  const told = await at.addClient({
    ...{ consent: "never", redirect_uris: [`${at.issuer}/callback`] },
    backchannel_logout_uri: `${at.issuer}/told`,
  });
  for (let number = 1; number <= CLIENTS_OF_SESSION; number++) {
    await at.store.noteSessionClient({ sid, clientId: `client ${number}`, host: "localhost" });
  }
  const url = authorizationUrl(at, told, { prompt: "none", login_hint: domain });
  const answer = await agent.open(url, { stopAt: told.redirectUri });
  const { searchParams } = new URL(answer.url);
  expect(searchParams.get("error")).toBe("access_denied");
  expect(searchParams.get("error_description")).toContain("sign out of this service");
  // One that does not want to be told is not refused.
  await signIn(at, client, { agent, domain });
});

test("the 51st passkey is refused on the page that adds it", async () => {
  const [agent, domain] = [createUserAgent(), "passkeys.carol.test"];
  await signIn(at, client, { agent, domain });
  const account = await agent.open(`${at.issuer}/account`);
  let page = await agent.open(account.link("add-passkey"));
  for (let turn = 0; page.step !== "new-passkey" && turn < 4; turn++) {
    page = await answerPage(at, agent, page, { domain, stopAt });
  }
  const { id } = await accountOf(domain);
  for (let number = 1; number <= PASSKEYS_OF_ACCOUNT; number++) {
    await at.store.addPasskey(somePasskey(id));
  }
  const [, escaped = ""] = /data-options="([^"]*)"/.exec(page.html) ?? [];
  const options = JSON.parse(escaped.replaceAll("&quot;", '"'));
  const { json } = createAuthenticator(at.issuer).create(options, {});
  const refused = await agent.submit(page, "passkey-form", { credential: json });
  expect(refused.step).toBe("new-passkey");
  expect(textOf(refused)).toContain("This account has as many passkeys as it can have");
});
