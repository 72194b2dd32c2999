// Third-party OpenID Providers as external SPs: the hash of issuer and sub identifies an account.

import type { ClientAuthMethod } from "oidc-provider";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { spStatus, trySpAs } from "../packages/server/src/cli/check-sp-command.ts";
import { hashedAcct, isSaltedAcct } from "../packages/server/test/support/bent-sp.ts";
import {
  codeOf,
  type FederatedWorld,
  recordOf,
  startFederatedWorld,
  textOf,
  tokensOf,
  visit,
} from "../packages/server/test/support/federated.ts";
import { refresh } from "../packages/server/test/support/sign-in.ts";
import { PROVIDER_SUB, type RealProvider, startOidcProvider } from "./providers.ts";

/** As `check-sp --try` does in a folder without a database. */
const tryIt = (world: FederatedWorld, { issuer }: RealProvider) =>
  trySpAs(issuer, {
    ...{ issuer: world.test.issuer, database: "sqlite:/nowhere/none.db", secret: "" },
    ...{ previousSecret: undefined, dnsServers: [world.test.zone.address] },
  });

const claimsOf = (tokens: Record<string, unknown>) =>
  JSON.parse(Buffer.from(String(tokens.id_token).split(".")[1] ?? "", "base64url").toString());

describe.each<[string, readonly ClientAuthMethod[]]>([
  ["private_key_jwt", ["private_key_jwt", "client_secret_basic", "none"]],
  ["client_secret_basic", ["client_secret_basic"]],
  ["client_secret_post", ["client_secret_post"]],
  ["none", ["none"]],
])("oidc-provider with open registration, by %s:", (method, methods) => {
  let world: FederatedWorld;
  let provider: RealProvider;
  beforeAll(async () => {
    [world, provider] = [await startFederatedWorld(), await startOidcProvider(methods)];
  });
  afterAll(async () => {
    await provider.close();
    await world.close();
  });

  function newDomain(sub = PROVIDER_SUB): string {
    const domain = world.newDomain();
    world.publish(domain, recordOf(provider.issuer, hashedAcct(provider.issuer, sub, domain)));
    return domain;
  }
  const registration = async () =>
    (await world.test.store.spClients.findSpClients(provider.issuer))[0];

  test("a person signs in, comes back as the same, and is refreshed; we register once", async () => {
    const domain = newDomain();
    const tokens = await tokensOf(world, await visit(world, domain));
    const claims = claimsOf(tokens);
    expect(claims).toMatchObject({ domain, amr: ["external"], aud: world.client.id });
    const again = claimsOf(await tokensOf(world, await visit(world, domain)));
    expect(again.sub).toBe(claims.sub);
    const { status, body } = await world.test.token(
      refresh(String(tokens.refresh_token)),
      world.client,
    );
    expect([status, typeof body.access_token]).toEqual([200, "string"]);
    expect(provider.clients).toHaveLength(1);
    const row = await registration();
    expect(row).toMatchObject({ source: "registered", clientId: provider.clients[0] });
    expect(JSON.parse(row?.settings ?? "").token_endpoint_auth_method).toBe(method);
    expect(row?.sealedSecret === null).toBe(!method.startsWith("client_secret"));
    expect(provider.asked.at(-1)?.get("login_hint")).toBe(domain);
  });

  test("two domains of one account there are two accounts here", async () => {
    const subs = [newDomain(), newDomain()].map(
      async (domain) => claimsOf(await tokensOf(world, await visit(world, domain))).sub,
    );
    expect(new Set(await Promise.all(subs)).size).toBe(2);
  });

  test("somebody else's account there does not sign in, and is told its acct, which the owner may publish", async () => {
    const domain = newDomain();
    provider.signInAs("mallory");
    const { page } = await visit(world, domain);
    expect([page.stopped, page.step]).toEqual([false, "external"]);
    const acct = /acct=([\w-]{64}),/.exec(textOf(page))?.[1] ?? "";
    expect(isSaltedAcct(acct, provider.issuer, "mallory", domain)).toBe(true);
    world.publish(domain, recordOf(provider.issuer, acct));
    world.advance(400);
    codeOf(await visit(world, domain));
    provider.signInAs(PROVIDER_SUB);
  });

  test("a provider that has forgotten us gets to know us anew, and the person notices nothing", async () => {
    const domain = newDomain();
    const before = claimsOf(await tokensOf(world, await visit(world, domain)));
    const former = (await registration())?.clientId;
    const agent = world.person();
    const stopAt = `${world.test.issuer}/federation/callback/`;
    world.advance(100);
    const { page, verifier } = await visit(world, domain, { agent, stopAt });
    provider.forget();
    const stop = { stopAt: world.client.redirectUri };
    const done = await agent.open(page.url, stop);
    const after = claimsOf(
      await tokensOf(world, { agent, domain, page: done, steps: [], verifier }),
    );
    expect(after.sub).toBe(before.sub);
    const row = await registration();
    expect(row?.clientId).not.toBe(former);
    expect(row?.clientId).toBe(provider.clients.at(-1));
    expect(provider.clients).toHaveLength(2);
  });

  test("one that has forgotten us, and tells only the person so, is asked before anybody is sent there", async () => {
    const domain = newDomain();
    codeOf(await visit(world, domain));
    const before = provider.clients.length;
    provider.forget();
    world.advance(4000);
    codeOf(await visit(world, domain));
    expect(provider.clients).toHaveLength(before + 1);
    expect((await registration())?.clientId).toBe(provider.clients.at(-1));
  });

  test("an account sleeps once the record names another, who signs in, and its refresh waits", async () => {
    const domain = newDomain();
    const tokens = await tokensOf(world, await visit(world, domain));
    world.publish(domain, recordOf(provider.issuer, hashedAcct(provider.issuer, "bob", domain)));
    world.advance(400);
    provider.signInAs("bob");
    const bobs = claimsOf(await tokensOf(world, await visit(world, domain)));
    provider.signInAs(PROVIDER_SUB);
    const acct = hashedAcct(provider.issuer, PROVIDER_SUB, domain);
    const account = await world.test.store.accounts.findAccount(domain, {
      sp: provider.issuer,
      acct,
    });
    expect(account).toMatchObject({ id: claimsOf(tokens).sub, asleepSince: expect.any(Number) });
    expect(bobs.sub).not.toBe(account?.id);
    const { status, body } = await world.test.token(
      refresh(String(tokens.refresh_token)),
      world.client,
    );
    expect([status, body.error]).toEqual([503, "temporarily_unavailable"]);
  });

  test("check-sp --try says that people can sign in, and removes the registration that it made", async () => {
    const [clients, removed] = [provider.clients.length, provider.removed.length];
    const report = await tryIt(world, provider);
    expect([spStatus(report), report.problem]).toEqual([0, null]);
    const isKey = method === "private_key_jwt";
    expect(report.trial?.steps.map(({ name, ok, error }) => [name, ok, error])).toEqual([
      ["registration", true, null],
      ["authorization", true, null],
      ["token", isKey ? null : true, isKey ? null : "invalid_grant"],
      ["removal", true, null],
    ]);
    expect(report.trial?.registration).toBe("removed");
    expect(provider.clients.slice(clients)).toEqual([report.trial?.client?.client_id]);
    expect(provider.removed.slice(removed)).toEqual(provider.clients.slice(clients));
  });
});

test("oidc-provider that wants an initial access token is reported with what it answers, with status 1", async () => {
  const world = await startFederatedWorld();
  const options = { initialAccessToken: "issued by hand" };
  const provider = await startOidcProvider(["client_secret_basic"], options);
  const report = await tryIt(world, provider);
  await Promise.all([provider.close(), world.close()]);
  expect(spStatus(report)).toBe(1);
  expect(report.problem?.advice).toContain("initial access token");
  expect(report.trial).toMatchObject({
    client: null,
    steps: [{ name: "registration", ok: false, error: expect.stringMatching(/^invalid_/) }],
  });
  expect(report.trial?.steps[0]?.error_description).toBeTruthy();
});
