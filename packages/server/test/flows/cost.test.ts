// What each flow costs: its requests, and the reads and commits of each, in the words of the log.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterEach, expect, test, vi } from "vitest";
import { flow } from "../support/flow.ts";
import { givePasskey, registrationFor, usePasskey } from "../support/passkeys.ts";
import { authorizationUrl, openDomainPage, redeemed } from "../support/sign-in.ts";

const at = flow({ registration: { consent: "first", validation_data: false } });
const stopAt = "https://app.example.org/";
afterEach(() => vi.unstubAllGlobals());

const OF_CLIENTS = /FROM clients/;
const OF_CLIENTS_OR_HISTORY = /FROM clients|FROM accounts WHERE domain = \?1 AND ended_at/;

/** Each request of the flow with its reads and commits, and the sum of all. */
async function costOf(run: () => Promise<unknown>): Promise<readonly string[]> {
  const costs: string[] = [];
  const sum = { reads: 0, commits: 0 };
  const send = globalThis.fetch;
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    for (const counted of [at.reads, at.commits]) counted.length = 0;
    const response = await send(url, init);
    const { method = "GET" } = init;
    const path = new URL(url).pathname.replace(/^.interaction.[^/]+/, "/interaction/:id");
    // The client is read again after a while, and the history looks for accounts that a set-up has put to sleep.
    const others = path === "/sign-in" ? OF_CLIENTS : OF_CLIENTS_OR_HISTORY;
    const reads = at.reads.filter((sql) => !others.test(sql)).length;
    const commits = at.commits.length;
    costs.push(`${method} ${path}: ${reads} reads, ${commits} commits`);
    sum.reads += reads;
    sum.commits += commits;
    return response;
  });
  await run();
  vi.unstubAllGlobals();
  return [...costs, `${costs.length} requests: ${sum.reads} reads, ${sum.commits} commits`];
}

async function redeem(page: Page): Promise<void> {
  expect((await redeemed(at, at.client, page)).status).toBe(200);
}

const allow = (agent: UserAgent, page: Page) =>
  agent.submit(page, "consent-form", {}, { button: "allow", stopAt });

test("prompt=none, and a click on Continue whose consent is known", async () => {
  await allow(at.agent, (await at.setUp()).page);
  const silent = () => at.open({ prompt: "none" });
  expect(await costOf(async () => redeem(await silent()))).toEqual([
    "GET /oauth/authorize: 2 reads, 1 commits",
    "POST /oauth/token: 0 reads, 1 commits",
    "2 requests: 2 reads, 2 commits",
  ]);
  const click = async () => at.submit(await at.open(), "continue-form");
  expect(await costOf(async () => redeem(await click()))).toEqual([
    "GET /oauth/authorize: 1 reads, 0 commits",
    "POST /sign-in/continue: 2 reads, 1 commits",
    "POST /oauth/token: 0 reads, 1 commits",
    "3 requests: 3 reads, 2 commits",
  ]);
});

test("a click on Continue, and the page for consent", async () => {
  await at.setUp();
  const other = await at.addClient({ consent: "first", validation_data: false });
  const click = async () => {
    const asked = await at.submit(await at.open({}, { client: other }), "continue-form");
    const done = await allow(at.agent, asked);
    expect((await redeemed(at, other, done)).status).toBe(200);
  };
  expect(await costOf(click)).toEqual([
    "GET /oauth/authorize: 1 reads, 0 commits",
    "POST /sign-in/continue: 1 reads, 1 commits",
    "GET /interaction/:id/consent: 1 reads, 0 commits",
    "POST /interaction/:id/consent: 3 reads, 2 commits",
    "POST /oauth/token: 0 reads, 1 commits",
    "5 requests: 6 reads, 4 commits",
  ]);
});

test("a passkey on the first page, in a known browser and in a new one", async () => {
  await at.signIn();
  const passkey = await givePasskey(at, at.domain);
  const signIn = async (agent: UserAgent) => {
    const page = await openDomainPage(agent, authorizationUrl(at, at.client, { prompt: "login" }));
    await redeem(await usePasskey(agent, page, passkey, { stopAt }));
  };
  expect(await costOf(() => signIn(at.agent))).toEqual([
    "GET /oauth/authorize: 1 reads, 0 commits",
    "POST /sign-in/passkey: 2 reads, 1 commits",
    "GET /interaction/:id/complete: 2 reads, 1 commits",
    "POST /oauth/token: 0 reads, 1 commits",
    "4 requests: 5 reads, 3 commits",
  ]);
  expect(await costOf(() => signIn(createUserAgent()))).toEqual([
    "GET /oauth/authorize: 0 reads, 0 commits",
    "POST /sign-in/passkey: 3 reads, 2 commits",
    "POST /oauth/token: 0 reads, 1 commits",
    "3 requests: 3 reads, 3 commits",
  ]);
});

