// What the history of an account contains after what its owner did, and what writing it costs.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { beforeEach, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { flow } from "../support/flow.ts";
import { gate } from "../support/held-statements.ts";
import { startTestService } from "../support/service.ts";
import { redemption, refresh } from "../support/sign-in.ts";

let beforeStatement = async (_sql: string): Promise<void> => {};
let address: string;
beforeEach(() => {
  beforeStatement = async () => {};
  address = "203.0.113.7";
});
const at = flow({
  start: () =>
    startTestService({
      beforeStatement: (sql) => beforeStatement(sql),
      clientAddress: () => address,
    }),
  service: "test",
  registration: {},
});

/** Kinds and details, oldest first, when there are as many. */
async function history(count: number): Promise<unknown[]> {
  const { id } = await at.accountOf();
  return eventually(async () => {
    const entries = await at.store.histories.historyOf(id, { since: 0, limit: 100 });
    if (entries.length < count) throw new Error(`only ${entries.length} entries`);
    return entries.map(({ kind, detail }) => [kind, detail]).reverse();
  });
}

test("an app that repeats a refresh late is in the history only if it comes from another network", async () => {
  at.client = await at.addClient({ consent: "never" });
  const { refresh_token } = await at.tokens();
  const { body } = await at.token(refresh(refresh_token), at.client);
  at.advance(60);
  const here = await at.token(refresh(refresh_token), at.client);
  address = "203.0.113.8";
  const there = await at.token(refresh(refresh_token), at.client);
  expect([here, there].map((answer) => answer.body.refresh_token)).toEqual([
    ...[body.refresh_token, body.refresh_token],
  ]);
  expect(await history(3)).toEqual([
    ["account_created", {}],
    ["signed_in", { client_id: at.client.id, amr: "dns" }],
    ["token_repeated_elsewhere", { client_id: at.client.id }],
  ]);
});

test("a set-up with consent is an account, a sign-in and an app; a session adds nothing", async () => {
  await at.signIn();
  const app = { client_id: at.client.id };
  const entries = [
    ["account_created", {}],
    ["signed_in", { ...app, amr: "dns" }],
    ["app_allowed", { ...app, scope: "openid" }],
  ];
  const found = await history(3);
  expect(found).toHaveLength(3);
  expect(found).toEqual(expect.arrayContaining(entries));
  expect(found.at(-1)).toEqual(entries.at(-1));
  await at.signIn();
  expect(await history(3)).toEqual(found);
});

test("a recovery code in another browser is a code, a browser and a sign-in", async () => {
  const [code = ""] = (await at.finish(await at.begin())).codes;
  const before = await history(2);

  const other = { agent: createUserAgent() };
  const challenge = await at.begin(other);
  at.publish(challenge);
  await at.submit(challenge, "check-form", { recovery_code: "a".repeat(26) }, other);
  await at.submit(challenge, "check-form", { recovery_code: code }, other);
  const more = (await history(before.length + 3)).slice(before.length);
  expect(more).toHaveLength(3);
  expect(more).toEqual(
    expect.arrayContaining([
      ["recovery_code_used", {}],
      ["new_browser", {}],
      ["signed_in", { client_id: at.client.id, amr: "dns" }],
    ]),
  );
  expect(await at.dump()).not.toContain(code);
});

test("a record that is lost and comes back is two changes", async () => {
  await at.signIn();
  await history(3);
  const records = at.zone.records();
  at.replaceRecord(null);
  at.advance(301);
  await at.submit(await at.open(), "continue-form");
  expect((await history(4)).at(-1)).toEqual(["record_changed", { names_account: false }]);
  for (const record of records) at.zone.add(record);
  at.advance(301);
  await at.begin();
  expect((await history(5)).at(-1)).toEqual(["record_changed", { names_account: true }]);
});

test("a new record that makes another account is a change in the history of the former one", async () => {
  await at.signIn();
  const { id: former } = await at.accountOf();
  await history(3);
  const stranger = { agent: createUserAgent() };
  const challenge = await at.begin(stranger);
  const setUp = await at.submit(challenge, "lost-access-form", {}, stranger);
  at.publish(setUp);
  await at.submit(setUp, "check-form", {}, stranger);
  await eventually(async () => {
    const [newest] = await at.store.histories.historyOf(former, { since: 0, limit: 1 });
    expect(newest).toMatchObject({ kind: "record_changed", detail: { names_account: false } });
    expect(newest?.at).toBe((await at.store.accounts.readAccount(former))?.asleepSince);
  });
});

test("a denied consent is no app that was allowed", async () => {
  const { page: consent } = await at.finish(await at.begin());
  await at.submit(consent, "consent-form", {}, { button: "deny" });
  expect((await history(2)).map((entry) => String(entry).split(",")[0])).not.toContain(
    "app_allowed",
  );
});

test("no request waits for the history, and the token endpoint never writes it", async () => {
  const { refresh_token } = await at.tokens();
  await history(3);
  const isHistory = (sql: string) => /INTO history/.test(sql);
  const { opened, open } = gate();
  beforeStatement = async (sql) => {
    if (isHistory(sql)) await opened;
  };
  const done = await at.signIn({ parameters: { prompt: "login" } });
  at.statements.length = 0;
  expect((await at.token(redemption(at.client, done), at.client)).status).toBe(200);
  expect((await at.token(refresh(refresh_token), at.client)).status).toBe(200);
  expect(at.statements.filter(isHistory)).toEqual([]);
  open();
  await history(4);
});

test("a database that refuses the history is reported, and people sign in all the same", async () => {
  beforeStatement = async (sql) => {
    if (/INTO history/.test(sql)) throw new Error("the disk is full");
  };
  const { code } = await at.signIn();
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
  await at.signIn();
  await at.service.close();
  expect(written.length).toBeGreaterThan(0);
});
