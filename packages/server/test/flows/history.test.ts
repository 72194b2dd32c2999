// What the history of an account contains after what its owner did, and what writing it costs.

import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startTestService, type TestClient, type TestService } from "../support/service.ts";
import {
  authorizationUrl,
  checkAndSave,
  publish,
  redemption,
  refresh,
  signIn,
  signInForTokens,
} from "../support/sign-in.ts";

const stopAt = "https://app.example.org/";

let at: TestService;
let client: TestClient;
let beforeStatement = async (_sql: string): Promise<void> => {};
beforeEach(async () => {
  beforeStatement = async () => {};
  at = await startTestService({ beforeStatement: (sql) => beforeStatement(sql) });
  client = await at.addClient();
});
afterEach(() => at.close());

async function accountId(): Promise<string> {
  const [account] = await at.store.accountsOf("alice.test");
  if (account === undefined) throw new Error("alice.test has no account");
  return account.id;
}

/** Kinds and details, oldest first, when there are as many. */
async function history(count: number): Promise<unknown[]> {
  const id = await accountId();
  return eventually(async () => {
    const entries = await at.store.historyOf(id, { since: 0, limit: 100 });
    if (entries.length < count) throw new Error(`only ${entries.length} entries`);
    return entries.map(({ kind, detail }) => [kind, detail]).reverse();
  });
}

/** Signs in as far as the page that asks for a DNS record. */
async function begin(agent: UserAgent): Promise<Page> {
  const first = await agent.open(authorizationUrl(at, client), { stopAt });
  return agent.submit(first, "domain-form", { domain: "alice.test" }, { stopAt });
}

test("an app that repeats a refresh late is in the history only if it comes from another network", async () => {
  await at.close();
  let address = "203.0.113.7";
  at = await startTestService({ clientAddress: () => address });
  client = await at.addClient({ consent: "never" });
  const { refresh_token } = await signInForTokens(at, client);
  const { body } = await at.token(refresh(refresh_token), client);
  at.advance(60);
  const here = await at.token(refresh(refresh_token), client);
  address = "203.0.113.8";
  const there = await at.token(refresh(refresh_token), client);
  expect([here, there].map((answer) => answer.body.refresh_token)).toEqual([
    ...[body.refresh_token, body.refresh_token],
  ]);
  expect(await history(3)).toEqual([
    ["account_created", {}],
    ["signed_in", { client_id: client.id, amr: "dns" }],
    ["token_repeated_elsewhere", { client_id: client.id }],
  ]);
});

test("a set-up with consent is an account, a sign-in and an app; a session adds nothing", async () => {
  const { agent } = await signIn(at, client);
  const app = { client_id: client.id };
  const entries = [
    ["account_created", {}],
    ["signed_in", { ...app, amr: "dns" }],
    ["app_allowed", { ...app, scope: "openid" }],
  ];
  const found = await history(3);
  expect(found).toHaveLength(3);
  expect(found).toEqual(expect.arrayContaining(entries));
  expect(found.at(-1)).toEqual(entries.at(-1));
  await signIn(at, client, { agent });
  expect(await history(3)).toEqual(found);
});

test("a recovery code in another browser is a code, a browser and a sign-in", async () => {
  const owner = createUserAgent();
  const page = await begin(owner);
  publish(at, page);
  const [code = ""] = (await checkAndSave(owner, page, { stopAt })).codes;
  const before = await history(2);

  const other = createUserAgent();
  const challenge = await begin(other);
  publish(at, challenge);
  await other.submit(challenge, "check-form", { recovery_code: "a".repeat(26) }, { stopAt });
  await other.submit(challenge, "check-form", { recovery_code: code }, { stopAt });
  const more = (await history(before.length + 3)).slice(before.length);
  expect(more).toHaveLength(3);
  expect(more).toEqual(
    expect.arrayContaining([
      ["recovery_code_used", {}],
      ["new_browser", {}],
      ["signed_in", { client_id: client.id, amr: "dns" }],
    ]),
  );
  expect(await at.dump()).not.toContain(code);
});

test("a record that is lost and comes back is two changes", async () => {
  const { agent } = await signIn(at, client);
  await history(3);
  const [record] = at.zone.records().filter(({ name }) => name === "_domain-signin.alice.test");
  if (record === undefined) throw new Error("no record");
  at.zone.remove(record);
  at.advance(301);
  const first = await agent.open(authorizationUrl(at, client), { stopAt });
  await agent.submit(first, "continue-form", {}, { stopAt });
  expect((await history(4)).at(-1)).toEqual(["record_changed", { names_account: false }]);
  at.zone.add(record);
  at.advance(301);
  await begin(agent);
  expect((await history(5)).at(-1)).toEqual(["record_changed", { names_account: true }]);
});

test("a new record that makes another account is a change in the history of the former one", async () => {
  await signIn(at, client, { agent: createUserAgent() });
  const former = await accountId();
  await history(3);
  const stranger = createUserAgent();
  const challenge = await begin(stranger);
  const setUp = await stranger.submit(challenge, "lost-access-form", {}, { stopAt });
  publish(at, setUp);
  await stranger.submit(setUp, "check-form", {}, { stopAt });
  await eventually(async () => {
    const [newest] = await at.store.historyOf(former, { since: 0, limit: 1 });
    expect(newest).toMatchObject({ kind: "record_changed", detail: { names_account: false } });
    expect(newest?.at).toBe((await at.store.readAccount(former))?.asleepSince);
  });
});

test("a denied consent is no app that was allowed", async () => {
  const agent = createUserAgent();
  const page = await begin(agent);
  publish(at, page);
  const { page: consent } = await checkAndSave(agent, page, { stopAt });
  await agent.submit(consent, "consent-form", {}, { button: "deny", stopAt });
  expect((await history(2)).map((entry) => String(entry).split(",")[0])).not.toContain(
    "app_allowed",
  );
});

test("no request waits for the history, and the token endpoint never writes it", async () => {
  const { refresh_token } = await signInForTokens(at, client);
  await history(3);
  const isHistory = (sql: string) => /INTO history/.test(sql);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  beforeStatement = async (sql) => {
    if (isHistory(sql)) await held;
  };
  const done = await signIn(at, client, { parameters: { prompt: "login" } });
  at.statements.length = 0;
  expect((await at.token(redemption(client, done), client)).status).toBe(200);
  expect((await at.token(refresh(refresh_token), client)).status).toBe(200);
  expect(at.statements.filter(isHistory)).toEqual([]);
  release();
  await history(4);
});

test("a database that refuses the history is reported, and people sign in all the same", async () => {
  beforeStatement = async (sql) => {
    if (/INTO history/.test(sql)) throw new Error("the disk is full");
  };
  const { code } = await signIn(at, client);
  expect(code).toMatch(/^dsc_/);
  await eventually(() =>
    expect(at.events).toContainEqual(
      expect.stringMatching(/^failed .*"path":"history".*the disk is full/),
    ),
  );
});

test("a service that closes writes what is waiting first", async () => {
  const written: string[] = [];
  beforeStatement = async (sql) => {
    if (/INTO history/.test(sql)) written.push(sql);
  };
  await signIn(at, client);
  await at.service.close();
  expect(written.length).toBeGreaterThan(0);
});
