// What people and apps see where an owner or an account has as much as it can have.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import { GRANTS_OF_CLIENT } from "../../src/store/grants.ts";
import { CLIENTS_OF_SESSION } from "../../src/store/logouts.ts";
import { PASSKEYS_OF_ACCOUNT } from "../../src/store/passkeys.ts";
import { REGISTRATIONS_PER_DOMAIN } from "../../src/store/sp-clients.ts";
import { withRegistration } from "../support/bent-sp.ts";
import {
  domainAt,
  expectRefusal,
  startFederatedWorld,
  textOf,
  visit,
} from "../support/federated.ts";
import { fixture } from "../support/fixture.ts";
import { flow } from "../support/flow.ts";
import { registrationFor } from "../support/passkeys.ts";
import { refresh } from "../support/sign-in.ts";
import { someGrant, somePasskey } from "../support/store-rows.ts";

const MAX = 4;

const world = fixture(() => startFederatedWorld({ config: { accountsPerDomain: MAX } }));
// The world closes the service.
const at = flow({ start: async () => ({ ...world.test, close: async () => {} }) });

test("a set-up beyond the accounts of a registrable domain says so, and leaves nothing behind", async () => {
  const agents = Array.from({ length: MAX }, () => createUserAgent());
  for (const [index, agent] of agents.entries()) {
    await at.signIn({ agent, domain: `n${index}.alice.test` });
  }
  const before = await at.dump();
  const { page: refused } = await at.finish(await at.begin({ domain: "one-more.alice.test" }));
  expect([refused.status, refused.step]).toEqual([403, "problem"]);
  expect(textOf(refused)).toContain("No more accounts for this domain");
  const tables = (dump: string) => {
    const [, ...rest] = JSON.parse(dump) as unknown[][];
    return rest.map(({ length }) => length).reduce((sum, length) => sum + length, 0);
  };
  // The interaction of the sign-in alone.
  expect(tables(await at.dump()) - tables(before)).toBeLessThanOrEqual(1);
  expect(await at.store.accounts.accountsOf("one-more.alice.test")).toEqual([]);

  // One that exists still signs in, and another domain is set up.
  const known = { agent: agents[0] ?? at.agent, domain: "n0.alice.test" };
  await at.signIn({ ...known, parameters: { prompt: "login" } });
  await at.signIn({ domain: "carol.test" });
});

test("so does the first sign-in with an account at an external SP", async () => {
  const sp = await world.sp();
  for (const number of [1, 2, 3, 4]) await at.owner({ domain: `n${number}.bob.test` });
  const domain = "external.bob.test";
  world.publish(domain, `v=dsi1 sp=${sp.issuer} acct=${sp.acct(domain)}`);
  const { page } = await visit(world, domain);
  expect([page.status, page.step]).toEqual([403, "problem"]);
  expect(textOf(page)).toContain("No more accounts for this domain");
  expect(await at.store.accounts.accountsOf(domain)).toEqual([]);
});

test("an external SP at whose domain there are 20 registrations gets no other", async () => {
  const sp = await world.sp({ metadata: withRegistration });
  for (let number = 1; number <= REGISTRATIONS_PER_DOMAIN; number++) {
    const row = {
      issuer: `https://localhost:${number}`,
      source: "registered",
      clientId: "a",
    } as const;
    await at.store.spClients.addSpClient({ ...row, settings: "{}", sealedSecret: null, madeAt: 0 });
  }
  const done = await visit(world, domainAt(world, sp));
  expectRefusal(world, done, { sp, says: /has registered at as many SPs as it may/ });
  expect(sp.requests.filter(({ path }) => path.includes("register"))).toEqual([]);
});

test("a 21st grant of an app ends the oldest, whose refresh token is then refused", async () => {
  at.domain = "grants.carol.test";
  const first = await at.tokens();
  const { id } = await at.accountOf();
  const later = { clientId: at.client.id, createdAt: Math.floor(Date.now() / 1000) + 300 };
  for (let number = 2; number <= GRANTS_OF_CLIENT; number++) {
    const codeExpiresAt = later.createdAt + 600;
    await at.store.grants.issueGrant(someGrant(id, { ...later, codeExpiresAt }));
  }
  const rotated = await at.token(refresh(first.refresh_token), at.client);
  expect(rotated.status).toBe(200);
  const next = await at.tokens();
  const ended = await at.token(refresh(String(rotated.body.refresh_token)), at.client);
  expect([ended.status, ended.body.error]).toEqual([400, "invalid_grant"]);
  expect((await at.token(refresh(next.refresh_token), at.client)).status).toBe(200);
});

test("a session that signed in to 100 apps with back-channel logout signs in to no other such app", async () => {
  at.domain = "session.carol.test";
  await at.signIn();
  const { id } = await at.accountOf();
  const [session] = await at.store.sessions.sessionsOf(id, Math.floor(Date.now() / 1000) + 600);
  const sid = session?.sid ?? "";
  const told = await at.addClient({
    ...{ consent: "never", redirect_uris: [`${at.issuer}/callback`] },
    backchannel_logout_uri: `${at.issuer}/told`,
  });
  for (let number = 1; number <= CLIENTS_OF_SESSION; number++) {
    await at.store.logouts.noteSessionClient({
      sid,
      clientId: `client ${number}`,
      host: "localhost",
    });
  }
  const answer = await at.open({ prompt: "none", login_hint: at.domain }, { client: told });
  const { searchParams } = new URL(answer.url);
  expect(searchParams.get("error")).toBe("access_denied");
  expect(searchParams.get("error_description")).toContain("sign out of this service");
  // One that does not want to be told is not refused.
  await at.signIn();
});

test("the 51st passkey is refused on the page that adds it", async () => {
  at.domain = "passkeys.carol.test";
  await at.signIn();
  const link = (await at.account()).link("add-passkey");
  const page = await at.until("new-passkey", await at.agent.open(link));
  const { id } = await at.accountOf();
  for (let number = 1; number <= PASSKEYS_OF_ACCOUNT; number++) {
    await at.store.passkeys.addPasskey(somePasskey(id));
  }
  const { json } = registrationFor(page);
  const refused = await at.submit(page, "passkey-form", { credential: json });
  expect(refused.step).toBe("new-passkey");
  expect(textOf(refused)).toContain("This account has as many passkeys as it can have");
});