test("a domain, then a passkey", async () => {
  await at.signIn();
  const passkey = await givePasskey(at, at.domain);
  const signIn = async () => {
    const page = await at.begin({ parameters: { prompt: "login" } });
    await redeem(await usePasskey(at.agent, page, passkey, { stopAt }));
  };
  expect(await costOf(signIn)).toEqual([
    "GET /oauth/authorize: 1 reads, 0 commits",
    "POST /sign-in: 3 reads, 1 commits",
    "GET /interaction/:id/passkey: 1 reads, 0 commits",
    "POST /interaction/:id/passkey: 2 reads, 1 commits",
    "GET /interaction/:id/complete: 2 reads, 1 commits",
    "POST /oauth/token: 0 reads, 1 commits",
    "6 requests: 9 reads, 4 commits",
  ]);
});

test("a first set-up without a passkey", async () => {
  const agent = createUserAgent({ hasScript: true });
  await at.open();
  const setUp = async () => {
    const asked = await at.begin({ agent });
    const shown = await at.submit(asked, "without-passkey-form", {}, { agent });
    const { page } = await at.finish(shown, { agent });
    await redeem(await allow(agent, page));
  };
  expect(await costOf(setUp)).toEqual([
    "GET /oauth/authorize: 0 reads, 0 commits",
    "POST /sign-in: 1 reads, 1 commits",
    "GET /interaction/:id/set-up-passkey: 2 reads, 0 commits",
    "POST /interaction/:id/set-up-passkey: 2 reads, 0 commits",
    "GET /interaction/:id/dns-setup: 2 reads, 0 commits",
    "POST /interaction/:id/dns-setup: 3 reads, 1 commits",
    "GET /interaction/:id/recovery-codes: 2 reads, 0 commits",
    "POST /interaction/:id/recovery-codes: 1 reads, 1 commits",
    "GET /interaction/:id/consent: 1 reads, 0 commits",
    "POST /interaction/:id/consent: 2 reads, 2 commits",
    "POST /oauth/token: 0 reads, 1 commits",
    "11 requests: 16 reads, 6 commits",
  ]);
});

test("a first set-up with a passkey", async () => {
  const agent = createUserAgent({ hasScript: true });
  await at.open();
  const setUp = async () => {
    const asked = await at.begin({ agent });
    const { passkey, json: credential } = registrationFor(asked);
    const shown = await agent.submit(asked, "passkey-form", { credential }, { stopAt });
    at.publish(shown);
    const found = await at.submit(shown, "check-form", {}, { agent });
    const codes = await usePasskey(agent, found, passkey, { stopAt });
    const page = await at.submit(codes, "recovery-codes-form", {}, { agent });
    await redeem(await allow(agent, page));
  };
  expect(await costOf(setUp)).toEqual([
    "GET /oauth/authorize: 0 reads, 0 commits",
    "POST /sign-in: 1 reads, 1 commits",
    "GET /interaction/:id/set-up-passkey: 2 reads, 0 commits",
    "POST /interaction/:id/set-up-passkey: 3 reads, 0 commits",
    "GET /interaction/:id/dns-setup: 2 reads, 0 commits",
    "POST /interaction/:id/dns-setup: 4 reads, 1 commits",
    "GET /interaction/:id/passkey: 2 reads, 0 commits",
    "POST /interaction/:id/passkey: 3 reads, 1 commits",
    "GET /interaction/:id/recovery-codes: 2 reads, 0 commits",
    "POST /interaction/:id/recovery-codes: 1 reads, 1 commits",
    "GET /interaction/:id/consent: 1 reads, 0 commits",
    "POST /interaction/:id/consent: 2 reads, 2 commits",
    "POST /oauth/token: 0 reads, 1 commits",
    "13 requests: 23 reads, 7 commits",
  ]);
});
