// What the statements do when a database answers as it seldom or never does.

import { expect, test } from "vitest";
import { recordSignIn, someGrant, someInteraction } from "../../test/support/store-rows.ts";
import { type SqlEngine, type SqlRow, textOf, UniqueViolationError } from "../database/engine.ts";
import { challengeFor } from "../interaction/progress.ts";
import { UnavailableError } from "../lib/errors.ts";
import { columnsOf } from "./interaction-row.ts";
import { createStore } from "./store.ts";

const NOW = 1_800_000_000;

/** The store on an engine that answers the statements that match, one answer after the other. */
function scripted(matching: RegExp, answers: readonly (readonly SqlRow[] | Error)[]) {
  const left = [...answers];
  const engine: SqlEngine = {
    async execute(statement) {
      if (!matching.test(textOf(statement))) return [];
      const answer = left.shift() ?? [];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    commit: (writes) =>
      Promise.all(writes.map(({ statement, parameters }) => engine.execute(statement, parameters))),
    migrate: async () => {},
    close: async () => {},
  };
  return { store: createStore(engine), left };
}

const account = { id: "sub_1", domain: "alice.test", sp: "", acct: "acct", now: NOW };
const violation = () => new UniqueViolationError("one_account_per_record");

test("a unique index that refuses an account twice is a conflict, and there is no third attempt", async () => {
  const { store, left } = scripted(/INSERT INTO accounts/, [
    violation(),
    violation(),
    [{ id: "3" }],
  ]);
  expect(await store.accounts.adoptAccount(account)).toBe("conflict");
  expect(left).toHaveLength(1);
});

test("the refusal of a unique index has a name of its own in logs", () => {
  expect(String(violation())).toBe("UniqueViolationError: one_account_per_record");
});

test("an account that a racing insert made is found by the second attempt", async () => {
  const { store } = scripted(/INSERT INTO accounts/, [violation(), [{ id: "sub_2" }]]);
  expect(await store.accounts.adoptAccount(account)).toEqual({ id: "sub_2" });
});

test("an outage while an account is made is an outage, and nothing is tried again", async () => {
  const outage = new UnavailableError("the database is away");
  const { store, left } = scripted(/INSERT INTO accounts/, [outage, [{ id: "sub_1" }]]);
  await expect(store.accounts.adoptAccount(account)).rejects.toBe(outage);
  expect(left).toHaveLength(1);
});

test("a statement that must give back a row and gives none is a bug that says what is missing", async () => {
  const { store } = scripted(/nothing/, []);
  const grant = store.grants.issueGrant(someGrant("sub_1"));
  await expect(grant).rejects.toThrow("the grant was removed while it was issued");
});

test("a grant that was made is given back by the statement that made it", async () => {
  const { store } = scripted(/INSERT INTO grants/, [[{ id: "1", client_id: "app" }]]);
  expect(await store.grants.issueGrant(someGrant("sub_1"))).toEqual({ id: "1", clientId: "app" });
});

test("a recovery code that two interactions use at once is one refusal; without a code it is a failure", async () => {
  const by = { accountId: "sub_1", authTime: NOW, amr: "dns", controlCheckedAt: NOW, sid: "sid" };
  const progress = challengeFor("acct", "challenge");
  const interaction = { ...someInteraction(), progress, version: columnsOf(progress) };
  const authenticate = (usedCode: string | null, answer: Error) =>
    recordSignIn(
      scripted(/UPDATE interactions/, [answer]).store,
      interaction,
      { ...by, usedCode },
      NOW,
    );
  expect(await authenticate("hash", violation())).toBeNull();
  await expect(authenticate(null, violation())).rejects.toThrow(UniqueViolationError);
  const down = new UnavailableError("no connection is free");
  await expect(authenticate("hash", down)).rejects.toBe(down);
});
