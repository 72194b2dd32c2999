// The statements of token requests, on both engines: each can be grouped, and finds its rows by primary keys alone.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { GroupedStatement, SqlEngine } from "../../../src/database/engine.ts";
import { migrate } from "../../../src/database/migrations.ts";
import { openPostgres } from "../../../src/database/postgres.ts";
import { openSqlite } from "../../../src/database/sqlite.ts";
import { openLibrary } from "../../../src/database/sqlite-library.ts";
import { createStore, type Store } from "../../../src/store/store.ts";
import { fixture } from "../../support/fixture.ts";
import { postgresFixture, postgresTests } from "../../support/postgres.ts";
import { issuedGrant, redeemedGrant, redemptionOf, rotationOf } from "../../support/store-rows.ts";

/** Each with what it needs, and the task itself. */
const HOT: readonly [string, (store: Store) => Promise<(by: Store) => Promise<unknown>>][] = [
  [
    "a redemption",
    async (store) => {
      const grant = await issuedGrant(store);
      return (by) => by.grants.redeemCode(redemptionOf(grant));
    },
  ],
  [
    "a rotation",
    async (store) => {
      const grant = await redeemedGrant(store);
      return (by) => by.grants.rotateRefreshToken(rotationOf(grant));
    },
  ],
  [
    "the use of an access token",
    async (store) => {
      const grant = await redeemedGrant(store);
      return (by) => by.grants.readLiveGrant(grant.id);
    },
  ],
];

/** The only statement that a task asks the engine for. */
async function statementOf(
  engine: SqlEngine,
  prepare: (typeof HOT)[number][1],
): Promise<GroupedStatement> {
  const run = await prepare(createStore(engine));
  const ran: GroupedStatement[] = [];
  const execute: SqlEngine["execute"] = (statement, ...rest) => {
    if (typeof statement === "string") throw new Error(`no request shares "${statement}"`);
    ran.push(statement);
    return engine.execute(statement, ...rest);
  };
  await run(createStore({ ...engine, execute }));
  const [only, second] = ran;
  if (only === undefined || second !== undefined) throw new Error(`${ran.length} statements`);
  return only;
}

/** In a file: libsql leaves an `EXPLAIN` in progress, so it has a connection of its own. */
describe("SQLite", () => {
  let folder: string;
  let path: string;
  let engine: SqlEngine;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "domain-signin-plans-"));
    path = join(folder, "store.db");
    engine = openSqlite(path);
    await migrate(engine);
  });
  afterEach(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  /** How the rows of each table are found. */
  function planOf(sql: string): string[] {
    const database = openLibrary(path);
    const parameters = Array.from(new Set(sql.match(/\?\d+/g)), () => "[]");
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
    database.close();
    return plan.map(({ detail }) => String(detail)).filter((step) => /^(SCAN|SEARCH)/.test(step));
  }

  test.each(HOT)(
    "%s is one statement, for one row or many, by primary keys",
    async (_, prepare) => {
      const { sql, ofMany } = await statementOf(engine, prepare);
      expect(ofMany.sqlite).not.toBeNull();
      for (const form of [sql, ofMany.sqlite ?? ""]) {
        const steps = planOf(form).filter(
          (step) => !/^SCAN (json_each|given|CONSTANT ROW)/.test(step),
        );
        const [first, ...others] = steps;
        expect(first).toMatch(/^SEARCH grants USING INDEX sqlite_autoindex_grants_1 \(id=\?\)$/);
        expect(others).not.toEqual([]);
        // A redemption also reads what the ID token says of the account.
        for (const step of others) {
          expect(step).toMatch(
            /^SEARCH accounts (EXISTS )?USING (INDEX sqlite_autoindex_accounts_1|PRIMARY KEY) \(id=\?\)$/,
          );
        }
      }
    },
  );
});

/** A node of a plan as PostgreSQL explains it. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly Plans?: readonly PlanNode[];
}

postgresTests("PostgreSQL", () => {
  const database = postgresFixture();
  const engine = fixture(async () => openPostgres(database.url));
  let client: Client;
  beforeAll(async () => {
    await migrate(engine);
    client = new Client({ connectionString: database.url });
    await client.connect();
    // As many as make it matter how they are found.
    await fill(20_000);
  });
  afterAll(() => client.end());

  async function fill(count: number): Promise<void> {
    await client.query(`INSERT INTO accounts (id, domain, acct, sp, created_at)
      SELECT 'sub_' || n, n || '.test', 'a' || n, 'https://sp.test', 1 FROM generate_series(1, ${count}) AS n`);
    await client.query(`INSERT INTO grants (id, client_id, account_id, redirect_uri, scope, auth_time, amr,
        created_at, code_expires_at, generation, expires_at, control_checked_at)
      SELECT md5(n::text), 'client', 'sub_' || n, 'https://app.test', 'openid', 1, 'pop', 1, 1, 1, 1, 1
      FROM generate_series(1, ${count}) AS n`);
    await client.query("ANALYZE");
  }

  /** The indexes, and the tables that are read without one, in the plan of the prepared statement for any values. */
  async function planOf(sql: string): Promise<string[]> {
    const text = sql.replace(/\?(\d+)/g, "$$$1");
    const count = new Set(text.match(/\$\d+/g)).size;
    await client.query("SET plan_cache_mode = force_generic_plan");
    await client.query(`PREPARE hot AS ${text}`);
    const nulls = Array(count).fill("NULL").join(", ");
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE hot (${nulls})`);
    await client.query("DEALLOCATE hot");
    const found: string[] = [];
    const visit = (node: PlanNode): void => {
      const { "Node Type": type, "Relation Name": table, "Index Name": index } = node;
      if (index !== undefined) found.push(index);
      if (type === "Seq Scan") found.push(`all of ${table}`);
      for (const child of node.Plans ?? []) visit(child);
    };
    visit(rows[0]["QUERY PLAN"][0].Plan);
    return Array.from(new Set(found)).sort();
  }

  test.each(HOT)(
    "%s is one statement, for one row or many, by primary keys",
    async (_, prepare) => {
      const { sql, ofMany } = await statementOf(engine, prepare);
      for (const form of [sql, ofMany.postgres]) {
        expect(await planOf(form)).toEqual([
          // The primary key keeps the name that the table had when it was made.
          "accounts_of_any_sp_pkey",
          "grants_pkey",
        ]);
      }
    },
  );
});
