// What `verify` finds in rows: nothing in those that the store makes, and each contradiction that is planted.

import { beforeEach, expect, test } from "vitest";
import { violationsIn } from "../../../src/database/invariants.ts";
import { onEveryEngine } from "../../support/store-engines.ts";
import {
  issuedGrant,
  liveAccount,
  NOW,
  redeemedGrant,
  someInteraction,
  someSession,
} from "../../support/store-rows.ts";

/** A statement that breaks one invariant, and what says so. `{account}` is a live account. */
const BROKEN: readonly [statement: string, problem: string, example: string][] = [
  [
    "INSERT INTO consents VALUES ('nobody', 'app', 'openid', 0)",
    "rows of consents belong to an account that does not exist",
    "nobody",
  ],
  [
    "UPDATE grants SET account_id = 'nobody' WHERE account_id = '{account}'",
    "rows of grants belong to an account that does not exist",
    "nobody",
  ],
  [
    `UPDATE accounts SET lost_confirmed_at = ${NOW} WHERE id = '{account}'`,
    "accounts are live although the loss of their record is confirmed",
    "{account}",
  ],
  [
    "UPDATE grants SET generation = -1 WHERE account_id = '{account}' AND generation = 1",
    "grants have a negative generation",
    "{account}",
  ],
  [
    "UPDATE grants SET generation = 0 WHERE account_id = '{account}' AND generation = 1",
    "grants are not redeemed, but have a time of redemption",
    "{account}",
  ],
  [
    "UPDATE grants SET generation = 1 WHERE account_id = '{account}' AND generation = 0",
    "grants are redeemed, but have no time of redemption",
    "{account}",
  ],
  [
    "UPDATE grants SET refresh_expires_at = expires_at + 1 WHERE account_id = '{account}' AND generation = 1",
    "grants have a refresh token that outlives them",
    "{account}",
  ],
  [
    `UPDATE sessions SET ended_at = ${NOW} WHERE account_id = '{account}'`,
    "sessions have ended without a reason, or have a reason and have not ended",
    "{sid}",
  ],
  [
    "INSERT INTO keys (purpose, id, sealed, current_from) VALUES ('grant-token', 256, '', 0)",
    "keys of codes and tokens have an id that does not fit into a token",
    "256",
  ],
  ["DELETE FROM time_floor", "tables do not have exactly one row", "time_floor"],
  ["DROP INDEX secrets_of_session", "tables or indexes are missing", "secrets_of_session"],
];

onEveryEngine(({ store, engine }) => {
  let account = "";
  let sid = "";
  const find = () => violationsIn(engine.execute, engine.now === undefined);
  beforeEach(async () => {
    const { id } = await liveAccount(store);
    await issuedGrant(store, { accountId: id });
    const redeemed = await redeemedGrant(store, { accountId: id });
    await store.grants.revokeGrant({ id: redeemed.id, now: NOW + 5 });
    const session = someSession(id);
    ({ sid } = await store.sessions.startSession(session));
    await store.interactions.beginInteraction(someInteraction());
    account = id;
  });

  test("nothing is wrong with rows of the store", async () => {
    expect(await find()).toEqual([]);
  });

  test.each(BROKEN)("%s", async (statement, problem, example) => {
    const filled = (text: string) => text.replace("{account}", account).replace("{sid}", sid);
    const before = (await find()).map((one) => one.problem);
    await engine.execute(filled(statement), []);
    const found = (await find()).filter((one) => !before.includes(one.problem));
    expect(found.map((one) => one.problem)).toContain(problem);
    expect(found.find((one) => one.problem === problem)?.examples).toContain(filled(example));
  });
});
