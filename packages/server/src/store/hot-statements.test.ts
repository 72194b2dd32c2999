// The statements of token requests: each can be grouped, and finds its rows by primary keys alone.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  issuedGrant,
  redeemedGrant,
  redemptionOf,
  rotationOf,
} from "../../test/support/store-rows.ts";
import type { SqlEngine } from "./engine.ts";
import { groupedStatement } from "./given.ts";
import { jsonRowsByKey } from "./json-rows.ts";
import { migrate } from "./migrations.ts";
import { openSqlite } from "./sqlite.ts";
import { openLibrary } from "./sqlite-library.ts";
import { createStore, type Store } from "./store.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "domain-signin-plans-"));
  path = join(folder, "store.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The statements that a task runs. */
async function statementsOf(
  prepare: (store: Store) => Promise<(store: Store) => Promise<unknown>>,
): Promise<string[]> {
  const engine = openSqlite(path);
  await migrate(engine);
  const run = await prepare(createStore(engine));
  const ran: string[] = [];
  const execute: SqlEngine["execute"] = (sql, ...rest) => {
    ran.push(sql);
    return engine.execute(sql, ...rest);
  };
  await run(createStore({ ...engine, execute }));
  await engine.close();
  return ran;
}

/** How SQLite finds the rows of each table. */
function planOf(sql: string): string[] {
  const database = openLibrary(path);
  const parameters = Array.from(new Set(sql.match(/\?\d+/g)), () => "[]");
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
  database.close();
  return plan.map(({ detail }) => String(detail)).filter((step) => /^(SCAN|SEARCH)/.test(step));
}

test.each([
  [
    "a redemption",
    async (store: Store) => {
      const grant = await issuedGrant(store);
      return (by: Store) => by.redeemCode(redemptionOf(grant));
    },
  ],
  [
    "a rotation",
    async (store: Store) => {
      const grant = await redeemedGrant(store);
      return (by: Store) => by.rotateRefreshToken(rotationOf(grant));
    },
  ],
  [
    "the use of an access token",
    async (store: Store) => {
      const grant = await redeemedGrant(store);
      return (by: Store) => by.readLiveGrant(grant.id);
    },
  ],
])("%s is one statement, for one row or many, by primary keys", async (_, prepare) => {
  const ran = await statementsOf(prepare);
  expect(ran).toHaveLength(1);
  const [sql = ""] = ran;
  const ofMany = (groupedStatement(sql) ?? jsonRowsByKey(sql))?.sql;
  expect(ofMany).toBeDefined();
  for (const form of [sql, ofMany ?? ""]) {
    const steps = planOf(form).filter((step) => !/^SCAN (json_each|given|CONSTANT ROW)/.test(step));
    expect(steps).toEqual([
      expect.stringMatching(/^SEARCH grants USING INDEX sqlite_autoindex_grants_1 \(id=\?\)$/),
      expect.stringMatching(
        /^SEARCH accounts USING (INDEX sqlite_autoindex_accounts_1|PRIMARY KEY) \(id=\?\)$/,
      ),
    ]);
  }
});
